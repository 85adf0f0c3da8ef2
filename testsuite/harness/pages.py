# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the pages of the script library with what the translator finds there.

    pages.py DIRECTORY STAP OPTION...

DIRECTORY has what man/mkpages made.  Functions, with their parameters and types, are compared with
--dump-functions; variables of probes, with their types, with -L, where the kernel has the place.
Prints what differs.
"""
import os
import re
import subprocess
import sys


def page(directory, name):
    with open(os.path.join(directory, name), encoding="utf-8") as f:
        return f.read()


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                          check=False).stdout.splitlines()


def documented(directory):
    """The functions as their pages declare them; the variables that pages of probes have."""
    functions, probes = set(), {}
    for name in os.listdir(directory):
        kind, _, word = name.removesuffix(".3stap").partition("::")
        text = page(directory, name)
        if kind == "function":
            synopsis = text.partition(".Sh SYNOPSIS\n")[2].partition(".Sh ")[0]
            functions.update(re.findall(r'^\.Li "(.*)"$', synopsis, re.M))
        elif kind == "probe":
            probes[word] = set(map(":".join, re.findall(r"^\.It Va (\w+) : Ns (\w+)$", text, re.M)))
    return functions, probes


def main():
    directory, *stap = sys.argv[1:]
    functions, probes = documented(directory)
    there = {line.split(" /*")[0].replace(":unknown ", " ")
             for line in run(*stap, "--dump-functions")}
    wrong = [f"no page: function {f}" for f in sorted(there - functions)]
    wrong += [f"no such function: {f}" for f in sorted(functions - there)]

    aliases = {line.split(" ")[0] for line in run(*stap, "--dump-probe-aliases")}
    wrong += [f"no page: probe {a}" for a in sorted(aliases - probes.keys())]
    wrong += [f"no such probe: {a}" for a in sorted(probes.keys() - aliases)]
    complete = sorted(aliases - {"nd_syscall", "tp_syscall"})
    seen = 0
    for line in run(*stap, "-L", ", ".join(a + " ?" for a in complete)):
        name, *variables = re.sub(r" \$.*| _\S*", "", line).split(" ")
        seen += 1
        if name in probes and set(variables) != probes[name]:
            wrong.append(f"{name}: the page has {sorted(probes[name])}, the probe {variables}")
    if seen < len(complete) * 3 // 4:
        wrong.append(f"-L knows only {seen} of {len(complete)} probes")
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
