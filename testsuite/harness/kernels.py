# SPDX-License-Identifier: GPL-2.0-or-later
"""Kernels to test with, other than the newest installed one.

debug     built here from kernels/debug.config (kernels/build), with KASAN, lockdep and all
          checks that make a kernel complain; it is slow
rt        Debian's PREEMPT_RT kernel (linux-image-rt-amd64 and its headers)
rt-debug  PREEMPT_RT with lockdep and the checks of sleep in atomic context, built from the
          kernel source of the suite forky, because older sources have no PREEMPT_RT

A kernel that is built here is not installed.  We work in a mount namespace of our own,
where overlays add its files to /boot, /lib/modules and /usr/lib/debug of the system that
is tested, as if it were installed; the guests boot from that system and see the same.
"""
import glob
import os
import subprocess
import time

import roots

# How much slower than the stock kernel.
SLOWER = {"debug": 6, "rt": 2, "rt-debug": 4}
PLACES = ["boot", "lib/modules", "usr/lib/debug"]


def build(name, root):
    """Builds a kernel in the root, and returns the directory with its files."""
    script = os.path.join(roots.SOURCE, "testsuite/kernels/build")
    print(f"the kernel '{name}' (built on first use: ten minutes, some gigabytes)", flush=True)
    start = time.monotonic()
    if root.path and not glob.glob(root.path + "/usr/src/linux-source-*"):
        roots.install(root.path, ["linux-source"])
    done = subprocess.run(root.argv([script, name], "/"), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, check=False)
    if done.returncode:
        raise roots.RootError(f"there is no kernel '{name}' to test with")
    print(f"it was there after {time.monotonic() - start:.0f} s", flush=True)
    return done.stdout.decode().strip().split("\n")[-1]


def lay_over(directory, root):
    for place in PLACES:
        over = f"{root.path}/{place}"
        os.makedirs(over, exist_ok=True)
        roots.run("mount", "-t", "overlay", "overlay", "-o",
                  f"lowerdir={root.path}{directory}/{place}:{over}", over)


def installed(name, root):
    found = [r for r in os.listdir(root.path + "/lib/modules")
             if f"-{name}-" in r and os.path.exists(f"{root.path}/boot/vmlinuz-{r}") and
             os.path.exists(f"{root.path}/lib/modules/{r}/build")]
    if not found:
        raise roots.RootError(f"no kernel '{name}' is installed; "
                              f"try: apt-get install linux-image-{name}-amd64 "
                              f"linux-headers-{name}-amd64")
    return max(found)


def enter(name, root):
    """Makes the kernel look installed in the root; returns its release."""
    if name == "rt":
        return installed(name, root)
    roots.own_namespace()
    directory = build(name, root)
    lay_over(directory, root)
    with open(f"{root.path}{directory}/release", encoding="ascii") as f:
        return f.read().strip()
