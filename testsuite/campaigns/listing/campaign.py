# SPDX-License-Identifier: GPL-2.0-or-later
"""-L line by line with the installed SystemTap's.

Each probe point is listed by both. A line of one that the other has not is a
difference in a place, in a place's variables, or in their order. Both are then
asked for this place alone: what they say to that is what counts, since wildcards
pass over lines and instances. A difference that is left must be explained by a
rule of the file "known". A variable that only SystemTap lists is asked for in a
script of ours, and the rule is one for the answer; so it is for what SystemTap
says of a place that only we list, and for tracepoints the kernel has not. The
summary counts what each rule explains; what none explains is printed, and fails.
"""
import collections
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
THEIRS = "/usr/bin/stap"
POINTS = ['kernel.function("*@fs/*.c")', 'kernel.function("*@fs/*.c").return',
          'kernel.function("*@kernel/*.c").call', 'kernel.function("*@net/*.c").inline',
          'kernel.function("*@fs/*.c").exported', 'kernel.function("*@mm/*.c").label("*")',
          'kernel.function("vfs_[rw]*").callees', 'kernel.function("vfs_read").callees(2)',
          'kernel.statement("vfs_*@fs/read_write.c:*")', 'kernel.statement("*@fs/stat.c:*")', 'kernel.statement("vfs_*@fs/*.c+3")',
          'kernel.statement("vfs_fstat@fs/stat.c:150-180")', 'kernel.trace("*")',
          'module("virtio_net").function("*").call', 'module("virtio_blk").function("*").return',
          'module("nfsd").function("*")', 'module("nfsd").function("*").return']
BATCH = 100
SKIP = 77


def install():
    if os.path.exists(THEIRS):
        return
    apt = shutil.which("apt-get")
    if not apt or os.geteuid():
        print("systemtap is not installed")
        sys.exit(SKIP)
    subprocess.run([apt, "install", "-y", "-q", "systemtap"], check=True,
                   stdout=subprocess.DEVNULL)


def read_rules():
    """(aspect, regular expression, reason) each"""
    rules = []
    with open(os.path.join(HERE, "known"), encoding="utf-8") as f:
        for line in f:
            if line.strip() and not line.startswith("#"):
                aspect, pattern, reason = re.fullmatch(r"(\S+) (.+?) -- (.*)\n", line).groups()
                rules.append((aspect, re.compile(pattern), reason))
    return rules


class Comparison:
    def __init__(self, place):
        self.ours = place.program("stap")
        self.release = place.release
        self.rules = read_rules()
        self.explained = collections.Counter()
        self.tracepoints = None
        self.open = 0

    def run(self, stap, *args):
        return subprocess.run([stap, "-r", self.release, *args], capture_output=True,
                              text=True, check=False)

    def listing(self, stap, *args):
        """place -> variables, and what was said on stderr"""
        lines = {}
        got = self.run(stap, *args)
        for line in got.stdout.splitlines():
            found = re.fullmatch(r'(\S+?"\)[^\s?]*)\??( (\$.*))?', line)
            if found:
                place, _, variables = found.groups()
                lines[place] = re.split(r" (?=\$)", variables) if variables else []
        return lines, got.stderr

    def ask_alone(self, places):
        """SystemTap's lines for these places, and the functions it refuses to probe."""
        lines, refused = {}, set()
        for first in range(0, len(places), BATCH):
            points = ", ".join(place + "?" for place in places[first:first + BATCH])
            lines.update(self.listing(THEIRS, "-w", "-L", points)[0])
            _, said = self.listing(THEIRS, "-vv", "-L", points)
            refused.update(re.findall(r"^probe (\S+) .* - blocklisted$", said, re.M))
        return lines, refused

    def why_not(self, place, variable):
        """What a script that reads the variable is told."""
        name = variable.split(":")[0]
        got = self.run(self.ours, "-p2", "-e", f"probe {place} {{ println({name}) }}")
        said = re.search(r"semantic error: (.*)", got.stderr)
        return said.group(1) if said else "can be read"

    def explain(self, aspect, text, shown):
        for kind, pattern, reason in self.rules:
            if kind == aspect and pattern.search(text):
                self.explained[kind, reason] += 1
                return
        self.open += 1
        print(f"{aspect}: {shown} ({text})" if text != shown else f"{aspect}: {shown}")

    def compare_place(self, place, theirs, ours):
        for variable in theirs:
            if variable not in ours:
                self.explain("variable-theirs", self.why_not(place, variable),
                             f"{place} {variable}")
        for variable in ours:
            if variable not in theirs:
                self.explain("variable-ours", f"{place} {variable}", f"{place} {variable}")
        if theirs != ours and sorted(theirs) == sorted(ours):
            self.explain("order", place, place)

    def has_tracepoint(self, name):
        if self.tracepoints is None:
            vmlinux = f"/usr/lib/debug/boot/vmlinux-{self.release}"
            symbols = subprocess.run(["nm", vmlinux], capture_output=True, text=True, check=True)
            self.tracepoints = set(re.findall(r" __tracepoint_(\w+)$", symbols.stdout, re.M))
        return name in self.tracepoints

    def explain_theirs(self, place, said):
        tracepoint = re.fullmatch(r'kernel\.trace\("\w+:(.*)"\)', place.replace("-", "_"))
        text = said.splitlines()[0] if said else place
        if tracepoint and not self.has_tracepoint(tracepoint.group(1)):
            text = f"no __tracepoint_{tracepoint.group(1)} in the kernel"
        self.explain("place-theirs", text, place)

    def explain_ours(self, place, refused):
        names = re.findall(r'(?:function|statement|callee)\("([^"]*)"\)', place)
        text = place
        if names and names[-1] in refused:
            text = f"{names[-1]} is blocklisted"
        self.explain("place-ours", text, place)

    def compare(self, point):
        theirs, said = self.listing(THEIRS, "-w", "-L", point)
        ours, _ = self.listing(self.ours, "-w", "-L", point)
        if not theirs:
            self.open += 1
            print(f"SystemTap lists nothing of {point}: {said}")
        before = sum(self.explained.values()) + self.open
        differing = sorted(place for place in ours if theirs.get(place) != ours[place])
        same = len(ours) - len(differing)
        alone, refused = self.ask_alone(differing)
        for place in sorted(theirs.keys() - ours.keys()):
            also, said = self.listing(self.ours, "-w", "-L", place)
            if place in also:
                self.explain("ours-alone", place, place)
                self.compare_place(place, theirs[place], also[place])
            else:
                self.explain_theirs(place, said)
        for place in differing:
            if place not in theirs and place not in alone:
                self.explain_ours(place, refused)
                continue
            mine, _ = self.listing(self.ours, "-w", "-L", place)
            mine = mine.get(place, ours[place])
            if alone.get(place) == mine:
                self.explain("alone", place, place)
            else:
                self.compare_place(place, alone.get(place, theirs.get(place)), mine)
        print(f"{point}: {len(theirs)} lines, ours {len(ours)}, the same {same}, differences "
              f"{sum(self.explained.values()) + self.open - before}", flush=True)


def options(parser):
    parser.add_argument("points", nargs="*", default=POINTS, metavar="POINT")


def run(place, opts):
    install()
    comparison = Comparison(place)
    for point in opts.points:
        comparison.compare(point)
    print()
    for (aspect, reason), n in comparison.explained.most_common():
        print(f"{n:6}  {aspect}: {reason}")
    print(f"{comparison.open:6}  not explained")
    return comparison.open != 0

