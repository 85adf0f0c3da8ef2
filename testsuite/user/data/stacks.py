# SPDX-License-Identifier: GPL-2.0-or-later
"""stacks.py OUTPUT EXPECTED: compares the stacks of stacks.test, told by names alone.

What differs between C libraries is left out: their inner functions, and what calls main().
"""
import re
import sys

OWN = ("leaf middle chain compare sorted on_signal signals through_library recurse generated "
       "library_call qsort_r raise main").split()


def stacks(text):
    """The stacks of a program: {case: [[names]]}; repeated names are given once."""
    found = {}
    for part in re.split(r"^case ", text, flags=re.M)[1:]:
        case, *lines = part.splitlines()
        names = []
        for line in lines:
            name = line.split("+")[0]
            if name.startswith("0x"):
                name = "ADDRESS"
            if name in OWN + ["ADDRESS"] and names[-1:] != [name]:
                names.append(name)
        found.setdefault(int(case), []).append((names, len(lines)))
    return found


parts = dict(re.findall(r"^== (\w+)\n((?:(?!^== ).*\n)*)", open(sys.argv[1]).read(), re.M))
expected = [line.split() for line in open(sys.argv[2])]
wrong = 0


def check(program, what, good):
    global wrong
    if not good:
        wrong += 1
        print(f"{program}: {what}")


for program in "pie", "fixed", "mini", "gone":
    got = stacks(parts[program])
    for case, *names in expected:
        seen = got.get(int(case), [([], 0)])[0]
        # Without libc's own symbols (they are in its debug package) its inner code has no names.
        shown = [n for n in seen[0] if n != "ADDRESS" or "ADDRESS" in names]
        if case == "6":
            names = ["leaf", "recurse"]
            check(program, f"case 6 has {seen[1]} frames", seen[1] == 128)
        if case == "7":
            shown = shown[:shown.index("main") + 1] if "main" in shown else shown
        check(program, f"case {case}: {' '.join(seen[0])}", shown == names)
bare = stacks(parts["bare"])
check("bare", "depth", [s[0][1] for s in bare.values()] >= [6, 8, 8, 8, 7, 128, 7])
check("corrupt", "cases", sorted(stacks(parts["corrupt"])) == list(range(1, 8)))
profile = re.split(r"^case 0\n", parts["profile"], flags=re.M)[1:]
home = sum("_start+" in stack.splitlines()[-1] for stack in profile)
check("profile", f"{home} of {len(profile)} are whole", len(profile) > 20 and home >= 0.95 * len(profile))
for name in "busy", "clock_gettime", "__vdso_clock_gettime":
    check("profile", f"never in {name}", any(stack.startswith(name) for stack in profile))
if wrong:
    print(open(sys.argv[1]).read())
sys.exit(bool(wrong))
