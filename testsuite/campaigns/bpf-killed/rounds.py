# SPDX-License-Identifier: GPL-2.0-or-later
"""Kills a command at random times, again and again: rounds.py N COMMAND...

Fails when the kernel keeps anything of it: programs, maps, type information or links of BPF, which have
numbers, kprobes, or what is pinned."""

import ctypes
import os
import random
import subprocess
import sys
import time

BPF = 321                       # the system call, on x86_64
NEXT = {"program": 11, "map": 12, "types": 23, "link": 31}     # bpf(2)'s commands for the number after another

libc = ctypes.CDLL(None, use_errno=True)


def numbers(command):
    """The numbers of all that there are of one kind."""
    attr = (ctypes.c_uint32 * 3)()      # after this; the next one; flags
    found = set()
    while libc.syscall(BPF, command, attr, ctypes.sizeof(attr)) == 0:
        attr[0] = attr[1]
        found.add(attr[0])
    return found


def kernel_has():
    has = {f"{kind} {n}" for kind, command in NEXT.items() for n in numbers(command)}
    with open("/sys/kernel/debug/kprobes/list", encoding="ascii") as f:
        has |= set(f)
    if os.path.isdir("/sys/fs/bpf"):
        has |= set(os.listdir("/sys/fs/bpf"))
    return has


def gone(before):
    """Waits until nothing is there but what was BEFORE: the kernel frees in the background.  Returns what is left."""
    for _ in range(4800):
        left = kernel_has() - before
        if not left:
            break
        time.sleep(0.05)
    return left


def main(times, command):
    before = kernel_has()
    began = time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    took = time.monotonic() - began
    killed = 0
    for n in range(times):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as run:
            time.sleep(random.uniform(0, took))
            run.kill()
        killed += run.returncode == -9
        left = gone(before)
        if left:
            print(f"round {n} left {len(left)}:", *sorted(left)[:10])
            return 1
    print(f"{times} rounds, {killed} killed before the end, within {took:.1f} s")
    return killed < times / 2


sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
