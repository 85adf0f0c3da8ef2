# SPDX-License-Identifier: GPL-2.0-or-later
"""The tables."""
from rows import ARRAYS, HOT, MORE, USER


class Table:
    """Rows of a figure beside its limit and what other tracers take for the same."""

    def __init__(self, peers):
        self.peers = peers          # the tracers whose figures are known
        self.rows, self.kept = [], True

    def row(self, name, value, unit, limit=None, least=False, **peers):
        """limit: at most (least: at least) this; peers: their figures; of bpftrace's, the ratio."""
        def text(x):
            return "" if x is None else f"{x:.3g} {unit}" if abs(x) < 100 else f"{x:,.0f} {unit}"

        ok = limit is None or (value >= limit if least else value <= limit)
        self.kept &= ok
        its = peers.get("bpftrace")
        self.rows.append((name, text(value), text(limit),
                          "" if limit is None else "yes" if ok else "NO",
                          *(text(peers.get(peer)) for peer in self.peers),
                          f"{value / its:.2f}" if its else ""))

    def show(self):
        head = ("figure", "measured", "limit", "kept", *self.peers, "ours/bpftrace")
        widths = [max(len(r[i]) for r in [head, *self.rows]) for i in range(len(head))]
        for r in [head, tuple("-" * w for w in widths), *self.rows]:
            print("  ".join(c.ljust(w) if i == 0 else c.rjust(w)
                            for i, (c, w) in enumerate(zip(r, widths))).rstrip())


def share(value, part):
    return value * part if value is not None else None


def over(figures, name):
    """What the bare probe of a row costs: of the rows in a program, whose trap hides the rest."""
    kinds = {f"user {row[0]}": row[1] for row in USER}
    if name not in kinds:
        return 0
    return figures["bare uretprobe" if kinds[name] else "bare uprobe"]


def starting(t, here, there):
    """The rows of what passes before a script is at work."""
    t.row("gcc + objtool + ld alone (the floor)", here["floor"], "s")
    t.row("new one-liner, passes 1-4", here["new"], "s", min(0.15, 5 * here["floor"]))
    t.row("same script again, passes 1-4", here["again"], "s", 0.05)
    t.row("first script ever on a kernel, passes 1-4", here["first"], "s", 3)
    t.row("-L 'kernel.function(\"vfs_read\")'", here["list"], "s", 0.05)
    t.row("translator's peak memory", here["memory"], "MB", 60)
    t.row("load to first output, in the guest", there["stap first"], "s", 0.5,
          bpftrace=there.get("bpftrace first"))
    t.row("-l 'kernel.function(\"*\")', the first time", here["all first"], "s", 3)
    t.row("-l 'kernel.function(\"*\")'", here["all"], "s", 0.3)
    t.row("a tracer of one system call, passes 1-4", here["call"], "s", 0.3)
    t.row("a tracer of all system calls, passes 1-4", here["calls"], "s", 3)
    t.row("a tracer of all system calls: attach, in the guest", there["calls attach"], "s", 3)
    t.row(f"{here['places']:,} function entries: pass 2", here["many"], "s", 0.5)
    t.row(f"{here['places']:,} function entries: attach, in the guest",
          there["attach"], "s", 1)


def hits(t, figures, unit, at_least=0):
    """The rows of what a hit costs: at most AT_LEAST of bpftrace's cost, or the row's own share
    if that is more."""
    def beside(what, name, most):
        """At no more than what a bare probe costs a tracer has not probed the place (Debian 12's
        bpftrace, at the mark)."""
        bare = over(figures, name)
        peers = {peer: figures[f"{peer} {name}"] - bare for peer in t.peers
                 if figures.get(f"{peer} {name}", bare) > bare}
        t.row(what, figures[f"stap {name}"] - bare, unit,
              share(peers.get("bpftrace"), max(most, at_least)), **peers)

    t.row("a hit: bare kprobe module", figures["bare kprobe"], unit)
    t.row("a hit: bare kretprobe module", figures["bare kretprobe"], unit)
    for name, *_, most in HOT:
        beside(f"a hit: {name}", name, most)
    for name, _, _ in ARRAYS:
        beside(f"a hit: {name}", name, 1)
    base = figures["user base"]
    t.row("a call: bare uprobe", figures["bare uprobe"] - base, unit)
    t.row("a call: bare uretprobe", figures["bare uretprobe"] - base, unit)
    for name, *_, most in USER:
        beside(f"a call, over a bare uprobe: {name}", f"user {name}", most)
    if "stap line" in figures:
        beside("one printf line a hit: cost", "line", 0.5)


def peers_of(figures):
    return [peer for peer in ("bpf", "bpftrace", "perf")
            if any(n.startswith(f"{peer} ") for n in figures)]


def report(here, there, at_least):
    t = Table(peers_of(there))
    starting(t, here, there)
    hits(t, there, "ns", at_least)
    its, bpfs = there.get("bpftrace delivered"), there.get("bpf delivered")
    t.row("one printf line a hit, two CPUs: delivered", 100 * there["stap delivered"], "%", 95,
          least=True, bpf=share(bpfs, 100), bpftrace=share(its, 100))
    t.show()
    return t.kept


def report_instructions(figures, at_least):
    t = Table(peers_of(figures))
    hits(t, figures, "", at_least)
    t.show()
    return t.kept


def report_against(before, now):
    """Compares what our hits cost in two builds."""
    def cost(figures, name):
        return figures[name] - over(figures, name.split(" ", 1)[1])

    rows = [(name, cost(before, name), cost(now, name))
            for name in now if name.startswith(("stap ", "bpf ")) and name in before]
    width = max(len(row[0]) for row in rows)
    print(f"{'instructions'.ljust(width)}   before      now  now/before")
    for name, then, cost_now in rows:
        print(f"{name.ljust(width)}  {then:7.0f}  {cost_now:7.0f}  {cost_now / then:10.3f}"
              f"{'  MORE' if cost_now / then > MORE else ''}")
    return all(row[2] <= MORE * row[1] for row in rows)
