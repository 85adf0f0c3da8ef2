# SPDX-License-Identifier: GPL-2.0-or-later
"""The campaign's second axis: who lies (liars.py) meets what reads it (readers.py)."""
import json
import os
import re
import shutil
import subprocess

import spec as specs
from liars import Maker
from readers import LISTINGS, READERS

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(os.path.dirname(os.path.dirname(HERE)), "programs/liar.c")
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
# A lie of each kind.
SAMPLE = ("truth names-percent names-escape location-loop type-typedef symbol-bomb unwind-wild "
          "mark-counter-kernel running-maps-path replaced-meanwhile").split()


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
        os.makedirs(folder, exist_ok=True)
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


class Place:
    """A directory that somebody else has prepared for stap.  prepare(folder, kept) makes it from a
    copy of a cache and returns the environment; harm(folder, module) says what came of it."""

    SCRIPT = 'probe begin { println("mine") exit() }'
    OTHER = 'probe begin { println("theirs") exit() }'

    def __init__(self, name, prepare, harm):
        self.name = f"lie-place-{name}.pass-4"
        self.lay, self.harm = prepare, harm

    def prepare(self, suite):
        folder = os.path.join(suite.workdir, self.name)
        shutil.copytree(suite.env["SYSTEMTAP_DIR"], os.path.join(folder, "theirs"), symlinks=True,
                        ignore=shutil.ignore_patterns("*.ko*", "*.idx*"))
        compiled = [self.compile(suite, folder, script, "theirs") for script in (self.SCRIPT, self.OTHER)]
        if not all(module and os.path.isabs(module) for module in compiled):
            suite.report.add("skipped", self.name, ["stap keeps no cache in such a directory"])
            return
        env = self.lay(folder, compiled)
        subprocess.run(["chown", "-hR", "nobody", os.path.join(folder, "theirs")], check=True)
        module = self.compile(suite, folder, self.SCRIPT, "theirs", env)
        if module:
            module = os.path.join(folder, module)
        wrong = self.harm(folder, module) if module else None
        suite.report.result(self.name, [wrong] if wrong else [])

    @staticmethod
    def compile(suite, folder, script, cache, env=()):
        env = dict(suite.env, SYSTEMTAP_DIR=os.path.join(folder, cache), **dict(env))
        status, out, _ = suite.command([os.path.join(suite.build, "stap"), "-r", suite.release, "-p4",
                                        "-e", script], LIMIT, env, folder)
        return out.strip().split("\n")[-1] if not status else None


def swap(folder, compiled):
    """The module of one script under the name of another's, its sum made anew by stap itself."""
    mine, theirs = compiled
    for end in "", ".sum":
        shutil.copy(theirs + end, mine + end)
    return {}


def is_theirs(folder, module):
    with open(module, "rb") as f:
        return "somebody else's module is taken" if b"theirs" in f.read() else None


def link_lock(folder, compiled):
    victim, lock = os.path.join(folder, "victim"), os.path.join(folder, "theirs/cache/lock")
    with open(victim, "w", encoding="utf-8") as f:
        f.write("a file of root's\n")
    os.chmod(victim, 0o644)
    if os.path.lexists(lock):
        os.unlink(lock)
    os.symlink(victim, lock)
    os.unlink(compiled[0])
    return {}


def is_victim(folder, module):
    at = os.stat(os.path.join(folder, "victim"))
    return None if at.st_mode & 0o777 == 0o644 and at.st_size == 17 else "a file behind a link has changed"


def other_tmpdir(folder, compiled):
    tmp = os.path.join(folder, "theirs/tmp")
    os.mkdir(tmp)
    os.chmod(tmp, 0o777)
    return {"TMPDIR": tmp}


def is_used(folder, module):
    return ("something is left in a directory of somebody else's"
            if os.listdir(os.path.join(folder, "theirs/tmp")) else None)


PLACES = [Place("module", swap, is_theirs), Place("lock", link_lock, is_victim),
          Place("tmpdir", other_tmpdir, is_used)]


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
        return list(dense([liar for liar in liars if liar.name in SAMPLE]))
    return PLACES + list((dense if is_dense else pairs)(liars))
