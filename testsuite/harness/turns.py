# SPDX-License-Identifier: GPL-2.0-or-later
"""Which of the long tests a check runs.

A test with `every: N` in its header takes long, and one in N checks runs it. The commit decides which, so a
check of the same commit runs the same tests, on any machine, and each test's turn comes. `check --all` runs
them all, and so does a run that is given patterns.

So that checks take about the same time, tests that take about as long as each other are in one group of N,
of which one runs. With N = 4 and the limits 1200, 900, 600, 600, 400, 300:

    1200 900 600 600 | 400 300      one of the first four; one of the last two, or none
"""
import hashlib
import subprocess

from place import SOURCE


def commit():
    """The commit that is checked; the same word for all trees that git knows nothing of."""
    p = subprocess.run(["git", "-C", SOURCE, "rev-parse", "HEAD"], stdout=subprocess.PIPE,
                       stderr=subprocess.DEVNULL, text=True, check=False)
    return p.stdout.strip() or "none"


def left_out(tests, of=None):
    """The names whose turn it isn't. tests has (N, time limit, name) of the long ones."""
    of = of or commit()
    out = set()
    for every in {test[0] for test in tests}:
        names = [name for n, _, name in sorted(tests, key=lambda test: (-test[1], test[2])) if n == every]
        for first in range(0, len(names), every):
            digest = hashlib.sha256(f"{of} {first}".encode()).digest()
            turn = int.from_bytes(digest[:4], "big") % every
            out.update(name for i, name in enumerate(names[first:first + every]) if i != turn)
    return out
