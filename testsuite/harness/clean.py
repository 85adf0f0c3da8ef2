#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A machine to install packages on: clean.py DIRECTORY COMMAND...

DIRECTORY, which is empty, becomes the root of a system of this machine's release that has a
kernel, its headers and an init, and nothing of stap's. COMMAND runs here, with what it changes
there in memory: the next one finds the system clean again.
"""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

import roots                                # noqa: E402


def lay_over(lower, path):
    """What is changed below PATH is in memory."""
    roots.run("mount", "-t", "tmpfs", "none", path)
    upper, work = path + "/upper", path + "/work"
    os.mkdir(upper)
    os.mkdir(work)
    roots.run("mount", "-t", "overlay", "none", path, "-o",
              f"lowerdir={lower},upperdir={upper},workdir={work}")


def keep_downloads(path):
    """Packages that apt downloads there are there the next time."""
    cache = roots.directory("debs")
    os.makedirs(cache + "/partial", exist_ok=True)
    roots.run("mount", "--bind", cache, path + "/var/cache/apt/archives")


def main():
    path = os.path.realpath(sys.argv[1])
    suite = roots.own_suite() or "stable"
    try:
        root = roots.prepare(suite, suite + "-machine", roots.MACHINE)
        lay_over(root.path, path)
        roots.mount_system(path)
        keep_downloads(path)
    except roots.RootError as e:
        sys.exit(str(e))
    os.execvp(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    main()
