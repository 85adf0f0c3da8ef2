# SPDX-License-Identifier: GPL-2.0-or-later
"""Random programs that a guest's kernel runs as BPF: stap --runtime=bpf, with what that has (man stapbpf).

A begin probe would run in a process. So the handler is that of a tracepoint which the target process
hits once, when it exits.  A guest runs a batch of them, SCRIPT to a script, folded and with -u; one that is refused is
left out, and counted.
"""
import os
import re
import subprocess
import tempfile

from interpreted import GUEST_LIMIT, LIMIT, failures, outputs, printed
from pieces import Statement, block
from programs import Program, made
from values import COMPARISONS, ScriptError, Whole

# Other processes exit meanwhile, and take frames.
OWN = ["--runtime=bpf", "-DMAXSKIPPED=1000000"]
REFUSED = re.compile(r"^ERROR: (BPF has .*?)(?: at |: .* at |: in the probe at ).*:\d+:\d+$", re.M)
SCRIPT = 50                 # programs
# Runs scripts one behind the other: $1 is staprun.
NEXT_SCRIPT = "\n== the next script\n"
RUN = f"""run=$1; shift; for script; do printf '{NEXT_SCRIPT}'
timeout 1200 "$run" "$script" -c true 2>&1 </dev/null || echo "exit status $?"; done"""
# Directives that sprintf has not: %b, precisions of numbers, some flags.
NOT_SPRINTF = re.compile(r"%[-+ #0]*(?:[\d*]*b|[\d*]*\.[\d*]+[diuxXop])|%-?[+ #0][-+ #\d*]*[diuxXc]")


class Narrow(Program):
    """A program without what BPF has not in a probe of the kernel."""
    new_statistic = Whole

    def recursive(self):
        return []

    # -- expressions: others in place of those that are refused --

    def histogram(self, s, depth):
        return self.arith(s, depth)

    def compare(self, s, depth):
        """Not two global strings."""
        op = self.r.choice(list(COMPARISONS))
        kinds = self.r.choice([(self.long, self.long), (self.string, self.concat),
                               (self.concat, self.string)])
        a, b = (make(s, depth) for make in kinds)
        return self.binary(op, a, b, lambda e: COMPARISONS[op](a.run(e), b.run(e)))

    def sprintf(self, s, depth):
        made = super().sprintf(s, depth)
        return self.library_string(s, depth) if NOT_SPRINTF.search(made.text) else made

    def library(self, kind, s, depth):
        return super().library(kind, s, depth,
                               ["strlen", "substr", "text_str", "text_strn", "string_quoted"])

    # -- statements --

    @staticmethod
    def sortable(fields):
        """Not strings that are elements."""
        return range(len(fields) - (fields[-1] == "string"))

    def bucket_iteration(self, s):
        return self.iteration(s)

    statistic_iteration = bucket_iteration

    def groups(self, s):
        return self.tokens(s)

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

    # -- the program --

    def probe(self):
        return (f'probe kernel.trace("sched_process_exit") {{\n\tif (tid() != target()) next\n'
                f'\tprintln("\\n@@ {self.number}")\n\ttry ' + self.handler.text.replace("\n", "\n\t")
                + ' catch { println("\\nerror") }\n}')

    def failed(self, why):
        return "\nerror\n"


def run(env, options, programs):
    return printed(env, [*OWN, "--vm", "-c", "true", *options], programs, GUEST_LIMIT)


def refusals(env, options, programs):
    """Why stap refuses each of the programs, or None. Most scripts are translated once, with all of their programs."""
    _, said = printed(env, [*OWN, "-p3", *options], programs, LIMIT)
    no = REFUSED.search(said)
    if len(programs) == 1 or not no:
        return [no and no.group(1)] * len(programs)
    half = len(programs) // 2
    return refusals(env, options, programs[:half]) + refusals(env, options, programs[half:])


def compiled(env, options, programs, directory, name):
    """The file of a script, which is not there if stap refuses it."""
    path = os.path.join(directory, name)
    with open(path + ".stp", "w", encoding="utf-8") as script:
        script.write("".join(p.text for p in programs))
    subprocess.run([env["STAP"], "-r", env["STAP_TEST_RELEASE"], *OWN, "-p4", "-m", name, *options, path + ".stp"],
                   stdout=subprocess.DEVNULL, timeout=LIMIT, check=False, env=env, cwd=directory)
    return path + ".bo"


def run_together(env, scripts):
    """What each program of each script, (options, programs), printed in one guest; and what was said besides."""
    with tempfile.TemporaryDirectory() as directory:
        files = [compiled(env, o, programs, directory, f"script{n}") for n, (o, programs) in enumerate(scripts)]
        argv = [env["STAPVM"], "-n", "-r", env["STAP_TEST_RELEASE"], "sh", "-c", RUN, "sh", env["STAPRUN"], *files]
        r = subprocess.run(argv, capture_output=True, timeout=GUEST_LIMIT, check=False, env=env)
    parts = r.stdout.decode(errors="replace").split(NEXT_SCRIPT)[1:]
    parts += [r.stderr.decode(errors="replace")] * (len(scripts) - len(parts))
    return [outputs(part) for part in parts]


def run_all(env, options, first, count):
    """Makes programs and runs them: how many ran, failures, and what was refused."""
    batch, refused, scripts = made(first, count, Narrow), [], []
    both = (options, [*options, "-u"])
    for o in both:
        why = sum((refusals(env, o, batch[i:i + SCRIPT]) for i in range(0, len(batch), SCRIPT)), [])
        refused += filter(None, why)
        batch = [p for p, no in zip(batch, why) if not no]
    scripts = [(o, batch[i:i + SCRIPT]) for i in range(0, len(batch), SCRIPT) for o in both]
    failed = []
    for (o, programs), printed_there in zip(scripts, run_together(env, scripts)):
        def again(env, options, some, programs=programs, there=printed_there):
            return there if some is programs else run(env, options, some)
        failed += failures(again, env, o, programs, "as BPF")
    return len(batch), failed, refused
