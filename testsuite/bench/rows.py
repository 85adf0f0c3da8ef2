# SPDX-License-Identifier: GPL-2.0-or-later
"""What is measured: scripts, and what other tracers do for the same.

The peers are bpftrace, the same script as BPF (stap --runtime=bpf) and, where it counts the same event, perf.
"""
BPF_SINCE = (6, 1)      # Linux that --runtime=bpf needs
HITS = 200_000          # reads a measured loop makes
CALLS = 20_000          # calls, each of which traps
LINES = 300_000         # reads that print a line, on each of two processors
ROUNDS = 5              # of everything measured in the guest
COUNTED = 20_000        # reads whose instructions are counted
MORE = 1.03             # the most that a hit may cost of what it cost in another build
MOST_BY_FPROBE = 0.6    # the most of bpftrace's cost where the kernel has fprobe for it

# What perf stat counts: events that are defined in tracefs, by file and text.
EVENTS = {
    "bench:entered": ("kprobe_events", "p:bench/entered vfs_read"),
    "bench:called": ("uprobe_events", "p:bench/called LOAD:OFFSET"),
}

# name, stap script, bpftrace program, perf's event, the most of bpftrace's cost that ours may be
HOT = [
    ("n++",
     'global n probe kernel.function("vfs_read").call { n++ }',
     "kprobe:vfs_read { @ = count(); }", "bench:entered", 0.5),
    ("n[execname()]++",
     'global n probe kernel.function("vfs_read").call { n[execname()]++ }',
     "kprobe:vfs_read { @[comm] = count(); }", None, 0.5),
    ("tracepoint: n++",
     'global n probe kernel.trace("sys_enter") { n++ }',
     "tracepoint:raw_syscalls:sys_enter { @ = count(); }", "raw_syscalls:sys_enter", 0.5),
    # Debian 12's bpftrace takes no offsets: beside an entry, which costs it less
    ("kprobe at a line: n++",
     'global n probe kernel.statement("vfs_read@fs/read_write.c+8").nearest { n++ }',
     "kprobe:vfs_read { @ = count(); }", None, 1),
    ("return: n[execname()] <<< $return",
     'global n probe kernel.function("vfs_read").return { n[execname()] <<< $return }',
     "kretprobe:vfs_read { @[comm] = stats(retval); }", None, 0.5),
]
# Places in a program.  What the kernel's trap costs, a module with a bare uprobe shows: it hides
# the rest in an emulated guest, so the costs above it are compared.  Name, kind of bare module,
# script, bpftrace program, perf's event, the most of bpftrace's cost that ours may be.  Its stacks
# need frame pointers, which LOAD has.
USER = [
    ("n++", "", 'global n probe process("LOAD").function("called") { n++ }',
     "uprobe:LOAD:called { @ = count(); }", "bench:called", 0.5),
    ("n[execname()]++", "",
     'global n probe process("LOAD").function("called") { n[execname()]++ }',
     "uprobe:LOAD:called { @[comm] = count(); }", None, 0.5),
    ("return: n <<< $return", "return",
     'global n probe process("LOAD").function("called").return { n <<< $return }',
     "uretprobe:LOAD:called { @ = stats(retval); }", None, 0.5),
    ("a mark with two arguments", "",
     'global n, x probe process("LOAD").mark("passed") { n += $arg2; x += $arg1 }',
     "usdt:LOAD:load:passed { @n = sum(arg1); @x = sum(arg0); }", None, 0.5),
    ("a string of 64 bytes printed", "",
     'probe process("LOAD").function("called") { println(user_string($s)) }',
     'uprobe:LOAD:called { printf("%s\\n", str(arg0)); }', None, 0.5),
    ("a stack of ten frames as a key", "",
     'global n probe process("LOAD").function("deepest") { n[ubacktrace()]++ }',
     "uprobe:LOAD:deepest { @[ustack] = count(); }", None, 1),
    ("a stack of ten frames printed with names", "",
     'probe process("LOAD").function("deepest") { print_ubacktrace_brief() }',
     'uprobe:LOAD:deepest { printf("%s\\n", ustack); }', None, 1),
]
# Arrays, beside bpftrace's maps: within its cost.
ARRAYS = [
    (f"{what} {key}",
     f"global n{', x' if what == 'lookup' else ''} probe begin {{ n[{ours_seed}] = 0 }} "
     f'probe kernel.function("vfs_read").call {{ {ours} }}',
     f"BEGIN {{ @n[{its_seed}] = 0; }} kprobe:vfs_read {{ {its} }}")
    for key, ours_key, its_key, ours_seed, its_seed in (
        ("integer key", "$count", "arg2", "0", "(uint64)0"),
        ("string key", "execname()", "comm", '"none"', "comm"))
    for what, ours, its in (
        ("insert", f"n[{ours_key}] = $count", f"@n[{its_key}] = arg2;"),
        ("lookup", f"if (n[{ours_key}] > 1) x++", f"if (@n[{its_key}] > 1) {{ @x++; }}"),
        ("increment", f"n[{ours_key}]++", f"@n[{its_key}]++;"))]
PRINTING = (
    'probe kernel.function("vfs_read").call '
    '{ printf("%d %s %d %d\\n", pid(), execname(), cpu(), $count) }',
    'kprobe:vfs_read { printf("%d %s %d %d\\n", pid, comm, cpu, arg2); }')
ALL = 'kernel.function("*")'
MANY = 'global n probe kernel.function("*@fs/*.c").call { n++ }'
