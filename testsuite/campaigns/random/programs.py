# SPDX-License-Identifier: GPL-2.0-or-later
"""Random programs of the script language, each with what it must print.

A program is a begin probe with globals and functions of its own. Its expressions and statements
are made from the top down, of types that fit, and each comes with a Python function that does
what the script's piece does: text and meaning are made side by side, so no parser is needed.

    x.text   "(l1 += 3) / p7_f0(l2, t0)"
    x.run(e) the value in the environment e; raises ScriptError, Break, Next, ...

Program(number, random).text is the script's piece, .expected() the text that must come out.
"""
import random

from expressions import MACROS, Expressions
from pieces import ANY, ENTRIES, LEVELS, PRIMARY, Environment, Machine, Made, Next, Node, Return
from pieces import Scope, Statement, TooLong, block, quote
from statements import Statements
from texts import Texts
from values import ScriptError, Statistic, cut, wrap


def made(first, count, kind=None):
    """Programs from number first on, without those that are too long."""
    good = []
    for n in range(first, first + count):
        p = (kind or Program)(n, random.Random(n))
        try:
            want = p.expected()     # first: it adds to ours_only
        except TooLong:
            continue
        good.append(Made(n, p.text, want, p.ours_only))
    return good


class Program(Expressions, Texts, Statements):
    new_statistic = Statistic

    def __init__(self, number, rng):
        self.number, self.r = number, rng
        p = self.prefix = f"p{number}_"
        self.globals = {p + "g": 3, p + "h": -7, p + "gs": "glob", p + "ht": ""}
        self.arrays = {p + "al": ("long", ("long",)), p + "as": ("string", ("string",)),
                       p + "ml": ("long", ("long", "string")), p + "st": ("string", ("long",))}
        # Statistics: how many keys, and the bits of @variance; s a plain one, q and w with a linear
        # and a logarithmic histogram, sa an array.
        self.stats = {p + n: (keys, rng.choice([0, 2, 10]))
                      for n, keys in (("s", 0), ("q", 0), ("w", 0), ("sa", 1))}
        self.shape = rng.choice([(0, 100, 10), (-8, 8, 2), (1, 3, 1)])
        self.names = 0
        self.ours_only = set()      # what SystemTap doesn't take, or does otherwise
        self.functions = []
        for n in range(rng.randint(0, 3)):
            self.functions.append(self.function(n))
        if self.chance(30):
            self.functions += self.recursive()
        self.handler = self.body()
        self.text = self.script()

    # -- small choices --

    # -- bodies --

    def beginning(self, variables):
        """Statements that give the variables their types and values."""
        def run(name, value):
            def do(e):
                e.v[name] = value
            return do
        return [Statement(f"{n} = {quote(v) if isinstance(v, str) else v};", run(n, v))
                for n, v in variables.items()]

    def function(self, n):
        kind = self.r.choice(["long", "string"])
        params = [("a", "long"), ("b", "string")][:self.r.randint(0, 2)]
        bodies = [self.function_body(kind, params, more=True)
                  for _ in range(self.r.choice([0, 0, 0, 1, 2]))]
        if bodies:
            self.ours_only.add("alternatives of a function, whose C code has a label twice")
        return {"name": f"{self.prefix}f{n}", "type": kind, "params": params,
                "bodies": bodies + [self.function_body(kind, params, more=False)]}

    def function_body(self, kind, params, more):
        """With MORE, there is another function of the name, which next goes on with."""
        own = {"x": self.r.randint(0, 9), "y": self.word()}
        s = Scope(["x"] + [p for p, t in params if t == "long"],
                  ["y"] + [p for p, t in params if t == "string"], list(self.functions))
        s.function, s.depth = kind, 1
        last = self.result if self.chance(75) else self.perhaps_result
        statements = self.beginning(own) + self.statements(s, 4) + [last(s)]
        if more:
            statements.insert(self.r.randint(len(own), len(statements) - 1), self.finish(s))
        return block(statements)

    def recursive(self):
        """
        A function of a number that calls itself for the number below, or another one that calls
        it for the number below that.
        """
        kind, name = self.r.choice(["long", "string"]), f"{self.prefix}r"
        f = {"name": name, "type": kind, "params": [("a", "long")]}
        if self.chance(50):
            f["bodies"] = [self.descent(kind, f)]
            return [f]
        other = dict(f, name=f"{self.prefix}q")
        f["bodies"], other["bodies"] = [self.descent(kind, other)], [self.descent(kind, f)]
        return [f, other]

    def descent(self, kind, f):
        """A body that calls F."""
        s = Scope(["a"], [self.prefix + "gs"], [])
        s.function, s.depth = kind, 1
        end, below = self.of(kind, s, 1), Node("a - 1", LEVELS["-"], lambda e: wrap(e.v["a"] - 1))
        again = Node(f"{f['name']}(a - 1)", PRIMARY, lambda e: self.enter(f, e, [below]))
        more = self.of(kind, s, 1)
        if kind == "string":
            value = self.binary(".", again, more, lambda e: cut(again.run(e) + more.run(e)))
        else:
            value = self.binary("+", again, more, lambda e: wrap(again.run(e) + more.run(e)))

        def run(e):
            raise Return(value.run(e) if 0 < e.v["a"] < 5 else end.run(e))
        return Statement("{\n\tif (a > 0 && a < 5)\n\t\treturn " + value.within(ANY)
                         + ";\n\treturn " + end.within(ANY) + ";\n}", run)

    def body(self):
        own = {"l0": 0, "l1": self.r.randint(-9, 99), "l2": self.number_text()[0],
               "t0": "", "t1": self.word()}
        s = Scope(["l0", "l1", "l2"], ["t0", "t1"], self.functions)
        p = self.prefix
        fill = Statement(f'{p}al[1] = 2; {p}as["a"] = "b"; {p}ml[1, "a"] = 3; {p}st[-1] = "c";'
                         f"\n{p}s <<< 5; {p}sa[1] <<< 6; {p}q <<< 1; {p}w <<< 9; {p}tiny[1] = 1;",
                         self.filled)
        return block([block(self.beginning(own) + [fill] + self.statements(s, 9)
                            + [self.last(own)])])

    def filled(self, e):
        p, v = self.prefix, e.machine.v
        v[p + "al"][(1,)] = 2
        v[p + "as"][("a",)] = "b"
        v[p + "ml"][(1, "a")] = 3
        v[p + "st"][(-1,)] = "c"
        v[p + "s"].add(5)
        v[p + "sa"].setdefault(1, self.new_statistic(self.stats[p + "sa"][1])).add(6)
        v[p + "q"].add(1)
        v[p + "w"].add(9)
        v[p + "tiny"][1] = 1

    def last(self, own):
        """Prints all variables."""
        names = list(own) + list(self.globals)
        fmt = " ".join("%s" if isinstance(own.get(n, self.globals.get(n)), str) else "%d"
                       for n in names)
        return Statement(f'printf("\\n{fmt}\\n", {", ".join(names)});',
                         lambda e: e.machine.out.append("\n" + " ".join(
                             str(e.v[n] if n in own else e.machine.v[n]) for n in names) + "\n"))

    def script(self):
        out = [f"@define {self.prefix}{name}(a, b) %( {text.replace('P', self.prefix)} %)"
               for name, (text, _) in MACROS.items()]
        for name, value in self.globals.items():
            out.append(f"global {name} = {quote(value) if isinstance(value, str) else value}")
        for name in self.arrays:
            out.append(f"global {name}[{ENTRIES}]")
        for name, (keys, _) in self.stats.items():
            out.append(f"global {name}[{ENTRIES}]" if keys else f"global {name}")
        p = self.prefix
        out.append(f"global {p}tiny[2], {p}e\n"
                   f"function {p}deep:long(n:long) {{ return 1 + {p}deep(n + 1) }}")
        for f in self.functions:
            params = ", ".join(f"{n}:{t}" for n, t in f["params"])
            for body in f["bodies"]:
                out.append(f"function {f['name']}:{f['type']}({params}) {body.text}")
        return "\n".join(out + [self.probe()]) + "\n"

    def probe(self):
        number = self.number
        return (f"probe begin({number}) {{\n\tprintln(\"\\n@@ {number}\")\n\ttry "
                + self.handler.text.replace("\n", "\n\t")
                + ' catch (why) { println("\\nerror: ", why) }\n}')

    def failed(self, why):
        """What it prints when an error ends it."""
        return f"\nerror: {why}\n"

    def expected(self):
        """What it prints; raises TooLong."""
        v = dict(self.globals)
        v.update({n: {} for n in self.arrays})
        p = self.prefix
        v.update({n: {} if keys else self.new_statistic(shift, self.shape if n == p + "q" else None)
                  for n, (keys, shift) in self.stats.items()})
        v[p + "tiny"] = {}
        machine = Machine(v)
        try:
            self.handler.run(Environment(machine, {}))
        except ScriptError as why:
            machine.out.append(self.failed(why))
        except Next:
            pass
        self.ours_only |= machine.ours_only
        return "".join(machine.out)
