# SPDX-License-Identifier: GPL-2.0-or-later
"""Kills what makes up a session, at random instants, ROUNDS times (1000), in a guest.

Killed are any of staprun, stapio and the target of -c, while the reader is stopped, the module
is being removed, the disk is full, the pipe is closed or nobody reads it, or somebody keeps
the module's files mapped or polled.  Each time no module and no process may be left after
SECONDS (2).  It fails when the guest's kernel complains, leaks memory as far as it can tell,
or is short of memory in the end.
"""
import argparse
import collections
import ctypes
import glob
import json
import os
import random
import re
import select
import signal
import subprocess
import sys
import time

SCRIPT = """
global n
probe begin { println("ready") }
probe kernel.function("vfs_read"), kernel.function("vfs_write").return {
	if (!(n++ % 8))
		printf("%d %s\\n", n, execname())
}
probe timer.ms(3) { println("tick") }
probe end { printf("the end %d\\n", n) }
"""
PARTS = ["staprun", "stapio", "target"]
EXTRAS = ["nothing", "stopped", "rmmod", "full disk", "closed pipe", "stalled pipe", "mapping",
          "poller"]
TOGETHER = [f"storm_{i}" for i in range(6)]
COMPLAINT = re.compile(r"BUG|WARNING|Oops|KASAN|UBSAN|lockdep|possible .* lock|suspicious RCU|"
                       r"INFO: task|detected stall|refcount_t|list_(add|del) corruption|scheduling while")
KMEMLEAK = "/sys/kernel/debug/kmemleak"
libc = ctypes.CDLL(None, use_errno=True)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t] + 3 * [ctypes.c_int] + [ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]


# ---- the guest ---------------------------------------------------------------------------

def text(path):
    try:
        with open(path, errors="replace") as f:
            return f.read()
    except OSError:
        return ""


def children(pid):
    """The oldest first."""
    stats = (re.match(r"(\d+) \(.*\) \w (\d+)", text(path))
             for path in glob.glob("/proc/[0-9]*/stat"))
    return sorted(int(stat[1]) for stat in stats if stat and int(stat[2]) == pid)


def kill(pid, sig):
    try:
        os.kill(pid, sig)
    except ProcessLookupError:
        pass


def processes():
    """Processes of ours that run."""
    found = []
    for path in glob.glob("/proc/[0-9]*/stat"):
        stat = re.match(r"(\d+) \((staprun|stapio)\) (\w)", text(path))
        if stat and stat[3] not in "ZX":
            found.append(f"{stat[2]} {stat[1]} ({stat[3]})")
            found += text(f"/proc/{stat[1]}/stack").splitlines()[:6]
    return found


def modules():
    return [os.path.basename(m) for m in glob.glob("/sys/module/storm*")]


class Holder:
    """Keeps a mapping of a ring and a poller of the module's files."""

    def __init__(self):
        self.files, self.polls, self.mapping = [], [], None

    def take(self, module, extra):
        try:
            fd = os.open(f"/proc/systemtap/{module}/" +
                         (".trace" if extra == "mapping" else ".control"), os.O_RDONLY)
        except OSError:
            return                      # not yet there, or gone
        self.files.append(fd)
        if extra == "mapping":
            p = libc.mmap(None, 2 << 20, 1, 1, fd, 0)
            self.mapping = p if p != ctypes.c_void_p(-1).value else None
        else:
            epoll = select.epoll()
            epoll.register(fd, select.EPOLLIN | select.EPOLLPRI)
            self.polls.append(epoll)

    def leave(self):
        if self.mapping:
            ctypes.string_at(self.mapping, 2 << 20)
            libc.munmap(self.mapping, 2 << 20)
        for epoll in self.polls:
            epoll.poll(0)
            epoll.close()
        for fd in self.files:
            os.close(fd)


class Kmsg:
    def __init__(self):
        self.fd = os.open("/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK)
        self.complaints()

    def complaints(self):
        found = []
        while True:
            try:
                line = os.read(self.fd, 8192).decode(errors="replace").split("\n")[0]
            except BlockingIOError:
                return found
            except BrokenPipeError:
                continue                # older lines were overwritten
            if COMPLAINT.search(line):
                found.append(line)


class Round:
    def __init__(self, rng, staprun, span):
        self.staprun = staprun
        self.who = rng.sample(PARTS, rng.randint(1, len(PARTS)))
        self.extra = rng.choice(EXTRAS)
        self.delay = span * rng.random() ** 2   # most happens soon
        self.ending = rng.random() < 0.2        # the session is ending already
        self.gap = rng.uniform(0, 0.1)

    def __str__(self):
        return (f"SIGKILL of {', '.join(self.who)} after {self.delay:.3f} s; {self.extra}"
                f"{'; while it ends' if self.ending else ''}")

    def start(self):
        output = subprocess.DEVNULL
        where = []
        if "pipe" in self.extra:
            self.reader, output = os.pipe()
        elif self.extra == "full disk":
            where = ["-o", "/tmp/full/out"]
        self.p = subprocess.Popen([self.staprun, "-s", "1", "-c", "sleep 60", *where, "storm.ko"],
                                  stdin=subprocess.DEVNULL, stdout=output,
                                  stderr=subprocess.DEVNULL)
        if "pipe" in self.extra:
            os.close(output)

    def parts(self):
        kids = children(self.p.pid)
        found = {"staprun": self.p.pid}
        found.update(zip(["stapio"], kids))
        found.update(zip(["target"], children(found["stapio"]) if "stapio" in found else []))
        return found

    def disturb(self, there, holder):
        if self.extra == "stopped" and "stapio" in there:
            kill(there["stapio"], signal.SIGSTOP)
        elif self.extra == "rmmod":
            self.rmmod = subprocess.Popen(["rmmod", "storm"], stderr=subprocess.DEVNULL)
        elif self.extra == "closed pipe":
            os.close(self.reader)
        elif self.extra in ("mapping", "poller"):
            holder.take("storm", self.extra)

    def run(self, holder):
        self.start()
        time.sleep(self.delay)
        there = self.parts()
        self.loaded = bool(modules())
        self.disturb(there, holder)
        if self.ending:
            kill(self.p.pid, signal.SIGTERM)
            time.sleep(self.gap)
        self.killed = killed = {part: there[part] for part in self.who if part in there}
        for pid in killed.values():
            kill(pid, signal.SIGKILL)
        # What goes on because nobody it depends on was killed is asked to end.
        stuck = self.extra == "stalled pipe"
        if not killed.keys() & {"staprun", "stapio"} and ("target" not in killed or stuck or
                                                   self.extra == "stopped"):
            for _ in range(3 if stuck else 1):
                kill(self.p.pid, signal.SIGTERM)
                time.sleep(0.1 if stuck else 0)
        return there

    def kill_again(self, there):
        """The child of stapio that was killed may have been the shell that looks for the command:
        then the target comes after it."""
        if "target" in self.killed:
            for pid in children(there["stapio"]):
                kill(pid, signal.SIGKILL)

    def finish(self, there):
        if "target" in there:
            kill(there["target"], signal.SIGKILL)
        if self.extra == "stalled pipe":
            os.close(self.reader)
        if self.extra == "rmmod":
            self.rmmod.wait()
        self.p.wait()


def wait_gone(limit, meanwhile):
    """How long it took until nothing was left; None: longer than limit."""
    begin = time.monotonic()
    while True:
        passed = time.monotonic() - begin
        if not modules() and not processes():
            return passed
        if passed > limit:
            return None
        meanwhile()
        time.sleep(0.02)


def at_once():
    """Modules that are loaded at the same time: the first of them make the directory."""
    loads = [subprocess.Popen(["insmod", f"{name}.ko"]) for name in TOGETHER]
    good = not any([p.wait() for p in loads])
    good &= sorted(TOGETHER) == sorted(os.listdir("/proc/systemtap"))
    for name in TOGETHER:
        subprocess.run(["rmmod", name])
    if not good:
        print("modules that are loaded at the same time: not all are there")
    return good


def free_kb():
    with open("/proc/sys/vm/drop_caches", "w") as f:
        f.write("3")
    return int(re.search(r"MemAvailable: *(\d+)", text("/proc/meminfo"))[1])


def kmemleak(command):
    try:
        with open(KMEMLEAK, "w") as f:
            f.write(command)
        return True
    except OSError:
        return False


def leaks():
    for _ in range(3):
        time.sleep(6)                   # what is younger is not looked at
        if not kmemleak("scan"):
            return "kmemleak is off, or not there"
    found = text(KMEMLEAK)
    print(found, end="")
    return f"{found.count('unreferenced object')} leaks found by kmemleak"


def guest(opts):
    rng = random.Random(opts.seed)
    kmsg = Kmsg()
    kmemleak("scan=off")                # by itself it holds up RCU's grace periods
    bad = 0 if at_once() else 1
    took, met = [], collections.Counter()
    os.mkdir("/tmp/full")
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", "/tmp/full"], check=True)
    before = free_kb()
    for i in range(opts.rounds):
        r, holder = Round(rng, opts.staprun, opts.span), Holder()
        there = r.run(holder)
        met.update(there.keys())
        met["the module"] += r.loaded
        gone = wait_gone(opts.limit, lambda: r.kill_again(there))
        complaints = kmsg.complaints()
        if gone is None or complaints:
            bad += 1
            print(f"round {i}: {r}; there were: {' '.join(there)}")
            print(f"\tleft: {modules()} {processes()}", *complaints, sep="\n\t")
            print(text("/proc/systemtap/storm/.control"))
            if gone is None and wait_gone(20, lambda: None) is None:
                print("\tfor longer than 20 s")
                break
        else:
            took.append(gone)
        holder.leave()
        r.finish(there)
        sys.stdout.flush()
    took.sort()
    after = free_kb()
    found = leaks()
    bad += bool(kmsg.complaints()) + (before - after > 64 * 1024) + found[0].isdigit() * \
        (not found.startswith("0 "))
    if took:
        print(f"{len(took)} rounds of {opts.rounds} left nothing: half within "
              f"{took[len(took) // 2]:.2f} s, all within {took[-1]:.2f} s")
    print("met:", ", ".join(f"{part} {n}" for part, n in met.items()))
    print(f"memory available before {before} kB, after {after} kB; {found}")
    return bad > 0 or len(took) < opts.rounds


# ---- this machine ------------------------------------------------------------------------

def options(parser):
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=2, metavar="SECONDS")
    parser.add_argument("--span", type=float, default=0.9, help="of the instants, in seconds")
    parser.add_argument("rounds", type=int, nargs="?", default=1000, metavar="ROUNDS")


def run(place, opts):
    stap = [place.program("stap"), "-r", place.release, "-p4"]
    scripts = {name: "probe begin { println(1) }" for name in TOGETHER}
    for name, script in {**scripts, "storm": SCRIPT}.items():
        subprocess.run([*stap, "-m", name, "-e", script], cwd=place.work, env=place.environment(),
                       check=True, stdout=subprocess.DEVNULL)
    opts.staprun = place.program("staprun")
    return subprocess.run([place.vm, "-n", "-r", place.release, os.path.realpath(sys.executable),
                           os.path.abspath(__file__), json.dumps(vars(opts))],
                          cwd=place.work, check=False).returncode


if __name__ == "__main__":
    sys.exit(guest(argparse.Namespace(**json.loads(sys.argv[1]))))
