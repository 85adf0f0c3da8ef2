# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares examples/README.md with the examples: each is there once, with the first paragraph of
its own comment; what it is said to print is what the comment says, if it does, and each line is one
that its test expects."""
import os
import re
import sys

ENTRY = re.compile(r"^\[(.*?)\.stp\]\(\1\.stp\): (.*?)\n\n((?:    [^\n]*\n)*)", re.M | re.S)


def read(path):
    with open(path, encoding="utf-8") as f:
        return f.read()


def own_words(name):
    """The first paragraph of a script's comment, the licence not counted."""
    comment = read(f"examples/{name}.stp").partition("#\n")[2]
    return re.split(r"\n(?:#\n|[^#])", comment)[0].replace("\n#", " ").lstrip("#")


def own_output(name):
    """The lines that a script's comment says it prints, as the index has them; None: it doesn't."""
    said = re.search(r"^# It prints:\n#\n((?:#\t.*\n)+)", read(f"examples/{name}.stp"), re.M)
    return said and said.group(1).replace("#\t", "    ")


def expected(name):
    """Regular expressions of the lines that the test expects; None: any."""
    test = f"testsuite/examples/{name}.stp"
    if not os.path.exists(test):
        return None
    lines = re.findall(r"^#([=~]) (.*)$", read(test), re.M)
    return [text if kind == "~" else re.escape(text) for kind, text in lines]


def main():
    entries = ENTRY.findall(read("examples/README.md"))
    names = [name for name, _, _ in entries]
    there = [n.removesuffix(".stp") for n in os.listdir("examples") if n.endswith(".stp")]
    wrong = [f"{n}: not there, or twice" for n in set(names + there)
             if names.count(n) != 1 or n not in there]
    for name, words, printed in entries:
        if words.split() != own_words(name).split():
            wrong.append(f"{name}: says of itself:\n{own_words(name)}")
        if own_output(name) not in (None, printed):
            wrong.append(f"{name}: says that it prints:\n{own_output(name)}")
        patterns = expected(name)
        for line in printed.splitlines():
            if patterns and line.strip() != "..." and \
                    not any(re.fullmatch(p, line[4:]) for p in patterns):
                wrong.append(f"{name}: the test does not expect {line[4:]!r}")
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
