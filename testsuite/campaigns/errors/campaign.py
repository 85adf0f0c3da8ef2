# SPDX-License-Identifier: GPL-2.0-or-later
"""Scripts that do everything wrong, in every place where a script can run.

Each must end by itself, leave no module behind and the guest's kernel without a complaint.
campaigns/README.md has a section on it. Scripts that fail are kept in campaigns/errors/ of the
build directory, as tests of the suite, and FILE.stp as a PATTERN runs one again.
"""
import itertools
import os
import queue
import random
import shutil
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor

import library
import lies
import spec as specs
from report import Report
from scripts import TOGETHER_IN_DENSE, Crossing
from suite import BATCH, PATIENCE, SOURCE, Suite

TWO = 2000          # scripts with two faults in all crossings
KIT_LIMIT = 600     # seconds to compile the runtime for a kernel
SAMPLE_SEED = 1
LIBRARY_STEP = 120  # every so many-th function of the library is in the sample


class KeepingReport(Report):
    """Keeps the scripts that failed."""

    def __init__(self, made, kept):
        super().__init__()
        self.made, self.kept = made, kept

    def add(self, outcome, name, details=(), seconds=None, final=False):
        super().add(outcome, name, details, seconds, final)
        made = os.path.join(self.made, name)
        if outcome == "failed" and os.path.isfile(made):
            os.makedirs(self.kept, exist_ok=True)
            shutil.copy(made, self.kept)


class Campaign(Suite):
    """Scripts that are made here, compiled while guests run others."""

    def __init__(self, place):
        super().__init__(place)
        self.patience = max(self.patience, PATIENCE)    # compiling goes on beside the guests
        self.report = KeepingReport(place.work, place.program("campaigns/errors"))
        self.ready = queue.Queue(1)

    def write(self, script):
        path = os.path.join(self.workdir, script.name)
        with open(path, "w", encoding="utf-8", errors="surrogateescape") as f:
            f.write(script.text())
        return path

    def prepare_one(self, script):
        if isinstance(script, (lies.Lie, lies.Place)):
            try:
                script.prepare(self)
            except (OSError, ValueError, subprocess.SubprocessError) as e:
                self.report.result(script.name, [repr(e)])
            return
        path = script if isinstance(script, str) else self.write(script)
        self.script(specs.Spec(path, os.path.basename(path)))

    def compile_all(self, scripts):
        """Batches of jobs, one ahead of the guests."""
        scripts = iter(scripts)
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            while chunk := list(itertools.islice(scripts, BATCH)):
                list(pool.map(self.prepare_one, chunk))
                jobs, self.jobs = self.jobs, []
                self.ready.put(sorted(jobs, key=lambda job: job["name"]))
        self.ready.put(None)

    def build_kit(self):
        """The first script for a kernel takes longer; it is not one of ours."""
        self.command([os.path.join(self.build, "stap"), "-r", self.release, "-p4", "-e",
                      "probe begin { exit() }"], KIT_LIMIT, self.env, self.workdir)

    def run_batches(self):
        while (jobs := self.ready.get()) is not None:
            self.run_batch(jobs)
        self.ready.put(None)        # for the others

    def prepare(self, name):
        """For Suite.run_again."""
        self.prepare_one(self.scripts[name])

    def run_scripts(self, scripts):
        self.scripts = {getattr(s, "name", None) or os.path.basename(s): s for s in scripts}
        self.build_kit()
        threading.Thread(target=self.compile_all, args=(scripts,), daemon=True).start()
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for guest in [pool.submit(self.run_batches) for _ in range(os.cpu_count())]:
                guest.result()
        self.run_again()
        return self.end()


def all_scripts(seed):
    """The crossings in a random order, so that the first few hundred are of all kinds."""
    crossing = Crossing(seed)
    scripts = list(crossing.pairs()) + [crossing.two() for _ in range(TWO)]
    scripts += library.scripts(SOURCE)
    crossing.rand.shuffle(scripts)
    return scripts


def dense_scripts(seed):
    """As many faults in as many phases, in a quarter of the scripts."""
    crossing = Crossing(seed)
    scripts = list(crossing.dense()) + library.scripts(SOURCE, TOGETHER_IN_DENSE)
    crossing.rand.shuffle(scripts)
    return scripts


def sample_scripts():
    scripts = list(Crossing(SAMPLE_SEED).sample())
    return scripts + library.scripts(SOURCE)[::LIBRARY_STEP]


def made(opts, workdir):
    """The scripts of one axis or of both, that the options ask for."""
    if opts.lies:
        return lies.scripts(workdir, opts.seed, opts.dense, opts.sample)
    if opts.sample:
        return sample_scripts()
    if opts.dense:
        return dense_scripts(opts.seed)
    both = all_scripts(opts.seed) + lies.scripts(workdir, opts.seed)
    random.Random(opts.seed).shuffle(both)
    return both


def chosen(scripts, patterns, without):
    """Those with a pattern in their name, or the files named."""
    scripts = [s for s in scripts if not any(p in s.name for p in without)]
    files = [os.path.abspath(p) for p in patterns if os.path.isfile(p)]
    if not patterns:
        return scripts
    return files + [s for s in scripts if any(p in s.name for p in patterns)]


def options(parser):
    parser.add_argument("--seed", type=int, default=1, help="chooses what stands around the "
                        "faults, the options, the pairs and the order")
    parser.add_argument("--skip", type=int, default=0, metavar="N", help="leave out the first N "
                        "scripts: an earlier run with the same seed had them")
    parser.add_argument("--count", type=int, help="run so many scripts only")
    parser.add_argument("--sample", action="store_true",
                        help="run few scripts, the same ones each time, with a bit of everything")
    parser.add_argument("--dense", action="store_true",
                        help="put many faults into a script, for a slow kernel")
    parser.add_argument("--lies", action="store_true",
                        help="the second axis only: who lies, and what reads it")
    parser.add_argument("--list", action="store_true",
                        help="print the scripts' names and do nothing")
    parser.add_argument("--without", action="append", default=[], metavar="PATTERN",
                        help="leave out what has this in its name")
    parser.add_argument("patterns", nargs="*", metavar="PATTERN")


def run(place, opts):
    scripts = chosen(made(opts, place.work), opts.patterns, opts.without)[opts.skip:][:opts.count]
    if opts.list:
        print("\n".join(getattr(s, "name", s) for s in scripts))
        return 0
    return Campaign(place).run_scripts(scripts)
