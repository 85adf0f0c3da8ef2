# SPDX-License-Identifier: GPL-2.0-or-later
"""Random programs print what they must.

Program N is made from the seed N alone (programs.py). A script holds a batch of them; it is
compiled twice, folded and with -u, and run in a guest; and twice more it is run in a process, by
stap --runtime=user. All must compile, and each must print what the program's own Python functions
computed. A program that does otherwise is written to campaigns/random/ of the build directory, with
what it printed, and said here; the exit status is 1.

With --runtime user programs run in processes only, without a kernel. With --runtime bpf simpler ones run as BPF in
guests (narrow.py); it tells what was refused.

With --against-systemtap it is SystemTap that compiles and runs them (systemtap.py), and must print
the same; a table says which programs are left out, and why.
"""
import collections
import concurrent.futures
import difflib
import os
import re
import subprocess
import time

import interpreted
import narrow
import systemtap
from interpreted import GUEST_LIMIT, LAST, OPTIONS
from pieces import Failure
from programs import made
from values import Limits

ROUND = 40                  # scripts for one guest
SHOWN = 20                  # failures
COMPILE_LIMIT = 300         # seconds
TELL = 30                   # seconds between two reports


class Random:
    def __init__(self, place, opts):
        self.place, self.opts, self.tmp = place, opts, place.work
        self.env = place.environment()
        self.staprun = self.env["STAPRUN"]
        self.kept = place.program("campaigns/random")
        self.options = OPTIONS + [f"-DMAXSTRINGLEN={opts.maxstringlen}"]
        Limits.string = opts.maxstringlen - 1       # and a NUL
        self.bad = 0
        self.ran = 0
        self.left_out = 0

    def compile(self, text, name, unfolded, last="4"):
        """(what pass LAST prints, which is the module's path, or None; messages)"""
        script = os.path.join(self.tmp, name + ".stp")
        with open(script, "w", encoding="utf-8") as f:
            f.write(text)
        argv = [self.env["STAP"], "-r", self.place.release, "-p" + last, *self.options,
                *(["-u"] if unfolded else []), script]
        r = subprocess.run(argv, capture_output=True, text=True, check=False,
                           timeout=COMPILE_LIMIT, env=self.env)
        return r.stdout.strip() if r.returncode == 0 else None, r.stderr

    def compile_batch(self, first):
        """[(first number, unfolded, module)], and the batch."""
        batch = made(first, self.opts.batch)
        text = "".join(p.text for p in batch) + LAST
        modules = []
        for failure in interpreted.both(self.env, self.options, batch):
            self.wrong(failure)
        for unfolded in (False, True):
            module, said = self.compile(text, f"b{first}{'u' * unfolded}", unfolded)
            if module:
                modules.append((first, unfolded, module))
            else:
                self.narrow(batch, unfolded, said)
        return modules, {p.number: p for p in batch}

    def narrow(self, batch, unfolded, said):
        """A batch does not compile: which program is it?"""
        found = 0
        for last in "34":           # pass 4 takes long
            for p in batch if not found else []:
                out, message = self.compile(p.text, f"n{p.number}{'u' * unfolded}", unfolded, last)
                if out is None:
                    self.wrong(Failure(p, message, "does not compile", unfolded))
                    found += 1
        if not found:
            print(f"programs {batch[0].number} to {batch[-1].number} compile one by one, "
                  f"but not together:\n{said}")
            self.bad += 1

    def wrong(self, failure):
        p, got, what, unfolded = failure
        self.bad += 1
        os.makedirs(self.kept, exist_ok=True)
        base = os.path.join(self.kept, str(p.number))
        for suffix, text in ((".stp", p.text + LAST),
                             (".want", p.want), (".got-u" if unfolded else ".got", got)):
            with open(base + suffix, "w", encoding="utf-8") as f:
                f.write(text)
        if self.bad > SHOWN:
            return
        print(f"FAIL program {p.number}{' with -u' if unfolded else ''} {what}: {base}.stp")
        diff = difflib.unified_diff(p.want.split("\n"), got.split("\n"), "expected", "printed",
                                    n=1, lineterm="")
        print("\n".join("    " + line for line in list(diff)[:12]), flush=True)

    def guest(self, modules):
        """Runs them in one guest: {(first, unfolded): output}."""
        listed = os.path.join(self.tmp, "modules")
        with open(listed, "w", encoding="utf-8") as f:
            for first, unfolded, module in modules:
                f.write(f"{first} {int(unfolded)} {module}\n")
        run = ("while read -r first unfolded module; do printf '\\n== %s %s\\n' $first $unfolded; "
               "timeout 120 \"$1\" \"$module\" 2>&1 </dev/null; done <\"$2\"")
        vm = [self.place.vm, *self.place.root.vm_options(), "-n", "-r", self.place.release]
        r = subprocess.run([*vm, "sh", "-c", run, "sh", self.staprun, listed], capture_output=True,
                           text=True, errors="replace", check=False, timeout=GUEST_LIMIT)
        outputs = {}
        parts = re.split(r"\n== (\d+) ([01])\n", r.stdout)
        for first, unfolded, text in zip(parts[1::3], parts[2::3], parts[3::3]):
            outputs[int(first), unfolded == "1"] = text
        return outputs

    def compare(self, outputs, modules, batches):
        for first, unfolded, _ in modules:
            got, before = interpreted.outputs(outputs.get((first, unfolded), ""))
            for number, p in batches[first].items():
                self.ran += not unfolded
                if got.get(number) != p.want:
                    self.wrong(Failure(p, got.get(number, "(nothing)\n" + before),
                                       "prints something else", unfolded))

    def firsts(self):
        return list(range(self.opts.seed, self.opts.seed + self.opts.count, self.opts.batch))

    def run(self):
        firsts = self.firsts()
        for i in range(0, len(firsts), ROUND):
            modules, batches = [], {}
            with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
                for first, (some, batch) in zip(firsts[i:], pool.map(self.compile_batch,
                                                                    firsts[i:i + ROUND])):
                    modules += some
                    batches[first] = batch
            self.compare(self.guest(modules), modules, batches)
            print(f"{self.ran} programs ran, {self.bad} failures", flush=True)
        return 1 if self.bad or not self.ran else 0


class InProcesses(Random):
    """In processes only, a batch on each CPU at a time."""

    def tell(self, seconds):
        print(f"{self.ran} programs ran, {self.bad} failures, {self.ran / seconds * 3600:.0f} an hour",
              flush=True)

    work = staticmethod(interpreted.interpret)

    def run(self):
        began = told = time.monotonic()
        refused = collections.Counter()
        with concurrent.futures.ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            jobs = [pool.submit(self.work, self.env, self.options, first, self.opts.batch)
                    for first in self.firsts()]
            for job in concurrent.futures.as_completed(jobs):
                ran, failed, without = job.result()
                self.ran += ran
                refused.update(without)
                for failure in failed:
                    self.wrong(failure)
                if time.monotonic() - told > TELL:
                    told = time.monotonic()
                    self.tell(told - began)
        self.tell(time.monotonic() - began)
        for why, n in refused.most_common():
            print(f"{n} refused: {why}")
        return 1 if self.bad or not self.ran else 0


class AsBpf(InProcesses):
    work = staticmethod(narrow.run_all)


class AgainstSystemTap(Random):
    def __init__(self, place, opts):
        super().__init__(place, opts)
        self.theirs = systemtap.SystemTap(place)
        self.staprun = "staprun"

    def compile_batch(self, first):
        batch = [p for p in made(first, self.opts.batch) if self.theirs.takes(p)]
        text = "".join(p.text for p in batch) + LAST
        module, said = self.theirs.compile(text, f"b{first}")
        if not module:
            print(f"SystemTap does not compile programs {first} and on:\n{said[-2000:]}")
            self.bad += 1
        return [(first, False, module)] if module else [], {p.number: p for p in batch}

    def run(self):
        status = super().run()
        self.theirs.end(self.ran, self.bad)
        return status


def options(parser):
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    parser.add_argument("--count", type=int, default=10000, metavar="N")
    parser.add_argument("--batch", type=int, default=50, metavar="N")
    parser.add_argument("--maxstringlen", type=int, default=512, metavar="N",
                        help="-D MAXSTRINGLEN")
    parser.add_argument("--runtime", choices=["both", "user", "bpf"], default="both")
    parser.add_argument("--against-systemtap", action="store_const", const=systemtap.SUITE,
                        dest="suite")


def run(place, opts):
    kinds = {"both": Random, "user": InProcesses, "bpf": AsBpf}
    return (AgainstSystemTap if opts.suite else kinds[opts.runtime])(place, opts).run()
