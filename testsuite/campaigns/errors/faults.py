# SPDX-License-Identifier: GPL-2.0-or-later
"""What a script can do wrong: the faults of the campaign.

A fault is some statements, that can stand in a handler or a function, and what
they must lead to.  Its names begin with f_, so that two faults in one script can
be told apart.
"""
ANY = "any"                 # it may fail or not: memory may be there, a limit come first

WILD = {
    "null": 0, "one": 1, "minus": -1, "end": 0xfffffffffffffff8, "odd": 0x8000000000000000,
    "user": 0x400000, "user-end": 0x7ffffffff000, "hole": 0xffff800000000000,
    "direct": 0xffff888000000000, "vmalloc": 0xffffc90000000000, "text": 0xffffffff81000000,
    "modules": 0xffffffffc0000000, "fixmap": 0xffffffffff5fc000, "vsyscall": 0xffffffffff600000,
}
# In the hole KASAN has its shadow, where page tables have five levels.
MAY_BE_THERE = ("user", "user-end", "hole", "direct", "vmalloc", "text", "modules", "fixmap",
                "vsyscall")

HUGE = (1 << 63) - 1
LEAST = "0x8000000000000000"
FAULT = r"fault"
EMPTY = "empty aggregate"
LONG = "the handler takes too long|MAXACTION exceeded"
DEEP = "MAXNESTING exceeded|nested too deeply|MAXACTION exceeded"


class Fault:
    """error: a regular expression for the message, ANY, or None where there is none.

    expression: the same as one, of globals alone, as a condition of a probe can be.
    caught: whether try/catch sees the error.  refused: the translator's message."""

    def __init__(self, name, body, error=None, decl="", flags="", expression=None, caught=True,
                 refused=None):
        self.name, self.body, self.error, self.decl = name, body, error, decl
        self.flags, self.expression, self.caught = flags, expression, caught
        self.refused = refused


def memory():
    readers = ["kernel_long({})", "kernel_char({})", "kernel_short({})", "kernel_pointer({})",
               "@cast({}, \"task_struct\", \"kernel\")->mm", "@kderef(8, {})"]
    for i, (where, address) in enumerate(WILD.items()):
        error = ANY if where in MAY_BE_THERE else FAULT
        at = hex(address) if address >= 0 else str(address)
        read = readers[i % len(readers)].format(at)
        yield Fault(f"read-{where}", f"f_n += {read}", error, "global f_n\n")
        yield Fault(f"string-{where}", f"f_s = kernel_string({at}) . kernel_string_n({at}, {HUGE})",
                    error, "global f_s\n")
    for name, at in (("null", 0), ("kernel", "0xffffffff81000000"), ("odd", LEAST), ("minus", -1)):
        yield Fault(f"user-read-{name}", f"f_n += user_long({at}) + @uderef(4, {at})", FAULT,
                    "global f_n\n")
        yield Fault(f"user-string-{name}",
                    f"f_s = user_string_n({at}, {HUGE}) . user_string({at})", FAULT, "global f_s\n")
    yield Fault("quoted-wild", "f_s = kernel_string_quoted(8) . user_string_quoted(8) . "
                f"user_string_n_quoted(-8, {HUGE})", ANY, "global f_s\n")
    yield Fault("wide-wild", "f_s = kernel_string_utf16(9) . kernel_string_utf32(-4)", ANY,
                "global f_s\n")
    yield Fault("pretty-wild", 'println(@cast(64, "task_struct", "kernel")$$, '
                '@cast(-4096, "task_struct", "kernel")->comm$)', ANY)
    yield Fault("member-chain", "f_n += @cast(f_a, \"task_struct\", \"kernel\")"
                "->mm->mmap_base", FAULT, "global f_n, f_a = 4096\n")
    yield Fault("element-wild", "f_n += @cast(f_a, \"task_struct\", \"kernel\")->comm[f_a << 40]",
                FAULT, "global f_n, f_a = 0x4000000000000001\n")
    yield Fault("registers", "f_n += @kregister(5) + u_register(\"rax\") + ulong_arg(6)", ANY,
                "global f_n\n")
    yield Fault("register-unknown", "f_n += register(\"no such\") + ulong_arg(-1)",
                "register|cannot access", "global f_n\n")
    yield Fault("backtrace", "print_backtrace() f_s = sprint_backtrace() . "
                "callers(1000) . callers(-1)", ANY, "global f_s\n")
    yield Fault("stack-text", f'print_stack(sprintf("%x %x zz {"ffffffff " * 30}", f_n, -1))', ANY,
                "global f_n\n")


def programs():
    """What only programs have, or lie about.  In the kernel's own places there may be none."""
    yield Fault("user-stack", "print_ubacktrace() f_s = ubacktrace() . sprint_ubacktrace() . "
                "ucallers(1000) . ucallers(-1) f_n += ustack(-1) + ustack(127) + uaddr()", ANY,
                "global f_n, f_s\n")
    yield Fault("user-names", "f_s = usymname(uaddr()) . usymdata(-1) . umodname(uaddr()) . "
                "umodbuildid(uaddr()) f_n += umodaddr(uaddr()) + umodaddr(-1)", ANY,
                "global f_n, f_s\n")
    yield Fault("user-arguments", "f_n += user_long(ulong_arg(1)) f_s = user_string(ulong_arg(1)) "
                f". user_string_n(ulong_arg(1), {HUGE})", ANY, "global f_n, f_s\n")
    yield Fault("user-locked", "f_a[user_long(ulong_arg(1))] = f_n = user_long(ulong_arg(1) + f_n) "
                "foreach (f_k in f_a) f_n += user_uint8(ulong_arg(1) + f_k)", ANY,
                "global f_a, f_n\n")
    yield Fault("user-stack-text", f'print_ustack(sprintf("%x %x zz {"ffffffff " * 30}", f_n, -1)) '
                "print_usyms(ubacktrace())", ANY, "global f_n\n")


def numbers():
    yield Fault("division", "f_n += 7 / f_zero", "division by 0", "global f_n, f_zero = 0\n",
                expression="7 / f_zero")
    yield Fault("modulo", "f_n += 7 % f_zero", "division by 0", "global f_n, f_zero = 0\n",
                expression="7 % f_zero")
    yield Fault("division-least", "f_n += f_least / -1 + f_least % -1 + (f_least << 200) + (f_least >> -1)", None,
                f"global f_n, f_least = {LEAST}\n")
    yield Fault("division-assign", "f_n /= f_n - f_n", "division by 0", "global f_n = 3\n")


def arrays():
    yield Fault("array-full", "for (f_i = 0; f_i < 9; f_i++) f_a[f_i] = f_i", "Array overflow",
                "global f_a[4]\n")
    yield Fault("array-full-text", "for (f_i = 0; f_i < 9; f_i++) f_a[sprint(f_i), f_i] .= \"x\"",
                "Array overflow", "global f_a[4]\n")
    yield Fault("array-full-stat", "for (f_i = 0; f_i < 9; f_i++) f_a[f_i] <<< f_i",
                "Array overflow", "global f_a[4]\nprobe end { print(@count(f_a[1])) }\n")
    yield Fault("array-full-count", "for (f_i = 0; f_i < 9; f_i++) f_a[f_i, \"x\"]++",
                "Array overflow", "global f_a[4]\n")
    yield Fault("array-default-full", "for (f_i = 0; f_i < 9; f_i++) f_a[f_i] += f_i",
                "Array overflow", "global f_a\n", "-DMAXMAPENTRIES=3")
    yield Fault("array-wrap", "for (f_i = 0; f_i < 99; f_i++) f_a[f_i] = f_i", None,
                "global f_a%[4]\n")
    yield Fault("array-keys", "f_a[1, \"a\", 2, \"b\", 3, \"c\", 4, \"d\", 5]++ "
                "foreach ([f_b, f_c, f_d, f_e, f_f, f_g, f_h, f_i, f_j-] in f_a) f_n += f_b", None,
                "global f_a, f_n\n")
    yield Fault("delete-whole", "foreach (f_k in f_a) delete f_a", None,
                "global f_a\nprobe begin(-9) { f_a[1] = f_a[2] = 1 }\n")
    yield Fault("delete-current", "foreach (f_k in f_a) f_forget(f_k)", None,
                "global f_a\nprobe begin(-9) { f_a[1] = 1 }\nfunction f_forget(k) "
                "{ delete f_a[k] }\n", refused="foreach|modif")
    yield Fault("delete-others", "foreach (f_k in f_a) { delete f_b "
                "foreach ([f_j+, f_l] in f_b) f_n++ for (f_i = 0; f_i < 5; f_i++) "
                "f_b[f_i, f_k] = f_i delete f_b[*, 1] }", None,
                "global f_a, f_b, f_n\nprobe begin(-9) { f_a[1] = f_a[2] = 1 }\n")
    yield Fault("sorted-in-sorted", "foreach (f_k+ in f_a) foreach (f_j- in f_a) f_n++", None,
                "global f_a, f_n\nprobe begin(-9) { f_a[1] = f_a[2] = 1 }\n")
    yield Fault("sorted-in-itself", "f_sorted(3)", "sorted foreach within itself",
                "global f_a, f_n\nprobe begin(-9) { f_a[1] = f_a[2] = 1 }\n"
                "function f_sorted(n) { foreach (k+ in f_a) { f_n += k "
                "if (n) f_sorted(n - 1) } }\n")
    yield Fault("foreach-limits", "foreach (f_k+ in f_a limit f_least) f_n++ "
                f"foreach (f_k in f_a limit {HUGE}) f_n++ foreach (f_k- in f_a limit 0) f_n++",
                None, f"global f_a, f_n, f_least = {LEAST}\n"
                "probe begin(-9) { f_a[1] = f_a[2] = 1 }\n")


def statistics():
    for name in ("avg", "min", "max", "variance"):
        yield Fault(f"empty-{name}", f"f_n += @{name}(f_s)", EMPTY, "global f_n, f_s\n",
                    expression=f"@{name}(f_s)")
    yield Fault("empty-element", "f_n += @avg(f_s[1, \"x\"])", EMPTY,
                "global f_n, f_s\nprobe end { f_s[1, \"y\"] <<< 1 }\n")
    yield Fault("empty-hist", "print(@hist_log(f_s)) println(@hist_linear(f_t, 0, 9, 3)) "
                "print(@count(f_s) + @sum(f_t))", ANY, "global f_s, f_t\n"
                "probe end { f_s <<< 1 f_t <<< 2 }\n")
    yield Fault("hist-index", "f_n += @hist_log(f_s)[5000000000] + @hist_log(f_s)[-1]",
                "out of range", "global f_n, f_s\nprobe begin(-9) { f_s <<< 1 }\n")
    yield Fault("stat-extremes", "for (f_i = 0; f_i < 64; f_i++) { f_s <<< (1 << f_i) "
                "f_s <<< -(1 << f_i) } println(@sum(f_s), @variance(f_s, 62), @avg(f_s)) "
                "print(@hist_log(f_s))", None, "global f_s\n")
    yield Fault("hist-linear-wide", f"f_s <<< {HUGE} f_s <<< {LEAST} f_s <<< 1 "
                f"print(@hist_linear(f_s, -{1 << 62}, {1 << 62}, {1 << 58}))", None, "global f_s\n")
    yield Fault("hist-linear-many", "print(@hist_linear(f_s, 0, 1000000000000, 1))", None,
                "global f_s\n", refused="too many buckets")


def texts():
    yield Fault("string-doubles", "f_s = \"ab\" for (f_i = 0; f_i < 40; f_i++) f_s .= f_s "
                "print(strlen(f_s))", None, "global f_s\n")
    widths = {"constant": ("%999999999d", "1"), "endless": ("%99999999999999999999d", "1"),
              "precision": ("%.999999999d|%.99999999999x", "1, 2"),
              "star": ("%*d", f"f_huge, 1"), "star-least": ("%-*d", "f_least, 1"),
              "star-precision": ("%.*d|%*.*s", 'f_huge, 1, f_least, f_huge, "x"'),
              "text": ("%1000000s|%-1000000s|%.1000000s", '"x", "y", "z"'),
              "character": ("%1000000c|%#*c", "1, f_huge, 10"),
              "many": ("%5000d" * 12, ", ".join("1" * 12)),
              "binary": ("%*b|%b", "f_eight, 1, -1")}
    decl = f"global f_s, f_huge = {HUGE}, f_least = {LEAST}, f_eight = 8\n"
    for name, (fmt, values) in widths.items():
        error = ANY if name == "binary" else None
        yield Fault(f"format-{name}", f'f_s = sprintf("{fmt}", {values}) '
                    f'printf("{fmt}\\n", {values})', error, decl)
    decl = f"global f_huge = {HUGE}, f_least = {LEAST}, f_s\n"
    for name, directives, values in (
            ("wild", "%.8m|%.8M", "8, 0xffffffffffffff00"),
            ("user", "%#.8m|%#.8M", "8, 0xffffffff81000000"),
            ("huge", "%.*m|%.*M", "f_huge, 0xffffffff81000000, f_huge, 0xffffffff81000000"),
            ("least", "%.*m|%*.*M", "f_least, 8, f_huge, f_least, 0x8000000000000000"),
            ("constant", "%.999999999m|%999999.99999999M", "0xffffffff81000000, -1")):
        yield Fault(f"memory-{name}", f'f_s = sprintf("{directives}", {values}) '
                    f'printf("{directives}\\n", {values})', ANY, decl)
    literal = "long literal " * 400
    yield Fault("literal-long", f'f_a[f_n ? "x" : "{literal}"] = f_n ? "x" : "{literal}" '
                f'foreach (f_k in f_a) println(f_k . "{literal}") println(f_told(f_n)) '
                f'f_n += "{literal}" =~ "(l+i)teral" f_s = f_n < 0 ? "x" : "{literal}"', None,
                f'global f_a%, f_s, f_n\nfunction f_told(n) {{ return n ? "x" : "{literal}" }}\n')
    long = f'f_t = sprintf("%1000000s", "x")\n'
    yield Fault("substr", f'{long} f_s = substr(f_t, -1, {HUGE}) . substr(f_t, {HUGE}, {HUGE}) . '
                f'substr(f_t, {LEAST}, {LEAST}) . substr(f_t, 5, {HUGE}) . '
                f'text_strn(f_t, {HUGE}, 1) . text_strn(f_t, {LEAST}, 1) . '
                "text_strn(f_t, -1, 0)", ANY, "global f_s\n")
    for name, at in (("huge", HUGE), ("least", LEAST), ("minus", -1)):
        yield Fault(f"stringat-{name}", f'f_n += stringat("abc", {at})', "Position out of bounds",
                    "global f_n\n")
    yield Fault("replace", f'{long} f_s = str_replace(f_t, " ", f_t) . str_replace(f_t, "", "y") . '
                'str_replace("", "", "") . str_replace(f_t, f_t, f_t . f_t)', ANY, "global f_s\n")
    yield Fault("tokenize", f'{long} f_s = tokenize("", "") . tokenize(f_t, f_t) . '
                'tokenize(f_t, "") . tokenize("", " ")', ANY, "global f_s\n")
    yield Fault("strtol", f'f_n += strtol("99999999999999999999999", 99) + strtol("", {HUGE}) + '
                f'strtol("zz", {LEAST}) + strtol("-0x", 16) + isinstr("", "") + strpos("", "x")',
                ANY, "global f_n\n")
    yield Fault("regex-long", 'for (f_i = 0; f_i < 20; f_i++) { f_s .= "aaaaaaaaaaaaaaaaaaaaaaa" '
                'if (f_s =~ "^((a|aa)*)*b$|(a+a*)+c") f_n++ '
                'if (f_s =~ "((a*)(a?))*(a{3,30})$") f_n += strlen(matched(1) . matched(4)) }',
                None, "global f_n\n")
    yield Fault("regex-group", 'if ("abc" =~ "(b)") println(matched(-1), matched(9000000000))',
                "subexpression")
    yield Fault("regex-unmatched", 'if ("abc" !~ "(x)") println(matched(1))', "failed match")


def limits():
    yield Fault("endless", "while (1) f_n++", LONG, "global f_n\n", caught=False)
    yield Fault("endless-function", "f_loop(9)", LONG,
                "global f_n\nfunction f_loop(n) { for (;;) { try { f_n += n } "
                "catch { f_n = 0 } } }\n", caught=False)
    yield Fault("recursion", "f_n += f_deep(1)", "MAXNESTING exceeded",
                "global f_n\nfunction f_deep(n) { return f_deep(n + 1) + 1 }\n")
    values = " ".join(f"f_v{i} = n + {i};" for i in range(60))
    total = " + ".join(f"f_v{i}" for i in range(60))
    yield Fault("recursion-wide", "f_n += f_even(1, \"x\")", DEEP,
                f"global f_n\nfunction f_even(n, s:string) {{ {values} "
                f"if (f_odd(n, s . sprint(n))) return {total} return 0 }}\n"
                f"function f_odd(n, s:string) {{ {values} f_t = s . \"y\" "
                f"return f_even(n + 1, f_t) + strlen(f_t) + {total} }}\n",
                "-DMAXNESTING=1000 -DMAXACTION=100000", caught=ANY)
    yield Fault("recursion-text", "f_s = f_deep(\"x\")", DEEP,
                "global f_s\nfunction f_deep:string(s:string) { f_t = sprintf(\"%s%d\", s, "
                "strlen(s)) return f_deep(f_t) . f_t . s }\n",
                "-DMAXNESTING=300 -DMAXACTION=100000", caught=ANY)
    texts_ = " ".join(f'f_t{i} = sprintf("%d %s", f_n + {i}, f_t{max(i - 1, 0)});'
                      for i in range(200))
    yield Fault("many-texts", texts_ + " println(f_t199)", None, "global f_n\n")
    locals_ = " ".join(f"f_l{i} = f_n * {i};" for i in range(400))
    both = " + ".join(f"f_l{i}" for i in range(400))
    yield Fault("many-locals", f"{locals_} f_n += {both}", None, "global f_n\n")
    yield Fault("wide-print", 'printf("' + "%d %s " * 16 + '\\n", ' +
                ", ".join(f'f_n + {i}, "a" . sprint(f_n)' for i in range(16)) + ")", None,
                "global f_n\n")
    yield Fault("nested-ifs", "if (f_n) { " * 60 + "f_n--" + " }" * 60, None, "global f_n = 1\n")
    yield Fault("nested-expression", "f_n = " + "(1 + " * 200 + "f_n" + ")" * 200, None,
                "global f_n\n")
    yield Fault("nested-try", "try { " * 30 + "error(\"deep\")" +
                " } catch (f_e) { error(f_e . f_e . \"x\") }" * 30, "deep")
    yield Fault("sort-often", "for (f_i = 0; f_i < 900; f_i++) foreach (f_k+ in f_a) break", ANY,
                "global f_a\nprobe begin(-9) { for (i = 0; i < 2000; i++) "
                "f_a[i * 7919 % 2003] = i }\n")
    yield Fault("sort-texts",
                "for (f_i = 0; f_i < 300; f_i++) foreach (f_k- in f_a limit 40) f_n++",
                ANY, "global f_a, f_n\nprobe begin(-9) { for (i = 0; i < 2000; i++) "
                "f_a[sprintf(\"%500d\", i * 7919 % 2003)] = i }\n", caught=ANY)
    yield Fault("large-array", "foreach (f_k+ in f_a) f_n += f_k delete f_a", ANY,
                "global f_a[60000], f_n\n"
                "probe begin(-9) { for (i = 0; i < 20000; i++) f_a[-i] = i }\n",
                "-DMAXACTION_INTERRUPTIBLE=1000000", caught=ANY)
    yield Fault("long-loop", "for (f_i = 0; f_i < 200000; f_i++) f_a[f_i & 1023] += f_i", ANY,
                "global f_a\n", "-DMAXACTION=10000000", caught=ANY)
    yield Fault("long-loop-texts", 'for (f_i = 0; f_i < 5000; f_i++) f_s = sprintf("%500d", f_i)',
                ANY, "global f_s\n", "-DMAXACTION=1000000", caught=ANY)
    quoted = " + ".join(["strlen(string_quoted(f_t))"] * 20)
    yield Fault("texts-often", 'f_t = sprintf("%1000000s", "x") '
                f"for (f_i = 0; f_i < 300; f_i++) f_n += {quoted}", ANY, "global f_n\n", caught=ANY)
    yield Fault("overload", "for (f_i = 0; f_i < 100; f_i++) f_n += f_i", ANY, "global f_n\n",
                "-DSTP_OVERLOAD_THRESHOLD=0 -DSTP_OVERLOAD_INTERVAL=1000", caught=ANY)


def ends():
    yield Fault("error", 'error("f_ told")', "f_ told")
    yield Fault("error-long", f'error(sprintf("%1000000s", "x"))', " {9}")
    yield Fault("error-percent", 'error("%s%n%s%x told %")', "%s%n%s%x told %")
    yield Fault("error-function", "f_first(1)", "f_ inside", "function f_first(n) { f_second(n) }\n"
                "function f_second(n) { foreach (k+ in f_a) error(\"f_ inside\") }\n"
                "global f_a\nprobe begin(-9) { f_a[1] = 1 }\n")
    yield Fault("abort", "abort()")
    yield Fault("exit", "exit() exit()")
    yield Fault("next", "next")
    yield Fault("next-function", "f_pass(1)", "all functions exhausted",
                "function f_pass(n) { if (n) next; println(n) }\n")
    yield Fault("return", "f_n += f_back(0) + f_back(1)", None,
                "global f_a, f_n\nprobe begin(-9) { f_a[1] = f_a[2] = 1 }\nfunction f_back(n) { "
                "foreach (k+ in f_a) foreach (j in f_a) try { return 1 / n } catch { return 5 } "
                "return 1 }\n")
    yield Fault("print-long", 'for (f_i = 0; f_i < 60; f_i++) println(sprintf("%1000000d", f_i))')
    yield Fault("print-pieces", 'for (f_i = 0; f_i < 300; f_i++) print(f_i, "piece ", f_i * f_i)')
    yield Fault("log", 'log("f_ a line") warn("f_ a warning") f_n++', None, "global f_n\n")
    yield Fault("print-memory",
                'printf("%.4096M\\n%.4096m", 0xffffffff81000000, 0xffffffff81000000)',
                ANY)


def all_faults():
    return [f for kind in (memory, programs, numbers, arrays, statistics, texts, limits, ends)
            for f in kind()]
