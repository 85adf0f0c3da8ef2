# SPDX-License-Identifier: GPL-2.0-or-later
"""The suite: tests of every kind are prepared, run and reported."""
import concurrent.futures
import fnmatch
import hashlib
import os
import re
import subprocess
import tempfile
import time

import batch
import spec as specs
import turns
from place import SOURCE
from report import Report

HERE = os.path.join(SOURCE, "testsuite")
SKIP = 77
NO_TESTS = ("bench", "data", "harness")     # directories
LONG = ("kernels/debug.test",)          # tests that take longer than all the others
OWN_GUESTS = re.compile(        # in the text of a host test that boots guests
    r"STAPVM|--vm|machine\.sh|(testsuite|campaigns)/run\b(?!.* --runtime user)")
COMPILERS = {".c": ["gcc", "-g"], ".cc": ["g++", "-g"], ".rs": ["rustc", "-g"],
             ".go": ["go", "build"]}      # of the programs that tests probe
HOST_TIMEOUT = 300      # seconds, of a shell script or a program on this machine
DEFAULT_TIMEOUT = 120   # seconds, of a script, and of a shell script in the guest
PATIENCE = 3            # times what a slow kernel takes: the machine may be slow too
BATCH = 100             # tests to a guest, at the most, and seconds, by their limits: more of the
BATCH_SECONDS = 600     # slowest would keep others waiting, and the first ones in a guest cost more
REFUSED = re.compile(       # what stap says of a script that only a module can be made of
    r"^.*?: (the interpreter in user space has no .*|BPF has no .*|--runtime=(?:user|bpf) makes no .*)", re.M)
HEADER = re.compile(r"^\s*probe\b[^{\n]*", re.M)
# In place of begin probes: as long, so that messages' columns stay.
FORCED = {"begin": "_forc", "oneshot": "_forced"}
FORCED_ALIASES = "".join(f'\nprobe {name} = kernel.trace("sched_process_exit") {{ if (tid() != target()) next }}'
                         for name in FORCED.values())
FORCED_POINT = 'kernel.trace("sched:sched_process_exit")'       # what an error says that it was in
UNFORCED = {                # scripts that are about what begin probes alone have: a pattern in them, and what that is
    r"\bbegin\(": "the order of begin probes",
    r"\bMAXACTION_INTERRUPTIBLE\b|\(more than \d+ s\\\)": "a limit of begin probes",
    r"%\(\s*runtime\b": "its runtime",
    r"\btarget_set_report\b": "a session without a command",
}
OF_A_GUEST = ("run", "cmd", "workload", "signal", "where")      # directives
CHECK_SECONDS = 3600    # after so long a check begins no more tests: it has 90 minutes, with the build and what still runs
AGAIN_MOST = 10         # so many failed tests are run again: where more fail, something is broken


class Skipped(Exception):
    """A test can't run here; the text says why."""


def output_of(text):
    """What is shown of a failed test's output; a guest that hung tells the stacks of its
    processors first."""
    return specs.shown(text, 100, 40)


def stacks_of(text):
    """A dead guest's last words, without registers and functions that the kernel only guesses."""
    return "\n".join(line for line in text.split("\n") if not re.match(
        r"\s*(\? |(Code|[CDEF]S|GS|[CD]R\d|R[A-Z\d][A-Z\d]?|PKRU): (?!.*\+0x))", line))


class Suite:
    """The tests of one build, run on one system with one of its kernels (place.py).

    With a special kernel (kernels.py) only what runs under it is run, so many times slower; with
    guests_alone too. With irqs_off the longest times with interrupts off are measured and told. With
    another runtime than "kernel" scripts are all that is run: by stap --runtime=user on this machine,
    or by stap --runtime=bpf in guests; with "forced" the kernel also hits what are begin probes.
    """

    def __init__(self, place, irqs_off=False, runtime="kernel", guests_alone=False):
        self.runtime = runtime
        self.irqs_off = [] if irqs_off else None
        self.slower = place.slower or 1
        self.patience = place.slower * PATIENCE if place.slower else 1
        self.guests_alone = guests_alone or bool(place.slower)
        self.build = place.build
        self.root = place.root
        self.vm = place.vm
        self.release = place.release
        self.workdir = place.work
        self.report = Report()
        self.env = place.environment()
        self.left_out = set()   # long tests whose turn it isn't (turns.py)
        self.until = None       # when a check begins no more tests
        self.jobs = []          # no guest has been started for these yet
        self.specs = {}
        self.keep_all()

    def keep_all(self):
        """Every script's module stays in the cache until a guest has loaded it."""
        cache = os.path.join(self.env["SYSTEMTAP_DIR"], "cache")
        os.makedirs(cache, exist_ok=True)
        with open(os.path.join(cache, "cache_mb_limit"), "w", encoding="utf-8") as f:
            f.write("4096\n")

    def compile_programs(self, spec):
        """Compiles what a test probes: "program: NAME SOURCE [OPTIONS]". Returns what went
        wrong, or None. Tests with the same source and options share a program."""
        folder = os.path.join(self.build, "testsuite/programs")
        os.makedirs(folder, exist_ok=True)
        for line in spec.lists["program"]:
            name, source, *options = line.split()
            key = hashlib.sha256(line.partition(" ")[2].encode()).hexdigest()[:8]
            path = os.path.join(folder, f"{os.path.splitext(source)[0]}-{key}")
            source = os.path.join(HERE, "programs", source)
            spec.programs[name] = path
            if os.path.exists(path) and os.path.getmtime(path) > os.path.getmtime(source):
                continue
            compiler = COMPILERS[os.path.splitext(source)[1]]
            if not self.root.has(compiler[0]):
                raise Skipped(f"{compiler[0]} is not installed")
            part = f"{path}.{spec.name.replace('/', '-')}"
            status, out, err = self.command(compiler + options + ["-o", part, source], 120,
                                            self.env, folder)
            if status:
                return ["its program did not compile:"] + output_of(out + err)
            os.rename(part, path)
        return None

    # -- the kinds of tests --

    def unit(self, name):
        program = os.path.join(self.build, "testsuite", name[:-2])
        self.program(specs.Spec(os.path.join(HERE, name), name), [program])

    def cases(self, spec):
        program = os.path.join(self.build, "testsuite/cases/cases")
        self.program(spec, [program, spec.path])

    def two_parts(self, spec):
        """A test that begins here and ends with a command for the guest (in-guest), which is
        queued with others'. Its directory is there until all tests have run."""
        folder = tempfile.mkdtemp(dir=self.workdir)
        kept = folder + ".command"
        env = dict(self.env, TMPDIR=folder, STAP_TEST_COMMAND=kept,
                   STAP_TEST_GUEST=os.path.join(HERE, "harness/in-guest"))
        start = time.monotonic()
        status, out, err = self.command(["sh", spec.path],
                                        spec.number("timeout", HOST_TIMEOUT) * self.patience,
                                        env, folder)
        if status or not os.path.exists(kept):
            self.program_result(spec, status or "0, but it did not come to its part in the guest",
                                out, err, time.monotonic() - start)
            return
        with open(kept, encoding="utf-8", errors="surrogateescape") as f:
            cwd, *argv = f.read().split("\0")[:-1]
        self.add_job(spec, argv, cwd=cwd, limit=HOST_TIMEOUT)

    def program(self, spec, argv):
        """A program of the host that passes with 0 and skips with 77."""
        with tempfile.TemporaryDirectory(dir=self.workdir) as tmp:
            start = time.monotonic()
            status, out, err = self.command(argv, spec.number("timeout", HOST_TIMEOUT) * self.patience,
                                            dict(self.env, TMPDIR=tmp), tmp)
        self.program_result(spec, status, out, err, time.monotonic() - start)

    def program_result(self, spec, status, out, err, seconds):
        if status == SKIP:
            lines = (out + err).strip().split("\n")
            self.report.add("skipped", spec.name, [lines[-1] or "it gave no reason"])
            return
        complaints = []
        if status:
            complaints = [f"exit status {status}"] + specs.shown(out + err, 40, 100)
        self.report.result(spec.name, complaints, seconds)

    def script(self, spec):
        try:
            wrong = self.compile_programs(spec)
        except Skipped as reason:
            self.report.add("skipped", spec.name, [str(reason)])
            return
        if wrong:
            self.report.result(spec.name, wrong)
        elif spec.get("pass"):
            self.host_script(spec)
        elif self.runtime == "user":
            self.process_script(spec)
        elif self.runtime == "forced":
            self.forced_script(spec)
        elif self.runtime == "bpf":
            self.bpf_script(spec)
        else:
            self.guest_script(spec)

    @staticmethod
    def script_path(spec):
        return os.path.join(SOURCE, spec.get("script")) if spec.get("script") else spec.path

    def stap_argv(self, spec, *options, script=None):
        """Under a slow kernel, on a busy machine, a lock's owner may stand still for longer than the
        10 ms that others wait for it, and their hits would be skipped: 100 ms, the most there is."""
        patient = ["-DMAXTRYLOCK=10000"] if self.patience > 1 else []
        return ([os.path.join(self.build, "stap"), "-r", self.release, *options] +
                patient + spec.words("flags") + [script or self.script_path(spec)] + spec.words("args"))

    def host_script(self, spec):
        with tempfile.TemporaryDirectory(dir=self.workdir) as tmp:
            start = time.monotonic()
            status, out, err = self.command(self.stap_argv(spec, "-p" + spec.get("pass")),
                                            spec.number("timeout", DEFAULT_TIMEOUT), self.env, tmp)
        out = out.replace(HERE + "/", "")
        err = err.replace(HERE + "/", "")
        self.report.result(spec.name, specs.check(spec, status, out, err),
                           time.monotonic() - start)

    def process_script(self, spec):
        """Runs a script in a process, which must print what the header says, or refuse it because only
        the kernel has what it asks for."""
        for directive in OF_A_GUEST + ("before", "after"):
            if directive in spec.values or spec.lists.get(directive):
                self.report.add("skipped", spec.name, [f"'{directive}:' is about a guest"])
                return
        with tempfile.TemporaryDirectory(dir=self.workdir) as tmp:
            start = time.monotonic()
            status, out, err = self.command(self.stap_argv(spec, "--runtime=user"),
                                            spec.number("timeout", DEFAULT_TIMEOUT), self.env, tmp)
        if not self.refused(spec, status, out, err):
            self.report.result(spec.name, specs.check(spec, status, out, err), time.monotonic() - start)

    def refused(self, spec, status, out, err):
        """Is the script refused, because only a module can do what it asks for? Then it is skipped, with the
        reason."""
        refused = REFUSED.search(err)
        if status != 1 or not refused or out:
            return False
        self.report.add("skipped", spec.name, [refused.group(1)])
        return True

    def forced_script(self, spec):
        """Runs a script of begin probes as BPF, with handlers that the kernel hits once in their place: a
        process would run begin probes, and the kernel's verifier see none of them."""
        with open(self.script_path(spec), encoding="utf-8", errors="surrogateescape") as f:
            text = HEADER.sub(lambda head: re.sub(r"\b(begin|oneshot)\b(?!\()", lambda m: FORCED[m.group()],
                                                  head.group()), f.read())
        others = re.search(r"^\s*probe\s+(?!(.*= *)?(_forc|_forced|end|error)\b)(.*)", text, re.M)
        about = next((what for pattern, what in UNFORCED.items() if re.search(pattern, text)), None)
        if about or others or "_forc" not in text or spec.get("cmd"):
            self.report.add("skipped", spec.name, [f"it is about {about}" if about else
                                                   f"it has {others.group().strip()}" if others else "it has no begin"])
            return
        script = os.path.join(tempfile.mkdtemp(dir=self.workdir), spec.name)
        os.makedirs(os.path.dirname(script))
        with open(script, "w", encoding="utf-8", errors="surrogateescape") as f:
            f.write(text + FORCED_ALIASES)
        self.bpf_script(spec, script, "true")

    def bpf_script(self, spec, script=None, cmd=None):
        """Queues a script for a guest, as BPF, unless it is refused."""
        if spec.get("run"):
            self.report.add("skipped", spec.name, ["'run:' is about a module"])
            return
        folder = tempfile.mkdtemp(dir=self.workdir)     # the program is there until the guest has run it
        status, out, err = self.command(self.stap_argv(spec, "--runtime=bpf", "-p4", script=script),
                                        spec.number("timeout", DEFAULT_TIMEOUT), self.env, folder)
        if self.refused(spec, status, out, err):
            return
        program = os.path.join(folder, out.strip().split("\n")[-1])
        if status or not program.endswith(".bo"):
            self.report.result(spec.name, [f"it did not compile (exit status {status}):"] +
                               (out + err).split("\n")[:40])
            return
        cmd = cmd or spec.get("cmd")
        self.add_job(spec, [os.path.join(self.build, "stapio"), *(["-c", cmd] if cmd else []), program])
        spec.compile_messages = err

    def compile_script(self, spec):
        """The exit status, what was said, and the module or None."""
        with tempfile.TemporaryDirectory(dir=self.workdir) as tmp:
            status, out, err = self.command(self.stap_argv(spec, "-p4"),
                                            spec.number("timeout", DEFAULT_TIMEOUT), self.env, tmp)
        last = out.strip().split("\n")[-1]
        if status or not last.endswith(".ko"):
            return status, out + err, None
        return status, err, last

    def guest_script(self, spec):
        status, said, module = self.compile_script(spec)
        if not module:
            self.report.result(spec.name, [f"it did not compile (exit status {status}):"] +
                               said.split("\n")[:40])
            return
        argv = [os.path.join(self.build, "staprun")] + spec.words("run")
        if spec.get("cmd"):
            argv += ["-c", spec.get("cmd")]
        self.add_job(spec, argv + [module])
        spec.compile_messages = said

    def add_job(self, spec, argv, suffix="", cwd="/tmp", limit=DEFAULT_TIMEOUT):
        sig = None
        if spec.get("signal"):
            name, after = spec.words("signal")
            sig = {"name": name, "after": float(after) * self.slower}
        env = {k: v for k, v in self.env.items() if k.startswith("STAP") or
               k in ("SYSTEMTAP_DIR", "LC_ALL")}
        self.specs[spec.name] = spec
        self.jobs.append({
            "name": spec.name + suffix, "argv": argv, "cwd": cwd, "env": env,
            "before": spec.all("before"), "after": spec.all("after"),
            "workload": spec.get("workload"), "signal": sig,
            "irqs_off": self.irqs_off is not None, "seconds": spec.number("timeout", 10) / 10,
            "timeout": spec.number("timeout", limit) * self.patience})

    def job_done(self, name, result):
        spec = self.specs[name]
        if "died" in result:
            # stap-vm's diagnosis of a hung guest ends with a panic, which complains too.
            said = result["died"].split("stap-vm: CPU#")[0]
            self.report.result(name, ["the guest died or hung under this test:"] +
                               output_of(stacks_of(result["died"])),
                               final=bool(batch.COMPLAINT.search(said)))
            return
        if "irqs_off" in result:
            self.irqs_off.append(result["irqs_off"] + [name])
        complaints = []
        if result["problem"]:
            complaints.append(result["problem"])
        if result["stood"] is not None:
            complaints.append("it did not end in its time and was killed; it stood here:")
            complaints += ["    " + line for line in specs.shown("\n".join(result["stood"]), 60, 20)]
        if result["modules"]:
            complaints.append("modules left behind: " + " ".join(result["modules"]))
        if result["kernel"]:
            complaints.append("the guest's kernel complained:")
            complaints += ["    " + line for line in result["kernel"]]
        if name.endswith(".stp"):
            # Some modules aren't loaded in the guest.
            if self.runtime == "bpf" and not complaints and self.refused(spec, result["status"], result["stdout"],
                                                                         result["stderr"]):
                return
            said = spec.compile_messages + result["stderr"]
            if self.runtime == "forced":
                said = said.replace(FORCED_POINT, "begin")
            complaints += specs.check(spec, result["status"], result["stdout"], said)
        elif not complaints:
            self.program_result(spec, result["status"], result["stdout"], result["stderr"],
                                result["seconds"])
            return
        else:
            complaints += output_of(result["stdout"] + result["stderr"])
        self.report.result(name, complaints, result["seconds"],
                           final=bool(result["kernel"] or result["modules"]))

    # -- running --

    def command(self, argv, limit, env, cwd):
        p = subprocess.Popen(self.root.argv(argv, cwd), stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, cwd=cwd,
                             start_new_session=True)
        try:
            out, err = p.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(p.pid, 9)
            out, err = p.communicate()
            err += f"\nit did not end in {limit} s and was killed\n".encode()
        code = p.returncode
        return (code if code >= 0 else 128 - code, out.decode(errors="replace"),
                err.decode(errors="replace"))

    def unmet_need(self, spec):
        """The reason to skip a test, or None. needs: COMMAND -- REASON"""
        for need in spec.lists["needs"]:
            command, _, reason = need.partition(" -- ")
            if self.command(["sh", "-c", command], 300, self.env, "/")[0]:
                return reason or f"'{command}' failed"
        return None

    def reason_of_check(self, spec):
        """The reason why a check leaves a test out, or None."""
        if spec.name in self.left_out:
            return f"one check in {spec.get('every')} runs it, or --all"
        if self.until and time.monotonic() > self.until:
            return f"this check has taken {CHECK_SECONDS // 60} minutes already; --all takes as long as it takes"
        return None

    @staticmethod
    def mentions(name, pattern):
        """Does a test of this machine have the words in its text?"""
        if not name.endswith(".test"):
            return False
        with open(os.path.join(HERE, name), encoding="utf-8") as f:
            text = f.read()
        return "# where: guest\n" not in text and re.search(pattern, text) is not None

    def boots_itself(self, name):
        return self.mentions(name, OWN_GUESTS)

    def boots(self, name):
        """Does it boot a guest otherwise than by $STAPVM? Another system has no emulator."""
        return self.mentions(name, r"--vm|testsuite/run\b(?!.* --runtime user)")

    def needs_kernel(self, spec):
        """Does it run in a guest, ours or its own?"""
        return self.in_guest(spec) or self.mentions(spec.name, r"STAPVM|--vm")

    @staticmethod
    def in_guest(spec):
        if spec.name.endswith(".stp"):
            return not spec.get("pass")
        return spec.name.endswith(".test") and spec.get("where") in ("guest", "host, guest")

    def prepare(self, name):
        """Run a host test; compile or queue a guest test."""
        try:
            spec = specs.Spec(os.path.join(HERE, name), name)
            if self.guests_alone and not self.needs_kernel(spec):
                return
            if self.runtime != "kernel" and not (name.endswith(".stp") and self.in_guest(spec)):
                return
            reason = self.reason_of_check(spec) or self.unmet_need(spec)
            if not reason and self.root.path and self.boots(name):
                reason = "it boots a guest of its own, with this machine's system"
            if reason:
                self.report.add("skipped", name, [reason])
            elif name.endswith(".c"):
                self.unit(name)
            elif name.endswith(".stp"):
                self.script(spec)
            elif name.endswith(".cases"):
                self.cases(spec)
            elif spec.get("where") == "guest":
                self.add_job(spec, ["sh", spec.path])
            elif spec.get("where") == "host, guest":
                self.two_parts(spec)
            else:
                self.program(spec, ["sh", spec.path])
        except (specs.SpecError, OSError, ValueError, re.error) as e:
            self.report.result(name, [str(e)])

    @staticmethod
    def number_of(name, directive):
        """The number that a test's header has for a directive, or 0."""
        with open(os.path.join(HERE, name), encoding="utf-8", errors="replace") as f:
            number = re.search(rf"^# {directive}: (\d+)$", f.read(4096), re.M)
        return int(number.group(1)) if number else 0

    def time_limit(self, name):
        """The limit that a test has set itself, in seconds: ten times what it takes, or more."""
        return self.number_of(name, "timeout")

    def take_turns(self, names):
        """Leaves out the long tests whose turn it isn't, and what a slow machine has no time for."""
        self.until = time.monotonic() + CHECK_SECONDS
        every = {name: self.number_of(name, "every") for name in names}
        self.left_out = turns.left_out([(n, self.time_limit(name), name) for name, n in every.items() if n])

    def run(self, names, guests=os.cpu_count()):
        """Guests run beside what needs none: first those that host tests boot; meanwhile scripts
        are compiled for the others, which start as soon as there is enough for one. A host test
        that boots guests has the place of one: waiting would count as the test's own time. The
        longest come first, so that none of them is left alone at the end."""
        names = sorted(names, key=lambda name: (-self.time_limit(name), name))
        booting = list(filter(self.boots_itself, names))
        others = [name for name in names if name not in booting]
        hosts = max(1, os.cpu_count() - 1)      # an emulated guest keeps a CPU busy
        with concurrent.futures.ThreadPoolExecutor(guests) as in_guests:
            started = [in_guests.submit(self.prepare, name) for name in booting]
            with concurrent.futures.ThreadPoolExecutor(hosts) as on_host:
                prepared = [on_host.submit(self.prepare, name) for name in others]
                for test in concurrent.futures.as_completed(prepared):
                    test.result()
                    full = self.full_batch()
                    if full:
                        started.append(in_guests.submit(self.run_batch, self.take_jobs(full)))
            # Smaller batches would end together, but a guest takes as long to begin as six tests.
            size = max(6, len(self.jobs) // (2 * guests))
            while self.jobs:
                started.append(in_guests.submit(self.run_batch, self.take_jobs(size)))
            for guest in started:
                guest.result()
            # The guests' parts of tests that have booted guests of their own before.
            while self.jobs:
                self.run_batch(self.take_jobs(BATCH))
        self.run_again()
        return self.end()

    def full_batch(self):
        """How many of the queued jobs fill a guest; 0 while they don't."""
        seconds = 0
        for n, job in enumerate(self.jobs, 1):
            seconds += job["seconds"]
            if n == BATCH or seconds >= BATCH_SECONDS:
                return n
        return 0

    def take_jobs(self, n):
        jobs = self.jobs[:n]
        del self.jobs[:n]       # in place: other threads append
        return sorted(jobs, key=lambda job: job["name"])

    def run_again(self):
        """Runs each test that failed alone, unless a kernel complained: that is no accident."""
        names = [n for n in self.report.to_run_again() if not self.is_long(n)]
        if len(names) > AGAIN_MOST:
            return
        self.report.again = True
        self.until = None       # or they would count as skipped
        for name in names:
            print(f"once more: {name}", flush=True)
            self.prepare(name)
            for job in self.take_jobs(1):
                self.run_batch([job])

    def run_batch(self, jobs):
        guest = [self.vm] + self.root.vm_options() + ["-n", "-r", self.release]
        batch.run_jobs(guest, jobs, self.workdir, self.job_done)

    @staticmethod
    def is_long(name):
        return name in LONG

    def end(self):
        for us, where, name in sorted(self.irqs_off or [])[:-6:-1]:
            print(f"interrupts off for {us} us under {name}: {where}")
        return self.report.end()


def is_unit_test(directory, name):
    """A C file with a main(): the others are shared between tests."""
    with open(os.path.join(directory, name), encoding="utf-8") as f:
        return any(line.startswith("int main(") for line in f)


def matching(names, patterns):
    return [n for n in names
            if not patterns or any(p in n or fnmatch.fnmatch(n, p) for p in patterns)]


def collect(patterns):
    names = []
    for root, dirs, files in os.walk(HERE):
        dirs[:] = sorted(d for d in dirs if d not in NO_TESTS)
        where = os.path.relpath(root, HERE)
        for f in sorted(files):
            name = os.path.normpath(os.path.join(where, f))
            if f.endswith((".stp", ".test", ".cases")) or (
                    where == "unit" and f.endswith(".c") and is_unit_test(root, f)):
                names.append(name)
    return matching(names, patterns)
