# SPDX-License-Identifier: GPL-2.0-or-later
"""Sentences of the library's comments as text of manual pages, in mdoc(7)."""
import itertools
import re
import textwrap

from library import whole_word


def escape(text):
    return text.replace("\\", r"\e").replace("-", r"\-")


def lines(text, words=()):
    """Sentences as lines of roff, each on new ones: WORDS, such as parameters, in italics,
    functions in bold."""
    text = re.sub(r"\b(\w+)\(", r"\\fB\1\\fP(", escape(text))
    for word in words:
        text = re.sub(whole_word(word) + r"(?!\\fP\()", lambda m: rf"\fI{m.group(0)}\fP", text)
    wrapped = []
    for sentence in re.split(r"(?<=[.?!]) +(?=[A-Z0-9\"(\\])", text):
        wrapped += textwrap.wrap(sentence, 78, break_long_words=False, break_on_hyphens=False)
    return "".join(guard(line) + "\n" for line in wrapped)


def guard(line):
    """Protects a line that roff would take for a request."""
    return (r"\&" if line[:1] in (".", "'") else "") + line


def literal(text):
    """Lines as they are."""
    return (".Bd -literal -offset indent\n" +
            "".join((guard(escape(line)) or r"\&") + "\n" for line in text) + ".Ed\n")


def sentence(text, words=()):
    """A summary as a sentence, unless it begins with one of WORDS."""
    text = text if text[-1] in ".?" else text + "."
    if re.match(r"\w*", text).group(0) not in words:
        text = text[0].upper() + text[1:]
    return lines(text, words)


def paragraphs(found):
    """The paragraphs at the top of a file; lines after a tab are literal."""
    text = ""
    for paragraph in found:
        for is_literal, group in itertools.groupby(paragraph, lambda line: line.startswith("\t")):
            if is_literal:
                text += literal([line[1:].expandtabs() for line in group])
            else:
                text += ".Pp\n" if text else ""
                text += lines(" ".join(line.strip() for line in group))
    return text
