# SPDX-License-Identifier: GPL-2.0-or-later
"""Run jobs in guests: as few boots as the tests allow.

A guest that dies, hangs or was left dirty by a test is given up; the tests it
had not begun go to a new one. The test it died under has failed.
"""
import json
import os
import queue
import subprocess
import tempfile
import threading

BOOT_LIMIT = 1800       # seconds; stap-vm limits a boot, this is for the wait for a free slot
SPARE = 40              # beyond a test's own limit: before:, after:, killing


class Guest:
    """One boot of the batch driver, its output as a queue of decoded lines."""

    def __init__(self, boot, jobs, workdir):
        fd, self.job_file = tempfile.mkstemp(suffix=".json", dir=workdir)
        with os.fdopen(fd, "w") as f:
            json.dump(jobs, f)
        self.stderr = tempfile.TemporaryFile()
        driver = os.path.join(os.path.dirname(os.path.abspath(__file__)), "guest.py")
        self.proc = subprocess.Popen(
            boot + ["--no-check-dmesg", "python3", driver, self.job_file],
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

    def next(self, limit):
        """The next line; None at the end, or when nothing came in time."""
        try:
            return self.lines.get(timeout=limit)
        except queue.Empty:
            return None

    def close(self):
        """What stap-vm said on stderr."""
        os.unlink(self.job_file)
        if self.proc.poll() is None:
            try:
                self.proc.wait(2)
            except subprocess.TimeoutExpired:
                self.proc.kill()
                self.proc.wait()
        self.stderr.seek(0)
        return self.stderr.read().decode(errors="replace")


def run_boot(boot, jobs, workdir, done):
    """One guest for these jobs; done(name, result) for each that ended. What is left to do.

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
    elif len(left) == len(jobs) and jobs:
        for name in left:
            done(name, {"died": "the guest did not come up\n" + said})
        left = {}
    return list(left.values())


def run_jobs(boot, jobs, workdir, done):
    while jobs:
        jobs = run_boot(boot, jobs, workdir, done)
