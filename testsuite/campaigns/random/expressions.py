# SPDX-License-Identifier: GPL-2.0-or-later
"""Expressions of random programs."""
from pieces import ANY, CREMENT, ENTRIES, LEVELS, PRIMARY, UNARY, Environment, Next, Node
from pieces import Return, TooLong, Variable, quote
from values import COMPARISONS, NUMBERS, ScriptError, Statistic, cut, wrap

# Macros of two parameters: their bodies, in which P is the program's prefix.
MACROS = {
    "sum": ("((@a) + (@b))", lambda a, b, e: wrap(a(e) + b(e))),
    "pick": ("((@a) > 0 ? (@a) : (@b))", lambda a, b, e: a(e) if a(e) > 0 else b(e)),
    "turn": ("((@b) && (@a))", lambda a, b, e: int(b(e) != 0 and a(e) != 0)),
    "twice": ("(@Psum(@b, @a) * 2)", lambda a, b, e: wrap((b(e) + a(e)) * 2)),
}


class Expressions:
    """Makes them; a part of Program, which has the names and chances that it uses."""

    def chance(self, percent):
        return self.r.randint(1, 100) <= percent

    def number_text(self):
        n = self.r.choice([0, 1, 2, 3, 5, 7, 8, 10, 63, 64, 100, 255, 256, 1000, 4096,
                           0x7fffffff, 0x80000000, 0xffffffff, 0x7fffffffffffffff,
                           self.r.getrandbits(self.r.randint(1, 62))])
        return n, self.r.choice([str(n), hex(n), "0" + oct(n)[2:] if n else "0", str(n)])

    def word(self):
        return cut(self.r.choice(["", "a", "b", "abc", "Abc", "x y", "10", "ba", "longer text",
                                  "a\\b", "\"q\"", "zz" * 9, "%d", "aab" * 30, "-12", "0x1fz",
                                  "777", "a\tb"]))

    # -- expressions --

    def long(self, s, depth):
        if depth <= 0:
            return self.long_leaf(s)
        kinds = [(20, self.arith), (12, self.compare), (8, self.logic), (6, self.unary),
                 (6, self.ternary_long), (8, self.assign_long), (5, self.incdec), (5, self.member),
                 (6, self.element_long), (5, self.call_long), (6, self.library_long),
                 (4, self.statistic), (2, self.histogram), (3, self.regex), (3, self.switch),
                 (2, self.conditional), (2, self.macro), (6, lambda s, d: self.long_leaf(s))]
        return self.r.choices([k for _, k in kinds], [w for w, _ in kinds])[0](s, depth - 1)

    def string(self, s, depth):
        if depth <= 0:
            return self.string_leaf(s)
        kinds = [(14, self.concat), (6, self.ternary_string), (6, self.assign_string),
                 (6, self.element_string), (5, self.call_string), (8, self.sprint),
                 (8, self.sprintf), (6, self.library_string), (8, lambda s, d: self.string_leaf(s))]
        return self.r.choices([k for _, k in kinds], [w for w, _ in kinds])[0](s, depth - 1)

    def of(self, kind, s, depth):
        return self.long(s, depth) if kind == "long" else self.string(s, depth)

    @staticmethod
    def constant(n):
        return Node(str(n), PRIMARY, lambda e: n)

    def literal(self):
        n, text = self.number_text()
        return Node(text, PRIMARY, lambda e: n)

    def long_leaf(self, s):
        if self.chance(45):
            return self.literal()
        return self.read(self.variable(s, "long", False))

    def string_leaf(self, s):
        if self.chance(45):
            w = self.word()
            return Node(quote(w), PRIMARY, lambda e: w)
        return self.read(self.variable(s, "string", False))

    def variable(self, s, kind, written=True):
        names = list(s.longs if kind == "long" else s.strings)
        if written:
            names = [n for n in names if not n.startswith("k")]
        names += [n for n, v in self.globals.items() if isinstance(v, int) == (kind == "long")]
        name = self.r.choice(names)
        if name in self.globals:
            return Variable(name, lambda e, k: (e.machine.v, name))
        return Variable(name, lambda e, k: (e.v, name))

    def element(self, s, kind, depth, written=True):
        names = [n for n, (t, _) in self.arrays.items()
                 if t == kind and not (written and n in s.frozen)]
        if not names or s.function:         # functions leave arrays alone: loops call them
            return self.variable(s, kind, written)
        name = self.r.choice(names)
        keys = [self.of(k, s, depth) for k in self.arrays[name][1]]
        text = f"{name}[{', '.join(k.within(ANY) for k in keys)}]"
        return Variable(text, lambda e, k: (e.machine.v[name], k), keys)

    def place(self, s, kind, depth):
        if self.chance(30):
            return self.element(s, kind, min(depth, 1))
        return self.variable(s, kind)

    @staticmethod
    def value_at(where, kind=None):
        values, key = where
        if key in values:
            return values[key]
        return "" if kind == "string" else 0

    @staticmethod
    def put(where, value):
        values, key = where
        if key not in values and len(values) >= ENTRIES:
            raise TooLong()
        values[key] = value

    def read(self, v, kind=None):
        return Node(v.text, PRIMARY, lambda e: self.value_at(v.place(e), kind))

    def element_long(self, s, depth):
        return self.read(self.element(s, "long", depth, False), "long")

    def element_string(self, s, depth):
        return self.read(self.element(s, "string", depth, False), "string")

    def binary(self, op, a, b, run):
        level = LEVELS[op]
        return Node(f"{a.within(level)} {op} {b.within(level + 1)}", level, run)

    def arith(self, s, depth):
        op = self.r.choice(list(NUMBERS))
        a, b = self.long(s, depth), self.long(s, depth)
        if op in "/%" and self.chance(80):
            b = self.odd(b)
        return self.binary(op, a, b, lambda e: self.calculate(e, op, a.run(e), b.run(e)))

    @staticmethod
    def calculate(e, op, a, b):
        if op in ("<<", ">>") and not 0 <= b < 64:
            e.machine.ours_only.add("a shift by a count that is not 0 to 63, which is taken modulo "
                                    "64 there, unless it is constant")
        return NUMBERS[op](a, b)

    def odd(self, a):
        """Most divisors are not 0, or every program would end early."""
        return self.binary("|", a, self.constant(1), lambda e: a.run(e) | 1)

    def compare(self, s, depth):
        op = self.r.choice(list(COMPARISONS))
        kind = self.r.choice(["long", "string"])
        a, b = self.of(kind, s, depth), self.of(kind, s, depth)
        return self.binary(op, a, b, lambda e: COMPARISONS[op](a.run(e), b.run(e)))

    def logic(self, s, depth):
        op = self.r.choice(["&&", "||"])
        a, b = self.long(s, depth), self.long(s, depth)

        def run(e):
            if bool(a.run(e)) == (op == "||"):
                return int(op == "||")
            return int(b.run(e) != 0)
        return self.binary(op, a, b, run)

    def unary(self, s, depth):
        op = self.r.choice("-+!~")
        a = self.long(s, depth)
        does = {"-": lambda n: wrap(-n), "+": lambda n: n, "!": lambda n: int(not n),
                "~": lambda n: ~n}[op]
        space = " " if op + a.within(UNARY)[:1] in ("--", "++", "!~") else ""
        return Node(op + space + a.within(UNARY), UNARY, lambda e: does(a.run(e)))

    def ternary(self, kind, s, depth):
        c, a, b = self.long(s, depth), self.of(kind, s, depth), self.of(kind, s, depth)
        return Node(f"{c.within(1)} ? {a.within(ANY)} : {b.within(0)}", 0,
                    lambda e: a.run(e) if c.run(e) else b.run(e))

    def ternary_long(self, s, depth):
        return self.ternary("long", s, depth)

    def ternary_string(self, s, depth):
        return self.ternary("string", s, depth)

    def switch(self, s, depth):
        """Alternatives by the value of a variable: v == 1 ? a : v == 2 ? b : c."""
        x = self.read(self.variable(s, "long", False))
        cases = [(self.r.randint(-1, 5), self.long(s, depth - 1))
                 for _ in range(self.r.randint(2, 4))]
        other = self.long(s, depth - 1)

        def run(e):
            value = x.run(e)
            return next((a for n, a in cases if n == value), other).run(e)
        text = "".join(f"{x.text} == {n} ? {a.within(0)} : " for n, a in cases)
        return Node(text + other.within(0), LEVELS["?:"], run)

    def conditional(self, s, depth):
        """An alternative that the preprocessor chooses."""
        a, b = self.long(s, depth), self.long(s, depth)
        text, holds = self.r.choice([("1 < 2", True), ("3 == 4", False), ('"a" != "b"', True),
                                     ('kernel_v >= "2.6"', True), ('arch == "none"', False)])
        return Node(f"(%( {text} %? {a.within(ANY)} %: {b.within(ANY)} %))", PRIMARY,
                    (a if holds else b).run)

    def macro(self, s, depth):
        """One of the program's macros; an argument that it has twice is evaluated twice."""
        name, (_, does) = self.r.choice(list(MACROS.items()))
        a, b = self.long(s, depth), self.long(s, depth)
        # SystemTap ends an argument at a comma, wherever it stands.
        text = ", ".join(x.within(PRIMARY) if "," not in x.text else f"({x.text})" for x in (a, b))
        return Node(f"@{self.prefix}{name}({text})", PRIMARY, lambda e: does(a.run, b.run, e))

    def assign_long(self, s, depth):
        v = self.place(s, "long", depth)
        op = self.r.choice(["", ""] + list(NUMBERS))
        b = self.long(s, depth)
        if op and op in "/%" and self.chance(80):
            b = self.odd(b)

        def run(e):
            where = v.place(e)
            value = b.run(e)
            if op:
                value = self.calculate(e, op, self.value_at(where), value)
            self.put(where, value)
            return value
        return Node(f"{v.text} {op}= {b.within(ANY)}", LEVELS["="], run)

    def assign_string(self, s, depth):
        v = self.place(s, "string", depth)
        op = self.r.choice(["", "."])
        b = self.string(s, depth)

        def run(e):
            where = v.place(e)
            value = b.run(e)
            if op:
                value = cut(self.value_at(where, "string") + value)
            self.put(where, value)
            return value
        return Node(f"{v.text} {op}= {b.within(ANY)}", LEVELS["="], run)

    def incdec(self, s, depth):
        v = self.place(s, "long", depth)
        op, prefix = self.r.choice(["++", "--"]), self.chance(50)

        def run(e):
            where = v.place(e)
            old = self.value_at(where)
            new = wrap(old + (1 if op == "++" else -1))
            self.put(where, new)
            return new if prefix else old
        return Node(op + v.text if prefix else v.text + op, CREMENT, run)

    def member(self, s, depth):
        if s.function:
            return self.compare(s, depth)
        name = self.r.choice(list(self.arrays))
        keys = [self.of(k, s, depth) for k in self.arrays[name][1]]
        if len(keys) == 1 and self.chance(60):
            return Node(f"({keys[0].within(LEVELS['in'] + 1)} in {name})", PRIMARY,
                        lambda e: int((keys[0].run(e),) in e.machine.v[name]))
        text, where = self.slice(keys, self.chance(30))
        # SystemTap's grammar takes no ] or another in behind it.
        return Node(f"({text} in {name})", PRIMARY,
                    lambda e: (lambda fits: int(any(map(fits, e.machine.v[name]))))(where(e)))

    def slice(self, keys, some):
        """(its text, what makes the test of an element's keys); with SOME, a * for some keys."""
        stars = [some and self.chance(60) for _ in keys]
        # SystemTap's grammar takes no operators here that bind less.
        text = ", ".join("*" if star else k.within(LEVELS["<<"]) for star, k in zip(stars, keys))

        def where(e):
            want = [None if star else k.run(e) for star, k in zip(stars, keys)]
            return lambda found: all(w is None or w == f for w, f in zip(want, found))
        return f"[{text}]", where

    def call(self, kind, s, depth):
        names = [f for f in s.functions if f["type"] == kind]
        if not names:
            return self.of(kind, s, depth)
        f = self.r.choice(names)
        args = [self.of(k, s, depth) for _, k in f["params"]]
        text = f"{f['name']}({', '.join(a.within(ANY) for a in args)})"

        return Node(text, PRIMARY, lambda e: self.enter(f, e, args))

    @staticmethod
    def enter(f, e, args):
        given = [a.run(e) for a in args]
        for body in f["bodies"]:
            values = {name: value for (name, _), value in zip(f["params"], given)}
            try:
                body.run(Environment(e.machine, values))
            except Return as r:
                return r.value
            except Next:
                continue
            break
        return 0 if f["type"] == "long" else ""

    def call_long(self, s, depth):
        return self.call("long", s, depth)

    def call_string(self, s, depth):
        return self.call("string", s, depth)

    def statistic(self, s, depth):
        op = self.r.choice(["count", "sum", "min", "max", "avg", "count", "sum", "variance"])
        name = self.r.choice(list(self.stats))
        if s.function:
            name = self.prefix + "s"
        keys, shift = self.stats[name]
        bits = f", {shift}" if op == "variance" and shift else ""
        if not keys:
            return Node(f"@{op}({name}{bits})", PRIMARY, lambda e: e.machine.v[name].get(op))
        key = self.long(s, min(depth, 1))

        def run(e):
            k = key.run(e)
            return e.machine.v[name].get(k, Statistic()).get(op)
        return Node(f"@{op}({name}[{key.within(ANY)}]{bits})", PRIMARY, run)

    def histogram_of(self, name):
        if name.endswith("w"):
            return f"@hist_log({name})"
        return f"@hist_linear({name}, {', '.join(map(str, self.shape))})"

    def histogram(self, s, depth):
        """The count in a bucket, in either notation."""
        i, name = self.long(s, min(depth, 1)), self.prefix + self.r.choice("qw")
        hist = self.histogram_of(name)
        if self.chance(80):
            i = self.near(i, 56 if name.endswith("w") else 0)

        def run(e):
            n, statistic = i.run(e), e.machine.v[name]
            counts = statistic.counts()
            if not statistic.values:
                raise ScriptError("empty aggregate")
            if not 0 <= n < len(counts):
                raise ScriptError("histogram index out of range")
            return counts[n]
        if self.chance(50):
            return Node(f"({i.within(LEVELS['in'] + 1)} in {hist})", PRIMARY, run)
        return Node(f"{hist}[{i.within(ANY)}]", PRIMARY, run)

    def near(self, a, least):
        """One of the sixteen numbers from LEAST on."""
        low = self.binary("&", a, self.constant(15), lambda e: a.run(e) & 15)
        return self.binary("+", self.constant(least), low, lambda e: least + low.run(e))
