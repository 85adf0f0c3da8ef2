# SPDX-License-Identifier: GPL-2.0-or-later
"""What the tests have of the script library.

A line for each file of the library: how many functions, macros and probe aliases
it has; how many of these some test that runs in a guest uses and expects output
of; how many of the names are aliases, and of how many of these the kernel has the
places.  -v names those that are not tested, and those that the kernel doesn't have.

A test uses a name that its text contains, whole or by a pattern; that its output
depends on it can't be seen here.
"""
import fnmatch
import glob
import os
import re
import subprocess
import sys

from suite import SOURCE

sys.path.insert(0, os.path.join(SOURCE, "man"))

import library                              # noqa: E402

POINT = re.compile(r"[a-z_]\w*(?:\.[\w*?]+|\.?\{[\w.,*?]+\}\w*)+")
FURTHER = re.compile(r"\.(sample|hz|process|counter)$")
COMPILED = re.compile(r"^# pass: [1-4]", re.M)
EXPECTS = re.compile(r"^#[=~]", re.M)


def texts():
    """The tests that check what a script prints."""
    for path in glob.glob(os.path.join(SOURCE, "testsuite/*/**/*"), recursive=True):
        if not path.endswith((".stp", ".test")):
            continue
        with open(path, encoding="utf-8", errors="replace") as f:
            text = f.read()
        if path.endswith(".test") or EXPECTS.search(text) and not COMPILED.search(text):
            yield text


def braces(pattern):
    """a.{b,c} → a.b, a.c"""
    match = re.search(r"\{([^{}]*)\}", pattern)
    if not match:
        return [pattern]
    return [more for part in match.group(1).split(",")
            for more in braces(pattern[:match.start()] + part + pattern[match.end():])]


class Uses:
    """The words and the probe points of all tests."""

    def __init__(self):
        text = "\n".join(texts())
        self.words = set(re.findall(r"@?\w+", text))
        found = {p.strip(".") for point in POINT.findall(text) for p in braces(point)}
        found |= {FURTHER.sub("", p) for p in found}
        self.points = {p for p in found if not re.search(r"[*?]", p)}
        self.patterns = [re.compile(fnmatch.translate(p)) for p in found - self.points
                         if re.match(r"\w+\.", p)]

    def alias(self, name):
        return (name in self.points or "." not in name and name in self.words or
                any(p.match(name) for p in self.patterns))


def there(stap, names):
    """Those of the aliases that the kernel has."""
    out = subprocess.run([*stap, "-l", ", ".join(n + " ?" for n in names)], text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
    return set(out.split("\n"))


def options(parser):
    parser.add_argument("-v", action="store_true", help="name what is not tested, or not there")


def run(place, opts):
    paths = sorted(glob.glob(os.path.join(SOURCE, "tapsets/*/*.stp*")))
    uses = Uses()
    program = place.program("stap")
    stap = [program, "-r", place.release]
    total = [0] * 4
    print(f"{'file':32} {'names':>6} {'tested':>6} {'aliases':>7} {'there':>6}")
    for file in library.Library(paths, program).files:
        names = {("@" if f.macro else "") + f.name for f in file.functions}
        aliases = {a.name for a in file.aliases if a.name[0] != "_"}
        if not names | aliases:
            continue
        tested = {n for n in names if n in uses.words} | {a for a in aliases if uses.alias(a)}
        known = there(stap, sorted(aliases)) & aliases if aliases else set()
        row = [len(names | aliases), len(tested), len(aliases), len(known)]
        total = [a + b for a, b in zip(total, row)]
        name = os.path.relpath(file.path, os.path.join(SOURCE, "tapsets"))
        print("{:32} {:6} {:6} {:7} {:6}".format(name, *row))
        if opts.v:
            for title, missing in (("not tested", (names | aliases) - tested),
                                   ("not there", aliases - known)):
                if missing:
                    print(f"    {title}: {' '.join(sorted(missing))}")
    print("{:32} {:6} {:6} {:7} {:6}".format("all", *total))
    return 0
