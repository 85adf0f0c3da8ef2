#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Takes the examples out of a manual page, for manual.test to run.

usage: manual.py PAGE DIR

Each literal block of the page has a comment before it that says what it is
(see the top of man/stapref.1).  DIR gets for each example NAME: NAME.stp, and
where the page has them NAME.output and NAME.message, and NAME.args,
NAME.flags, NAME.run (options of staprun), NAME.exit.  The names, in order, are
printed.
"""
import os
import re
import shlex
import sys

KINDS = ("test", "body", "bad", "output", "message", "form")


def fail(page, number, what):
    sys.exit("%s:%d: %s" % (page, number, what))


def text_of(lines):
    """The characters that lines of roff stand for."""
    text = ""
    for line in lines:
        line = re.sub(r"^\\&", "", line)
        text += line.replace(r"\(aq", "'").replace(r"\e", "\\") + "\n"
    return text


def blocks(page):
    """(kind, name, attributes, text) of each literal block."""
    mark, literal = None, None
    for number, line in enumerate(open(page), 1):
        line = line.rstrip("\n")
        found = re.match(r'\.\\" (\w+)(?:: (.*))?$', line)
        if found and found.group(1) in KINDS and literal is None:
            mark = (found.group(1), shlex.split(found.group(2) or ""))
        elif line.startswith(".Bd -literal"):
            if not mark:
                fail(page, number, "no comment says what this example is")
            literal = []
        elif line == ".Ed" and literal is not None:
            kind, words = mark
            attributes = dict(word.split("=", 1) for word in words[1:])
            yield kind, words[0] if words else None, attributes, text_of(literal)
            mark, literal = None, None
        elif literal is not None:
            literal.append(line)


def main():
    page, directory = sys.argv[1:]
    seen = []

    def put(name, suffix, text):
        with open(os.path.join(directory, "%s.%s" % (name, suffix)), "w") as out:
            out.write(text)

    for kind, name, attributes, text in blocks(page):
        if kind == "form":
            continue
        if kind in ("output", "message"):
            if name != seen[-1]:
                sys.exit("%s: %s of '%s' is not behind its example" % (page, kind, name))
            put(name, kind, text)
            continue
        if name in seen:
            sys.exit("%s: two examples are named '%s'" % (page, name))
        seen.append(name)
        if kind == "body":
            text = "probe oneshot\n{\n%s}\n" % text
        if kind == "bad":
            put(name, "bad", "")
        put(name, "stp", text)
        for key, value in attributes.items():
            put(name, key, value)
    print("\n".join(seen))


main()
