#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Write each case of cases/refused/ as a script of its own: refused.py DIR"""
import glob
import os
import re
import sys

CASES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "cases/refused")


def write(folder):
    """The scripts' paths by the cases' names: arrays:more-keys-than-an-array-has. A script is a
    test that stops after pass 3, and has the places that the case has."""
    paths = {}
    for path in sorted(glob.glob(CASES + "/*.cases")):
        subject = os.path.splitext(os.path.basename(path))[0]
        with open(path, encoding="utf-8") as f:
            cases = re.findall(r"^== (.*)\n((?:(?!== |E[=~] ).*\n)*)", f.read(), re.M)
        for title, script in cases:
            name = subject + ":" + re.sub(r"\W+", "-", title).strip("-")
            if name in paths:
                raise ValueError(f"two cases are called {name}")
            paths[name] = os.path.join(folder, f"{subject}-{len(paths)}.stp")
            with open(paths[name], "w", encoding="utf-8") as f:
                f.write("# pass: 3\n" + script)
    return paths


if __name__ == "__main__":
    write(sys.argv[1])
