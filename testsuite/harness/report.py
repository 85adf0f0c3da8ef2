# SPDX-License-Identifier: GPL-2.0-or-later
"""The results of a run: printed as they come, counted, and summed up at the end."""
import sys
import threading

import spec as specs

UNSTEADY_MOST = 3       # so many that pass then are failures after all


class Report:
    """Counts, and prints each result as it comes; failures once more at the end, where whoever
    sees only the last lines of a log finds them.

    A test that failed is run once more, alone (Suite.run). If it passes then, it is unsteady: named
    at the end, and counted as passed, unless there are so many of them that something is wrong.
    """

    def __init__(self):
        self.counts = {"passed": 0, "failed": 0, "skipped": 0}
        self.skipped = {}       # why each test was
        self.failures = {}      # what was said of each test that failed, and
        self.final = set()      # those that running again doesn't excuse
        self.unsteady = {}
        self.again = False      # failed tests are run again
        self.lock = threading.Lock()

    def add(self, outcome, name, details=(), seconds=None, final=False):
        with self.lock:
            if self.again:
                self.counts["failed"] -= 1
                before = self.failures.pop(name)
                if outcome == "passed":
                    self.unsteady[name] = before
            self.counts[outcome] += 1
            if outcome == "failed":
                self.failures[name] = list(details)
                if final:
                    self.final.add(name)
            word = {"passed": "ok  ", "failed": "FAIL", "skipped": "skip"}[outcome]
            extra = f" ({seconds:.1f} s)" if seconds is not None else ""
            if outcome == "skipped":
                self.skipped[name] = " ".join(details)
                extra = ": " + self.skipped[name]
                details = ()
            self.show(word, name + extra, details)

    @staticmethod
    def show(word, name, details):
        print(f"{word} {name}")
        for line in details:
            print("    " + line)
        sys.stdout.flush()

    def result(self, name, complaints, seconds=None, final=False):
        self.add("failed" if complaints else "passed", name, complaints, seconds, final)

    def to_run_again(self):
        return sorted(set(self.failures) - self.final)

    def end(self):
        if len(self.unsteady) >= UNSTEADY_MOST:
            self.counts["passed"] -= len(self.unsteady)
            self.counts["failed"] += len(self.unsteady)
        for name, details in sorted(self.unsteady.items()):
            self.show("unsteady", name, specs.shown("\n".join(details), 10, 10))
        for name, details in sorted(self.failures.items()):
            self.show("FAIL", name, specs.shown("\n".join(details), 20, 40))
        print(", ".join(f"{n} {what}" for what, n in self.counts.items()))
        return 1 if self.counts["failed"] else 0
