#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The batch driver inside the guest: many tests in one boot.

Reads jobs (a JSON list) from the file named in its argument, runs them one
after another, and prints a JSON line before and one after each. Each runs in
a session of its own, with a time limit, after which everything of it is killed
and the batch goes on. The kernel's log is read after each, so that a complaint
is laid at the right door; after an oops the batch ends, and the rest is for
another guest.
"""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

OUTPUT_MAX = 1 << 20

COMPLAINT = re.compile(
    r"BUG:|WARNING:|Oops|kernel BUG at|general protection fault|circular locking|"
    r"recursive locking|suspicious RCU|inconsistent lock state|INFO: task |rcu: INFO: |"
    r"self-detected stall|soft lockup|hard LOCKUP|nable to handle|UBSAN:|KASAN:|"
    r"list_add corruption|list_del corruption|refcount_t:|scheduling while atomic|"
    r"ODEBUG:|sleeping function called|invalid wait context|bad unlock balance|"
    r"kmemleak: \d+ new suspected|stack-out-of-bounds|corrupted stack end|"
    r"detected stalls on CPUs|hung_task")
FATAL = re.compile(r"BUG:|Oops|kernel BUG at|general protection fault|nable to handle|stall")


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


def say(**what):
    print(json.dumps(what), flush=True)


def modules():
    with open("/proc/modules") as f:
        return {line.split()[0] for line in f}


def kill_session(pid, sig):
    """Signal every process of the session, those that left its process group too."""
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            if os.getsid(int(entry)) == pid:
                os.kill(int(entry), sig)
        except ProcessLookupError:
            pass


def shell(command, env, limit):
    """A before: or after: command. What it said when it failed, else None."""
    try:
        p = subprocess.run(["sh", "-c", command], env=env, stdin=subprocess.DEVNULL,
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=limit,
                           check=False)
    except subprocess.TimeoutExpired:
        return f"'{command}' did not end in {limit} s"
    if p.returncode:
        return f"'{command}' failed: {p.stdout.decode(errors='replace').strip()}"
    return None


def wait_all(proc, limit, sig):
    """The exit status as a shell counts it, and whether the limit ended it."""
    end = time.monotonic() + limit
    timed_out = False
    if sig:
        try:
            proc.wait(sig["after"])
        except subprocess.TimeoutExpired:
            proc.send_signal(getattr(signal, "SIG" + sig["name"]))
    try:
        proc.wait(max(0.1, end - time.monotonic()))
    except subprocess.TimeoutExpired:
        timed_out = True
        kill_session(proc.pid, signal.SIGTERM)
        try:
            proc.wait(5)
        except subprocess.TimeoutExpired:
            kill_session(proc.pid, signal.SIGKILL)
            proc.wait()
    code = proc.returncode
    return (code if code >= 0 else 128 - code), timed_out


def output_of(f):
    """What was written to a file: of very much the beginning and the end."""
    size = f.seek(0, os.SEEK_END)
    f.seek(0)
    text = f.read(OUTPUT_MAX)
    if size > OUTPUT_MAX:
        f.seek(max(OUTPUT_MAX, size - OUTPUT_MAX))
        text += b"\n" + f.read()
    f.close()
    return text.decode(errors="replace")


def run_job(job):
    """Run one test; a dictionary of what happened."""
    env = dict(os.environ, **job["env"])
    out = tempfile.TemporaryFile()
    err = tempfile.TemporaryFile()
    load = None
    problem = None
    for command in job["before"]:
        problem = problem or shell(command, env, job["timeout"])
    status, timed_out = 0, False
    start = time.monotonic()
    if not problem:
        if job["workload"]:
            load = subprocess.Popen(["sh", "-c", job["workload"]], env=env,
                                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                    stderr=subprocess.DEVNULL, start_new_session=True)
        proc = subprocess.Popen(job["argv"], env=env, cwd=job["cwd"], stdin=subprocess.DEVNULL,
                                stdout=out, stderr=err, start_new_session=True)
        status, timed_out = wait_all(proc, job["timeout"], job["signal"])
        if load:
            kill_session(load.pid, signal.SIGKILL)
            load.wait()
    seconds = time.monotonic() - start
    for command in job["after"]:
        problem = problem or shell(command, env, job["timeout"])
    texts = [output_of(f) for f in (out, err)]
    return {"status": status, "timed_out": timed_out, "problem": problem, "stdout": texts[0],
            "stderr": texts[1], "seconds": round(seconds, 2)}


def left_over(before):
    """Modules of ours that outlived their test; a guardian may take a moment."""
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
    for job in jobs:
        before = modules()
        say(begin=job["name"], timeout=job["timeout"])
        result = run_job(job)
        result["modules"] = left_over(before)
        lines = log.new_lines()
        first = next((i for i, line in enumerate(lines) if COMPLAINT.search(line)), None)
        result["kernel"] = [] if first is None else lines[first:first + 40]
        say(end=job["name"], result=result)
        if result["modules"] or any(FATAL.search(line) for line in result["kernel"]):
            return


if __name__ == "__main__":
    main()
