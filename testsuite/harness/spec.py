# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads the comments at the top of a test's file, and checks a run against them.

testsuite/README.md is the reference of the format. A line that looks like a
directive and isn't one is an error, so that a misspelt expectation can't be
ignored.
"""
import re
import shlex

DIRECTIVES = {
    "about", "pass", "flags", "args", "run", "cmd", "workload", "before", "after",
    "signal", "exit", "timeout", "every", "needs", "script", "sort", "stderr", "where", "program",
}
REPEATED = {"before", "after", "needs", "program"}


def shown(text, first, last):
    """Returns the FIRST and LAST lines of a text; causes stand at its beginning, results at its end."""
    lines = text.rstrip("\n").split("\n") if text else []
    return lines if len(lines) <= first + last else lines[:first] + ["..."] + lines[-last:]


class SpecError(Exception):
    pass


class Spec:
    """A test's file, its directives and what it must print."""

    def __init__(self, path, name):
        self.path = path
        self.name = name
        self.values = {}
        self.lists = {key: [] for key in REPEATED}
        self.programs = {}      # paths of the programs that it probes, by name
        self.expected = []      # (kind, text): kind one of "=", "~", "..."
        self.messages = []      # regular expressions that stderr must match
        with open(path, encoding="utf-8", errors="surrogateescape") as f:
            for number, line in enumerate(f, 1):
                line = line.rstrip("\n")
                if line and not line.startswith("#"):
                    break
                self._line(number, line)

    def _line(self, number, line):
        if line.startswith("#="):
            self.expected.append(("=", line[3:]))
        elif line.startswith("#~"):
            re.compile(line[3:])
            self.expected.append(("~", line[3:]))
        elif line.startswith("#..."):
            self.expected.append(("...", ""))
        elif line.startswith("#!"):
            if not (number == 1 and line.startswith("#!/")):
                re.compile(line[3:])
                self.messages.append(line[3:])
        else:
            m = re.match(r"# ?([a-z]+):(?:\s+(.*))?$", line)
            if m:
                self._directive(number, m.group(1), m.group(2) or "")

    def _directive(self, number, key, value):
        if key not in DIRECTIVES:
            raise SpecError(f"line {number}: there is no directive '{key}:'")
        if key in REPEATED:
            self.lists[key].append(value)
        elif key in self.values:
            raise SpecError(f"line {number}: '{key}:' was given before")
        else:
            self.values[key] = value

    def get(self, key, default=None):
        return self._filled(self.values.get(key, default))

    def words(self, key):
        return shlex.split(self.get(key, ""))

    def all(self, key):
        return [self._filled(value) for value in self.lists[key]]

    def _filled(self, value):
        """Replaces each {NAME} by the path of the test's program of that name."""
        for name, path in self.programs.items():
            value = value and value.replace("{" + name + "}", path)
        return value

    def number(self, key, default):
        try:
            return int(self.values.get(key, default))
        except ValueError:
            raise SpecError(f"'{key}:' takes a number") from None


def _match_lines(expected, lines):
    """Matches the lines with the expected sequence. Returns None, or the indices in expected and in
    lines of the first line that doesn't match."""
    # The place of the last "...", where we try again, one line later, when a line doesn't match.
    back = None
    worst = (0, 0)
    i = j = 0
    while i < len(expected) or j < len(lines):
        worst = max(worst, (i, j))
        if i < len(expected):
            kind, text = expected[i]
            if kind == "...":
                back = (i + 1, j)
                i += 1
                continue
            if j < len(lines) and (lines[j] == text if kind == "="
                                   else re.fullmatch(text, lines[j])):
                i, j = i + 1, j + 1
                continue
        if back is None or back[1] >= len(lines):
            return worst
        back = (back[0], back[1] + 1)
        i, j = back
    return None


def _excerpt(lines, where, mark):
    first = max(0, where - 5)
    out = []
    for k in range(first, min(len(lines), where + 8)):
        out.append(("  > " if k == where else "    ") + lines[k])
    if where >= len(lines):
        out.append(f"  > ({mark})")
    return out


def check(spec, status, stdout, stderr):
    """Compares a run with what the test says. Returns a list of complaints; it is empty if the test
    has passed."""
    bad = []
    want = spec.get("exit")
    if want == "any":
        if status not in (0, 1):
            bad.append(f"exit status {status}, expected 0 or 1")
    elif status != spec.number("exit", 0):
        want = want or 0
        bad.append(f"exit status {status}, expected {want}")
    lines = stdout.split("\n")
    if lines and lines[-1] == "":
        lines.pop()
    if spec.get("sort") == "yes":
        lines.sort()
    where = _match_lines(spec.expected, lines)
    if where is not None:
        wanted = [t if k == "=" else "..." if k == "..." else f"/{t}/"
                  for k, t in spec.expected]
        bad.append("stdout differs; expected:")
        bad += _excerpt(wanted, where[0], "nothing more")
        bad.append("got:")
        bad += _excerpt(lines, where[1], "nothing more")
    for message in spec.messages:
        if not re.search(message, stderr, re.M):
            bad.append(f"stderr has no line like: {message}")
    if stderr and not spec.messages and spec.get("stderr") != "any":
        bad.append("stderr should be empty")
    if bad and stderr:
        bad.append("stderr was:")
        bad += ["    " + line for line in shown(stderr, 20, 10)]
    return bad
