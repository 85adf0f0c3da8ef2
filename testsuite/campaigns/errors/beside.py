#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs a liar under a script, in the guest, and says what came to harm.  CASE is JSON: program and its
words; before and meanwhile, shell commands; staprun and the module; truth, whether all must be read.

The program must do as it does without a script; so must a neighbour that nobody probes, a shell in
a loop.  The session ends with the program, or soon after, and its processes take little memory and
time.  What it prints has no control characters.
"""
import json
import os
import re
import resource
import subprocess
import sys
import tempfile

NEIGHBOUR = "trap 'exit 9' TERM; echo up; while :; do for i in 1 2 3 4 5; do :; done; read -t 0.05 x; done"
PROGRAM_LIMIT, SESSION_LIMIT = 60, 120      # seconds, many times what they take
MEMORY = 512 << 10      # the most that a process of the session may have resident, in KB
SECONDS = 100            # of a processor
DEBUG_FILES = "/usr/lib/debug"
SHOWN = 40              # lines of output
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
# What only the kernel has: its direct map, its stacks, its text and modules.
KERNEL = re.compile(r"\b(?:0x)?ffff(?:[89a-e][0-9a-f]{11}|ffff[89abc][0-9a-f]{7})\b", re.I)
BROKEN = re.compile(r"killed by signal|internal error|Segmentation fault|AddressSanitizer|left behind|"
                    "Couldn't remove")


def hide_debug_files():
    """The libraries': reading them takes longer than all else, and nobody lies there."""
    if not os.path.ismount(DEBUG_FILES):
        subprocess.run(["mount", "-t", "tmpfs", "none", DEBUG_FILES], check=False)


def outcome(argv):
    """What a program alone does: its status and output."""
    try:
        p = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=PROGRAM_LIMIT,
                           check=False)
    except subprocess.TimeoutExpired:
        return "no end"
    except OSError as e:
        return e.strerror
    return p.returncode, p.stdout


def copy_of(program, words, folder):
    """What it does without a script, and before the script can have seen it."""
    alone = os.path.join(folder, os.path.basename(program))
    subprocess.run(["cp", program, alone], check=True)
    return outcome([alone] + words)


def inner(case):
    """Between arming and the end: the command of staprun -c."""
    if case["meanwhile"]:
        subprocess.run(["sh", "-c", case["meanwhile"]], check=False)
    if case["exchanged"]:
        outcome([case["program"]] + case["words"])
        return
    with open(case["told"], "wb") as f:
        f.write(repr(outcome([case["program"]] + case["words"])).encode())


def session(case, name):
    """Runs it; its output, and what is wrong with it."""
    command = f"python3 {__file__} --inner {name}"
    with tempfile.TemporaryFile() as out:
        p = subprocess.Popen([case["staprun"], "-c", command, case["module"]], stdin=subprocess.DEVNULL,
                             stdout=out, stderr=subprocess.STDOUT)
        try:
            p.wait(SESSION_LIMIT)
        except subprocess.TimeoutExpired:
            p.terminate()
            try:
                p.wait(SESSION_LIMIT)
            except subprocess.TimeoutExpired:
                p.kill()
            yield "it did not end by itself"
        out.seek(0)
        text = out.read().decode(errors="surrogateescape")
    if p.returncode not in (0, 1):
        yield f"staprun's status is {p.returncode}"
    if BROKEN.search(text):
        yield f"it says: {BROKEN.search(text)[0]}"
    control, kernel = CONTROL.search(text), KERNEL.search(text)
    if control:
        around = text[max(0, control.start() - 60):control.end() + 20]
        yield f"a control character is printed: {around!r}"
    if kernel:
        yield f"an address of the kernel is printed: {kernel[0]}"
    if case["literal"] and case["literal"] not in text:
        yield f"a name is not printed as it is: {case['literal'][:60]!r}"
    if case["truth"] and not re.search(r"^hits [1-9]", text, re.M):
        yield "the truth is not read"
    shown = ascii(text)[1:-1].replace("\\n", "\n").split("\n")
    print("\n".join(line[:300] for line in shown[:SHOWN]), flush=True)


def main():
    with open(sys.argv[-1], encoding="utf-8") as f:
        case = json.load(f)
    if "--inner" in sys.argv:
        inner(case)
        return 0
    hide_debug_files()
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        case["told"] = os.path.join(folder, "told")
        name = os.path.join(folder, "case")
        with open(name, "w", encoding="utf-8") as f:
            json.dump(case, f)
        alone = copy_of(case["program"], case["words"], folder)
        if case["before"]:
            subprocess.run(["sh", "-c", case["before"]], check=False)
        neighbour = subprocess.Popen(["bash", "-c", NEIGHBOUR], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE)
        neighbour.stdout.readline()
        wrong += session(case, name)
        if not case["exchanged"]:
            try:
                with open(case["told"], encoding="utf-8") as f:
                    told = f.read()
            except OSError:
                told = "nothing"
            if told != repr(alone):
                wrong.append(f"the program does {told}, and alone {alone!r}")
        if neighbour.poll() is not None:
            wrong.append(f"the neighbour ended with status {neighbour.returncode}")
        neighbour.terminate()
        if neighbour.wait() != 9:
            wrong.append(f"the neighbour ended with status {neighbour.returncode} when it was asked to")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    if used.ru_maxrss > MEMORY:
        wrong.append(f"a process took {used.ru_maxrss >> 10} MB")
    if used.ru_utime + used.ru_stime > SECONDS:
        wrong.append(f"they took {used.ru_utime + used.ru_stime:.1f} s of a processor")
    for line in wrong:
        print("WRONG: " + line)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
