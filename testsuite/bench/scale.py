#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What is measured of scale in a guest: scale.py WHAT BUILD DIRECTORY

Prints the points of some curves (curves.py) as one JSON object on a line of its own. Places, processes and
elements are measured where the guest's clock counts instructions; CPUs where they run at once.
"""
import json
import os
import shutil
import subprocess
import sys
import time

from curves import ENTRIES, PLACES, PROCESSES, READS, ROUNDS, ROUNDS_OF_CPUS
from guest import Guest
from host import MARK, run


def least(measure, n=ROUNDS):
    """The least of each figure in N rounds: whatever disturbs takes more."""
    rounds = [measure() for _ in range(n)]
    return {name: min(figures[name] for figures in rounds) for name in rounds[0]}


class Scale(Guest):
    def __init__(self, build, work):
        super().__init__(build, work)
        self.what = "reads"
        # What comes from the host comes when the host likes: staprun and the load, once, now.
        self.session("nothing", 1)
        self.idle = least(lambda: self.session("nothing", 1))

    def fetched(self, module):
        """The module in the guest's memory."""
        path = f"{self.tmp}/bench_{module}.ko"
        if not os.path.exists(path):
            shutil.copy(f"{self.work}/bench_{module}.ko", path)
        return path

    def session(self, module, cpus):
        """One session: milliseconds from staprun's start to its command's, and from the command's
        end to its own, nanoseconds of a read or call, and what the script prints."""
        load = [*self.load(READS, cpus).split(), *(["calls"] if self.what == "calls" else [])]
        argv = [f"{self.build}/staprun", "-c", "exec " + " ".join(load), self.fetched(module)]
        start = time.monotonic()
        out = run(argv)
        end = time.monotonic()
        with open(self.result, encoding="ascii") as f:
            mean, fastest, began, ended = map(float, f.read().split())
        return {"attach": began / 1e6 - start * 1e3, "detach": end * 1e3 - ended / 1e6,
                "mean": mean, "fastest": fastest, "out": out}

    def beyond(self, figures, base):
        """What a session takes that one without probes does not."""
        return {"attach": figures["attach"] - self.idle["attach"],
                "detach": figures["detach"] - self.idle["detach"], "hit": figures["fastest"] - base}

    def places(self):
        base = least(lambda: self.session("nothing", 1))["fastest"]
        path = dict(line.rsplit(" ", 1) for line in self.session("path", 1)["out"].splitlines())
        points = []
        for i in range(len(PLACES)):
            took = self.beyond(least(lambda i=i: self.session(f"places{i}", 1)), base)
            with open(f"{self.work}/places{i}", encoding="ascii") as f:
                hits = sum(int(path.get(point, 0)) for point in f.read().splitlines())
            points.append({"attach": took["attach"], "detach": took["detach"], "a hit": took["hit"] / hits})
        return points

    def processes(self):
        self.what = "calls"
        base = least(lambda: self.session("nothing", 1))["fastest"]
        points = []
        for n in PROCESSES:
            with subprocess.Popen([f"{self.work}/load", "crowd", str(n)], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE) as crowd:
                if crowd.stdout.readline() != b"ready\n":
                    raise SystemExit(f"bench: no {n} processes")
                took = self.beyond(least(lambda: self.session("called", 1)), base)
                crowd.stdin.close()
            points.append({"attach": took["attach"], "detach": took["detach"], "a hit": took["hit"]})
        return points

    def array(self, n):
        """A session whose script fills, sorts, walks and deletes an array, and says how long that took."""
        took = self.session(f"array{n}", 1)
        filled, *rest = [int(ns) / 1e3 for ns in took["out"].split()[:4]]
        return {"attach": took["attach"] - filled / 1e3, "detach": took["detach"] - sum(rest) / 1e3,
                "fastest": took["fastest"], "fill in begin": filled,
                **dict(zip(("foreach, sorted", "foreach", "delete a"), rest))}

    def elements(self):
        base = least(lambda: self.session("nothing", 1))["fastest"]
        points = []
        for n in ENTRIES:
            figures = least(lambda n=n: self.array(n))
            took = self.beyond(figures, base)
            del figures["fastest"]
            points.append({**figures, "attach": took["attach"], "detach": took["detach"],
                           "a hit: a[k] = n": took["hit"]})
        return points

    def cpus(self):
        """All of this guest's CPUs at once."""
        n = os.cpu_count()

        def measured(module):
            return least(lambda: self.session(module, n), ROUNDS_OF_CPUS)

        base = measured("nothing")["fastest"]
        files, counts, by_name = (self.beyond(measured(module), base) for module in ("files", "counted", "by_name"))
        return [{"attach": files["attach"], "detach": files["detach"], "a hit: n++": counts["hit"],
                 "a hit: n[execname()]++": by_name["hit"]}]


if __name__ == "__main__":
    what, build, work = sys.argv[1:]
    print(MARK + json.dumps(getattr(Scale(build, work), what)()))
