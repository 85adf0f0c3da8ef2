# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the tests that need a guest on the kernels of several Debian releases.

Prints a table of how many passed, failed and were skipped on each, which failed, and the
reasons of those that were skipped. A release that can't be had is a row that says why.
"""
import argparse
import collections

import place
import roots
from suite import Suite, collect

SUITES = ["bullseye", "bookworm", "trixie", "forky"]


def options(parser):
    parser.add_argument("--suites", metavar="LIST", default=" ".join(SUITES),
                        help="releases, separated by spaces (default: %(default)s)")
    parser.add_argument("patterns", nargs="*", metavar="PATTERN",
                        help="the tests, as those of testsuite/run (default: all that need a guest)")


def run_suite(name, opts):
    """The kernel's release and the report of what was run there. Raises RootError."""
    own = name == roots.own_suite()
    with place.Place(argparse.Namespace(**dict(vars(opts), suite=None if own else name))) as where:
        print(f"== {name}: {where.release}", flush=True)
        suite = Suite(where, guests_alone=True)
        suite.run(collect(opts.patterns))
        return where.release, suite.report


def show(rows, reports):
    for row in [("suite", "kernel", "passed", "failed", "skipped"), *rows]:
        print("  ".join(text.ljust(width) for text, width in zip(row, (10, 30, 8, 8, 8))).rstrip())
    for name, report in reports.items():
        for test in sorted(report.failures):
            print(f"{name}: failed: {test}")
    reasons = collections.defaultdict(dict)
    for name, report in reports.items():
        for reason, n in collections.Counter(report.skipped.values()).items():
            reasons[reason][name] = n
    for reason, counts in sorted(reasons.items(), key=lambda item: -sum(item[1].values())):
        print(f"skipped: {reason} ({', '.join(f'{name} {n}' for name, n in counts.items())})")


def run(_where, opts):
    suites = opts.suites.split()
    if any(name != roots.own_suite() for name in suites):
        roots.own_namespace()       # now, because it starts us over
    rows, reports = [], {}
    for name in suites:
        try:
            release, report = run_suite(name, opts)
        except roots.RootError as e:
            rows.append((name, f"not run: {e}"))
            continue
        reports[name] = report
        rows.append((name, release, *(str(report.counts[what])
                                      for what in ("passed", "failed", "skipped"))))
    show(rows, reports)
    return 1 if len(reports) < len(suites) or any(r.counts["failed"] for r in reports.values()) else 0
