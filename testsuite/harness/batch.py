# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs jobs in guests, with as few boots as possible.

If a guest dies or hangs, or its kernel has complained, a new guest runs the tests
that had not begun. The test that ran when the guest died has failed.
"""
import json
import os
import queue
import subprocess
import tempfile
import threading
import time

from guest import COMPLAINT, FATAL

# Times are in seconds.
BOOT_LIMIT = 3600       # for a boot, and mostly for a free slot; stap-vm limits the boot itself
SPARE = 60              # beyond a test's own limit, for before:, after: and killing
DYING = 15              # what a guest has left after its kernel has said that it is broken
LOOK = 2                # how often its console is read
TOLD = 150              # lines of the console that are shown
AUTOPSY = 40            # for stap-vm to diagnose a hung guest
BOOTS = 3               # tries with guests that don't come up


class Guest:
    """One boot of the batch driver, its output as a queue of decoded lines."""

    def __init__(self, boot, jobs, workdir):
        fd, self.job_file = tempfile.mkstemp(suffix=".json", dir=workdir)
        with os.fdopen(fd, "w") as f:
            json.dump(jobs, f)
        self.stderr = tempfile.TemporaryFile()
        driver = os.path.join(os.path.dirname(os.path.abspath(__file__)), "guest.py")
        self.proc = subprocess.Popen(
            boot + ["-v", "--no-check-dmesg", "python3", driver, self.job_file],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self.stderr)
        self.lines = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.proc.stdout:
            try:
                self.lines.put(json.loads(line))
            except ValueError:
                pass
        self.lines.put(None)

    def console(self):
        """Returns the lines of the guest's console, stap-vm's messages among them."""
        size = os.fstat(self.stderr.fileno()).st_size
        return os.pread(self.stderr.fileno(), size, 0).decode(errors="replace").split("\n")

    def next(self, limit):
        """Returns the next line; None at the end, or when nothing came in time.

        A guest whose kernel is broken may hang, so it gets less time."""
        end = time.monotonic() + limit
        dying = False
        while True:
            try:
                return self.lines.get(timeout=max(0, min(LOOK, end - time.monotonic())))
            except queue.Empty:
                if time.monotonic() >= end:
                    return None
            if not dying and any(FATAL.search(line) for line in self.console()):
                dying = True
                end = min(end, time.monotonic() + DYING)

    def end(self):
        """Ends stap-vm. At the third signal it gives up a hung guest, and diagnoses it."""
        try:
            self.proc.wait(2)
            return
        except subprocess.TimeoutExpired:
            pass
        for _ in range(3):
            self.proc.terminate()
            time.sleep(0.1)     # signals that are sent at once arrive as one
        try:
            self.proc.wait(AUTOPSY)
        except subprocess.TimeoutExpired:
            self.proc.kill()
            self.proc.wait()

    def close(self):
        """Ends the guest. Returns its kernel's complaints, or the diagnosis of a hung guest, or the
        end of its console."""
        os.unlink(self.job_file)
        self.end()
        lines = self.console()
        first = next((i for i, line in enumerate(lines)
                      if COMPLAINT.search(line) or line.startswith("stap-vm: CPU#")), None)
        return "\n".join(lines[-TOLD:] if first is None else lines[first:first + TOLD])


def run_boot(boot, jobs, workdir, done):
    """Boots one guest for the jobs, and calls done(name, result) for each that ended. Returns the
    jobs that are left; and the guest's last output if it did not come up, else None.

    boot is stap-vm and its options."""
    guest = Guest(boot, jobs, workdir)
    left = {job["name"]: job for job in jobs}
    current = None
    limit = BOOT_LIMIT
    while left:
        line = guest.next(limit)
        if line is None:
            break
        if "begin" in line:
            current = line["begin"]
            limit = line["timeout"] + SPARE
        else:
            current = None
            limit = SPARE
            done(line["end"], line["result"])
            del left[line["end"]]
    said = guest.close()
    if current:
        done(current, {"died": said})
        del left[current]
    elif len(left) == len(jobs):
        return jobs, said
    return list(left.values()), None


def run_jobs(boot, jobs, workdir, done):
    """Runs all jobs, in as many guests as it takes.  An emulated kernel may crash while it boots,
    before anything of ours runs, so a guest that does not come up is booted again."""
    boots = 0
    while jobs:
        jobs, said = run_boot(boot, jobs, workdir, done)
        boots = boots + 1 if said else 0
        if boots == BOOTS:
            for job in jobs:
                done(job["name"], {"died": "the guest did not come up\n" + said})
            return
