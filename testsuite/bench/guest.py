#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What is measured in a guest: guest.py WHAT BUILD DIRECTORY

Prints its results as one JSON object on a line of its own. Starting up is measured in a guest as
stap-vm boots it for users; hits in one whose processors run at once, so that two writers and a
reader really meet; instructions in one whose clock counts them.
"""
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from host import MARK, run
from rows import (ARRAYS, CALLS, COUNTED, EVENTS, HITS, HOT, LINES, PRINTING, ROUNDS, USER)

TRACEFS = "/sys/kernel/tracing"
# The kernel marks a kprobe as optimized at once, and puts the jump there when all CPUs have passed through
# the scheduler: before, in a guest that counts instructions, the measurement would be over.
SETTLE = "grep -q OPTIMIZED /sys/kernel/debug/kprobes/list && sleep 2; exec "


class Guest:
    def __init__(self, build, work):
        self.build, self.work = build, work
        self.tmp = tempfile.mkdtemp()
        self.result = os.path.join(self.tmp, "mean")
        self.bpftrace, self.perf = shutil.which("bpftrace"), shutil.which("perf")
        if not os.path.exists(f"{TRACEFS}/kprobe_events"):
            run(["mount", "-t", "tracefs", "tracefs", TRACEFS])

    def load(self, reads, cpus):
        return f"{self.work}/load {reads} {cpus} {self.result}"

    def times(self):
        """Nanoseconds a read took: mean, and mean of the fastest batch."""
        with open(self.result) as f:
            mean, fastest, *_ = f.read().split()
        os.unlink(self.result)
        return float(mean), float(fastest)

    def staprun(self, module, *args):
        return [os.path.join(self.build, "staprun"), *args,
                os.path.join(self.work, f"bench_{module}.ko")]

    def as_bpf(self, module):
        """The same script's BPF programs, where there are any."""
        path = os.path.join(self.work, f"bench_{module}.bo")
        return path if os.path.exists(path) else None

    def base(self, reads, cpus):
        run(self.load(reads, cpus).split())
        return self.times()

    def under_stap(self, module, reads, cpus, *args):
        run(self.staprun(module, *args, "-c", SETTLE + self.load(reads, cpus)))
        return self.times()

    def under_bpf(self, program, reads, cpus, *args):
        run([os.path.join(self.build, "staprun"), *args, "-c", SETTLE + self.load(reads, cpus), program])
        return self.times()

    def under_bpftrace(self, program, reads, cpus, *args):
        run([self.bpftrace, *args, "-c", self.load(reads, cpus), "-e", program], self.result)
        return self.times()

    def under_bare(self, kind, reads, cpus):
        run(["insmod", f"{self.work}/bare/bare.ko", f"kind={kind}"])
        times = self.base(reads, cpus)
        run(["rmmod", "bare"])
        return times

    def calls(self, argv=None, rest=()):
        """Runs the load that calls, under a tracer: nanoseconds that a call of each took."""
        load = self.load(CALLS, 1) + " calls"
        run([*argv, "-c", load, *rest] if argv else load.split(), self.result)
        return self.times()[1]

    def offset(self, symbol):
        symbols = run(["nm", f"{self.work}/load"])
        return "0x" + re.search(rf"^0*([0-9a-f]+) \w {symbol}$", symbols, re.M)[1]

    def bare_uprobe(self, symbol, returns):
        """What a call costs with a bare uprobe on it."""
        run(["insmod", f"{self.work}/bare/bare_uprobe.ko", f"path={self.work}/load",
             f"offset={self.offset(symbol)}", f"returns={returns}"])
        took = self.calls()
        run(["rmmod", "bare_uprobe"])
        return took

    def stap_calls(self, program):
        return self.calls([os.path.join(self.build, "staprun")], [program])

    def bpftrace_calls(self, program):
        return self.calls([self.bpftrace], ["-e", program.replace("LOAD", f"{self.work}/load")])

    def perf_stat(self, event, load):
        """The fastest batch while perf counts an event."""
        name, text = EVENTS.get(event, (None, None))
        if name:
            text = text.replace("LOAD", f"{self.work}/load").replace("OFFSET", self.offset("called"))
            with open(f"{TRACEFS}/{name}", "w") as f:
                f.write(text + "\n")
        run([self.perf, "stat", "-o", "/dev/null", "-e", event, *load.split()])
        if name:
            open(f"{TRACEFS}/{name}", "w").close()      # which deletes all its events
        return self.times()[1]

    def user_round(self, add):
        add("user base", self.calls())
        add("bare uprobe", self.bare_uprobe("called", 0))
        add("bare uretprobe", self.bare_uprobe("called", 1))
        for i, (name, _, _, program, event, _) in enumerate(USER):
            add(f"stap user {name}", self.stap_calls(self.staprun(f"user{i}")[-1]))
            if self.as_bpf(f"user{i}"):
                add(f"bpf user {name}", self.stap_calls(self.as_bpf(f"user{i}")))
            if self.bpftrace:
                add(f"bpftrace user {name}", self.bpftrace_calls(program))
            if self.perf and event:
                add(f"perf user {name}", self.perf_stat(event, self.load(CALLS, 1) + " calls"))

    def first_output(self, argv):
        start = time.monotonic()
        child = subprocess.Popen(argv, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
        line = b""
        while b"first" not in line:
            line = child.stdout.readline()
            if not line:
                raise SystemExit(f"bench: no output from {' '.join(argv)}")
        took = time.monotonic() - start
        child.stdout.read()
        child.wait()
        return took

    def until_command(self, module):
        """From staprun's start to its command's: everything is armed by then."""
        with open("/proc/uptime") as f:
            start = float(f.read().split()[0])
        out = run(self.staprun(module, "-c", "cat /proc/uptime"))
        return float(re.search(r"^(\d+\.\d+) \d+\.\d+$", out, re.M)[1]) - start

    def beside(self, add, reads, module, name, program, event=None):
        add(f"stap {name}", self.under_stap(module, reads, 1)[1])
        if self.as_bpf(module):
            add(f"bpf {name}", self.under_bpf(self.as_bpf(module), reads, 1)[1])
        if self.bpftrace:
            add(f"bpftrace {name}", self.under_bpftrace(program, reads, 1)[1])
        if self.perf and event:
            add(f"perf {name}", self.perf_stat(event, self.load(reads, 1)))

    def hot_round(self, add, reads):
        """Undisturbed batches: what else runs on this machine is not the probe's cost."""
        add("base", self.base(reads, 1)[1])
        for i, (name, _, program, event, _) in enumerate(HOT):
            self.beside(add, reads, f"hot{i}", name, program, event)
        for i, (name, _, program) in enumerate(ARRAYS):
            self.beside(add, reads, f"array{i}", name, program)
        add("bare kprobe", self.under_bare(0, reads, 1)[1])
        add("bare kretprobe", self.under_bare(1, reads, 1)[1])

    def delivered(self, path):
        """The share of the lines that arrived whole."""
        whole = re.compile(rb"^\d+ load \d+ 1\n$")
        with open(path, "rb") as f:
            n = sum(1 for line in f if whole.match(line))
        os.unlink(path)
        return n / (2 * (LINES + 1000))     # load warms up with 1000 reads

    def printing_round(self, add):
        """Whole runs: whoever reads the lines is part of the cost."""
        out = os.path.join(self.tmp, "out")
        base = self.base(LINES, 2)[0]
        add("stap line", self.under_stap("lines", LINES, 2, "-o", out)[0] - base)
        add("stap delivered", self.delivered(out))
        if self.as_bpf("lines"):
            add("bpf line", self.under_bpf(self.as_bpf("lines"), LINES, 2, "-o", out)[0] - base)
            add("bpf delivered", self.delivered(out))
        if self.bpftrace:
            add("bpftrace line", self.under_bpftrace(PRINTING[1], LINES, 2, "-o", out)[0] - base)
            add("bpftrace delivered", self.delivered(out))

    def starting(self):
        """What passes before a script is at work, in the guest as users get it."""
        figures = {}

        def add(name, value):
            figures.setdefault(name, []).append(value)

        for _ in range(ROUNDS):
            add("stap first", self.first_output(self.staprun("first")))
            if self.bpftrace:
                add("bpftrace first", self.first_output(
                    [self.bpftrace, "-e", 'BEGIN { printf("first\\n"); exit(); }']))
            nothing = self.until_command("nothing")
            add("attach", self.until_command("many") - nothing)
            add("calls attach", self.until_command("calls") - nothing)
        return {name: statistics.median(values) for name, values in figures.items()}

    def hits(self):
        """What a hit costs, with both processors running at once."""
        hot, user, whole = {}, {}, {}

        def add_hot(name, value):
            hot[name] = min(hot.get(name, value), value)

        def add_user(name, value):
            user[name] = min(user.get(name, value), value)

        def add(name, value):
            whole.setdefault(name, []).append(value)

        for _ in range(ROUNDS):
            self.hot_round(add_hot, HITS)
            self.user_round(add_user)
            self.printing_round(add)
        base = hot.pop("base")
        return {**{name: value - base for name, value in hot.items()}, **user,
                **{name: statistics.median(values) for name, values in whole.items()}}

    def instructions(self):
        """Instructions of a hit above those of no probe, and of a call. The fastest batch of two
        runs has none of a timer's or the reader's."""
        hot, user = {}, {}

        def add_hot(name, value):
            hot[name] = min(hot.get(name, value), value)

        def add_user(name, value):
            user[name] = min(user.get(name, value), value)

        for _ in range(2):
            self.hot_round(add_hot, COUNTED)
            self.beside(add_hot, COUNTED, "lines", "line", PRINTING[1])
            self.user_round(add_user)
            self.bpftrace = self.perf = None    # bpftrace takes a minute to start there
        base = hot.pop("base")
        return {**{name: value - base for name, value in hot.items()}, **user}

    def instructions_alone(self):
        """The same, without other tracers."""
        self.bpftrace = self.perf = None
        return self.instructions()


if __name__ == "__main__":
    what, build, work = sys.argv[1:]
    print(MARK + json.dumps(getattr(Guest(build, work), what)()))
