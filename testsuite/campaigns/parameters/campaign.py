# SPDX-License-Identifier: GPL-2.0-or-later
"""Three readings of functions' parameters agree.

N functions (500) are picked at random of those that a workload enters and whose names
are unique. While it runs, three read their parameters at once: our code from DWARF,
our code from BTF alone, and a kernel module written by hand (reference.c), which goes
by the calling convention and by what the BTF reader below says of the types. What they
saw is compared hit by hit. Takes a minute or two.
"""
import collections
import os
import random
import re
import shlex
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
HITS = 1000     # of a function are kept; reference.c
TRIED = 9000    # functions, to find those that the workload enters


class Btf:
    """Just enough of BTF (Documentation/bpf/btf.rst) for the widths of parameters."""
    INT, PTR, ENUM, FUNC, FUNC_PROTO, ENUM64 = 1, 2, 6, 12, 13, 19
    LOOK_THROUGH = (8, 9, 10, 11, 18)   # typedef, volatile, const, restrict, type tag
    EXTRA = {1: 4, 3: 12, 14: 4, 17: 4}

    def __init__(self, data):
        _, _, _, head, types, length, strings, _ = struct.unpack_from("<HBBIIIII", data)
        self.strings = data[head + strings:]
        self.types = [None]
        at, end = head + types, head + types + length
        while at < end:
            name, info, size = struct.unpack_from("<III", data, at)
            kind, n = info >> 24 & 31, info & 0xffff
            at += 12
            extra = self.EXTRA.get(kind, 0) + n * {4: 12, 5: 12, 6: 8, 13: 8, 15: 12, 19: 12}.get(kind, 0)
            self.types.append((kind, name, info >> 31, size, data[at:at + extra]))
            at += extra

    def text(self, at):
        return self.strings[at:self.strings.index(b"\0", at)].decode()

    def width(self, index):
        """In bits, negative if signed; None for what does not fit in a register."""
        if not index:
            return None
        kind, _, signed, size, extra = self.types[index]
        if kind in self.LOOK_THROUGH:
            return self.width(size)
        if kind == self.PTR:
            return 64
        if kind == self.INT:
            signed = struct.unpack("<I", extra)[0] >> 24 & 1
        elif kind not in (self.ENUM, self.ENUM64):
            return None
        return None if size > 8 else -size * 8 if signed else size * 8

    def functions(self):
        """name -> [(parameter, width)], for names that occur once"""
        found, often = {}, set()
        for kind, name, _, prototype, _ in filter(None, self.types):
            if kind != self.FUNC:
                continue
            name = self.text(name)
            often |= {name} & found.keys()
            pairs = struct.iter_unpack("<II", self.types[prototype][4])
            found[name] = [(self.text(p), self.width(t)) for p, t in pairs]
        return {name: parameters for name, parameters in found.items() if name not in often and
                1 <= len(parameters) <= 6 and all(p and w for p, w in parameters)}


def command(*words, **options):
    got = subprocess.run(words, capture_output=True, text=True, check=False, **options)
    if got.returncode:
        sys.exit(f"{' '.join(words)}: exit status {got.returncode}\n{got.stderr}")
    return got.stdout


class Test:
    def __init__(self, place, opts):
        self.place, self.opts, self.work = place, opts, place.work
        self.stap, self.release = place.program("stap"), place.release
        self.vmlinux = f"/usr/lib/debug/boot/vmlinux-{self.release}"
        self.pick = random.Random(opts.seed)

    def script(self, name, options, probes):
        """One probe each; compiled to name.ko."""
        with open(f"{self.work}/{name}.stp", "w", encoding="utf-8") as f:
            f.write("global n, told\nprobe timer.ms(10) { if (!told++) println(\"armed\") }\n")
            f.writelines(f'probe kernel.function("{function}").call {{ if (pid() == target()) '
                         f'{{ {body} }} }}\n' for function, body in probes)
        command(self.stap, "-r", self.release, "-w", "-p4", "-m", name, *options,
                "-DMAXMAPENTRIES=10000", "--suppress-time-limits", "-g", f"{name}.stp", cwd=self.work)

    def in_guest(self, modules, reference=False):
        """What each module printed while the workload ran."""
        staprun = shlex.quote(self.place.program("staprun"))
        lines = [f"python3 {shlex.quote(HERE)}/workload & pid=$!",
                 "until grep -q 'State:.T' /proc/$pid/status; do sleep 0.1; done"]
        if reference:
            lines.append("insmod reference.ko pid=$pid")
        for m in modules:
            lines.append(f"{staprun} -x $pid -o /tmp/{m} {m}.ko & {m}=$!")
            lines.append(f"until grep -qs armed /tmp/{m}; do sleep 0.1; done")
        lines.append("kill -CONT $pid; wait $pid || exit 1")
        lines += [f"wait ${m} || exit 1; echo = {m}; cat /tmp/{m}" for m in modules]
        if reference:
            lines.append("echo = reference; cat /proc/reference")
        with open(f"{self.work}/guest.sh", "w", encoding="utf-8") as f:
            f.write("\n".join(lines) + "\n")
        printed, current = {}, None
        for line in command(self.place.vm, "-r", self.release, "sh", "guest.sh",
                            cwd=self.work).splitlines():
            if line.startswith("= "):
                current = printed.setdefault(line[2:], [])
            elif current is not None and line != "armed":
                current.append(line)
        return printed

    def candidates(self):
        """Those with an ftrace site (quick to attach, and an entry) whose name is unique."""
        symbols = collections.Counter()
        for line in command("nm", self.vmlinux).splitlines():
            symbols[line.split()[-1]] += 1
        sections = command("readelf", "-SW", self.vmlinux)
        at, size = re.search(r" \.BTF +\S+ +\S+ (\S+) (\S+)", sections).groups()
        with open(self.vmlinux, "rb") as f:
            f.seek(int(at, 16))
            functions = Btf(f.read(int(size, 16))).functions()
        return {name: p for name, p in functions.items() if symbols[name] == 1}

    def entered(self, functions):
        names = self.pick.sample(sorted(functions), min(TRIED, len(functions)))
        listed = command(self.stap, "-r", self.release, "-w", "-l", 'kernel.function("*").call')
        there = {line.split('"')[1].split("@")[0] for line in listed.splitlines()}
        names = [name for name in names if name in there]
        self.script("entered", [], [(name, f"if (!n[{i}]++) println({i})")
                                    for i, name in enumerate(names)])
        hit = self.in_guest(["entered"])["entered"]
        return [names[int(i)] for i in hit]

    def readable(self, names, functions):
        """Without those of which DWARF has other parameters, or none at the entry."""
        with open(f"{self.work}/names.stp", "w", encoding="utf-8") as f:
            for name in names:
                values = ", ".join(f"${p}" for p, _ in functions[name])
                f.write(f'probe kernel.function("{name}").call {{ print({values}) }}\n')
        said = subprocess.run([self.stap, "-r", self.release, "-p2", "names.stp"], text=True,
                              cwd=self.work, capture_output=True, check=False).stderr
        out = {}
        for reason, line in re.findall(r"semantic error: (.*) at names\.stp:(\d+):", said):
            out.setdefault(names[int(line) - 1], reason)
        for name, reason in out.items():
            print(f"left out: {name}: {reason}")
        return [name for name in names if name not in out]

    def reference(self, names, functions):
        with open(f"{self.work}/functions.h", "w", encoding="utf-8") as f:
            for name in names:
                widths = ", ".join(str(w) for _, w in functions[name])
                f.write(f'{{ "{name}", {len(functions[name])}, {{ {widths} }} }},\n')
        with open(f"{self.work}/Makefile", "w", encoding="utf-8") as f:
            f.write("obj-m := reference.o\n")
        with open(f"{HERE}/reference.c", encoding="utf-8") as source, \
             open(f"{self.work}/reference.c", "w", encoding="utf-8") as f:
            f.write(source.read())
        command("make", "-C", f"/lib/modules/{self.release}/build", f"M={self.work}", "modules")

    def run(self):
        functions = self.candidates()
        names = self.entered(functions)
        print(f"seed {self.opts.seed}: of {TRIED} functions with parameters {len(names)} are entered")
        self.pick.shuffle(names)
        names = self.readable(names, functions)
        self.reference(names, functions)
        probes = []
        for i, name in enumerate(names):
            values = ", ".join(f"${p}" for p, _ in functions[name])
            pattern = " %x" * len(functions[name])
            probes.append((name, f'if (n[{i}]++ < {HITS}) printf("{i}{pattern}\\n", {values})'))
        self.script("dwarf", [], probes)
        self.script("btf", ["--debuginfo=btf"], probes)
        return compare(names, self.in_guest(["dwarf", "btf"], reference=True),
                       self.opts.number)


def read(lines):
    """function -> what was seen of it, hit by hit"""
    seen = collections.defaultdict(list)
    for line in lines:
        function, _, values = line.partition(" ")
        seen[int(function)].append(values)
    return seen


def strays(some, others):
    """Those of some that are not among others."""
    return sorted((collections.Counter(some) - collections.Counter(others)).elements())


def compare(names, printed, number):
    """
    A reading that is wrong has hits that the reference has not, and lacks some of the
    reference's. What only one lacks it missed: a kprobe misses hits within another's
    handler, ours within each other's work; and the order may be another.
    """
    seen = {who: read(lines) for who, lines in printed.items()}
    entered = [i for i in range(len(names)) if seen["reference"][i]][:number]
    differ = hits = 0
    for i in entered:
        reference = seen["reference"][i]
        hits += len(reference)
        for who in ("dwarf", "btf"):
            got = seen[who][i]
            wrong, missed = strays(got, reference), strays(reference, got)
            if len(reference) >= HITS:      # the last ones may be others
                got = got[:HITS // 2]
                wrong = missed = strays(got, reference)
            if got and min(len(wrong), len(missed)) <= len(reference) // 20 + 1:
                continue
            differ += 1
            print(f"{names[i]}: {who} has {len(got)} hits, the reference {len(reference)}; only "
                  f"{who}: {wrong[:5]}, only the reference: {missed[:5]}")
    print(f"{len(entered)} functions, {hits} hits, {differ} readings differ")
    return differ or len(entered) < number


def options(parser):
    parser.add_argument("--number", type=int, default=500)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))


def run(place, opts):
    return 1 if Test(place, opts).run() else 0
