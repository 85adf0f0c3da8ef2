# SPDX-License-Identifier: GPL-2.0-or-later
"""Every function of the script library that a script may call, with wild arguments."""
import glob
import itertools
import os
import re

FUNCTION = re.compile(r"(private\s+)?function\s+(\w+)(?::(\w+))?\s*\(([^)]*)\)", re.A)
MODULE = re.compile(r'"kernel:(\w+)"')
ENDING = ("exit", "abort")      # what they do is one of the faults
CALLS = 24                      # of each function

NUMBERS = ["0", "-1", "8", "0x8000000000000000", "0x400000", "0x7fffffffffffffff",
           "0xffff888000000000", "0xffffffffff600000", "0xfffffffffffffff8", "task_current()",
           "task_current() + 3", "0xffffffff81000000", "0xffffc90000000000", "1 << 40", "64"]
TEXTS = ['""', "c_long", r'"%s%n%s"', '"[[[("', r'"\xff\xfe\x80"', '"0x"', '"-"', '"*"',
         r'"\\\\\""', '"a\\tb\\nc"', '"/"', '"99999999999999999999"', '"%999999d"']

# A call in each of these, every one of which has another level or other locks under it.
CONTEXTS = ["begin", 'kernel.function("vfs_read").call', "timer.us(700)",
            "perf.sw.cpu_clock.sample(1000000)", 'kernel.trace("sched_switch")']

NEEDS = "# needs: modinfo -k $STAP_TEST_RELEASE {0} >/dev/null -- the kernel has no module {0}\n"

HEADER = """\
# SPDX-License-Identifier: GPL-2.0-or-later
# about: {about} with wild arguments
# flags: -w -u -DMAXACTION=20000 -DMAXNESTING=30 --suppress-handler-errors -DSTP_NO_OVERLOAD
# run: --end-after 30
# workload: while :; do read x </etc/hostname; sleep 0.02; done
# timeout: 120
# exit: any
# stderr: any
{needs}#...
#~ hits( [1-9]\\d*)+
#...
global c_text, {hits}
probe begin(-1) {{ c_text = sprintf("%1000000s", "x") }}
probe timer.ms(100) {{ if ({done}) exit() }}
probe timer.s(20) {{ exit() }}
probe end, error {{ printf("\\nhits{places}\\n", {turns}) }}
"""


class Function:
    """Its modules are those whose types the functions and macros of its file use."""

    def __init__(self, name, result, params, modules):
        self.name, self.result, self.modules = name, result, modules
        self.params = [p.split(":")[-1].strip() for p in params.split(",") if p.strip()]


def read(path):
    """The text of a file, "" if there is none."""
    try:
        with open(path, encoding="utf-8") as f:
            return f.read()
    except FileNotFoundError:
        return ""


def functions(source):
    """All that a script may call, in the order of the files."""
    for path in sorted(glob.glob(os.path.join(source, "tapsets/*/*.stp"))):
        text = re.sub(r"^#.*$", "", read(path), flags=re.M)
        modules = sorted(set(MODULE.findall(text + read(path + "m"))))
        found = list(FUNCTION.finditer(text))
        for match, following in itertools.zip_longest(found, found[1:]):
            body = text[match.end():following.start() if following else None]
            private, name, result, params = match.groups()
            if not private and "/* guru */" not in body and name not in ENDING:
                yield Function(name, result, params, modules)


class Calls:
    """
    The script for some functions.  Each context calls each of them with all the arguments, the
    begin probe all functions at once, the others one function a hit.
    """

    def __init__(self, number, called):
        self.called = called
        self.name = f"library-{number:04d}-{called[0].name}.stp"

    @staticmethod
    def arguments(function, turn):
        for i, kind in enumerate(function.params):
            values = TEXTS if kind == "string" else NUMBERS
            step = 1 + i * (turn // len(values) + 1)
            yield values[(turn * step + i * 5) % len(values)]

    def calls(self, function):
        seen = set()
        for turn in range(CALLS if function.params else 1):
            call = f"{function.name}({', '.join(self.arguments(function, turn))})"
            if call in seen:
                continue
            seen.add(call)
            if function.result == "string":
                call = f"c_sum = strlen({call})"
            elif function.result == "long":
                call = f"c_sum = {call}"
            yield f"\ttry {{ {call} }} catch {{ c_sum = 0 }}\n"

    def functions(self):
        """A function of the script for each function called, and one that chooses among them."""
        text = choice = ""
        for i, function in enumerate(self.called):
            text += f"function c_calls{i}(c_long:string)\n{{\n{''.join(self.calls(function))}}}\n"
            choice += f"\tif (c_turn % {len(self.called)} == {i}) c_calls{i}(c_long)\n"
        return text + f"function c_calls(c_turn, c_long:string)\n{{\n{choice}}}\n"

    def text(self):
        hits = [f"c_hits{i}" for i in range(len(CONTEXTS))]
        turns = [f"{hit} / {len(self.called)}" for hit in hits]
        text = HEADER.format(about=", ".join(f.name for f in self.called), hits=", ".join(hits),
                             done=" && ".join(turns), turns=", ".join(turns),
                             places=" %d" * len(hits),
                             needs="".join(map(NEEDS.format, self.called[0].modules)))
        text += self.functions()
        for point, hit in zip(CONTEXTS, hits):
            repeat = f"while ({hit} < {len(self.called)}) " if point == "begin" else ""
            text += f"probe {point} {{ {repeat}c_calls({hit}++, c_text) }}\n"
        return text


def scripts(source, together=1):
    """Scripts that call TOGETHER functions each, which use types of the same modules."""
    made, number = [], 1
    for _, run in itertools.groupby(functions(source), lambda f: f.modules):
        run = list(run)
        made += [Calls(number + i, run[i:i + together]) for i in range(0, len(run), together)]
        number += len(run)
    return made
