# SPDX-License-Identifier: GPL-2.0-or-later
"""What the curves of scale show: the points they are measured at, the scripts, and the law that each
must follow."""
from collections import namedtuple

# The functions whose entries are probed; more with each. vfs_read, which the load calls, is in all. Those of
# source files nearly all have ftrace sites; those of headers, such as tracepoints', often have none. "*" is all.
PLACES = ("vfs_read@*", "*@fs/read_write.c", "*@fs/*.c", "*@[fn]*/*.c", "*@[dfn]*/*.c", "*")
PROCESSES = (10, 100, 500, 1000, 2000, 5000)
ENTRIES = (100, 1000, 10_000, 100_000, 1_000_000)
CPUS = (1, 2, 4, 8)
READS = 20_000          # that the load makes under a probe, on each CPU
ROUNDS = 2              # of each point, of which the least counts
ROUNDS_OF_CPUS = 8      # the same, where the machine takes part in the time

NOTHING = "probe never { println() }"
ENTERED = 'global n probe kernel.function("GLOB").call { n++ }'
# Which functions the load calls, and how often a read: others have fewer hits than it has reads.
PATH = ('global n[20000] probe kernel.function("GLOB").call { if (execname() == "load") n[pp()]++ } probe end { '
        'foreach (p in n) if (n[p] >= READS) printf("%s %d\\n", p, n[p] / READS) }')
CALLED = 'global n probe process("LOAD").function("called") { n++ }'
# The keys come in an order in which neighbours are far from each other; all come.
ARRAY = """
global a[SIZE], k, filled
probe begin {
	filled = local_clock_ns()
	for (i = 0; i < SIZE; i++)
		a[i] = i
	filled = local_clock_ns() - filled
}
probe kernel.function("vfs_read").call { a[k] = k = (k + 7919) % SIZE }
probe end {
	t = local_clock_ns()
	foreach (i in a-) sum += i
	sorted = local_clock_ns() - t
	foreach (i in a) sum += i
	walked = local_clock_ns() - t - sorted
	t = local_clock_ns()
	delete a
	printf("%d %d %d %d %d\\n", filled, sorted, walked, local_clock_ns() - t, sum)
}"""
BY_NAME = 'global n probe kernel.function("vfs_read").call { n[execname()]++ }'
FILES = 'global n probe kernel.function("*@fs/*.c").call { n++ }'

# A large array takes a handler longer than it may; probes on very many functions take most of the CPU's time.
UNLIMITED = ("-g", "--suppress-time-limits")


def scripts(axis, load):
    """The scripts that an axis needs, by name; the load is at that path."""
    if axis == "places":
        return {"path": PATH.replace("READS", str(READS)).replace("GLOB", PLACES[-1]),
                **{f"places{i}": ENTERED.replace("GLOB", glob) for i, glob in enumerate(PLACES)}}
    if axis == "processes":
        return {"called": CALLED.replace("LOAD", load)}
    if axis == "elements":
        return {f"array{n}": ARRAY.replace("SIZE", str(n)) for n in ENTRIES}
    return {"counted": ENTERED.replace("GLOB", "vfs_read"), "by_name": BY_NAME, "files": FILES}


# An axis has a picture of its own; a curve is what is measured, its unit, the steepest law it may follow, and how many
# of its last points are of another kind, so that its law is that of the others.
Curve = namedtuple("Curve", "name unit law beyond", defaults=(0,))
Axis = namedtuple("Axis", "name label curves")
AXES = (
    Axis("places", "places", (      # only of all functions many are kprobes
        Curve("attach", "ms", "linear", beyond=1), Curve("detach", "ms", "linear", beyond=1),
        Curve("a hit", "ns", "constant", beyond=1))),
    Axis("processes", "processes that run the probed program", (
        Curve("attach", "ms", "linear"), Curve("detach", "ms", "linear"), Curve("a hit", "ns", "constant"))),
    Axis("elements", "elements of an array", (
        Curve("attach", "ms", "linear"), Curve("detach", "ms", "linear"),
        Curve("a hit: a[k] = n", "ns", "constant"), Curve("fill in begin", "µs", "linear"),
        Curve("foreach, sorted", "µs", "n log n"), Curve("foreach", "µs", "linear"),
        Curve("delete a", "µs", "linear"))),
    Axis("cpus", "CPUs", (
        Curve("attach", "ms", "linear"), Curve("detach", "ms", "linear"),
        Curve("a hit: n++", "ns", "constant"), Curve("a hit: n[execname()]++", "ns", "constant"))),
)
