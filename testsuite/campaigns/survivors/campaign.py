# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs that are hard to trace survive scripts that come, go and are killed.

Programs do what is hard on a tracer (programs/survivor.c: signals in the middle of probed
functions, longjmp, signal stacks, coroutines, many threads, fork, vfork, exec, children that are
killed; flies.cc: C++ exceptions) while scripts, all of whose places lie in them and in libc,
come and go; half of the scripts are killed at a random instant.  Meanwhile a debugger and strace
attach and detach, bpftrace and tracefs probe the same functions, the second processor comes and
goes, and short processes run.

It fails when a program does not survive, when a value is wrong, when a script leaves a module,
when the memory of a program's text differs from its file afterwards, or when the guest's kernel
complains.  SECONDS: 60.

With --killed all of a session is killed while it takes thousands of breakpoints back.
"""
import argparse
import glob
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

LIBC = "/usr/lib/x86_64-linux-gnu/libc.so.6"
MODES = ["signals", "jumps", "stacks", "coroutines", "threads", "exec"]
SIGNALLED = ("signals", "stacks")
SCRIPT = """
global n, wrong, returned, told
probe begin { println("begin") }
probe process("./survivor").function("*").call, process("./flies").function("*").call { n++ }
probe process("./survivor").function("leaf").return {
	returned++
	if ($return != 2 * @entry($n)) wrong++
}
probe process("./survivor").function("deep").return { if ($return != @entry($n) * (@entry($n) + 1) / 2) wrong++ }
probe process("./survivor").function("interrupted").return { if ($return != 2 * @entry($n)) wrong++ }
probe process("./survivor").function("tail").return { if ($return != 5) wrong++ ubacktrace() }
probe process("./survivor").function("inner").return { if ($return != 5) wrong++ ubacktrace() }
probe process("./survivor").function("jumper").return { wrong++ }
probe process("./flies").function("passes").return { if ($return != @entry($n) + 1) wrong++ }
probe process("./flies").function("thrower").return, process("./flies").function("catches").return { n++ }
probe process("./survivor").statement("do_signals@*:*") { n++ }
probe process("./survivor").plt("*") { n++ }
probe process("LIBC").function("*raise*"), process("LIBC").function("*jmp*"),
      process("LIBC").function("w*") { n++ }
probe process.begin, process.end, process.thread.begin, process.thread.end { n++ }
probe process("./survivor").syscall { n += ubacktrace() != "" }
probe process("./survivor").syscall.return { n++ }
probe timer.profile { if (ubacktrace() != "") n++ }
probe timer.ms(10) { if (returned && !told++) println("armed") }
probe timer.ms(MS) { exit() }
probe end { println(wrong ? "WRONG" : returned ? "right" : "nothing seen") }
"""

MANY = """
global n, told
probe process("LIBC").function("str*"), process("LIBC").function("w*"), process("LIBC").function("_*") { n++ }
probe timer.ms(1) { if (!told++) println("armed") }
"""


# ---- the guest ---------------------------------------------------------------------------

def changed_text(pid):
    """The probed files whose executable mappings differ from what they contain, and by how many
    bytes.  A debugger that is ended before it detaches may leave a breakpoint of its own in ld.so."""
    probed = [os.path.realpath(path) for path in ("survivor", "flies", LIBC)]
    with open(f"/proc/{pid}/maps", encoding="utf-8") as maps, \
            open(f"/proc/{pid}/mem", "rb") as mem:
        for line in maps:
            m = re.match(r"(\w+)-(\w+) r-xp (\w+) \S+ [1-9]\d* +(/.*)", line)
            if m and m[4] in probed:
                start, end, offset = (int(x, 16) for x in m.groups()[:3])
                with open(m[4], "rb") as file:
                    file.seek(offset)
                    there = file.read(end - start)
                mem.seek(start)
                differ = sum(a != b for a, b in zip(there, mem.read(len(there))))
                if differ:
                    yield f"{m[4]}: {differ} bytes"


def children(pid):
    found = []
    for path in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(path, encoding="utf-8") as f:
                stat = re.match(r"(\d+) \(.*\) \w (\d+)", f.read())
        except OSError:
            continue
        if stat and int(stat[2]) == pid:
            found.append(int(stat[1]))
    return found


def kill(pid, sig):
    try:
        os.kill(pid, sig)
    except ProcessLookupError:
        pass


class Storm:
    def __init__(self, opts):
        self.rng = random.Random(opts.seed)
        self.staprun = opts.staprun
        self.over = time.monotonic() + opts.seconds
        self.failures, self.counts = [], {}

    def count(self, what, n=1):
        self.counts[what] = self.counts.get(what, 0) + n

    def goes_on(self):
        return time.monotonic() < self.over

    def fail(self, text):
        self.failures.append(text)

    def start_all(self):
        run = [["./survivor", mode] for mode in MODES] + [["./flies"]]
        self.programs = [(subprocess.Popen(args), " ".join(args)) for args in run]

    def scripts(self, module):
        """One after the other.  The first ends by itself, so that a short storm sees values too;
        half of the others are killed, some while they end."""
        killed = False
        while self.goes_on():
            with open(f"{module}.out", "w+", encoding="utf-8") as out:
                p = subprocess.Popen([self.staprun, f"{module}.ko"], stdin=subprocess.DEVNULL,
                                     stdout=out, stderr=subprocess.STDOUT)
                if killed:
                    self.kill_at_once(p)
                p.wait()
                out.seek(0)
                text = out.read()
            self.count(f"{module} killed" if killed else f"{module} ended")
            self.count(f"{module} armed", "armed" in text)
            if "WRONG" in text or "ERROR" in text or (not killed and "right" not in text):
                self.fail(f"{module}: {text}")
            self.wait_gone(module)
            killed = self.rng.random() < 0.5

    def kill_at_once(self, p):
        time.sleep(self.rng.uniform(0, 2))
        parts = [p.pid] + children(p.pid)
        if self.rng.random() < 0.6:
            kill(p.pid, signal.SIGTERM)
            time.sleep(self.rng.uniform(0, 0.1))
        for pid in parts:
            kill(pid, signal.SIGKILL)

    def wait_gone(self, module, limit=120):
        """Thousands of places take long to leave on a busy machine with the debug kernel."""
        begin = time.monotonic()
        while os.path.exists(f"/sys/module/{module}"):
            if time.monotonic() - begin > limit:
                self.fail(f"{module} is left")
                return
            time.sleep(0.05)

    def command(self, what, args):
        """SIGTERM ends what takes too long, so that a debugger can detach."""
        p = subprocess.run(["timeout", "60", *args], stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        if p.returncode == 124:
            self.count(f"{what}: too slow")
        else:
            self.count(what, p.returncode in (0, 128 + signal.SIGINT))

    def debuggers(self):
        """Attach, step a little, and leave the program alone.  A program that gets signals faster
        than gdb steps on an emulated processor is not stepped: gdb would go on for ever, and its
        end would leave a SIGTRAP that kills the program, with a script or without."""
        while self.goes_on():
            program, name = self.rng.choice(self.programs)
            if shutil.which("gdb") and self.rng.random() < 0.5:
                step = [] if name.endswith(SIGNALLED) else ["-ex", "stepi 20"]
                self.command("gdb", ["gdb", "-nx", "-batch", "-p", str(program.pid), "-ex", "bt 3",
                                     *step, "-ex", "detach"])
            elif shutil.which("strace"):
                self.command("strace", ["timeout", "--preserve-status", "-s", "INT", "1", "strace",
                                        "-qq", "-o", "/dev/null", "-f", "-p", str(program.pid)])
            time.sleep(0.5)

    def tracers(self):
        """Others on the same functions."""
        events = "/sys/kernel/tracing/uprobe_events"
        with open("offset", encoding="utf-8") as f:
            offset = f.read().strip()
        here = os.path.realpath("survivor")
        while self.goes_on():
            if shutil.which("bpftrace"):
                self.command("bpftrace", [
                    "bpftrace", "-e", f"uprobe:{here}:leaf,uprobe:{here}:deep {{ @a = count() }} "
                    f"uretprobe:{here}:leaf {{ @b = count() }} interval:ms:600 {{ exit() }}"])
            self.tracefs(events, f"p:leaf {here}:{offset}\n", f"r:leafs {here}:{offset}\n")

    def tracefs(self, events, *lines):
        """A write is an event; with O_TRUNC it would replace the others."""
        for line in lines:
            fd = os.open(events, os.O_WRONLY)
            os.write(fd, line.encode())
            os.close(fd)
        for value in "10":
            with open("/sys/kernel/tracing/events/uprobes/enable", "w", encoding="utf-8") as f:
                f.write(value)
            time.sleep(0.3)
        with open(events, "w", encoding="utf-8"):
            self.count("tracefs")

    def processors(self):
        online = "/sys/devices/system/cpu/cpu1/online"
        while os.access(online, os.W_OK) and self.goes_on():
            for value in "01":
                with open(online, "w", encoding="utf-8") as f:
                    f.write(value)
                time.sleep(0.7)
            self.count("a processor's coming and going")

    def short_ones(self):
        while self.goes_on():
            p = subprocess.run(["sh", "-c", "for i in 1 2 3 4 5 6 7 8 9 10; do "
                                "./survivor signals 1 || exit 9; (./survivor jumps 1) || exit 9; "
                                "done"], check=False)
            self.count("short processes", 20)
            if p.returncode:
                self.fail(f"a short process: exit status {p.returncode}")

    def look_at_texts(self):
        for program, name in self.programs:
            if program.poll() is not None:
                self.fail(f"{name} died: {program.returncode}")
                continue
            for what in changed_text(program.pid):
                self.fail(f"{name}: left in {what}")
            program.terminate()
            if program.wait():
                self.fail(f"{name}: exit status {program.returncode}")

    def killed(self, rounds):
        """SIGKILL of all of a session, which disarms at that time."""
        with subprocess.Popen(["sleep", "1000"]) as program:
            for i in range(rounds):
                with subprocess.Popen([self.staprun, "many.ko"], stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as p:
                    p.stdout.readline()
                    there = list(changed_text(program.pid))
                    parts = [p.pid] + children(p.pid)
                    kill(p.pid, signal.SIGTERM)
                    time.sleep(0.02 * i)
                    for pid in parts:
                        kill(pid, signal.SIGKILL)
                self.wait_gone("many")
                left = list(changed_text(program.pid))
                print(f"probed: {there}, left: {left}")
                if left or not there:
                    self.fail("breakpoints are left, or there were none")
            program.kill()
        print(*self.failures, sep="\n")
        return bool(self.failures)

    def run(self):
        subprocess.run(["mount", "-t", "tracefs", "t", "/sys/kernel/tracing"], check=False,
                       stderr=subprocess.DEVNULL)
        self.start_all()
        threads = [threading.Thread(target=self.scripts, args=(m,)) for m in ("first", "second")]
        threads += [threading.Thread(target=t) for t in
                    (self.debuggers, self.tracers, self.processors, self.short_ones)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.look_at_texts()
        print(", ".join(f"{what} {n}" for what, n in sorted(self.counts.items())))
        print("\n".join(self.failures[:20]))
        return bool(self.failures) or not all(self.counts.get(f"{m} armed")
                                              for m in ("first", "second"))


# ---- this machine ------------------------------------------------------------------------

def compile_all(place):
    programs = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../programs")

    def command(*words):
        return subprocess.run(words, cwd=place.work, env=place.environment(), check=True,
                              stdout=subprocess.PIPE, text=True).stdout

    command("gcc", "-g", "-O1", "-pthread", "-w", "-o", "survivor", f"{programs}/survivor.c")
    command("g++", "-g", "-O1", "-o", "flies", f"{programs}/flies.cc")
    with open(f"{place.work}/offset", "w", encoding="utf-8") as f:
        f.write(hex(int(re.search(r"(\w+) T leaf\n", command("nm", "survivor"))[1], 16)))
    texts = {"first": SCRIPT.replace("MS", "3000"), "second": SCRIPT.replace("MS", "1500"),
             "many": MANY}
    for module, script in texts.items():
        command(place.program("stap"), "-w", "-r", place.release, "-p4", "-D", "STP_NO_OVERLOAD",
                "-D", "MAXSKIPPED=1000000", "-m", module,
                "-e", script.replace("LIBC", os.path.realpath(LIBC)))


def options(parser):
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--killed", metavar="ROUNDS", type=int)
    parser.add_argument("seconds", type=int, nargs="?", default=60, metavar="SECONDS")


def run(place, opts):
    compile_all(place)
    opts.staprun = place.program("staprun")
    return subprocess.run([place.vm, "-n", "-r", place.release, os.path.realpath(sys.executable),
                           os.path.abspath(__file__), json.dumps(vars(opts))],
                          cwd=place.work, check=False).returncode


def guest(opts):
    storm = Storm(opts)
    return storm.killed(opts.killed) if opts.killed else storm.run()


if __name__ == "__main__":
    sys.exit(guest(argparse.Namespace(**json.loads(sys.argv[1]))))
