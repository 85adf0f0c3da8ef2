#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Random integer and string expressions, as a script and as what it must print.

expressions.py SEED SCRIPT EXPECTED writes a script that prints the values of a few
hundred random expressions, and the lines it must print.  The values are worked out
here by the language's own rules (64-bit two's complement, C's division, shift
counts from 0 to 63 and no shift by others, strings cut at 127 bytes), apart from any code of ours.

Each expression is there three times: with its leaves as literals, so that the
translator can work it out; with its leaves as variables, so that the kernel has to;
and with some of them this, some that.  Parentheses are printed only where precedence
asks for them: that is tested too.
"""
import random
import re
import sys

BITS = 64
MAXSTRING = 127
COUNT = 160
PER_PROBE = 5
LITERALS, VARIABLES, MIXED = range(3)

# By how tightly they bind, weakest first, as in the language's grammar.
LEVELS = [["?:"], ["||"], ["&&"], ["|"], ["^"], ["&"],
          ["==", "!=", "<", ">", "<=", ">=", "=~", "!~"],
          ["<<", ">>"], ["."], ["+", "-"], ["*", "/", "%"], ["unary"], ["leaf"]]
LEVEL = {op: i for i, ops in enumerate(LEVELS) for op in ops}
NUMBERS = [0, 1, -1, 2, -3, 5, 7, 63, 64, 65, 255, -256, 0x7fffffff, 0x80000000, 0xffffffff,
           0x123456789abcdef, (1 << 63) - 1, -(1 << 63), -(1 << 63) + 1]
STRINGS = ["", "a", "abc", "abd", "ABC", "b c", "10", "-7x", "0x1f", "%d", "xyzzy" * 20]
# Patterns that Python's re takes to mean the same.
PATTERNS = ["a", "^ab", "c$", "^$", "b|x+y", "[a-c]{2}", "^[^a-z]*$", "(ab|a)(c|bcd)?$", "z+y*x?",
            "^.{3}$", "[[:digit:]]+", "%d|-"]
FAILED = "error"


def wrap(n):
    n &= (1 << BITS) - 1
    return n - (1 << BITS) if n >> (BITS - 1) else n


class Failure(Exception):
    """The expression divides by zero."""


class Node:
    """An expression: its operator's level, its text in some way, its value.

    Leaves have a value and two texts; inner nodes have children, a function that
    puts their texts together, and one that works out the value from the children
    (which it evaluates itself, for not all of them may be)."""

    def __init__(self, level, children, text, value):
        self.level = LEVEL[level]
        self.children = children
        self.make_text = text
        self.value = value

    def text(self, way):
        """Its text, and the level that has."""
        return self.make_text(way), self.level

    def inside(self, way, level):
        """The text as an operand of an operator that binds at level or tighter."""
        text, own = self.text(way)
        return text if own >= level else f"({text})"


class Leaf(Node):
    def __init__(self, value, literal, variable, rand):
        super().__init__("leaf", [], None, lambda: value)
        self.literal, self.variable = literal, variable
        self.mixed = rand.choice([literal, variable])

    def text(self, way):
        text = (self.literal, self.variable, self.mixed)[way]
        return text, LEVEL["unary" if text.startswith("-") else "leaf"]


def divide(op, x, y):
    if y == 0:
        raise Failure
    quotient = abs(x) // abs(y)
    if (x < 0) != (y < 0):
        quotient = -quotient
    return quotient if op == "/" else x - quotient * y


def shift_count(n):
    return n if 0 <= n < BITS else 0


ARITHMETIC = {
    "+": lambda x, y: x + y, "-": lambda x, y: x - y, "*": lambda x, y: x * y,
    "/": lambda x, y: divide("/", x, y), "%": lambda x, y: divide("%", x, y),
    "<<": lambda x, y: x << shift_count(y), ">>": lambda x, y: x >> shift_count(y),
    "&": lambda x, y: x & y, "|": lambda x, y: x | y, "^": lambda x, y: x ^ y,
}
COMPARE = {
    "==": lambda x, y: x == y, "!=": lambda x, y: x != y, "<": lambda x, y: x < y,
    ">": lambda x, y: x > y, "<=": lambda x, y: x <= y, ">=": lambda x, y: x >= y,
}
UNARY = {"-": lambda x: -x, "~": lambda x: ~x, "!": lambda x: int(x == 0), "+": lambda x: x}
FORMATS = {
    '"%d|%-4s"': lambda n, s: f"{n}|{s:<4}",
    '"%x-%5s"': lambda n, s: f"{n & ((1 << BITS) - 1):x}-{s:>5}",
    '"%08d%.2s"': lambda n, s: f"{n:08d}{s[:2]}",
    '"%#x%%%s"': lambda n, s: f"{n & ((1 << BITS) - 1):#x}%{s}",
    '"<%+d>%s"': lambda n, s: f"<{n:+d}>{s}",
}


def cut(s):
    return s[:MAXSTRING]


def c_string(s):
    return f'"{s}"'


def number_text(n):
    """A literal: the least of all has none with a minus sign."""
    return hex(n & ((1 << BITS) - 1)) if n == -(1 << (BITS - 1)) else str(n)


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def number_leaf(self):
        i = self.random.randrange(len(NUMBERS))
        n = NUMBERS[i]
        literal = number_text(n)
        if n >= 0 and self.random.randrange(4) == 0:
            literal = self.random.choice([hex(n), f"0{n:o}"])
        return Leaf(n, literal, f"n{i}", self.random)

    def string_leaf(self):
        i = self.random.randrange(len(STRINGS))
        return Leaf(STRINGS[i], c_string(STRINGS[i]), f"s{i}", self.random)

    def binary(self, op, a, b, fn):
        level = LEVEL[op]
        return Node(op, [a, b],
                    lambda way: f"{a.inside(way, level)} {op} {b.inside(way, level + 1)}",
                    lambda: fn(a, b))

    def call(self, name, children, fn):
        def text(way):
            return f"{name}({', '.join(c.text(way)[0] for c in children)})"
        return Node("leaf", children, text, lambda: fn(*[c.value() for c in children]))

    def unary(self, depth):
        op = self.random.choice(sorted(UNARY))
        a = self.number(depth - 1)
        return Node("unary", [a], lambda way: f"{op} {a.inside(way, LEVEL['unary'])}",
                    lambda: wrap(UNARY[op](a.value())))

    def logical(self, depth):
        op = self.random.choice(["&&", "||"])
        a, b = self.number(depth - 1), self.number(depth - 1)
        if op == "&&":
            return self.binary(op, a, b, lambda x, y: int(x.value() != 0 and y.value() != 0))
        return self.binary(op, a, b, lambda x, y: int(x.value() != 0 or y.value() != 0))

    def compare(self, depth):
        make = self.random.choice([self.number, self.string])
        op = self.random.choice(sorted(COMPARE))
        return self.binary(op, make(depth - 1), make(depth - 1),
                           lambda x, y: int(COMPARE[op](x.value(), y.value())))

    def match(self, depth):
        op, a = self.random.choice(["=~", "!~"]), self.string(depth - 1)
        pattern = self.random.choice(PATTERNS)
        python = re.compile(pattern.replace("[[:digit:]]", "[0-9]"))
        return Node(op, [a],
                    lambda way: f"{a.inside(way, LEVEL['=='])} {op} {c_string(pattern)}",
                    lambda: int((python.search(a.value()) is not None) == (op == "=~")))

    def arithmetic(self, depth):
        op = self.random.choice(sorted(ARITHMETIC))
        return self.binary(op, self.number(depth - 1), self.number(depth - 1),
                           lambda x, y: wrap(ARITHMETIC[op](x.value(), y.value())))

    def of_string(self, depth):
        a, b = self.string(depth - 1), self.string(depth - 1)
        kind = self.random.randrange(3)
        if kind == 0:
            return self.call("strlen", [a], len)
        if kind == 1:
            return self.call("isinstr", [a, b], lambda s, t: int(t in s))
        return self.call("strpos", [a, b], lambda s, t: s.find(t))

    def number(self, depth):
        if depth == 0:
            return self.number_leaf()
        make = self.random.choice([self.unary, self.logical, self.compare, self.match,
                                   self.of_string, lambda d: self.ternary(self.number, d)] +
                                  5 * [self.arithmetic])
        return make(depth)

    def ternary(self, make, depth):
        c, a, b = self.number(depth - 1), make(depth - 1), make(depth - 1)
        return Node("?:", [c, a, b],
                    lambda way: f"{c.inside(way, 1)} ? {a.inside(way, 0)} : {b.inside(way, 0)}",
                    lambda: a.value() if c.value() else b.value())

    def string(self, depth):
        if depth == 0:
            return self.string_leaf()
        kind = self.random.randrange(7)
        if kind == 0:
            return self.ternary(self.string, depth)
        if kind == 1:
            fmt = self.random.choice(sorted(FORMATS))
            a, b = self.number(depth - 1), self.string(depth - 1)
            whole = self.call("sprintf", [a, b], lambda n, s: cut(FORMATS[fmt](n, s)))
            plain = whole.make_text
            whole.make_text = lambda way: plain(way).replace("(", f"({fmt}, ", 1)
            return whole
        if kind == 2:
            return self.call("sprint", [self.number(depth - 1)], str)
        if kind == 3:
            at, n = (Leaf(v, str(v), str(v), self.random)
                     for v in (self.random.randrange(4), self.random.randrange(9)))
            return self.call("substr", [self.string(depth - 1), at, n],
                             lambda s, i, n: s[i:i + n])
        return self.binary(".", self.string(depth - 1), self.string(depth - 1),
                           lambda x, y: cut(x.value() + y.value()))

    def assignment(self, name):
        """Statements that end in a value of the variable's, and its value."""
        a, b = self.number(2), self.number(2)
        if self.random.randrange(3) == 0:
            def value():
                x = a.value()
                return wrap(x + wrap(x + 2) - wrap(wrap(x + 2) - 1))
            return (lambda way: (f"{name} = {a.text(way)[0]}", f"{name}++ + ++{name} - --{name}"),
                    value)
        op = self.random.choice(sorted(ARITHMETIC))
        return (lambda way: (f"{name} = {a.text(way)[0]}", f"{name} {op}= {b.text(way)[0]}"),
                lambda: wrap(ARITHMETIC[op](a.value(), b.value())))

    def line(self, i):
        """The statements that print number i in some way, and what they print."""
        if i % 10 == 9:
            statements, value = self.assignment("x")
        else:
            make = self.number if i % 3 else self.string
            e = make(self.random.randrange(1, 5))
            statements, value = lambda way: ("", e.text(way)[0]), e.value
        try:
            expected = f"{i} {value()}"
        except Failure:
            expected = FAILED

        def text(way):
            before, last = statements(way)
            return f'{before and before + "; "}println("{i} ", {last})'
        return text, expected


def declarations():
    """The variables, and an assignment to each, so that none's value is known."""
    numbers = {f"n{i}": number_text(n) for i, n in enumerate(NUMBERS)}
    strings = {f"s{i}": c_string(s) for i, s in enumerate(STRINGS)}
    variables = {**numbers, **strings}
    text = "".join(f"global {name} = {value}\n" for name, value in strings.items())
    text += "".join(f"global {name}\n" for name in numbers)
    text += "probe begin(-1)\n{\n"
    text += "".join(f"\t{name} = {value}\n" for name, value in variables.items())
    return text + "}\nprobe begin(1000000) { exit() }\n"


def main():
    seed, script_path, expected_path = sys.argv[1:]
    generator = Generator(int(seed))
    script, expected = [declarations()], []
    for i in range(COUNT):
        text, value = generator.line(i)
        if i % PER_PROBE == 0:
            script.append(f"probe begin({i})\n{{\n")
        for way in (LITERALS, VARIABLES, MIXED):
            script.append(f'\ttry {{ {text(way)} }} catch {{ println("{FAILED}") }}\n')
            expected.append(value + "\n")
        if i % PER_PROBE == PER_PROBE - 1:
            script.append("}\n")
    for path, lines in ((script_path, script), (expected_path, expected)):
        with open(path, "w", encoding="ascii") as f:
            f.writelines(lines)


if __name__ == "__main__":
    main()
