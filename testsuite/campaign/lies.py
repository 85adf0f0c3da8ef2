# SPDX-License-Identifier: GPL-2.0-or-later
"""The campaign's second axis: who lies (liars.py) meets what reads it (readers.py)."""
import json
import os
import re

import spec as specs
from liars import Maker
from readers import LISTINGS, READERS

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(os.path.dirname(HERE), "programs/liar.c")
# What the translator may take, in bytes and in seconds of a processor, the compiler it starts too.
MEMORY, SECONDS, LIMIT = 4 << 30, 60, 150
TIME = 300              # seconds for a case in the guest
FRAME = """\
global hits, total
probe timer.s(40) {{ exit() }}
{probes}
probe end, error {{ printf("\\nhits %d total %d\\n", hits, total) }}
"""
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
EVERY = "everything"
IN_SAMPLE = 12          # every so many-th liar


class Lie:
    """A liar, and one or more readers of one kind; listings need no guest."""

    def __init__(self, liar, what, readers=(), listings=()):
        self.name = f"lie-{liar.name}.{what}"
        self.liar, self.readers, self.listings = liar, readers, listings

    def script(self):
        return FRAME.format(probes="".join(r.probe() for r in self.readers))

    def prepare(self, suite):
        """Runs the translator, and queues what it makes for a guest."""
        folder = os.path.join(suite.workdir, self.name)
        os.makedirs(folder)
        program = os.path.join(folder, "program")
        self.liar.make(program)
        wrong = []
        for name, options in self.listings:
            options = [o.replace("{}", program).replace("{{", "{").replace("}}", "}") for o in options]
            wrong += [f"{name}: {w}" for w in self.translate(suite, folder, options)[0]]
        if not self.readers:
            suite.report.result(self.name, wrong)
            return
        path = os.path.join(folder, "script.stp")
        with open(path, "w", encoding="utf-8") as f:
            f.write(self.script())
        found, out, err = self.translate(suite, folder, ["-p4", "-w", "--skip-badvars", path, program])
        module = out.strip().split("\n")[-1]
        wrong += found
        if wrong or self.liar.name == "truth" and not module.endswith(".ko"):
            suite.report.result(self.name, wrong or ["the truth is refused"] + err.split("\n")[:20])
            return
        if not module.endswith(".ko"):
            suite.report.add("skipped", self.name, ["stap refuses it: " + err.split("\n")[0]])
            return
        self.queue(suite, folder, program, module)

    @staticmethod
    def translate(suite, folder, options):
        """What is wrong with how stap ended, and what it printed."""
        argv = ["prlimit", f"--as={MEMORY}", f"--cpu={SECONDS}",
                os.path.join(suite.build, "stap"), "-r", suite.release] + options
        status, out, err = suite.command(argv, LIMIT, suite.env, folder)
        wrong = []
        if status not in (0, 1):
            wrong.append(f"stap's status is {status}")
        if re.search("internal error|AddressSanitizer|does not compile|is a bug", err):
            wrong.append("stap says that it is wrong")
        control = CONTROL.search(out) or CONTROL.search(err)
        if control:
            around = control.string[max(0, control.start() - 60):control.end() + 20]
            wrong.append(f"stap prints a control character: {around!r}")
        if wrong:
            wrong += ["    " + line[:300] for line in ascii(err)[1:-1].split("\\n")[:20]]
        return wrong, out, err

    def queue(self, suite, folder, program, module):
        liar = self.liar
        case = {"program": program, "words": [liar.lie] if liar.lie else [], "module": module,
                "staprun": os.path.join(suite.build, "staprun"), "truth": liar.name == "truth",
                "before": liar.before.replace("{}", program),
                "meanwhile": liar.meanwhile.replace("{}", program), "literal": None,
                "exchanged": bool(liar.before or liar.meanwhile)}
        described = os.path.join(folder, "case.json")
        with open(described, "w", encoding="utf-8") as f:
            json.dump(case, f)
        path = os.path.join(folder, "case.test")
        with open(path, "w", encoding="utf-8") as f:
            f.write(f"# timeout: {TIME}\n")
        suite.add_job(specs.Spec(path, self.name),
                      ["python3", os.path.join(HERE, "beside.py"), described])


def pairs(liars):
    """Every liar with every reader; what doesn't differ to the translator is listed once."""
    for liar in liars:
        for reader in READERS:
            yield Lie(liar, reader.name, [reader])
        if not (liar.lie or liar.before or liar.meanwhile):
            for name, options in LISTINGS.items():
                yield Lie(liar, name, listings=[(name, options)])


def dense(liars):
    """Every liar with all readers in one script."""
    for liar in liars:
        plain = liar.lie or liar.before or liar.meanwhile
        yield Lie(liar, EVERY, READERS, () if plain else LISTINGS.items())


def scripts(workdir, seed, is_dense=False, is_sample=False):
    """All of them; the sample is a part of the dense ones."""
    folder = os.path.join(workdir, "liars")
    os.makedirs(folder, exist_ok=True)
    liars = list(Maker(SOURCE, folder).all(seed))
    if is_sample:
        return list(dense(liars))[::IN_SAMPLE]
    return list((dense if is_dense else pairs)(liars))
