# SPDX-License-Identifier: GPL-2.0-or-later
"""Which law a curve follows: laws.fit(xs, ys, noise)

A law is y = a + b·f(x). Of the laws in order of their growth, the first that explains the points well is
taken: a steeper one must do better by half. What counts is how far off it is of each point, in parts of that
point, so that small points count as much as large ones; but no less than the noise, which is in the unit of ys.

    >>> fit([1, 10, 100, 1000], [5, 14, 104, 1004], 1).name
    'linear'
"""
import math
from collections import namedtuple

GROWTH = {
    "constant": lambda x: 0,
    "logarithmic": math.log,
    "linear": float,
    "n log n": lambda x: x * math.log(x) if x > 1 else 0,
    "quadratic": lambda x: x * x,
}
STEEPNESS = list(GROWTH)
# A curve whose points are as near to their mean as this is constant, whatever would be nearer.
FLAT = 0.1

# bend: where what grows has become as much as what does not, or None if that is not among the points
Law = namedtuple("Law", "name a b off bend")


def line(fs, ys, scales):
    """a and b, of which neither is below 0, with the least sum of ((a + b·f - y) / scale)²."""
    def total(*factors):
        return sum(math.prod(each) / scale ** 2 for scale, *each in zip(scales, *factors))

    sw, sf, sy = total(), total(fs), total(ys)
    sff, sfy = total(fs, fs), total(fs, ys)
    det = sw * sff - sf * sf
    if not sff or det <= 1e-12 * sw * sff:
        return sy / sw, 0.0
    b = (sw * sfy - sf * sy) / det
    a = (sy - b * sf) / sw
    if b < 0:
        return sy / sw, 0.0
    return (a, b) if a >= 0 else (0.0, sfy / sff)


def law(name, xs, ys, scales):
    fs = [GROWTH[name](x) for x in xs]
    a, b = line(fs, ys, scales)
    off = math.sqrt(sum(((a + b * f - y) / s) ** 2 for f, y, s in zip(fs, ys, scales)) / len(ys))
    bend = next((x for x, f in zip(xs, fs) if b * f >= a > 0), None)
    return Law(name, a, b, off, bend if bend != xs[0] else None)


def fit(xs, ys, noise):
    scales = [max(y, noise) for y in ys]
    best = law("constant", xs, ys, scales)
    if best.off <= FLAT:
        return best
    for name in STEEPNESS[1:]:
        other = law(name, xs, ys, scales)
        if other.off < best.off / 2:
            best = other
    return best


def at_most(name, limit):
    """Does no law grow faster than the limit?"""
    return STEEPNESS.index(name) <= STEEPNESS.index(limit)
