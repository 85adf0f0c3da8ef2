# SPDX-License-Identifier: GPL-2.0-or-later
"""Random programs in a process: stap --runtime=user runs a batch without kernel and compiler.

A batch takes tenths of a second, so a hundred thousand programs run in an hour on a CPU, each of
which takes batches of its own.
"""
import os
import re
import subprocess
import tempfile

from pieces import Failure
from programs import made

LAST = "probe begin(1000000000) { exit() }\n"
OPTIONS = ["-w", "--no-global-var-display", "-DMAXERRORS=0"]
LIMIT = 120                 # seconds
GUEST_LIMIT = 3600          # also waits for other guests


def outputs(text):
    """What each program of a batch printed, by its number; and what came before the first."""
    parts = re.split(r"\n@@ (\d+)\n", text)
    return dict(zip(map(int, parts[1::2]), parts[2::2])), parts[0]


def run(env, options, programs, unfolded):
    """What each program printed, by its number; and what was said besides."""
    with tempfile.NamedTemporaryFile("w", suffix=".stp", encoding="utf-8") as script:
        script.write("".join(p.text for p in programs) + LAST)
        script.flush()
        argv = [env["STAP"], "--runtime=user", "-r", env["STAP_TEST_RELEASE"], *options,
                *(["-u"] if unfolded else []), script.name]
        try:
            r = subprocess.run(argv, capture_output=True, timeout=LIMIT, check=False, env=env,
                               stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired as e:
            return outputs((e.stdout or b"").decode(errors="replace"))[0], "it does not end"
    got, before = outputs(r.stdout.decode(errors="replace"))
    said = before + r.stderr.decode(errors="replace")
    return got, said + (f"exit status {r.returncode}" if r.returncode else "")


def failures(env, options, programs):
    """
    Runs a batch, folded and with -u.  What goes wrong runs again alone: a program that is refused
    takes the batch with it.
    """
    failed = []
    for unfolded in (False, True):
        got, said = run(env, options, programs, unfolded)
        wrong = [p for p in programs if got.get(p.number) != p.want]
        before = len(failed)
        for p in wrong:
            alone, why = run(env, options, [p], unfolded)
            if alone.get(p.number) != p.want or why:
                failed.append(Failure(p, alone.get(p.number, "(nothing)\n") + why,
                                      "goes wrong in a process", unfolded))
        if (wrong or said) and len(failed) == before:
            p = (wrong or programs)[0]
            failed.append(Failure(p, got.get(p.number, "(nothing)\n") + said,
                                  f"goes wrong in a process with {len(programs) - 1} others",
                                  unfolded))
    return failed


def interpret(env, options, first, count):
    """Makes programs and runs them: how many, failures, and what was refused."""
    batch = made(first, count)
    return len(batch), failures(env, options, batch), []
