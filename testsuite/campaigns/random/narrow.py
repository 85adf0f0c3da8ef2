# SPDX-License-Identifier: GPL-2.0-or-later
"""Random programs that a guest's kernel runs as BPF: stap --runtime=bpf, with what that has (man stapbpf).

A begin probe would run in a process. So the handler is that of a tracepoint which the target process
hits once, when it exits.  A script holds a batch of them; one that is refused is left out, and counted.
"""
import os
import re
import subprocess
import tempfile

from interpreted import GUEST_LIMIT, OPTIONS, outputs
from pieces import Failure, Statement, block
from programs import Program, made
from values import COMPARISONS, ScriptError

# Other processes exit meanwhile, and take frames.
OWN = ["-DMAXSKIPPED=1000000"]
REFUSED = re.compile(r"^ERROR: (BPF has .*?)(?: at |: .* at |: in the probe at ).*:(\d+):\d+$", re.M)


class Narrow(Program):
    """A program without what BPF has not in a probe of the kernel."""

    def recursive(self):
        return []

    # -- expressions: others in place of those that are refused --

    def statistic(self, s, depth):
        return self.arith(s, depth)

    histogram = regex = statistic

    def compare(self, s, depth):
        """Not of a global string itself."""
        op = self.r.choice(list(COMPARISONS))
        make = self.r.choice([self.long, self.concat])
        a, b = make(s, depth), make(s, depth)
        return self.binary(op, a, b, lambda e: COMPARISONS[op](a.run(e), b.run(e)))

    def sprint(self, s, depth):
        return self.concat(s, depth)

    def sprintf(self, s, depth):
        return self.library_string(s, depth)

    def library(self, kind, s, depth):
        return super().library(kind, s, depth, ["strlen", "substr"])

    def slice(self, keys, some):
        return super().slice(keys, False)

    # -- statements --

    def iteration(self, s):
        return self.count_loop(s)

    sorted_iteration = bucket_iteration = statistic_iteration = iteration

    def tokens(self, s):
        return self.expression(s)

    groups = tokens

    def show_histogram(self, s):
        return self.accumulate(s)

    def attempt(self, s):
        tried, caught = (block(self.statements(s.inside(), 3)) for _ in range(2))

        def run(e):
            try:
                tried.run(e)
            except ScriptError:
                caught.run(e)
        return Statement(f"try {tried.text} catch {caught.text}", run)

    def fault(self, s):
        what = self.r.choice([f"kernel_long({self.r.randint(0, 300)})", "kernel_string(5)",
                              f"{self.prefix}g / ({self.prefix}g - {self.prefix}g)"])
        return Statement(f'try {{\n\tprint({what});\n}} catch {{\n\tprint("<>");\n}}',
                         lambda e: e.machine.out.append("<>"))

    def errs(self):
        return False

    def removal(self, s):
        """Not of a whole array."""
        made = super().removal(s)
        return made if "[" in made.text else self.removal(s)

    # -- the program --

    def probe(self):
        return (f'probe kernel.trace("sched_process_exit") {{\n\tif (tid() != target()) next\n'
                f'\tprintln("\\n@@ {self.number}")\n\ttry ' + self.handler.text.replace("\n", "\n\t")
                + ' catch { println("\\nerror") }\n}')

    def failed(self, why):
        return "\nerror\n"


def run(env, options, programs, unfolded):
    """What each program printed, by its number; and what was said besides."""
    with tempfile.NamedTemporaryFile("w", suffix=".stp", encoding="utf-8") as script:
        script.write("".join(p.text for p in programs))
        script.flush()
        argv = [env["STAP"], "--runtime=bpf", "--vm", "-r", env["STAP_TEST_RELEASE"], *options, *OWN,
                *(["-u"] if unfolded else []), "-c", "true", script.name]
        try:
            r = subprocess.run(argv, capture_output=True, timeout=GUEST_LIMIT, check=False, env=env,
                               stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired as e:
            return outputs((e.stdout or b"").decode(errors="replace"))[0], "it does not end"
    got, before = outputs(r.stdout.decode(errors="replace"))
    said = before + r.stderr.decode(errors="replace")
    return got, said + (f"exit status {r.returncode}" if r.returncode else "")


def of_line(programs, line):
    """The program that has this line of the script."""
    for p in programs:
        line -= p.text.count("\n")
        if line <= 0:
            return p
    raise ValueError(line)


def run_all(env, options, first, count):
    """Makes programs and runs them: how many ran, failures, and what was refused."""
    batch, refused, failed = made(first, count, Narrow), [], []
    for unfolded in (False, True):
        while batch:
            got, said = run(env, options, batch, unfolded)
            no = REFUSED.search(said)
            if not no:
                break
            refused.append(no.group(1))
            batch.remove(of_line(batch, int(no.group(2))))
        failed += [Failure(p, got.get(p.number, "(nothing)\n") + said, "goes wrong as BPF", unfolded)
                   for p in batch if got.get(p.number) != p.want or said]
    return len(batch), failed, refused
