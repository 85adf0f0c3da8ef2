# SPDX-License-Identifier: GPL-2.0-or-later
"""Strings of random programs: functions of the library, and what print and printf make."""
import re

from pieces import ANY, LEVELS, PRIMARY, Node, Statement, quote
from values import ScriptError, cut, escaped, escaped_n, formatted, wrap

# Those in which the leftmost match and its groups are the same for POSIX and Python.
GROUPED = ["(b+)(c*)", "([a-z]+) ([a-z]+)", "^(.)(.*)$", "a(b*)", "([0-9]+)", "x|ba"]
PATTERNS = ["^a", "b+c", "[0-9]$", "x|ba", "(ab)*c", "^$", "a.*b", "[^a-z]", "a{2,3}b", "\\.|\\\\"]


def substr(text, start, length):
    if start < 0 or start >= len(text) or length <= 0:
        return ""
    return text[start:start + length]


def stringat(text, i):
    if not 0 <= i < len(text):
        raise ScriptError("Position out of bounds")
    return ord(text[i])


def strtol(text, base):
    digits = "0123456789abcdef"[:base]
    found = re.match(f"-?(?:0[xX](?=[0-9a-fA-F]))?[{digits}]+" if base == 16
                     else f"-?[{digits}]+", text, re.I)
    if not found:
        return 0
    whole = found.group().lower()
    sign = whole.startswith("-")
    n = int(whole.lstrip("-"), base)
    return wrap(-n if sign else n)


def replace(text, what, by):
    return cut(text.replace(what, by)) if what else text


# Functions of the library: name -> (result, parameters, what it does). A tuple of parameters
# names what is drawn from instead of an expression.
LIBRARY = {
    "strlen": ("long", ["string"], len),
    "isinstr": ("long", ["string", "string"], lambda a, b: int(b in a)),
    "strpos": ("long", ["string", "string"], lambda a, b: a.find(b)),
    "isdigit": ("long", ["string"], lambda a: int(a[:1].isdigit())),
    "stringat": ("long", ["string", range(0, 4)], stringat),
    "strtol": ("long", ["string", (2, 8, 10, 16)], strtol),
    "substr": ("string", ["string", range(-1, 4), (-1, 0, 1, 2, 5, 40)], substr),
    "str_replace": ("string", ["string", "string", "string"], replace),
    "text_str": ("string", ["string"], escaped),
    "text_strn": ("string", ["string", range(0, 40), (0, 1)], escaped_n),
    "string_quoted": ("string", ["string"], lambda a: escaped_n(a, 0, True)),
}


class Texts:
    """Makes expressions of strings; a part of Program."""

    def library(self, kind, s, depth, names=tuple(LIBRARY)):
        name = self.r.choice([n for n in names if LIBRARY[n][0] == kind])
        _, parameters, does = LIBRARY[name]
        args = [self.of(p, s, min(depth, 1)) if isinstance(p, str)
                else self.constant(self.r.choice(p)) for p in parameters]
        return Node(f"{name}({', '.join(a.within(ANY) for a in args)})", PRIMARY,
                    lambda e: does(*[a.run(e) for a in args]))

    def library_long(self, s, depth):
        return self.library("long", s, depth)

    def library_string(self, s, depth):
        return self.library("string", s, depth)

    def regex(self, s, depth):
        pattern = self.r.choice(PATTERNS)
        op = self.r.choice(["=~", "!~"])
        a = self.string(s, depth)
        # SystemTap's grammar has nothing behind the pattern that binds as tightly.
        return Node(f"({a.within(LEVELS[op])} {op} {quote(pattern)})", PRIMARY,
                    lambda e: int(bool(re.search(pattern, a.run(e))) == (op == "=~")))

    def concat(self, s, depth):
        a, b = self.string(s, depth), self.string(s, depth)
        return self.binary(".", a, b, lambda e: cut(a.run(e) + b.run(e)))

    # -- printing --

    def values(self, s, depth, least=1):
        return [self.of(self.r.choice(["long", "string"]), s, depth)
                for _ in range(self.r.randint(least, 3))]

    def print_parts(self, s, depth):
        """(name, leading argument, values, what it makes of their texts)"""
        name = self.r.choice(["print", "println", "printd", "printdln"])
        delimiter = self.r.choice([" ", "-", ", "]) if "d" in name else ""
        values = self.values(s, depth, 2 if "d" in name else 1)
        head = [quote(delimiter)] if "d" in name else []
        text = f"{name}({', '.join(head + [v.within(ANY) for v in values])})"
        end = "\n" if name.endswith("ln") else ""
        return text, lambda e: delimiter.join(str(v.run(e)) for v in values) + end

    def sprint(self, s, depth):
        text, run = self.print_parts(s, min(depth, 1))
        while "ln(" in text[:9]:
            text, run = self.print_parts(s, min(depth, 1))
        return Node("s" + text, PRIMARY, lambda e: cut(run(e)))

    def size(self, args, least, most):
        """A width or a precision: a number, or a * for a value that may be negative."""
        if self.chance(70):
            return str(self.r.randint(max(least, 1), most))
        n = self.r.randint(least, most)
        args.append(Node(str(n), ANY if n < 0 else PRIMARY, lambda e: n))
        return "*"

    def flags(self, kind):
        """A - or a 0, a + or a space, and a #, of which SystemTap's grammar takes one."""
        side = self.r.choice(["", "", "-"] + ["0"] * (kind not in "sc"))
        sign = self.r.choice(["", "", "+", " "]) if kind in "di" else ""
        mark = self.r.choice(["", "#"]) if kind in "xXoc" else ""
        if side == "-" and sign + mark or side == "0" and sign + mark:
            if self.chance(90):
                return side
            self.ours_only.add("several flags in a directive")
        return side + sign + mark

    def directive(self, s, depth):
        """(the script's, its arguments, what makes text of their values)"""
        kind = self.r.choice("ddiuxXosscbp")
        if kind in "bp":
            return self.binary_directive() if kind == "b" else self.address_directive(s, depth)
        flags, width, precision, args = "", "", "", []
        if self.chance(50):
            flags, width = self.flags(kind), self.size(args, -12, 14)
        if kind != "c" and self.chance(25):
            precision = "." + self.size(args, -3, 9)
        args.append(self.string(s, depth) if kind == "s" else self.long(s, depth))
        if kind == "c":
            args[-1] = self.constant(self.r.randint(1 if "#" in flags else 33, 126))

        def run(values):
            given = iter(values)
            sizes = [next(given) if text.endswith("*") else int(text.strip(".") or 0) if text
                     else None for text in (width, precision)]
            return formatted(flags, *sizes, kind, values[-1])
        return f"%{flags}{width}{precision}{kind}", args, run

    def binary_directive(self):
        """Bytes that print, of a number of that many."""
        size = self.r.choice([1, 2, 4, 8])
        text = "".join(chr(self.r.randint(65, 122)) for _ in range(size))
        n = int.from_bytes(text.encode(), "little")
        return f"%{size}b", [self.constant(n)], lambda values: text

    def address_directive(self, s, depth):
        a = self.long(s, depth)
        return "%p", [a], lambda values: formatted("", None, None, "p", values[0])

    def format_parts(self, s, depth):
        script, pieces = "", []
        for _ in range(self.r.randint(1, 3)):
            head = self.r.choice(["", " ", "=", "a:", "%%", "|"])
            one, args, does = self.directive(s, depth)
            script += head + one
            pieces.append((head, does, args))
        args = [a for _, _, some in pieces for a in some]
        text = ", ".join([quote(script)] + [a.within(ANY) for a in args])

        def run(e):
            values = [[a.run(e) for a in some] for _, _, some in pieces]
            return "".join(head.replace("%%", "%") + does(some)
                           for (head, does, _), some in zip(pieces, values))
        return text, run

    def sprintf(self, s, depth):
        text, run = self.format_parts(s, min(depth, 1))
        return Node(f"sprintf({text})", PRIMARY, lambda e: cut(run(e)))

    # -- statements --

    def show(self, s):
        if self.chance(50):
            text, run = self.print_parts(s, 2)
        else:
            text, run = self.format_parts(s, 2)
            text = f"printf({text})"
        return Statement(text + ";", lambda e: e.machine.out.append(run(e)))

    def show_histogram(self, s):
        name = self.prefix + self.r.choice("qw")
        return Statement(f"print({self.histogram_of(name)});",
                         lambda e: e.machine.out.append(e.machine.v[name].drawing()))

    def tokens(self, s):
        """A loop over the parts of a text."""
        a, t = self.string(s, 2), self.fresh("string")
        delimiters = self.r.choice([" ", "a", "b \\\\", "xyz"])
        end = delimiters.replace("\\\\", "\\")

        def run(e):
            parts = [p for p in re.split(f"[{re.escape(end)}]", cut("q" + a.run(e))) if p]
            e.machine.out.extend(f"<{p}>" for p in parts)
            e.v[t] = ""
        return Statement(
            f'{t} = tokenize("q" . {a.within(LEVELS["."] + 1)}, "{delimiters}");\n'
            f'while ({t} != "") {{\n\tprint("<", {t}, ">");\n'
            f'\t{t} = tokenize("", "{delimiters}");\n}}', run)

    def groups(self, s):
        """What a regular expression matched, and its groups."""
        a, pattern = self.string(s, 2), self.r.choice(GROUPED)
        n = pattern.count("(")
        shown = ", ".join(f'"<", matched({i}), ">"' for i in range(n + 1))

        def run(e):
            found = re.search(pattern, a.run(e))
            if found:
                texts = [found.group()] + list(found.groups())
                e.machine.out.append("".join(f"<{x}>" for x in texts) + str(n + 1))
        return Statement(f"if ({a.within(LEVELS['=~'])} =~ {quote(pattern)})\n"
                         f"\tprint({shown}, ngroups());", run)
