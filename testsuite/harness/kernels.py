# SPDX-License-Identifier: GPL-2.0-or-later
"""Kernels to test with that are not simply the newest installed.

debug   built here from kernels/debug.config (kernels/build), with everything on that
        makes a kernel complain of what is wrong; it is slow
rt      Debian's PREEMPT_RT kernel (linux-image-rt-amd64 and its headers)

A kernel that is built here is not installed.  We work in a mount namespace of our own,
where its files lie over /boot, /lib/modules and /usr/lib/debug, as an installed kernel's
would; the guests, whose files are this machine's, see the same.
"""
import os
import subprocess

import roots

SLOWER = {"debug": 6, "rt": 2}      # than the stock kernel: tests get so much more time
PLACES = ["boot", "lib/modules", "usr/lib/debug"]


def build(name):
    """The directory of a kernel that is built here."""
    script = os.path.join(roots.SOURCE, "testsuite/kernels/build")
    print(f"the kernel '{name}' (built on first use: ten minutes, some gigabytes)", flush=True)
    done = subprocess.run([script, name], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          check=False)
    if done.returncode:
        raise roots.RootError(f"there is no kernel '{name}' to test with")
    return done.stdout.decode().strip().split("\n")[-1]


def lay_over(directory):
    for place in PLACES:
        os.makedirs("/" + place, exist_ok=True)
        roots.run("mount", "-t", "overlay", "overlay", "-o",
                  f"lowerdir={directory}/{place}:/{place}", "/" + place)


def installed(name):
    found = [r for r in os.listdir("/lib/modules")
             if f"-{name}-" in r and os.path.exists(f"/boot/vmlinuz-{r}") and
             os.path.exists(f"/lib/modules/{r}/build")]
    if not found:
        raise roots.RootError(f"no kernel '{name}' is installed; "
                              f"try: apt-get install linux-image-{name}-amd64 "
                              f"linux-headers-{name}-amd64")
    return max(found)


def enter(name):
    """Makes the kernel look installed; its release."""
    if name == "rt":
        return installed(name)
    roots.own_namespace()
    directory = build(name)
    lay_over(directory)
    with open(os.path.join(directory, "release"), encoding="ascii") as f:
        return f.read().strip()
