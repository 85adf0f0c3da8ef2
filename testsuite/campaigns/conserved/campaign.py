# SPDX-License-Identifier: GPL-2.0-or-later
"""Whatever handlers add to and however often timers read it, nothing is lost and nothing counts twice.

COUNT scripts at random (100): each counts the writes of two processes side by side in many ways at once, in
variables, statistics and arrays, in functions, loops and recursions, while timers read, sort, empty and delete what
is counted.  At the end each of these must have as many as there were writes.  As BPF, and as modules with
--runtime kernel.
"""
import os
import random
import re
import subprocess

WRITES = 3000
BATCH = 20
LOAD = f"dd if=/dev/zero of=/dev/null bs=1 count={WRITES} status=none"

KEYS = ['"w"', "cpu()", "tid()", "execname()", "tid() % 3", "n{i} % 7", 'sprintf("%d", tid() % 5)']

# What adds {by} to {v}: the kind of variable, and the code.
ADDS = [
    ("long", "{v} += {by}"),
    ("long", "for (i = 0; i < {by}; i++) {v}++"),
    ("long", "{v} = {v} + {by}"),
    ("stat", "{v} <<< {by}"),
    ("array", "{v}[{key}] += {by}"),
    ("array", "for (i = 0; i < {by}; i++) {v}[{key}]++"),
    ("setarray", "{v}[{key}] = {v}[{key}] + {by}"),
    ("stats", "{v}[{key}] <<< {by}"),
    ("pairs", "{v}[{key}, cpu()] += {by}"),
    ("pairstats", "{v}[{key}, tid()] <<< {by}"),
]

# Where the code is: in the handler, in functions, behind what may fail.
PLACES = [
    "{code}",
    "if (tid() % 2) {{ {code} }} else {{ {code} }}",
    "try {{ {code} }} catch {{ }}",
    "try {{ {code}; {other} = 1 / 0 }} catch {{ }}",
    "while (1) {{ {code}; break }}",
    "f{i}({key})",
    "r{i}(2, {key})",
    "if (g{i}(1)) {other} = 1",
]
FUNCTIONS = {
    "f{i}": "function f{i}(k) {{ {code} }}",
    "r{i}": "function r{i}(n, k) {{ if (n > 0) {{ r{i}(n - 1, k); return 0 }} {code} }}",
    "g{i}": "function g{i}(yes) {{ {code}; return yes }}",
}

READS = {
    "long": ["seen = {v}", 'seen += {v} > 5'],
    "stat": ["seen = @count({v})", "if (@count({v})) seen = @sum({v})"],
    "array": ["foreach (k{i} in {v}) seen += {v}[k{i}]", "foreach (k{i} in {v}- limit 2) seen = {v}[k{i}]",
              "foreach (k{i} in {v}) t{i} += {v}[k{i}]; delete {v}"],
    # A timer that deletes what handlers do more with than add loses changes (man stapbpf).
    "setarray": ["foreach (k{i} in {v}) seen += {v}[k{i}]"],
    "stats": ["foreach (k{i} in {v}) seen += @count({v}[k{i}])", "foreach (k{i} in {v}- limit 2) seen = @max({v}[k{i}])",
              "foreach (k{i} in {v}) t{i} += @sum({v}[k{i}]); delete {v}"],
    "pairs": ["foreach ([k{i}, c] in {v}) seen += {v}[k{i}, c]",
              "foreach ([k{i}, c] in {v}) t{i} += {v}[k{i}, c]; delete {v}"],
    "pairstats": ["foreach ([k{i}, c] in {v}) seen += @count({v}[k{i}, c])",
                  "foreach ([k{i}, c] in {v}) t{i} += @sum({v}[k{i}, c]); delete {v}"],
}
SUMS = {
    "long": "t{i} += {v}",
    "stat": "t{i} += @sum({v})",
    "array": "foreach (k{i} in {v}) t{i} += {v}[k{i}]",
    "setarray": "foreach (k{i} in {v}) t{i} += {v}[k{i}]",
    "stats": "foreach (k{i} in {v}) t{i} += @sum({v}[k{i}])",
    "pairs": "foreach ([k{i}, c] in {v}) t{i} += {v}[k{i}, c]",
    "pairstats": "foreach ([k{i}, c] in {v}) t{i} += @sum({v}[k{i}, c])",
}
PROBES = [
    ('kernel.trace("sys_enter")', '$id == 1 && execname() == "dd"'),
    ('kernel.trace("sys_exit")', '$regs->orig_ax == 1 && execname() == "dd"'),
    ('kernel.function("ksys_write")', 'execname() == "dd"'),
    ('kernel.function("ksys_write").return', 'execname() == "dd"'),
    ('process("/bin/dd").syscall', "$syscall == 1"),
    ('process("/bin/dd").syscall.return', "$syscall == 1"),
    ('process("/lib/x86_64-linux-gnu/libc.so.6").function("write")', 'execname() == "dd"'),
    ('process("/lib/x86_64-linux-gnu/libc.so.6").function("write").return', 'execname() == "dd"'),
]


class Counter:
    """A variable, what adds to it at each write, and what reads it meanwhile."""

    def __init__(self, rng, i):
        self.kind, code = rng.choice(ADDS)
        self.by = rng.choice([1, 1, 2, 3])
        self.words = {"v": f"v{i}", "by": self.by, "i": i, "other": f"o{i}",
                      "key": rng.choice(KEYS).format(i=i)}
        self.global_names = [f"v{i}", f"t{i}", f"o{i}", f"n{i}"]
        place = rng.choice(PLACES)
        self.handler = place.format(code=code.format(**self.words), **self.words)
        inner = code.format(**self.words | ({"key": "k"} if "{key}" in place else {}))
        self.functions = [text.format(code=inner, **self.words) for name, text in FUNCTIONS.items() if name in place]
        self.read = rng.choice([*READS[self.kind], ""]).format(**self.words)
        self.sum = SUMS[self.kind].format(**self.words)


def script(rng):
    """Returns a script that prints what it has counted."""
    counters = [Counter(rng, i) for i in range(rng.randint(1, 5))]
    lines = ["global seen"]
    for i, c in enumerate(counters):
        lines += [f"global {', '.join(c.global_names)}", *c.functions]
        lines.append(f"probe begin {{ n{i} = {rng.randint(0, 9)}; o{i} = 0; t{i} = 0 }}")
    for point, is_write in rng.sample(PROBES, rng.choice([1, 1, 2])):
        lines += [f"probe {point} {{ if ({is_write}) {{", *("\t" + c.handler for c in counters), "} }"]
    probes = sum(line.startswith("probe") and "{ if (" in line for line in lines)
    for c in counters:
        if c.read:
            lines.append(f"probe timer.ms({rng.choice([1, 2, 5, 20])}) {{ {c.read} }}")
    lines.append("probe end {")
    for i, c in enumerate(counters):
        lines += ["\t" + c.sum, f"\tseen += n{i} + o{i}",
                  f'\tprintln("v{i} ", t{i}, " of {2 * WRITES * probes} times {c.by}")']
    return "\n".join([*lines, '\tprintln("done ", seen >= 0)', "}"]) + "\n"


def options(parser):
    parser.add_argument("--count", type=int, default=100, help="so many scripts (100)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runtime", choices=["bpf", "kernel"], default="bpf")
    parser.add_argument("--suite", help="on this Debian release")


def translate(where, opts, name, text):
    """Returns the file to run, or None where the script is refused."""
    path = os.path.join(where.work, name + ".stp")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    stap = [where.program("stap"), "-w", "-r", where.release, "-p4", "-m", name, f"--runtime={opts.runtime}",
            "-D", "MAXACTION=100000", path]
    done = subprocess.run(where.root.argv(stap, where.work), cwd=where.work, env=where.environment(), text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        print(f"{name} is refused:", done.stdout[:300])
        return None
    return done.stdout.split()[-1]


def run_batch(where, files):
    """Runs them in a guest; returns what each printed."""
    with open(os.path.join(where.work, "batch.sh"), "w", encoding="utf-8") as f:
        for file in files:
            f.write(f"echo == {file}; {where.program('staprun')} {file} -c \"sh -c '{LOAD} & {LOAD}; wait'\" 2>&1\n")
    guest = [where.vm, *where.root.vm_options(), "-n", "-r", where.release, "sh", "batch.sh"]
    done = subprocess.run(guest, cwd=where.work, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    parts = done.stdout.split("== ")[1:]
    return done.returncode, {part.split("\n")[0].strip(): part.split("\n", 1)[1] for part in parts}


def is_right(said):
    """Has it counted all writes but those that it tells to have skipped?"""
    skipped = sum(map(int, re.findall(r"skipped probes: (\d+)", said)))
    sums = re.findall(r"^v\d+ (\d+) of (\d+) times (\d+)$", said, re.M)
    return "done 1" in said and "ERROR" not in said and all(
        (int(times) - skipped) * int(by) <= int(counted) <= int(times) * int(by) for counted, times, by in sums)


def run(where, opts):
    ran = failed = 0
    for first in range(0, opts.count, BATCH):
        texts = {}
        for n in range(first, min(first + BATCH, opts.count)):
            text = script(random.Random(opts.seed * 1000003 + n))
            file = translate(where, opts, f"conserved{n}", text)
            if file:
                texts[os.path.basename(file)] = text
        status, said = run_batch(where, list(texts))
        for file, text in texts.items():
            ran += 1
            if not is_right(said.get(file, "")):
                failed += 1
                print(f"{file} says:\n{said.get(file)}\nof\n{text}")
        if status:
            print(f"the guest fails: {status}")
            failed += 1
        print(f"{ran} scripts ran, {failed} failures", flush=True)
    return 1 if failed else 0
