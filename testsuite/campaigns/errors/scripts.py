# SPDX-License-Identifier: GPL-2.0-or-later
"""The scripts of the campaign: faults crossed with phases, with what stands around them,
and with options, each written as a test of the suite (harness/spec.py)."""
import random
import re

from faults import ANY, FAULT, Fault, all_faults
from phases import FLAGS, PHASES, READ, WORK, WORK_DECL, WRAPPERS

# It ends by itself: soon after the phase occurred, or when it never does.
FRAME = """\
global caught, said
probe timer.ms(100) {{ if ({hit}) exit() }}
probe timer.s({limit}) {{ exit() }}
probe end(1000), error(1000)
{{
	printf("\\nhits {places} caught %d said %s\\n", {hits}, caught, said)
}}
"""
TOLERANT = ("--suppress-handler-errors", "-DMAXERRORS=1000000")
# With these a hit may be skipped, or the session ended, before the fault.
UNSURE = ("-DMAXTRYLOCK=0", "-DMAXSKIPPED=0", "-DSTP_OVERLOAD_THRESHOLD")
# With these a string is more than the kernel keeps of a call.
LONG_STRINGS = ("-DMAXSTRINGLEN=4096", "-DMAXSTRINGLEN=65536")
TOGETHER_IN_SAMPLE = 6      # faults in a script of the sample
TOGETHER_IN_DENSE = 10      # faults in a script of the dense crossing
FEW_IN_DENSE = 4            # the same where each takes long, or the processor has few
ENOUGH = 20         # hits of a part, in a script of many: then it leaves its time to the others
PAUSE, LONG_PAUSE = 0.02, 1         # in a workload, and in each of a script of many, in seconds
SECONDS, MORE_SECONDS = 25, 5       # for the phase of one fault, and for each one more
# Faults that end the session, the endless ones by overload.
ENDING = ("abort", "exit", "endless", "endless-function")
LONG = ("sort-often", "sort-texts", "texts-often")     # those that take a second, at each hit
OFTEN = ("timer-us", "timer-randomize", "perf-clock", "nmi")    # phases that leave little time
SCARCE = ("user-watchpoint",)   # phases of which a processor has no more than four at once
ALONE = ("begin", "end", "oneshot")     # phases with nothing beside them
PLAIN = WRAPPERS[0]
WORKING = Fault("work", WORK, None, WORK_DECL)
# Phases that can be in one script with others, and need no error to end.  A script has one program.
# QEMU's emulation loops when an instruction hits a watchpoint while a uprobe steps over it.
TOGETHER = [p for p in PHASES if p.kind != "condition" and
            p.name not in ("begin", "end", "oneshot", "error", "user-exceptions",
                            "user-watchpoint")]


class Part:
    """A fault in a phase in a wrapper, its names made the part's own by a number."""

    def __init__(self, number, fault, phase, wrapper):
        self.number, self.fault, self.phase, self.wrapper = number, fault, phase, wrapper

    def own(self, text):
        return re.sub(r"\b([fwp])_", rf"\g<1>{self.number}_", text)

    def in_function(self):
        return self.wrapper.calls or self.phase.kind == "call"

    def error(self):
        if self.fault.name == "next" and self.in_function():
            return "all functions exhausted"
        return self.own(self.fault.error) if self.fault.error else None

    def is_sure(self):
        """Will it end with the error?"""
        return self.error() is not None and self.fault.error != ANY

    def forgiven(self, options):
        """Is what can't be read 0?"""
        return self.fault.error == FAULT and "--skip-badvars" in options

    def statements(self):
        """What stands in the handler, and the functions it needs."""
        body = self.fault.body
        if not self.wrapper.calls:
            return self.wrapper.text.replace("BODY", body), ""
        return (self.wrapper.text.replace("CALL()", "w_call()"),
                f"function w_call:long()\n{{\n\t{body}\n\treturn 1\n}}\n")

    def text(self, rests):
        """RESTS: after enough hits the fault is left out.  A timer sees to that: handlers that read
        what they count would run one after the other."""
        if self.phase.kind == "condition":
            handlers = self.phase.text.replace("CONDITION", self.fault.expression)
            return self.own("global p_hits\n" + self.fault.decl + handlers)
        body, functions = self.statements()
        body = f"\n\tp_hits++\n\tif (!p_rests) {{ {body} }}\n" if rests else f"\n\tp_hits++\n\t{body}\n"
        handlers = self.phase.text.replace("BODY", body)
        if self.phase.kind == "call":
            functions += f"function p_call:long()\n{{{body}\treturn 1\n}}\n"
            handlers = handlers.replace("CALL()", "p_call()")
        if rests:
            functions += (f"global p_rests = 0\nprobe timer.ms(100) "
                          f"{{ if (p_hits > {ENOUGH}) p_rests = 1 }}\n")
        around = self.wrapper.decl.replace("CALL()", "w_call()")
        return self.own("global p_hits\n" + self.fault.decl + around + functions + handlers)


class Script:
    """One test: its name, and its text when asked for."""

    def __init__(self, number, parts, flags):
        words = [f"{p.fault.name}.{p.phase.name}.{p.wrapper.name}" for p in parts]
        named = words if len(words) <= 3 else [words[0], f"{len(words) - 1}-more"]
        self.name = f"{number:05d}-{'-'.join(named)}.stp"
        self.about, self.parts = ", ".join(words), parts
        self.many = len(parts) > 2
        self.flags = [part.fault.flags for part in parts if part.fault.flags] + [flags]

    def options(self):
        """Of options that set the same limit the first counts. A slow guest is no overload, and
        where many wait for locks, skipped hits are no end."""
        chosen = {}
        for option in " ".join(self.flags).split():
            chosen.setdefault(option.split("=")[0], option)
        if not any("OVERLOAD" in option for option in chosen):
            chosen["overload"] = "-DSTP_NO_OVERLOAD"
        if self.many:
            chosen.setdefault("-DMAXSKIPPED", "-DMAXSKIPPED=1000000")
        return "-w " + " ".join(chosen.values())

    def expected(self):
        """Exit status and messages, and the report's line."""
        options = self.options()
        part = self.parts[0]
        report = r"hits [1-9]\d* caught \d+ said .*"
        if len(self.parts) > 1:
            return "any", [], self.report_of_several(options)
        if part.phase.name == "condition-start" and not part.forgiven(options):
            report = r"hits 0 caught 0 said "
        if any(flag in options for flag in UNSURE) or part.forgiven(options):
            # another handler may be the first that takes too long
            seen = report if part.fault.name != "overload" else report.replace("[1-9]", "")
            return "any", [], seen
        status = "1" if part.phase.error_ends else "any"
        if part.is_sure() and part.wrapper.catches and part.phase.kind != "condition":
            said = ".*" if "LEN=16" in options else f"(?:.*(?:{part.error()}).*)"
            if part.fault.caught is True:
                report = rf"hits [1-9]\d* caught [1-9]\d* said {said}"
            return status, [], report
        if part.is_sure() and not any(flag in options for flag in TOLERANT):
            return "1", [f"ERROR: .*(?:{part.error()})"], report
        if part.error() is None and part.phase.name in ALONE and not self.flags[-1]:
            status = "0"
        return status, [], report

    def report_of_several(self, options):
        """All occur where what goes wrong in one does not end the session. On a slow
        machine a fault that takes a second ends it too: a CPU's handlers have 100 ms."""
        going_on = any(flag in options for flag in TOLERANT) and not any(
            part.fault.name in ENDING + LONG for part in self.parts)
        if going_on and not any(flag in options for flag in UNSURE):
            return rf"hits( [1-9]\d*){{{len(self.parts)}}} caught \d+ said .*"
        if any(part.fault.name == "overload" for part in self.parts):
            return r"hits [\d ]+ caught \d+ said .*"      # a timer may be the first to take too long
        return r"hits (?=.*[1-9].* caught)[\d ]+ caught \d+ said .*"

    def header(self):
        phases = [part.phase for part in self.parts]
        lines = ["# SPDX-License-Identifier: GPL-2.0-or-later",
                 f"# about: {self.about}", f"# flags: {self.options()}", "# timeout: 120"]
        refused = next((p.fault.refused for p in self.parts if p.fault.refused), None)
        if refused:
            return lines + ["# pass: 4", "# exit: 1", f"#! semantic error: .*(?:{refused})"]
        status, messages, report = self.expected()
        lines += [f"# run: --end-after {self.limit() + 5}", f"# exit: {status}"]
        load = {phase.workload for phase in phases}
        pause = LONG_PAUSE if self.many else PAUSE
        lines += [f"# workload: export PAUSE={pause}; " +
                  " ".join(f"({w}) &" for w in sorted(load)) + " wait"]
        program = next((phase.program for phase in phases if phase.program), None)
        if program:
            lines += [f"# program: {program}", f"# args: {{{program.split()[0]}}}"]
        for key in ("before", "after"):
            lines += [f"# {key}: {c}" for phase in phases for c in getattr(phase, key)]
        lines += [f"#! {m}" for m in messages] or ["# stderr: any"]
        return lines + ["#...", f"#~ {report}", "#..."]

    def limit(self):
        return SECONDS + MORE_SECONDS * (len(self.parts) - 1)

    def text(self):
        hits = [f"p{part.number}_hits" for part in self.parts]
        frame = FRAME.format(limit=self.limit(), hit=" && ".join(hits), hits=", ".join(hits),
                             places=" ".join("%d" for _ in hits))
        parts = "".join(p.text(self.many) for p in self.parts)
        return "\n".join(self.header()) + "\n" + frame + parts


def fits(fault, phase, wrapper):
    if phase.kind == "condition":
        return fault.expression is not None and wrapper is PLAIN
    if fault.refused:
        return phase.kind == "statements" and not wrapper.calls and not phase.program
    return True


def possible(flags, phase):
    """Does the phase occur with these options?"""
    if phase.name == "entry-text" and flags in LONG_STRINGS:
        return False
    if flags in TOLERANT:
        return not phase.error_ends and phase.kind != "condition"
    # what takes a while to come would come too late
    return not flags.startswith(UNSURE) or phase.workload == READ


def flags_for(rand, faults, phases):
    """The longest strings in the deepest calls are refused: they need too much memory."""
    deep = any("MAXNESTING" in (fault.flags or "") for fault in faults)
    return rand.choice([f for f in FLAGS if all(possible(f, p) for p in phases) and
                        not (deep and "MAXSTRINGLEN=65536" in f)])


def script_of(number, faults, phases, wrappers, flags):
    parts = [Part(i + 1, *t) for i, t in enumerate(zip(faults, phases, wrappers))]
    return Script(number, parts, flags)


def in_groups(things, size):
    return [things[i:i + size] for i in range(0, len(things), size)]


class Crossing:
    """All scripts of a seed."""

    def __init__(self, seed):
        self.rand = random.Random(seed)
        self.faults = all_faults()
        self.number = 0

    def make(self, faults, phases, wrappers, flags=None):
        self.number += 1
        return script_of(self.number, faults, phases, wrappers,
                         flags_for(self.rand, faults, phases) if flags is None else flags)

    def pairs(self):
        """Every fault in every phase; and by turns every wrapper with every fault and phase."""
        turn = self.rand.randrange(len(WRAPPERS))
        for i, fault in enumerate(self.faults):
            for j, phase in enumerate(PHASES):
                choice = WRAPPERS[(turn + i + j) % len(WRAPPERS)]
                wrapper = choice if fits(fault, phase, choice) else PLAIN
                if fits(fault, phase, wrapper) and not (fault.refused and j % 8):
                    yield self.make([fault], [phase], [wrapper])

    def two(self):
        """Two faults, or a fault and work, in one script."""
        while True:
            faults = [self.rand.choice(self.possible()) for _ in range(2)]
            phases = self.rand.sample(TOGETHER, 2)
            wrappers = [self.rand.choice(WRAPPERS) for _ in phases]
            if self.rand.randrange(3) == 0:
                faults[0], wrappers[0] = WORKING, PLAIN
            return self.make(faults, phases, wrappers)

    def dense(self):
        """
        Every fault in every phase, many to a script: of faults that can be with others each in
        another phase, or all in one phase that can't be with others; and faults with options of
        their own in many phases.  What is left is alone.
        """
        mixing = [f for f in self.possible() if not f.flags and f.name not in ENDING + LONG]
        phases = [p for p in TOGETHER if p.name not in OFTEN]
        apart = [p for p in PHASES if p not in phases and p.kind != "condition" and
                 not p.error_ends]
        own = [f for f in self.possible() if f.flags and not f.flags.startswith(UNSURE)]
        for turn in range(len(phases)):
            for some in in_groups(mixing, TOGETHER_IN_DENSE):
                first = mixing.index(some[0]) + turn
                yield self.several(some, phases, first, TOLERANT[turn % len(TOLERANT)])
        for phase in apart:
            size = FEW_IN_DENSE if phase.name in OFTEN + SCARCE else TOGETHER_IN_DENSE
            for turn, some in enumerate(in_groups(mixing, size)):
                yield self.several(some, [phase], turn, TOLERANT[turn % len(TOLERANT)])
        for fault in own:
            for turn, some in enumerate(in_groups(phases, FEW_IN_DENSE)):
                yield self.several([fault] * len(some), some, 0, TOLERANT[turn % len(TOLERANT)])
        for script in self.pairs():
            fault, phase = script.parts[0].fault, script.parts[0].phase
            if not (fault in mixing and phase in phases + apart or
                    fault in own and phase in phases):
                yield script

    def several(self, faults, phases, first, flags):
        """Faults by turns in phases and wrappers, from the first-th on."""
        turns = range(first, first + len(faults))
        return self.make(faults, [phases[t % len(phases)] for t in turns],
                         [WRAPPERS[t % len(WRAPPERS)] for t in turns], flags)

    def possible(self):
        return [f for f in self.faults if not f.refused]

    def sample(self):
        """Few scripts, with each fault, phase and wrapper in one of them at least."""
        faults = self.possible()
        for i, some in enumerate(in_groups(faults, TOGETHER_IN_SAMPLE)):
            yield self.several(some, TOGETHER, i * TOGETHER_IN_SAMPLE, TOLERANT[i % len(TOLERANT)])
        named = {f.name: f for f in self.faults}
        for i, phase in enumerate(p for p in PHASES if p not in TOGETHER):
            conditions = phase.kind == "condition"
            yield self.make([named["division" if conditions else "array-full"]], [phase],
                            [PLAIN if conditions else WRAPPERS[i % len(WRAPPERS)]], "")
        for fault in self.faults:
            if fault.refused:
                yield self.make([fault], [PHASES[0]], [PLAIN], "")
