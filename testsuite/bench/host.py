# SPDX-License-Identifier: GPL-2.0-or-later
"""What is measured without a guest, the translator; and what the guest needs."""
import glob
import json
import os
import re
import shutil
import statistics
import subprocess
import time

from rows import ALL, ARRAYS, BPF_SINCE, HOT, MANY, PRINTING, USER

HERE = os.path.dirname(os.path.abspath(__file__))
MARK = "BENCH RESULTS "


def run(argv, measured=None, **options):
    """Runs a command that must succeed; its standard output.  With a file of measurements it
    need not: Debian 12's bpftrace sometimes crashes when the program that it ran has gone before
    it looks up the names for a stack."""
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, **options)
    if done.returncode and not (measured and os.path.exists(measured)):
        raise SystemExit(f"bench: failed ({done.returncode}): {' '.join(argv)}\n"
                         f"{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return done.stdout


class Host:
    """A build on a system (harness/place.py), whose commands run in that system."""

    def __init__(self, where, build, work):
        self.where, self.build, self.release, self.work = where, build, where.release, work
        self.home = os.path.join(work, "home")
        self.env = dict(os.environ, SYSTEMTAP_DIR=self.home)
        self.count = 0

    def run(self, argv, cwd=None, env=None):
        """Runs a command in the system and a directory of it (default: the work directory)."""
        cwd = cwd or self.work
        return run(self.where.root.argv(argv, cwd), env=env or self.env,
                   cwd=None if self.where.root.path else cwd)

    def stap(self, *args):
        return [os.path.join(self.build, "stap"), "-r", self.release, *args]

    def timed(self, *args):
        """Seconds one stap took, and the most memory it or its children used (MB)."""
        start = time.monotonic()
        child = subprocess.Popen(self.where.root.argv(self.stap(*args), self.work),
                                 env=self.env, cwd=self.work,
                                 stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.PIPE, text=True)
        errors = child.stderr.read()
        _, status, usage = os.wait4(child.pid, 0)
        took = time.monotonic() - start
        child.returncode = status
        if status:
            raise SystemExit(f"bench: stap {' '.join(args)} failed:\n{errors[-2000:]}")
        return took, usage.ru_maxrss / 1024

    def new_script(self):
        self.count += 1
        return f"probe begin {{ println({self.count}) exit() }}"

    def new_tracer(self, calls):
        self.count += 1
        return (f"probe {calls} {{ printf(\"%s(%d) %s (%s) {self.count}\\n\", execname(), pid(), "
                "name, argstr) }")

    def floor(self):
        """Seconds gcc, objtool and ld take for the same script, by kbuild's commands."""
        kit, = glob.glob(os.path.join(self.home, "cache", "kit-*", "commands"))
        records = open(kit, "rb").read().decode().split("\0")[:-1]
        work = os.path.join(self.work, "floor")
        placed = [r.replace("\1", work).replace("\2", "") for r in records]    # marks for paths (kitcommands.c)
        texts = {r[0]: r[1:] for r in placed if r[0] != "e"}
        env = dict(r[1:].split("=", 1) for r in placed if r[0] == "e")
        os.mkdir(work)
        for entry in os.scandir(os.path.join(os.path.dirname(kit), "work")):
            os.symlink(entry.path, os.path.join(work, entry.name))
        with open(os.path.join(work, "stap_script.c"), "w") as f:
            f.write(self.run(self.stap("-p3", "-e", self.new_script())))
        mod = re.search(r"([^\s/]+)\.ko(\s|$)", texts["l"]).group(1) + ".mod"
        with open(os.path.join(work, mod), "w") as f:
            f.write(texts["o"])
        times = []
        for _ in range(7):
            start = time.monotonic()
            for which in "cml":
                self.run(["sh", "-ec", texts[which]], texts["d"], env)
            times.append(time.monotonic() - start)
        return statistics.median(times)

    def median(self, *args):
        return statistics.median(self.timed(*args)[0] for _ in range(7))

    def measure(self):
        figures = {}
        read = 'kernel.function("vfs_read")'
        figures["first"] = self.timed("-p4", "-e", self.new_script())[0]
        figures["all first"] = self.timed("-l", ALL)[0]
        figures["all"] = self.median("-l", ALL)
        figures["new"] = statistics.median(
            self.timed("-p4", "-e", self.new_script())[0] for _ in range(7))
        figures["call"] = statistics.median(
            self.timed("-p4", "-e", self.new_tracer("syscall.open"))[0] for _ in range(7))
        figures["calls"] = self.timed("-p4", "-e", self.new_tracer("syscall.*"))[0]
        figures["floor"] = self.floor()
        same = self.new_script()
        self.timed("-p4", "-e", same)
        figures["again"] = self.median("-p4", "-e", same)
        self.timed("-L", read)
        figures["list"] = self.median("-L", read)
        figures["memory"] = max(self.timed(*args)[1] for args in (
            ("-p3", "-e", self.new_script()), ("-p4", "-e", same), ("-L", read)))
        self.timed("-p2", "-e", MANY)
        figures["many"] = self.median("-p2", "-e", MANY)
        listed = self.run(self.stap("-l", 'kernel.function("*@fs/*.c").call'))
        figures["places"] = len(listed.splitlines())
        return figures

    def make_load(self):
        self.run(["gcc", "-O2", "-g", "-fno-omit-frame-pointer", "-o", "load",
                  os.path.join(HERE, "load.c")])

    def make_bare(self):
        """The modules with bare probes."""
        bare = os.path.join(self.work, "bare")
        os.mkdir(bare)
        for source in "bare.c", "bare_uprobe.c":
            shutil.copy(os.path.join(HERE, source), bare)
        kernel = f"/lib/modules/{self.release}/build"
        handles = "uprobe_unregister_sync\t" in self.run(["cat", f"{kernel}/Module.symvers"])
        with open(os.path.join(bare, "Kbuild"), "w") as f:
            f.write("obj-m := bare.o bare_uprobe.o\n")
            f.write("ccflags-y += -DWITH_HANDLES\n" if handles else "")
        self.run(["make", "-C", kernel, f"M={bare}", "CONFIG_DEBUG_INFO=",
                  "CONFIG_DEBUG_INFO_BTF_MODULES=", "modules"], env=dict(os.environ))

    def make_bpf(self, name, script):
        """The script as BPF programs, if it is within their reach."""
        argv = self.stap("--runtime=bpf", "-p4", "-m", "bench_" + name, "-e", script)
        done = subprocess.run(self.where.root.argv(argv, self.work), env=self.env, cwd=self.work,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode and "BPF has no " not in done.stderr:
            raise SystemExit(f"bench: {name} as BPF failed:\n{done.stderr[-2000:]}")

    def make_modules(self, **scripts):
        """Modules of the scripts, and BPF programs of those whose hits are measured."""
        load = os.path.join(self.work, "load")
        hit = {f"hot{i}": script for i, (_, script, *_) in enumerate(HOT)}
        hit.update({f"array{i}": script for i, (_, script, _) in enumerate(ARRAYS)})
        hit.update({f"user{i}": script.replace("LOAD", load)
                    for i, (_, _, script, *_) in enumerate(USER)}, lines=PRINTING[0])
        for name, script in {**scripts, **hit}.items():
            self.run(self.stap("-p4", "-m", "bench_" + name, "-e", script))
        if tuple(map(int, re.findall(r"\d+", self.release)[:2])) >= BPF_SINCE:
            for name, script in hit.items():
                self.make_bpf(name, script)

    def in_guest(self, what, *options, program="guest.py"):
        argv = [self.where.vm, *self.where.root.vm_options(), "-r", self.release, *options,
                "python3", os.path.join(HERE, program), what, self.build, self.work]
        out = run(argv)
        for line in out.splitlines():
            if line.startswith(MARK):
                return json.loads(line[len(MARK):])
        raise SystemExit("bench: the guest gave no results:\n" + out[-2000:])

    def guest(self):
        """What the guest needs is made here, where it is quick."""
        self.make_load()
        self.make_bare()
        self.make_modules(many=MANY, calls=self.new_tracer("syscall.*"),
                          nothing="probe never { println() }",
                          first='probe begin { println("first") exit() }')
        return {**self.in_guest("starting"), **self.in_guest("hits", "--parallel")}

    def instructions(self, peers):
        self.make_load()
        self.make_bare()
        self.make_modules()
        return self.in_guest("instructions" if peers else "instructions_alone", "--icount")
