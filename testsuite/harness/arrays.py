#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Arrays and statistics against a reference.

arrays.py SEED DIR writes to DIR

    arrays.stp, arrays.expected      ten thousand random inserts, updates and deletions in
                                     arrays of several shapes, wrapping ones among them, then
                                     sorted loops over them with limits
    stats.stp, stats.py, stats.expected  what two processes, each on its own CPU, add to
                                     statistics at the same time (stats.py is the load)

The script draws its keys and values by the same generator as the reference here.
"""
import random
import sys

STEPS = 10000
STEPS_PER_HANDLER = 200         # between handlers others may run
SHAPES = {          # name: keys, value, size, distinct keys, wraps
    "num": ("i", "i", 10000, 6000, False),
    "str": ("s", "i", 8000, 7000, False),
    "pair": ("is", "s", 10000, 5000, False),
    "triple": ("sis", "i", 9000, 8000, False),
    "agg": ("i", "stat", 700, 600, False),
    "ring": ("i", "i", 500, 2000, True),
    "names": ("si", "s", 300, 900, True),
}
LIMITS = [0, 1, 7, 100, 1000000]


def wrap(n):
    n &= (1 << 64) - 1
    return n - (1 << 64) if n >> 63 else n


class Sequence:
    """A linear congruential generator; the script has the same."""

    def __init__(self, seed):
        self.state = seed

    def draw(self, n):
        self.state = wrap(self.state * 6364136223846793005 + 1442695040888963407)
        return (self.state >> 33 & 0x3fffffff) % n


DRAW = """
global state = %d
function draw:long(n:long)
{
	state = state * 6364136223846793005 + 1442695040888963407
	return (state >> 33 & 0x3fffffff) %% n
}
"""


# Keys made of k, as the script writes them and as they are here; a second of a kind
# is drawn from the second.
KEYS = {
    "i": [("k * 7919 % 10007 - 5000", lambda k: k * 7919 % 10007 - 5000),
          ("k % 13", lambda k: k % 13)],
    "s": [('sprintf("k%x", k * 31)', lambda k: f"k{k * 31:x}"),
          ("sprint(k % 17)", lambda k: str(k % 17))],
}


def keys_of(kinds):
    return [KEYS[kind][kinds[:i].count(kind)] for i, kind in enumerate(kinds)]


def key_texts(kinds):
    return ", ".join(text for text, _ in keys_of(kinds))


def key_values(kinds, k):
    return tuple(value(k) for _, value in keys_of(kinds))


class Array:
    """What the script's array is to hold, oldest element first."""

    def __init__(self, name):
        self.name = name
        self.kinds, self.kind, self.size, self.range, self.wraps = SHAPES[name]
        self.held = {}

    def put(self, key, value):
        if key not in self.held and len(self.held) == self.size:
            assert self.wraps
            del self.held[next(iter(self.held))]
        self.held[key] = value

    def step(self, seq, step, counts):
        """One turn of the script's loop."""
        what, k, v = seq.draw(10), seq.draw(self.range), step * 17 % 4001 - 2000
        key = key_values(self.kinds, k)
        if self.kind == "stat":
            if what < 9:
                self.put(key, self.held.get(key, []) + [v])
            else:
                self.held.pop(key, None)
        elif what < 6:
            self.put(key, f"v{v}" if self.kind == "s" else v)
        elif what < 8:
            if self.kind == "s":
                self.put(key, (self.held.get(key, "") + ".")[:127])
            else:
                self.put(key, wrap(self.held.get(key, 0) + v))
        elif what < 9:
            self.held.pop(key, None)
        else:
            counts[0] += key in self.held
            counts[1] += len(self.held.get(key, "")) if self.kind == "s" else self.held.get(key, 0)

    def script(self):
        """The same in the script."""
        element = f"{self.name}[{key_texts(self.kinds)}]"
        member = f"[{key_texts(self.kinds)}] in {self.name}"
        text = f"\twhat = draw(10); k = draw({self.range}); v = i * 17 % 4001 - 2000\n"
        if self.kind == "stat":
            return text + f"\tif (what < 9) {element} <<< v\n\telse delete {element}\n"
        add = f'{element} .= "."' if self.kind == "s" else f"{element} += v"
        read = f"strlen({element})" if self.kind == "s" else element
        value = 'sprintf("v%d", v)' if self.kind == "s" else "v"
        return text + (f"\tif (what < 6) {element} = {value}\n\telse if (what < 8) {add}\n"
                       f"\telse if (what < 9) delete {element}\n"
                       f"\telse {{ hits += {member}; sum += {read} }}\n")

    def loops(self):
        """Loops over it: what they print of an element, the text, its values in order."""
        names = [f"k{i}" for i in range(len(self.kinds))]
        for i, name in enumerate(names):
            for sign in "+-":
                keys = ", ".join(n + (sign if n == name else "") for n in names)
                yield (f"foreach ([{keys}] in {self.name}", name,
                       sorted((k[i] for k in self.held), reverse=sign == "-"))
        element = f"{self.name}[{', '.join(names)}]"
        keys = ", ".join(names)
        if self.kind != "stat":
            for sign in "+-":
                yield (f"foreach ([{keys}] in {self.name}{sign}", element,
                       sorted(self.held.values(), reverse=sign == "-"))
            return
        for op, fn in (("count", len), ("sum", sum), ("min", min), ("max", max), ("avg", average)):
            for sign in "+-":
                yield (f"foreach ([{keys}] in {self.name} @{op}{sign}", f"@{op}({element})",
                       sorted(map(fn, self.held.values()), reverse=sign == "-"))


def average(values):
    """As C divides."""
    quotient = abs(sum(values)) // len(values)
    return quotient if sum(values) >= 0 else -quotient


def steps_text(arrays):
    """A function that takes some steps, and handlers that together take them all."""
    text = "global hits, sum\nfunction steps(i, end)\n{\n\tfor (; i < end; i++) {\n"
    text += "".join(a.script() for a in arrays) + "\t}\n}\n"
    for at in range(0, STEPS, STEPS_PER_HANDLER):
        text += f"probe begin({at - STEPS}) {{ steps({at}, {at + STEPS_PER_HANDLER}) }}\n"
    return text + 'probe begin { println("hits ", hits, " sum ", sum) }\n'


def loop_text(n, loop, what, limit, title):
    return (f'probe begin({n})\n{{\n\tprintln("{title}")\n'
            f"\t{loop} limit {limit})\n\t\tprintln({what})\n}}\n")


def arrays_files(seed):
    arrays = [Array(name) for name in SHAPES]
    seq, counts, chance = Sequence(seed), [0, 0], random.Random(seed)
    script = ["".join(f"global {a.name}{'%' if a.wraps else ''}[{a.size}]\n" for a in arrays),
              DRAW % seed, steps_text(arrays)]
    for step in range(STEPS):
        for a in arrays:
            a.step(seq, step, counts)
    expected = [f"hits {counts[0]} sum {counts[1]}"]
    for a in arrays:
        assert a.wraps == (len(a.held) == a.size), (a.name, len(a.held))
        for loop, what, values in a.loops():
            limit = chance.choice(LIMITS)
            title = f"{loop} limit {limit}) {what}"
            script.append(loop_text(len(script), loop, what, limit, title))
            expected += [title] + [str(v) for v in values[:limit]]
    script.append("probe begin(1000) { exit() }\n")
    return "".join(script), expected


# ---- statistics of two CPUs ---------------------------------------------------

SAMPLES, LOADS = 5000, 2

STATS = """
# Reads of so many bytes from the load's /dev/null, at the position that is the sample.
global all, spread, by, times, total, seen, few%%[64]
probe kernel.function("vfs_read")
{
	if ($count == %d) {
		v = kernel_long($pos)
		all <<< v
		spread <<< v
		by[v %% 10, cpu()] <<< v
		times[v %% 1000]++
		total += v
		few[v %% 50] += v
	}
}
probe end
{
	printf("%%d %%d %%d %%d %%d %%d\\n", @count(all), @sum(all), @min(all), @max(all), @avg(all), total)
	foreach ([d+, cpu] in by)
		seen[d] <<< @sum(by[d, cpu])
	foreach (d+ in seen)
		println(d, " ", @sum(seen[d]))
	foreach (n in times- limit 50)
		println(times[n])
	foreach (n- in times limit 20)
		println(n, " ", times[n])
	foreach (n+ in few)
		println(n, " ", few[n])
	foreach (b in @hist_log(all))
		if (@hist_log(all)[b])
			println(@hist_log(all)[b])
	foreach (b in @hist_linear(spread, 0, 100000, 10000))
		println(@hist_linear(spread, 0, 100000, 10000)[b])
}
"""
LOAD = """
import os, random
null = os.open("/dev/null", os.O_RDONLY)
children = []
for cpu in range(%(loads)d):
    child = os.fork()
    if child == 0:
        os.sched_setaffinity(0, [cpu])
        chance = random.Random(%(seed)d + cpu)
        for _ in range(%(samples)d):
            os.pread(null, %(mark)d, chance.randrange(100000))
        os._exit(0)
    children.append(child)
for child in children:
    os.waitpid(child, 0)
"""
MARK = 7777


def remainder_sums(samples):
    sums = {}
    for v in samples:
        sums[v % 10] = sums.get(v % 10, 0) + v
    return [f"{d} {s}" for d, s in sorted(sums.items())]


def tallies(samples):
    times, few = {}, {}
    for v in samples:
        times[v % 1000] = times.get(v % 1000, 0) + 1
        few[v % 50] = few.get(v % 50, 0) + v
    lines = [str(n) for n in sorted(times.values(), reverse=True)[:50]]
    lines += [f"{n} {times[n]}" for n in sorted(times, reverse=True)[:20]]
    return lines + [f"{n} {few[n]}" for n in sorted(few)]


def histograms(samples):
    log, linear = {}, [0] * 13
    for v in samples:
        log[v.bit_length()] = log.get(v.bit_length(), 0) + 1
        linear[1 + v // 10000] += 1
    return [str(log[b]) for b in sorted(log)] + [str(n) for n in linear]


def stats_files(seed):
    samples = []
    for cpu in range(LOADS):
        chance = random.Random(seed + cpu)
        samples += [chance.randrange(100000) for _ in range(SAMPLES)]
    first = (len(samples), sum(samples), min(samples), max(samples), average(samples), sum(samples))
    expected = [" ".join(map(str, first))]
    expected += remainder_sums(samples) + tallies(samples) + histograms(samples)
    load = LOAD % {"loads": LOADS, "seed": seed, "samples": SAMPLES, "mark": MARK}
    return STATS % MARK, load, expected


def write(path, text):
    with open(path, "w", encoding="ascii") as f:
        f.write(text)


def main():
    seed, where = int(sys.argv[1]), sys.argv[2]
    script, expected = arrays_files(seed)
    write(f"{where}/arrays.stp", script)
    write(f"{where}/arrays.expected", "".join(line + "\n" for line in expected))
    script, load, expected = stats_files(seed)
    write(f"{where}/stats.stp", script)
    write(f"{where}/stats.py", load)
    write(f"{where}/stats.expected", "".join(line + "\n" for line in expected))


if __name__ == "__main__":
    main()
