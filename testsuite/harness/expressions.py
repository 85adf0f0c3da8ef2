#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Random integer and string expressions, as a script and as what it must print.

expressions.py SEED SCRIPT EXPECTED writes a script of a few hundred println()
of random expressions, and the lines it must print.  The values are worked out
here by the language's own rules (64-bit two's complement, C's division, shift
counts modulo 64, strings cut at 127 bytes), apart from any code of ours.

Every leaf is a variable or a literal, so that some of an expression is known
when the script is translated and some is not.  Parentheses are printed only
where precedence asks for them: that is tested too.
"""
import random
import sys

BITS = 64
MAXSTRING = 127
COUNT = 400

# By how tightly they bind, weakest first, as in the language's grammar.
LEVELS = [["?:"], ["||"], ["&&"], ["|"], ["^"], ["&"], ["==", "!=", "<", ">", "<=", ">="],
          ["<<", ">>"], ["."], ["+", "-"], ["*", "/", "%"], ["unary"], ["leaf"]]
LEVEL = {op: i for i, ops in enumerate(LEVELS) for op in ops}
NUMBERS = {"a": 5, "b": -3, "c": 0, "d": 0x7fffffffffffffff, "e": -0x8000000000000000, "f": 1000003}
STRINGS = {"s": "abc", "t": "", "u": "abd", "v": "x" * 100}
FAILED = "error"


def wrap(n):
    n &= (1 << BITS) - 1
    return n - (1 << BITS) if n >> (BITS - 1) else n


class Failure(Exception):
    """The expression divides by zero, or overflows a division."""


class Node:
    """An expression: its operator's level, its text, its value when asked."""

    def __init__(self, op, text, value):
        self.level = LEVEL[op]
        self.text = text
        self.value = value

    def inside(self, level):
        """The text as an operand of an operator that binds at level or tighter."""
        return self.text if self.level >= level else f"({self.text})"


def divide(op, x, y):
    if y == 0 or (op == "/" and y == -1 and x == -(1 << (BITS - 1))):
        raise Failure
    quotient = abs(x) // abs(y)
    if (x < 0) != (y < 0):
        quotient = -quotient
    return quotient if op == "/" else x - quotient * y


ARITHMETIC = {
    "+": lambda x, y: x + y, "-": lambda x, y: x - y, "*": lambda x, y: x * y,
    "/": lambda x, y: divide("/", x, y), "%": lambda x, y: divide("%", x, y),
    "<<": lambda x, y: x << (y & 63), ">>": lambda x, y: x >> (y & 63),
    "&": lambda x, y: x & y, "|": lambda x, y: x | y, "^": lambda x, y: x ^ y,
}
COMPARE = {
    "==": lambda x, y: x == y, "!=": lambda x, y: x != y, "<": lambda x, y: x < y,
    ">": lambda x, y: x > y, "<=": lambda x, y: x <= y, ">=": lambda x, y: x >= y,
}
UNARY = {"-": lambda x: -x, "~": lambda x: ~x, "!": lambda x: int(x == 0)}


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def number_leaf(self):
        kind = self.random.randrange(3)
        if kind == 0:
            name = self.random.choice(sorted(NUMBERS))
            return Node("leaf", name, lambda: NUMBERS[name])
        n = self.random.choice([0, 1, 2, 7, 63, 64, 255, self.random.getrandbits(62)])
        return Node("leaf", hex(n) if kind == 1 else str(n), lambda: n)

    def binary(self, op, a, b, fn):
        level = LEVEL[op]
        text = f"{a.inside(level)} {op} {b.inside(level + 1)}"
        return Node(op, text, lambda: fn(a, b))

    def number(self, depth):
        if depth == 0:
            return self.number_leaf()
        kind = self.random.randrange(10)
        if kind == 0:
            op = self.random.choice(sorted(UNARY))
            a = self.number(depth - 1)
            return Node("unary", f"{op} {a.inside(LEVEL['unary'])}",
                        lambda: wrap(UNARY[op](a.value())))
        if kind == 1:
            return self.ternary(self.number, depth)
        if kind == 2:
            op = self.random.choice(["&&", "||"])
            a, b = self.number(depth - 1), self.number(depth - 1)
            if op == "&&":
                return self.binary(op, a, b, lambda x, y: int(x.value() != 0 and y.value() != 0))
            return self.binary(op, a, b, lambda x, y: int(x.value() != 0 or y.value() != 0))
        if kind < 5:
            make = self.random.choice([self.number, self.string])
            op = self.random.choice(sorted(COMPARE))
            return self.binary(op, make(depth - 1), make(depth - 1),
                               lambda x, y: int(COMPARE[op](x.value(), y.value())))
        if kind == 5:
            a = self.string(depth - 1)
            return Node("leaf", f"strlen({a.text})", lambda: len(a.value()))
        op = self.random.choice(sorted(ARITHMETIC))
        return self.binary(op, self.number(depth - 1), self.number(depth - 1),
                           lambda x, y: wrap(ARITHMETIC[op](x.value(), y.value())))

    def ternary(self, make, depth):
        c, a, b = self.number(depth - 1), make(depth - 1), make(depth - 1)
        text = f"{c.inside(1)} ? {a.inside(0)} : {b.inside(0)}"
        return Node("?:", text, lambda: a.value() if c.value() else b.value())

    def string(self, depth):
        if depth == 0:
            if self.random.randrange(2):
                name = self.random.choice(sorted(STRINGS))
                return Node("leaf", name, lambda: STRINGS[name])
            text = "".join(self.random.choice("abcxyz %$") for _ in range(self.random.randrange(6)))
            return Node("leaf", f'"{text}"', lambda: text)
        kind = self.random.randrange(5)
        if kind == 0:
            return self.ternary(self.string, depth)
        if kind == 1:
            a, b = self.number(depth - 1), self.string(depth - 1)
            return Node("leaf", f'sprintf("%d|%-4s", {a.text}, {b.text})',
                        lambda: f"{a.value()}|{b.value():<4}"[:MAXSTRING])
        if kind == 2:
            a = self.number(depth - 1)
            return Node("leaf", f"sprint({a.text})", lambda: str(a.value()))
        return self.binary(".", self.string(depth - 1), self.string(depth - 1),
                           lambda x, y: (x.value() + y.value())[:MAXSTRING])


def declarations():
    numbers = ", ".join(f"{n} = {v & ((1 << BITS) - 1)}" for n, v in NUMBERS.items())
    strings = ", ".join(f'{n} = "{v}"' for n, v in STRINGS.items())
    return f"global {numbers}\nglobal {strings}\n"


def main():
    seed, script_path, expected_path = sys.argv[1:]
    generator = Generator(int(seed))
    script, expected = [declarations(), "probe oneshot\n{\n"], []
    for i in range(COUNT):
        make = generator.number if i % 3 else generator.string
        e = make(generator.random.randrange(1, 6))
        try:
            value = f"{i} {e.value()}"
        except Failure:
            value = FAILED
        script.append(f'\ttry {{ println("{i} ", {e.text}) }} catch {{ println("{FAILED}") }}\n')
        expected.append(value + "\n")
    # Assigned to, so that no value is known before run time.
    script.append("\t" + "; ".join(f"{n} = {n}" for n in [*NUMBERS, *STRINGS]) + "\n}\n")
    for path, lines in ((script_path, script), (expected_path, expected)):
        with open(path, "w", encoding="ascii") as f:
            f.writelines(lines)


if __name__ == "__main__":
    main()
