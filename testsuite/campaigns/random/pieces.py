# SPDX-License-Identifier: GPL-2.0-or-later
"""What random programs are made of: pieces that have a text, and do in Python what it says."""

import collections

# A program's number, its text, what it must print, and why SystemTap is not asked.
Made = collections.namedtuple("Made", "number text want ours_only")
# What a program printed, in what way that is wrong, and whether with -u.
Failure = collections.namedtuple("Failure", "program got what unfolded")

STEPS = 4000                # statements and operators of a run: more is too much for one handler
ENTRIES = 150               # of an array
LEVELS = {"*": 11, "/": 11, "%": 11, "+": 10, "-": 10, ".": 9, "<<": 8, ">>": 8,
          "==": 7, "!=": 7, "<": 7, ">": 7, "<=": 7, ">=": 7, "=~": 7, "!~": 7, "in": 6,
          "&": 5, "^": 4, "|": 3, "&&": 2, "||": 1, "?:": 0, "=": -1}
PRIMARY, CREMENT, UNARY = 14, 13, 12
ANY = -1


class Break(Exception):
    pass


class Continue(Exception):
    pass


class Next(Exception):
    pass


class Return(Exception):
    def __init__(self, value):
        super().__init__()
        self.value = value


class TooLong(Exception):
    """The program runs for too long to be of use."""


class Environment:
    """Where a piece runs: the variables of its body, those of the program, and its output."""

    def __init__(self, machine, variables):
        self.machine, self.v = machine, variables


class Machine:
    def __init__(self, start):
        self.v = start              # globals
        self.out = []
        self.steps = 0
        self.ours_only = set()      # what SystemTap does otherwise, if it happened

    def step(self):
        self.steps += 1
        if self.steps > STEPS:
            raise TooLong()


class Node:
    """An expression: its text, how tightly it binds, and what it does."""

    def __init__(self, text, level, run):
        self.text, self.level, self._run = text, level, run

    def run(self, e):
        e.machine.step()
        return self._run(e)

    def within(self, level):
        """Its text as an operand of an operator that takes this level and tighter ones."""
        return self.text if self.level >= level else f"({self.text})"


class Statement:
    def __init__(self, text, run):
        self.text, self._run = text, run

    def run(self, e):
        e.machine.step()
        self._run(e)


def block(statements):
    def run(e):
        for s in statements:
            s.run(e)
    body = "\n".join(s.text for s in statements)
    return Statement("{\n" + "\n".join("\t" + line for line in body.split("\n")) + "\n}", run)


def quote(s):
    return '"' + s.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t") + '"'


class Variable:
    """A place: a local or a global, or an element of an array, whose keys are evaluated once."""

    def __init__(self, text, read, keys=()):
        self.text, self.keys, self._where = text, keys, read

    def place(self, e):
        """(dictionary, key)"""
        return self._where(e, tuple(k.run(e) for k in self.keys))


class Scope:
    """What the code being made may use."""

    def __init__(self, longs, strings, functions, loops=0, frozen=()):
        self.longs, self.strings, self.functions = longs, strings, functions
        self.loops = loops              # loops around
        self.frozen = frozen            # arrays being iterated over
        self.depth = 0                  # statements around
        self.function = None            # "long" or "string" in a function

    def inside(self, **change):
        other = Scope(list(self.longs), list(self.strings), self.functions, self.loops,
                      self.frozen)
        other.depth, other.function = self.depth + 1, self.function
        for name, value in change.items():
            setattr(other, name, value)
        return other
