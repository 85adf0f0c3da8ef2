#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The batch driver inside the guest: many tests in one boot.

Reads jobs (a JSON list) from the file named in its argument, runs them one
after another, and prints a JSON line before and one after each. Each job runs in
a session of its own (setsid), with a time limit. At its end all processes of
that session are killed, or they would go on beside the next test. The kernel's log is read after
each job, so that a complaint is blamed on the right test; after an oops the
batch ends, and the other jobs run in another guest.
"""
import glob
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

OUTPUT_MAX = 1 << 20
KILLING = 15            # seconds that SIGKILL may take
STACK_MAX = 12          # lines shown of each stack

# What a broken kernel prints.  No pattern is a short word: "stall" would match fd_install() in a
# stack that a test prints.
FATAL_WORDS = (
    r"BUG:|Oops|kernel BUG at|general protection fault|nable to handle|self-detected stall|"
    r"detected stalls|Kernel panic|double fault|divide error|invalid opcode")
FATAL = re.compile(FATAL_WORDS)
COMPLAINT = re.compile(
    FATAL_WORDS + r"|WARNING:|circular locking|"
    r"recursive locking|suspicious RCU|inconsistent lock state|INFO: task |rcu: INFO: |"
    r"soft lockup|hard LOCKUP|UBSAN:|KASAN:|"
    r"list_add corruption|list_del corruption|refcount_t:|scheduling while atomic|"
    r"ODEBUG:|sleeping function called|invalid wait context|bad unlock balance|"
    r"kmemleak: \d+ new suspected|stack-out-of-bounds|corrupted stack end|hung_task")


class KernelLog:
    def __init__(self):
        self.fd = os.open("/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK)
        self.new_lines()

    def new_lines(self):
        lines = []
        while True:
            try:
                record = os.read(self.fd, 8192)
            except BlockingIOError:
                return lines
            except BrokenPipeError:
                continue        # overwritten before it was read
            text = record.split(b";", 1)[-1].split(b"\n", 1)[0]
            lines.append(text.decode(errors="replace"))


class IrqsOff:
    """Measures the longest time with interrupts off, by the kernel's tracer "irqsoff"."""
    TRACING = "/sys/kernel/tracing"

    def __init__(self):
        if not os.path.exists(f"{self.TRACING}/current_tracer"):
            subprocess.run(["mount", "-t", "tracefs", "tracefs", self.TRACING], check=True)
        self.write("options/function-trace", "0")
        self.write("current_tracer", "irqsoff")
        self.write("tracing_max_latency", "0")

    def write(self, name, text):
        with open(f"{self.TRACING}/{name}", "w", encoding="ascii") as f:
            f.write(text)

    def read(self, name):
        with open(f"{self.TRACING}/{name}", encoding="ascii", errors="replace") as f:
            return f.read()

    def longest(self):
        """Returns the longest time since the last call, in microseconds, and between which functions."""
        us = int(self.read("tracing_max_latency"))
        ends = re.findall(r"=> (?:started|ended) at: +(\S+)", self.read("trace"))
        self.write("tracing_max_latency", "0")
        return us, " to ".join(ends)


def say(**what):
    print(json.dumps(what), flush=True)


def modules():
    with open("/proc/modules") as f:
        return {line.split()[0] for line in f}


def kill_session(pid, sig):
    """Signals every process of the session, also those that have left its process group."""
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            if os.getsid(int(entry)) == pid:
                os.kill(int(entry), sig)
        except ProcessLookupError:
            pass


def read(path):
    try:
        with open(path, encoding="ascii", errors="replace") as f:
            return f.read()
    except OSError:
        return ""


def stacks(session):
    """Returns the kernel stacks of the session's threads, and of all threads in uninterruptible sleep."""
    lines = []
    for task in glob.glob("/proc/[0-9]*/task/[0-9]*"):
        fields = read(f"{task}/stat").rpartition(")")[2].split()
        if fields and (fields[0] == "D" or int(fields[3]) == session):
            lines.append(f"{read(f'{task}/comm').strip()} ({os.path.basename(task)}) {fields[0]}")
            lines += ["    " + line for line in read(f"{task}/stack").split("\n")[:STACK_MAX] if line]
    return lines


def shell(command, env, limit):
    """Runs a before: or after: command. Returns its output if it failed, else None."""
    try:
        p = subprocess.run(["sh", "-c", command], env=env, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit,
                           check=False)
    except subprocess.TimeoutExpired:
        return f"'{command}' did not end in {limit} s"
    if p.returncode:
        return f"'{command}' failed: {p.stdout.decode(errors='replace').strip()}"
    return None


def ended(proc, limit):
    try:
        proc.wait(limit)
        return True
    except subprocess.TimeoutExpired:
        return False


def wait_all(proc, limit, sig):
    """Waits for the process. Returns its exit status as a shell counts it, and its stacks if it
    exceeded the limit."""
    end = time.monotonic() + limit
    stood = None
    if sig and not ended(proc, sig["after"]):
        proc.send_signal(getattr(signal, "SIG" + sig["name"]))
    if not ended(proc, max(0.1, end - time.monotonic())):
        stood = stacks(proc.pid)
        kill_session(proc.pid, signal.SIGTERM)
        if not ended(proc, 5):
            kill_session(proc.pid, signal.SIGKILL)
            if not ended(proc, KILLING):
                stood += ["SIGKILL does not end it:"] + stacks(proc.pid)
                return 128 + signal.SIGKILL, stood
    code = proc.returncode
    return (code if code >= 0 else 128 - code), stood


def output_of(f):
    """Returns what was written to a file; only the beginning and the end if it is very long."""
    size = f.seek(0, os.SEEK_END)
    f.seek(0)
    text = f.read(OUTPUT_MAX)
    if size > OUTPUT_MAX:
        f.seek(max(OUTPUT_MAX, size - OUTPUT_MAX))
        text += b"\n" + f.read()
    f.close()
    return text.decode(errors="replace")


def run_job(job):
    """Runs one test. Returns its results as a dictionary, and its session, of which processes may be left."""
    env = dict(os.environ, **job["env"])
    out = tempfile.TemporaryFile()
    err = tempfile.TemporaryFile()
    load = None
    problem = None
    for command in job["before"]:
        problem = problem or shell(command, env, job["timeout"])
    status, stood, session = 0, None, None
    start = time.monotonic()
    if not problem:
        if job["workload"]:
            load = subprocess.Popen(["sh", "-c", job["workload"]], env=env,
                                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                    stderr=subprocess.DEVNULL, start_new_session=True)
        proc = subprocess.Popen(job["argv"], env=env, cwd=job["cwd"], stdin=subprocess.DEVNULL,
                                stdout=out, stderr=err, start_new_session=True)
        session = proc.pid
        status, stood = wait_all(proc, job["timeout"], job["signal"])
        if load:
            kill_session(load.pid, signal.SIGKILL)
            ended(load, KILLING)
    seconds = time.monotonic() - start
    for command in job["after"]:
        problem = problem or shell(command, env, job["timeout"])
    texts = [output_of(f) for f in (out, err)]
    return {"status": status, "stood": stood, "problem": problem, "stdout": texts[0],
            "stderr": texts[1], "seconds": round(seconds, 2)}, session


def left_over(before):
    """Returns our modules that are still loaded, after a moment in which the kernel may remove them."""
    end = time.monotonic() + 3
    while True:
        left = sorted(m for m in modules() - before if m.startswith("stap_"))
        if not left or time.monotonic() > end:
            return left
        time.sleep(0.1)


def main():
    with open(sys.argv[1]) as f:
        jobs = json.load(f)
    log = KernelLog()
    irqs_off = IrqsOff() if any(job.get("irqs_off") for job in jobs) else None
    for job in jobs:
        before = modules()
        say(begin=job["name"], timeout=job["timeout"])
        result, session = run_job(job)
        result["modules"] = left_over(before)
        if session:
            kill_session(session, signal.SIGKILL)
        if irqs_off:
            result["irqs_off"] = irqs_off.longest()
        lines = log.new_lines()
        first = next((i for i, line in enumerate(lines) if COMPLAINT.search(line)), None)
        result["kernel"] = [] if first is None else lines[first:first + 40]
        say(end=job["name"], result=result)
        if result["modules"] or any(FATAL.search(line) for line in result["kernel"]):
            return


if __name__ == "__main__":
    main()
