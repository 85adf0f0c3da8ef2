# SPDX-License-Identifier: GPL-2.0-or-later
"""What values are, and what the operators, statistics and formats do with them.

This says again, in Python, what the manual says of the language; nothing of the
translator or the runtime is used.
"""


class Limits:
    """Those that -D sets: the bytes of a string."""
    string = 511


class ScriptError(Exception):
    """A run-time error, which try catches."""


def wrap(n):
    """A number as 64 bits hold it."""
    return ((n + (1 << 63)) & ((1 << 64) - 1)) - (1 << 63)


def cut(s):
    return s[:Limits.string]


def divide(a, b):
    if b == 0:
        raise ScriptError("division by 0")
    q = abs(a) // abs(b)
    return wrap(q if (a < 0) == (b < 0) else -q)


def modulo(a, b):
    if b == 0:
        raise ScriptError("division by 0")
    return wrap(a - b * (divide(a, b) if not (b == -1) else -a))


def shift(left):
    def run(a, b):
        if not 0 <= b < 64:
            return a
        return wrap(a << b) if left else a >> b
    return run


NUMBERS = {
    "+": lambda a, b: wrap(a + b), "-": lambda a, b: wrap(a - b), "*": lambda a, b: wrap(a * b),
    "/": divide, "%": modulo, "<<": shift(True), ">>": shift(False),
    "&": lambda a, b: a & b, "|": lambda a, b: a | b, "^": lambda a, b: a ^ b,
}
COMPARISONS = {
    "==": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b),
    "<": lambda a, b: int(a < b), ">": lambda a, b: int(a > b),
    "<=": lambda a, b: int(a <= b), ">=": lambda a, b: int(a >= b),
}


class Statistic:
    """
    Numbers added; shift is that of @variance, linear the (low, high, step) of a histogram.  What is
    added after a reading is a part of its own, which matters to the variance's rounding.
    """
    apart = True

    def __init__(self, shift=0, linear=None):
        self.values, self.shift, self.linear = [], shift, linear
        self.parts = []         # where in values each begins
        self.read = True        # since the last one was added

    def add(self, value):
        if self.read and (self.apart or not self.parts):
            self.parts.append(len(self.values))
            self.read = False
        self.values.append(value)

    def get(self, op):
        v = self.values
        self.read = True
        if op == "count":
            return len(v)
        if op == "sum":
            return wrap(sum(v))
        if not v:
            raise ScriptError("empty aggregate")
        if op == "variance":
            return self.variance()
        return {"min": min, "max": max, "avg": lambda x: divide(wrap(sum(x)), len(x))}[op](v)

    def welford(self, values):
        """(mean, squares) of one part, in integers."""
        mean = squares = 0
        for n, v in enumerate(values, 1):
            v = wrap(v << self.shift)
            delta = wrap(v - mean)
            mean = wrap(mean + divide(delta, n))
            squares = wrap(squares + wrap(delta * wrap(v - mean)))
        return mean, squares

    def variance(self):
        """That of the parts, pooled."""
        count = len(self.values)
        if count < 2:
            return 0
        pooled = divide(wrap(wrap(sum(self.values)) << self.shift), count)
        total = 0
        for begin, end in zip(self.parts, self.parts[1:] + [count]):
            n = end - begin
            mean, squares = self.welford(self.values[begin:end])
            total += n * mean * mean - 2 * pooled * n * mean + n * pooled * pooled
            total += (n - 1) * divide(squares, n - 1) if n > 1 else 0
        return divide(wrap(total), count - 1) >> 2 * self.shift

    # -- histograms --

    def bucket(self, v):
        if not self.linear:
            size = abs(v).bit_length()
            return 64 + (size if v >= 0 else -size)
        low, _, step = self.linear
        return 0 if v < low else min(1 + (v - low) // step, self.buckets() - 1)

    def buckets(self):
        if not self.linear:
            return 128
        low, high, step = self.linear
        return (high - low) // step + 3

    def counts(self):
        self.read = True
        out = [0] * self.buckets()
        for v in self.values:
            out[self.bucket(v)] += 1
        return out

    def label(self, i):
        if not self.linear:
            return str((1 << (i - 65) if i > 64 else 0) if i >= 64 else -(1 << (63 - i)))
        low, high, step = self.linear
        if i == 0:
            return f"<{low}"
        return f">{high}" if i == self.buckets() - 1 else str(low + (i - 1) * step)

    def drawing(self):
        """What print() makes of the histogram."""
        counts = self.counts()
        full = [i for i, n in enumerate(counts) if n]
        if not full:
            return ""
        ends = (0, self.buckets() - 1) if self.linear else ()
        # Two empty rows stand around; none below 0 in a logarithmic one without negative numbers.
        first, last = full[0] - 2, min(full[-1] + 2, self.buckets() - 1)
        first = max(first, 64 if not self.linear and full[0] >= 64 else 0)
        rows = [i for i in range(first, last + 1) if counts[i] or i not in ends]
        width = max(5, *(len(self.label(i)) for i in rows))
        most = max(counts)
        scale = (most + 49) // 50
        lines = [f"{'value':>{width}} |{'-' * 50} count"]
        for i in range(first, last + 1):
            before = max(f for f in full if f <= i) if full[0] <= i else first - 1
            after = min((f for f in full if f >= i), default=None)
            if after is not None and full[0] <= i and not counts[i] and after - before - 1 > 4:
                if i == before + 3:
                    lines.append(" " * (width + 1) + "~")
                if before + 2 < i < after - 2:
                    continue
            if i in rows:
                bar = "@" * (counts[i] // scale)
                lines.append(f"{self.label(i):>{width}} |{bar:<50} {counts[i]:>{len(str(most))}}")
        return "\n".join(lines) + "\n\n"


class Whole(Statistic):
    """One that stays whole when it is read."""
    apart = False


# ---- formats ----

def digits_of(kind, v, flags):
    """(sign or prefix, digits) of a number."""
    if kind in "di":
        return "-" if v < 0 else "+" if "+" in flags else " " if " " in flags else "", str(abs(v))
    v &= (1 << 64) - 1
    text = format(v, {"u": "d", "p": "x"}.get(kind, kind))
    if kind == "p" or "#" in flags and kind in "xX":
        return "0X" if kind == "X" else "0x", text
    return "0" if "#" in flags and kind == "o" else "", text


def formatted(flags, width, precision, kind, value):
    """
    What a directive of printf makes of a value; as the kernel's does, which pads with zeros even
    if there is a precision. None is a width or precision that isn't there; negative ones are 0.
    """
    left, width = "-" in flags, max(width or 0, 0)
    if kind in "sc":
        text = value
        if kind == "c":
            text = escape(chr(value), "'") if "#" in flags else chr(value)
        if kind == "s" and precision is not None:
            text = text[:max(precision, 0)]
        return text.ljust(width) if left else text.rjust(width)
    prefix, digits = digits_of(kind, value, flags)
    digits = digits.rjust(precision or 0, "0")
    if "0" in flags and not left:
        digits = digits.rjust(width - len(prefix), "0")
    text = prefix + digits
    return text.ljust(width) if left else text.rjust(width)


ESCAPES = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 92: "\\"}


def escape(character, quote='"'):
    n = ord(character)
    if character == quote or n in ESCAPES:
        return "\\" + ESCAPES.get(n, character)
    return character if 32 <= n < 127 else f"\\{n:03o}"


def escaped(text, room=None):
    """As text_str() and its like show it: what fits into ROOM bytes, no escape in part."""
    room = Limits.string if room is None else room
    out = ""
    for c in text:
        if len(out + escape(c)) > room:
            break
        out += escape(c)
    return out


def escaped_n(text, most, quoted):
    """text_strn(): in quotes, three dots behind them say that something is missing."""
    room = most if 0 < most < Limits.string else Limits.string
    if not quoted:
        return escaped(text, room)
    room = max(room, 5)
    whole = "".join(map(escape, text))
    if len(whole) <= room - 2:
        return f'"{whole}"'
    return f'"{escaped(text, room - 5)}"...'
