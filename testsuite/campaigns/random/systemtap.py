# SPDX-License-Identifier: GPL-2.0-or-later
"""SystemTap, of the Debian that has a current one (harness/roots.py), judges random programs.

It is slow: its pass 2 takes no end of time for some programs, and the compiler ten seconds for a
module. So each program goes alone through passes 1 to 3 with a limit, and those that get through
go to one module.
"""
import collections
import os
import re
import subprocess

SUITE = "forky"
KILLED = (-9, 137)
PASS_3, PASS_4 = 20, 900    # seconds
# Its C code draws warnings, which its makefile makes errors; -O2 takes the compiler too long.
OPTIONS = ["-w", "-u", "--no-global-var-display", "-DMAXACTION=1000000", "-DMAXERRORS=0",
           "-B", "KCFLAGS=-w -O1"]

# What it says of programs that it refuses, and the reason.
REASONS = [
    ("unresolved type", "it gives no type to variables of code that is never reached"),
    ("assert_hist_compatible", "its pass 3 ends in an assertion about a histogram"),
]


class SystemTap:
    def __init__(self, place):
        self.root = place.root
        self.release = place.release
        self.tmp = place.work
        self.out = collections.Counter()        # programs left out, by reason

    def stap(self, argv, limit):
        """(status, messages); status None: it did not end."""
        env = dict(os.environ, LC_ALL="C.UTF-8", SYSTEMTAP_DIR=os.path.join(self.tmp, "theirs"))
        stap = ["timeout", "-s", "KILL", str(limit), "stap", "-r", self.release, *OPTIONS, *argv]
        r = subprocess.run(self.root.argv(stap, self.tmp), capture_output=True, text=True,
                           errors="replace", env=env, check=False)
        return None if r.returncode in KILLED else r.returncode, r.stderr

    def takes(self, program):
        """Can it be compared? If not, the reason is counted."""
        if program.ours_only:
            self.out[", ".join(sorted(program.ours_only))] += 1
            return False
        script = os.path.join(self.tmp, f"t{program.number}.stp")
        with open(script, "w", encoding="utf-8") as f:
            f.write(program.text)
        status, said = self.stap(["-p3", script], PASS_3)
        os.unlink(script)
        if status == 0:
            return True
        error = re.search(r"(?:semantic|parse) error: (.*?)(?: at |\n|:)", said)
        why = error.group(1) if error else said[-200:]
        self.out["its pass 2 does not end" if status is None else
                 next((reason for text, reason in REASONS if text in why), "refused: " + why)] += 1
        return False

    def compile(self, text, name):
        """(the module's path, or None; messages)"""
        script = os.path.join(self.tmp, name + ".stp")
        with open(script, "w", encoding="utf-8") as f:
            f.write(text)
        status, said = self.stap(["-p4", "-m", name, script], PASS_4)
        return os.path.join(self.tmp, name + ".ko") if status == 0 else None, said

    def end(self, compared, differ):
        print(f"\n{compared:6} programs compared with SystemTap, {differ} differ\n left out:")
        for reason, n in self.out.most_common():
            print(f"{n:6} {reason}")
