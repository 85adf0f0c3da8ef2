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


def printed(env, options, programs, limit, last=""):
    """What each program printed when stap ran them with these OPTIONS; and what was said besides."""
    with tempfile.NamedTemporaryFile("w", suffix=".stp", encoding="utf-8") as script:
        script.write("".join(p.text for p in programs) + last)
        script.flush()
        argv = [env["STAP"], "-r", env["STAP_TEST_RELEASE"], *options, script.name]
        try:
            r = subprocess.run(argv, capture_output=True, timeout=limit, check=False, env=env,
                               stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired as e:
            return outputs((e.stdout or b"").decode(errors="replace"))[0], "it does not end"
    got, before = outputs(r.stdout.decode(errors="replace"))
    said = before + r.stderr.decode(errors="replace")
    return got, said + (f"exit status {r.returncode}" if r.returncode else "")


def run(env, options, programs):
    return printed(env, ["--runtime=user", *options], programs, LIMIT, LAST)


def failures(run_in, env, options, programs, where):
    """
    Runs a batch by RUN_IN.  What goes wrong runs again alone: a program that is refused takes the batch
    with it.
    """
    unfolded = "-u" in options
    got, said = run_in(env, options, programs)
    wrong = [p for p in programs if got.get(p.number) != p.want]
    failed = []
    for p in wrong:
        alone, why = run_in(env, options, [p])
        if alone.get(p.number) != p.want or why:
            failed.append(Failure(p, alone.get(p.number, "(nothing)\n") + why, f"goes wrong {where}",
                                  unfolded))
    if (wrong or said) and not failed:
        p = (wrong or programs)[0]
        failed.append(Failure(p, got.get(p.number, "(nothing)\n") + said,
                              f"goes wrong {where} with {len(programs) - 1} others", unfolded))
    return failed


def both(env, options, programs):
    """What goes wrong in a process, folded and with -u."""
    return [f for o in (options, [*options, "-u"])
            for f in failures(run, env, o, programs, "in a process")]


def interpret(env, options, first, count):
    """Makes programs and runs them: how many, failures, and what was refused."""
    batch = made(first, count)
    return len(batch), both(env, options, batch), []
