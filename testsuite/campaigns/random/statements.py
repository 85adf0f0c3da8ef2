# SPDX-License-Identifier: GPL-2.0-or-later
"""Statements of random programs."""
from pieces import ANY, ENTRIES, Break, Continue, Next, Return, Statement, TooLong, block
from values import ScriptError


class Statements:
    """Makes them; a part of Program."""

    def statements(self, s, most):
        return [self.statement(s) for _ in range(self.r.randint(1, most))]

    def statement(self, s):
        kinds = [(30, self.expression), (14, self.show), (10, self.condition),
                 (7, self.attempt)]
        if s.depth < 3:
            kinds += [(6, self.count_loop), (3, self.while_loop)]
            if not s.function:
                kinds += [(5, self.iteration), (5, self.sorted_iteration),
                          (3, self.bucket_iteration), (3, self.statistic_iteration)]
        kinds += [(3, self.fault), (2, self.tokens), (3, self.groups)]
        if not s.function:
            kinds += [(5, self.accumulate), (3, self.overflow), (4, self.removal),
                      (2, self.show_histogram)]
        else:
            kinds += [(6, self.result)]
        if s.loops:
            kinds += [(3, self.leave)]
        if not s.function:
            kinds += [(1, self.finish)]
        if s.depth > 3:
            kinds = kinds[:2]
        return self.r.choices([k for _, k in kinds], [w for w, _ in kinds])[0](s)

    def expression(self, s):
        kind = self.r.choice([self.assign_long, self.assign_string, self.assign_long, self.incdec,
                              self.long, self.string, self.call_long])
        x = kind(s, 3)
        return Statement(x.within(ANY) + ";", x.run)

    def condition(self, s):
        c, yes = self.long(s, 3), block(self.statements(s.inside(), 3))
        if self.chance(50):
            return Statement(f"if ({c.within(ANY)}) {yes.text}",
                             lambda e: yes.run(e) if c.run(e) else None)
        no = block(self.statements(s.inside(), 3))
        return Statement(f"if ({c.within(ANY)}) {yes.text} else {no.text}",
                         lambda e: yes.run(e) if c.run(e) else no.run(e))

    def fresh(self, kind):
        self.names += 1
        return ("k" if kind == "long" else "kt") + str(self.names)

    @staticmethod
    def loop(body, e):
        """Runs a body once; True when the loop has been left."""
        try:
            body.run(e)
        except Break:
            return True
        except Continue:
            pass
        return False

    def count_loop(self, s):
        k, most = self.fresh("long"), self.r.randint(0, 4)
        inner = s.inside(loops=s.loops + 1)
        inner.longs.append(k)
        body = block(self.statements(inner, 3))

        def run(e):
            e.v[k] = 0
            while e.v[k] < most and not self.loop(body, e):
                e.v[k] += 1
        return Statement(f"for ({k} = 0; {k} < {most}; {k}++) {body.text}", run)

    def while_loop(self, s):
        k, most, c = self.fresh("long"), self.r.randint(1, 3), self.long(s, 2)
        inner = s.inside(loops=s.loops + 1)
        inner.longs.append(k)
        body = block(self.statements(inner, 3))

        def run(e):
            e.v[k] = 0
            while True:
                e.v[k] += 1
                if e.v[k] > most or not c.run(e) or self.loop(body, e):
                    break
        return Statement(f"{k} = 0;\nwhile (++{k} <= {most} && {c.within(3)}) {body.text}", run)

    def iteration(self, s):
        """Over an array of one key, in the order of the keys."""
        names = [n for n, (_, keys) in self.arrays.items() if len(keys) == 1]
        name = self.r.choice(names)
        kind, (key_kind,) = self.arrays[name]
        k, v, sign = self.fresh(key_kind), self.fresh(kind), self.r.choice("+-")
        return self.over(s, name, f"{v} = [{k}{sign}]", [(k, key_kind), (v, kind)],
                         lambda items: [(key, value) for (key,), value in
                                        sorted(items, reverse=sign == "-")])

    def sorted_iteration(self, s):
        """
        In the order of values, or of one of two keys. The order of equal ones is nobody's
        affair, so the body sees only what is sorted.
        """
        name = self.r.choice(list(self.arrays))
        kind, kinds = self.arrays[name]
        fields = list(kinds) + [kind]
        chosen, sign = self.r.choice(self.sortable(fields)), self.r.choice("+-")
        names = [self.fresh(f) for f in fields]
        marks = [n + sign if i == chosen else n for i, n in enumerate(names)]
        head = f"{marks[-1]} = [{', '.join(marks[:-1])}]"
        if chosen == len(kinds) and self.chance(30):
            return self.over(s, name, head.split(" = ")[1], [], list, sign)
        return self.over(s, name, head, [(names[chosen], fields[chosen])],
                         lambda items: [(x,) for x in sorted(
                             (list(key) + [value])[chosen] for key, value in items)][
                                 ::-1 if sign == "-" else 1])

    @staticmethod
    def sortable(fields):
        """Which of the keys and the element, the last of them, may be what a loop sorts by."""
        return range(len(fields))

    def over(self, s, name, head, variables, order, sign=""):
        """
        A loop over all elements of an array or a slice of it. HEAD is its variables with their
        signs, VARIABLES those that its body may use, ORDER makes of (keys, value) in the array
        the list of what those are.
        """
        keys, limit = self.arrays[name][1], self.r.choice([None, None, 2])
        text, where = self.slice([self.of(k, s, 1) for k in keys], True)
        if len(keys) < 2 or "*" not in text or self.chance(40):
            text, where = "", lambda e: lambda found: True
        if text and limit is not None:
            self.ours_only.add("slice with limit")
        inner = s.inside(loops=s.loops + 1, frozen=s.frozen + (name,))
        for n, kind in variables:
            (inner.longs if kind == "long" else inner.strings).append(n)
        body = block(self.statements(inner, 3))

        def run(e):
            fits = where(e)
            items = [x for x in e.machine.v[name].items() if fits(x[0])]
            for values in order(items)[:limit]:
                e.v.update(zip([n for n, _ in variables], values))
                if self.loop(body, e):
                    break
        end = f" limit {limit}" if limit is not None else ""
        return Statement(f"foreach ({head} in {name}{text}{sign}{end}) {body.text}", run)

    def bucket_iteration(self, s):
        name, k = self.prefix + self.r.choice("qw"), self.fresh("long")
        inner = s.inside(loops=s.loops + 1, frozen=s.frozen + (name,))
        inner.longs.append(k)
        body = block(self.statements(inner, 2))

        def run(e):
            for i in range(e.machine.v[name].buckets()):
                e.v[k] = i
                if self.loop(body, e):
                    break
        return Statement(f"foreach ({k} in {self.histogram_of(name)}) {body.text}", run)

    def statistic_iteration(self, s):
        """Prints an array of statistics in the order of what is extracted, which alone it shows."""
        name = self.prefix + "sa"
        op, sign = self.r.choice(["count", "sum", "min", "max", "avg"]), self.r.choice("+-")
        k = self.fresh("long")
        limit = self.r.choice([None, 2])

        def run(e):
            found = sorted((v.get(op) for v in e.machine.v[name].values()), reverse=sign == "-")
            for n in found[:limit]:
                e.machine.out.append(f"{n};")
        end = f" limit {limit}" if limit else ""
        return Statement(f"foreach ({k} in {name} @{op}{sign}{end})\n"
                         f'\tprint(@{op}({name}[{k}]), ";");', run)

    def attempt(self, s):
        tried = block(self.statements(s.inside(), 3))
        inner = s.inside()
        var = self.fresh("string")
        inner.strings.append(var)
        caught = block(self.statements(inner, 2))

        def run(e):
            try:
                tried.run(e)
            except ScriptError as why:
                e.v[var] = str(why)
                caught.run(e)
        return Statement(f"try {tried.text} catch ({var}) {caught.text}", run)

    @staticmethod
    def in_kernel(what):
        return f'%( runtime == "kernel" %? {what} %: error("no kernel") %)'

    def fault(self, s):
        """
        An error of the kernel's or the library's, caught. The value is printed: SystemTap drops
        what nobody takes, and with it the error. A process has no memory of the kernel's.
        """
        n = self.r.randint(0, 300)
        var, why = self.fresh("string"), None
        what, why = self.r.choice([
            (self.in_kernel(f"print(kernel_long({n}))"), None),
            (self.in_kernel(f"print(kernel_string({n}))"), None),
            (self.in_kernel(f"print(user_string({n}))"), None),
            (f'print(stringat("abc", {n + 3}))', "Position out of bounds"),
            (f"print({self.prefix}deep(0))", None),
            (self.in_kernel(f'printf("%.{n % 9 + 1}{"mM"[n & 1]}", {n})'), None),
            (f'error("no {n}")', f"no {n}"), (f"print(@min({self.prefix}e))", "empty aggregate"),
            (f"print(@hist_log({self.prefix}w)[128])", "histogram index out of range"),
            (f"{self.prefix}gs = sprint({n} / ({n} - {n}))", "division by 0"),
        ])

        def run(e):
            e.v[var] = why
            e.machine.out.append(f"<{why}>" if why else "<>")
        catch, shown = (f"catch ({var})", f'"<", {var}, ">"') if why else ("catch", '"<>"')
        return Statement(f"try {{\n\t{what};\n\tprint(\"no error\");\n}} {catch} {{\n"
                         f"\tprint({shown});\n}}", run)

    def overflow(self, s):
        """Fills an array of two elements."""
        x, name = self.long(s, 2), self.prefix + "tiny"

        def run(e):
            held = e.machine.v[name]
            try:
                n = x.run(e)
                if n not in held and len(held) >= 2:
                    raise ScriptError("Array overflow")
                held[n] = 1
            except ScriptError:
                e.machine.out.append("<error>")
        return Statement(f"try {{\n\t{name}[{x.within(ANY)}] = 1;\n}} catch {{\n"
                         '\tprint("<error>");\n}', run)

    def accumulate(self, s):
        name = self.r.choice([n for n in self.stats if n not in s.frozen])
        keys, shift = self.stats[name]
        key = self.long(s, 1) if keys else None
        x = self.long(s, 2)

        def run(e):
            held = e.machine.v[name]
            if key:
                k = key.run(e)
                value = x.run(e)
                if k not in held and len(held) >= ENTRIES:
                    raise TooLong()
                held = held.setdefault(k, self.new_statistic(shift))
            else:
                value = x.run(e)
            held.add(value)
        where = f"{name}[{key.within(ANY)}]" if key else name
        return Statement(f"{where} <<< {x.within(ANY)};", run)

    def errs(self):
        """Is it an error in place of a removal?"""
        return self.chance(20)

    def removal(self, s):
        names = [n for n in self.arrays if n not in s.frozen]
        if not names or self.errs():
            why = self.string(s, 1)

            def fail(e):
                raise ScriptError(why.run(e))
            return Statement(f"error({why.within(ANY)});", fail)
        name = self.r.choice(names)
        if self.chance(20):
            return Statement(f"delete {name};", lambda e: e.machine.v[name].clear())
        text, where = self.slice([self.of(k, s, 1) for k in self.arrays[name][1]], self.chance(50))

        def run(e):
            fits, held = where(e), e.machine.v[name]
            for key in [k for k in held if fits(k)]:
                del held[key]
        return Statement(f"delete {name}{text};", run)

    def result(self, s):
        x = self.of(s.function, s, 2)

        def run(e):
            raise Return(x.run(e))
        return Statement(f"return {x.within(ANY)};", run)

    def perhaps_result(self, s):
        c, result = self.long(s, 2), self.result(s)
        return Statement(f"if ({c.within(ANY)}) {result.text}", lambda e: result.run(e) if c.run(e) else None)

    def leave(self, s):
        word, what = self.r.choice([("break", Break), ("continue", Continue)])
        c = self.long(s, 2)

        def run(e):
            if c.run(e):
                raise what()
        return Statement(f"if ({c.within(ANY)}) {word};", run)

    def finish(self, s):
        c = self.long(s, 2)

        def run(e):
            if c.run(e):
                raise Next()
        return Statement(f"if ({c.within(ANY)}) next;", run)

