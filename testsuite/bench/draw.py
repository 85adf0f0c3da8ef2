# SPDX-License-Identifier: GPL-2.0-or-later
"""Draws what docs/scale.csv has: a picture for each axis, and the tables of docs/SCALE.md."""
import csv
import math
import os
from collections import namedtuple
from html import escape

import laws
from curves import AXES

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs")
SECONDS = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3}
NOISE = {"ns": 5, "µs": 1, "ms": 10}      # less than this can't be told apart from nothing
WIDTH, HEIGHT = 900, 480        # of a picture; the plot is within these margins
LEFT, RIGHT, TOP, BOTTOM = 70, 330, 20, 55
COLOURS = ("#0b6fb8", "#c4441c", "#2e8540", "#7b3fa0", "#a66f00", "#555555", "#c2277f")

Row = namedtuple("Row", "axis curve x y")


# ---- the file ----

def path(name):
    return os.path.join(DOCS, name)


def read():
    if not os.path.exists(path("scale.csv")):
        return []
    with open(path("scale.csv"), encoding="utf-8", newline="") as f:
        return [Row(axis, curve, int(x), float(y)) for axis, curve, x, y in list(csv.reader(f))[1:]]


def write(rows):
    order = [(axis.name, curve.name) for axis in AXES for curve in axis.curves]
    with open(path("scale.csv"), "w", encoding="utf-8", newline="") as f:
        out = csv.writer(f, lineterminator="\n")
        out.writerow(Row._fields)
        out.writerows(sorted(rows, key=lambda r: (order.index((r.axis, r.curve)), r.x)))


# ---- texts ----

def number(value, unit=""):
    """Three digits, with a unit that suits: number(0.0021, "s") is "2.1 ms"."""
    if unit == "s":
        scale, unit = next(((s, u) for s, u in ((1, "s"), (1e-3, "ms"), (1e-6, "µs")) if value >= s),
                           (1e-9, "ns"))
        value /= scale
    digits = f"{value:,.0f}" if value >= 100 else f"{value:.3g}"
    return f"{digits} {unit}".rstrip()


def timed(value, unit):
    """A time of a curve with this unit."""
    noise = NOISE[unit]
    return number(value * SECONDS[unit], "s") if value >= noise else f"< {noise} {unit}"


def lawful(curve, points):
    """The points that the law is of."""
    return points[:len(points) - curve.beyond]


def said(curve, law, points):
    """The law in numbers, and where it ends; what doesn't grow is left out if it is noise."""
    end = f"; to {lawful(curve, points)[-1].x:,}" if curve.beyond else ""
    return in_numbers(curve, law) + end


def in_numbers(curve, law):
    if law.name == "constant":
        return f"constant: {timed(law.a, curve.unit)}"
    growth = {"linear": "n", "logarithmic": "ln n", "n log n": "n ln n", "quadratic": "n²"}[law.name]
    grows = f"{number(law.b * SECONDS[curve.unit], 's')} · {growth}"
    if law.a < NOISE[curve.unit]:
        return f"{law.name}: {grows}"
    bend = f"; bends at {law.bend:,}" if law.bend else ""
    return f"{law.name}: {timed(law.a, curve.unit)} + {grows}{bend}"


# ---- a picture ----

class Scale:
    """A logarithmic axis: values from least to most, on pixels."""

    def __init__(self, least, most, at, to):
        self.low, self.high = math.floor(math.log10(least)), math.ceil(math.log10(most))
        self.high += self.low == self.high
        self.at, self.to = at, to

    def __call__(self, value):
        share = (math.log10(max(value, 10.0 ** self.low)) - self.low) / (self.high - self.low)
        return round(self.at + share * (self.to - self.at), 1)

    def ticks(self):
        return [10.0 ** e for e in range(self.low, self.high + 1)]


def apart(wanted, least=32):
    """Heights near those that are wanted, of which no two are nearer than the least distance."""
    placed = []
    for at, which in sorted((y, i) for i, y in enumerate(wanted)):
        placed.append((max(at, placed[-1][0] + least) if placed else at, which))
    over = max(0, placed[-1][0] - (HEIGHT - BOTTOM))
    return [at - over for at, _ in sorted(placed, key=lambda p: p[1])]


def grid(axis, x, y):
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM
    for tick in x.ticks():
        yield f'<path d="M{x(tick)} {TOP}V{bottom}" stroke="#ddd"/>'
        yield f'<text x="{x(tick)}" y="{bottom + 18}" text-anchor="middle">{tick:,.0f}</text>'
    for tick in y.ticks():
        yield f'<path d="M{LEFT} {y(tick)}H{right}" stroke="#ddd"/>'
        yield f'<text x="{LEFT - 8}" y="{y(tick) + 4}" text-anchor="end">{number(tick, "s")}</text>'
    yield f'<text x="{(LEFT + right) / 2}" y="{bottom + 40}" text-anchor="middle">{escape(axis.label)}</text>'


def drawn(curve, law, points, x, y, colour, label_at):
    """A curve: its points (hollow where they are noise), its law (dashed), and their names beside the plot."""
    def height(value):
        return y(max(value, NOISE[curve.unit]) * SECONDS[curve.unit])

    first, last = points[0].x, lawful(curve, points)[-1].x
    steps = [first * (last / first) ** (i / 60) for i in range(61)]
    by_law = " ".join(f"{x(n)},{height(law.a + law.b * laws.GROWTH[law.name](n))}" for n in steps)
    yield f'<polyline points="{by_law}" fill="none" stroke="{colour}" stroke-dasharray="5 4"/>'
    for p in points:
        fill = colour if p.y >= NOISE[curve.unit] else "#fff"
        yield f'<circle cx="{x(p.x)}" cy="{height(p.y)}" r="4" stroke="{colour}" fill="{fill}"/>'
    end = WIDTH - RIGHT
    yield (f'<path d="M{end + 5} {height(points[-1].y)}L{end + 18} {label_at}" '
           f'stroke="{colour}" fill="none"/>')
    yield (f'<text x="{end + 22}" y="{label_at}" fill="{colour}" font-weight="bold">{escape(curve.name)}'
           f'<tspan x="{end + 22}" dy="15" font-weight="normal">{escape(said(curve, law, points))}</tspan></text>')


def picture(axis, found):
    points = [p for _, _, ps in found for p in ps]
    seconds = [max(p.y, NOISE[c.unit]) * SECONDS[c.unit] for c, _, ps in found for p in ps]
    x = Scale(min(p.x for p in points), max(p.x for p in points), LEFT, WIDTH - RIGHT)
    y = Scale(min(seconds), max(seconds), HEIGHT - BOTTOM, TOP)
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
             f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>', *grid(axis, x, y)]
    heights = apart([y(max(ps[-1].y, NOISE[c.unit]) * SECONDS[c.unit]) for c, _, ps in found])
    for (curve, law, ps), colour, at in zip(found, COLOURS, heights):
        lines += drawn(curve, law, ps, x, y, colour, at)
    return "\n".join([*lines, "</svg>", ""])


# ---- the tables ----

def table(axis, found):
    """In Markdown: a row for each curve, a column for each point."""
    xs = [p.x for p in found[0][2]]
    lines = [f"| {axis.label} | " + " | ".join(f"{x:,}" for x in xs) + " | law |",
             "|---|" + "---|" * (len(xs) + 1)]
    for curve, law, points in found:
        cells = (timed(p.y, curve.unit) for p in points)
        lines.append(f"| {curve.name} | " + " | ".join(cells) + f" | {said(curve, law, points)} |")
    return "\n".join(lines)


def replaced(page, name, text):
    """The page with what stands between the marks of an axis replaced."""
    begin, end = f"<!-- {name}: made by bench-plots -->\n", f"<!-- {name} ends -->"
    before, begins, rest = page.partition(begin)
    _, ends, after = rest.partition(end)
    if not begins or not ends:
        raise SystemExit(f"bench: docs/SCALE.md has no marks for the table of {name}")
    return f"{before}{begin}{text}\n{end}{after}"


def draw():
    """Draws all that is in the file; returns whether each curve keeps its law."""
    with open(path("SCALE.md"), encoding="utf-8") as f:
        page = f.read()
    kept = True
    rows = read()
    for axis in AXES:
        if not any(r.axis == axis.name for r in rows):
            continue
        found = []
        for curve in axis.curves:
            points = [r for r in rows if (r.axis, r.curve) == (axis.name, curve.name)]
            law = laws.fit(*zip(*((p.x, p.y) for p in lawful(curve, points))), NOISE[curve.unit])
            found.append((curve, law, points))
            if not laws.at_most(law.name, curve.law):
                print(f"bench: {curve.name} against {axis.name} is {law.name}, not {curve.law}")
                kept = False
        with open(path(f"scale-{axis.name}.svg"), "w", encoding="utf-8") as f:
            f.write(picture(axis, found))
        page = replaced(page, axis.name, table(axis, found))
    with open(path("SCALE.md"), "w", encoding="utf-8") as f:
        f.write(page)
    return kept
