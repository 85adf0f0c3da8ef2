# SPDX-License-Identifier: GPL-2.0-or-later
"""Each script under SystemTap and under ours: the same must come out.

Both run in guests of a Debian that has a current SystemTap (roots.py makes it),
on the same kernel, one right after the other. The same must come out: standard
output, exit status, and the messages on standard error. Where a script's own
header leaves open what it prints (a pid, a time), both must fit the header.
A script that stops after a pass must be taken by both, or refused by both,
by SystemTap in a later pass perhaps.

A script may differ where the file "known" beside this says so, and why. What
is listed there and does not differ any more has failed too: the line goes.

SystemTap takes seconds for each script, so its modules are kept in the build
directory, by what they are made of.
"""
import collections
import difflib
import hashlib
import os
import re
import tempfile
import threading

import refused
import spec as specs
from suite import Suite, collect, matching

HERE = os.path.dirname(os.path.abspath(__file__))
SUITE = "forky"             # the Debian with the SystemTap to compare with
DIRECTORIES = ("lang/", "bad/", "tapset/")
MEMORY_LIMIT = 4 << 30      # bytes: a macro that recurses takes all there is
COMPILE_LIMIT = 900         # seconds; the first script builds much
SHOWN = 24                  # lines of a difference

# What SystemTap says of itself, or of its surroundings, and not of the script.
NOISE = re.compile(
    r"WARNING: Kernel function symbol table missing|Pass \d: |Tip: |"
    r"Keyboard interrupt|Truncating module name|Consider using|WARNING: see man|"
    r"WARNING: Missing unwind data|Number of similar|See '?man|\[man |In file included|"
    r"Run staprun|WARNING: /usr/bin/staprun exited|WARNING: -p4 .*")


class Known:
    """The list of differences that are as they should be: NAME ASPECTS REASON."""

    def __init__(self, path):
        self.entries = {}
        with open(path, encoding="utf-8") as f:
            for number, line in enumerate(f, 1):
                line = line.strip()
                if not line or line.startswith("#"):
                    continue
                fields = line.split(None, 2)
                if len(fields) < 3 or fields[0] in self.entries:
                    raise specs.SpecError(f"{path}:{number}: NAME ASPECTS REASON, once a test")
                self.entries[fields[0]] = (set(fields[1].split(",")), fields[2])

    def judge(self, name, aspects):
        """(True, the reason) when these differences are known; else (False, what is wrong)."""
        known, reason = self.entries.get(name, (set(), ""))
        if aspects == known:
            return True, reason
        if known - aspects:
            return False, "listed as known, but does not differ: " + ", ".join(known - aspects)
        return False, ""


def messages(text, module):
    """What both should say on stderr, whatever the module's name is."""
    lines = [line.replace(module, "MODULE") for line in text.split("\n")]
    return [line for line in lines if line.strip() and not NOISE.match(line)]


class Differential(Suite):
    def __init__(self, place):
        super().__init__(place)
        self.known = Known(os.path.join(HERE, "known"))
        self.refused = refused.write(place.work)
        self.kept = place.program("systemtap")
        os.makedirs(self.kept, exist_ok=True)
        self.their_env = dict(os.environ, LC_ALL="C.UTF-8",
                              SYSTEMTAP_DIR=os.path.join(self.kept, "cache"))
        self.version = self.command(["stap", "--version"], 60, self.their_env, "/")[2]
        self.results = {}       # of the runs that have ended: name -> {"ours": ..., "theirs": ...}
        self.lock = threading.Lock()
        self.table = collections.defaultdict(collections.Counter)

    # -- results --

    def verdict(self, spec, differences):
        """differences: aspect -> lines that show it."""
        known, reason = self.known.judge(spec.name, set(differences))
        count = self.table[os.path.dirname(spec.name) or "refused"]
        if known and differences:
            count["known"] += 1
            self.report.add("skipped", spec.name, [f"{', '.join(differences)}: {reason}"])
        elif known:
            count["same"] += 1
            self.report.add("passed", spec.name)
        else:
            count["differ"] += 1
            lines = [reason] if reason else []
            for aspect, shown in differences.items():
                lines += [f"{aspect}:"] + shown[:SHOWN]
            self.report.add("failed", spec.name, lines)

    def end(self):
        print(f"\n{'':12}{'scripts':>9}{'same':>9}{'known':>9}{'differ':>9}")
        for where, n in sorted(self.table.items()):
            print(f"{where:12}{sum(n.values()):9}{n['same']:9}{n['known']:9}{n['differ']:9}")
        return self.report.end()

    # -- compiling --

    def their_flags(self, spec):
        """Options, and -G apart: SystemTap's pass 4 does not put those into the module."""
        flags, values = [], []
        words = iter(spec.words("flags"))
        for word in words:
            if word.startswith("-G"):
                values.append(word[2:] or next(words))
            else:
                flags.append(word)
        return flags, values

    def key(self, spec, last):
        """What SystemTap makes of a test depends on this; its expected output does not."""
        h = hashlib.sha256()
        with open(self.script_path(spec), "rb") as f:
            text = f.read()
        words = [spec.words(k) for k in ("pass", "flags", "args")]
        if last != spec.get("pass", "4"):
            words[0] = [last]
        for part in (self.version.encode(), self.release.encode(), text, repr(words).encode()):
            h.update(part + b"\0")
        return h.hexdigest()[:16]

    def their_compile(self, spec, last=None):
        """(status, messages, module or None) of SystemTap, from what is kept if there."""
        last = last or spec.get("pass", "4")
        key = self.key(spec, last)
        place = os.path.join(self.kept, key)
        said = os.path.join(place, "said")
        module = os.path.join(place, f"stap_{key}.ko")
        if not os.path.exists(said):
            os.makedirs(place, exist_ok=True)
            flags = self.their_flags(spec)[0] + ["-r", self.release, "-p" + last]
            if last == "4":
                flags += ["-m", f"stap_{key}"]
            status, _, err = self.command(
                ["prlimit", f"--as={MEMORY_LIMIT}", "stap"] + flags + [self.script_path(spec)] + spec.words("args"),
                COMPILE_LIMIT, self.their_env, place)
            with open(said + ".new", "w", encoding="utf-8") as f:
                f.write(f"{status}\n{err}")
            os.rename(said + ".new", said)
        with open(said, encoding="utf-8") as f:
            status, err = f.read().split("\n", 1)
        return int(status), err, module if os.path.exists(module) else None

    def prepare(self, name):
        if name in self.refused:
            self.host_script(specs.Spec(self.refused[name], name))
        else:
            super().prepare(name)

    def script(self, spec):
        if os.path.isfile(self.script_path(spec)):
            super().script(spec)
        else:
            self.report.add("skipped", spec.name, ["not a script that a file has"])

    def host_script(self, spec):
        with tempfile.TemporaryDirectory(dir=self.workdir) as tmp:
            ours, _, err = self.command(self.stap_argv(spec, spec.get("pass")),
                                        spec.number("timeout", 120), self.env, tmp)
        theirs, their_err, _ = self.their_compile(spec)
        if ours and not theirs:     # it may find out later
            theirs, their_err, _ = self.their_compile(spec, "4")
        self.verdict(spec, self.compile_differences(ours, err, theirs, their_err))

    @staticmethod
    def compile_differences(ours, err, theirs, their_err):
        if (ours == 0) == (theirs == 0):
            return {}
        who, said = ("ours", err) if ours else ("SystemTap", their_err)
        return {"compile": [f"  {who} refuses it:"] + ["  " + s for s in said.split("\n")]}

    def guest_script(self, spec):
        status, said, our_module = self.compile_script(spec)
        their_status, their_said, their_module = self.their_compile(spec)
        if not our_module or not their_module:
            self.verdict(spec, self.compile_differences(status, said, their_status, their_said))
            return
        spec.modules = [os.path.basename(m)[:-3] for m in (our_module, their_module)]
        argv, values = ["staprun"], self.their_flags(spec)[1]
        options = iter(spec.words("run"))
        for word in options:
            if word == "-G":
                values.append(next(options))
            else:
                argv.append(word)
        command = ["-c", spec.get("cmd")] if spec.get("cmd") else []
        with self.lock:
            self.results[spec.name] = {}
            self.add_job(spec, [os.path.join(self.build, "staprun")] +
                         spec.words("run") + command + [our_module], " ours")
            self.add_job(spec, argv + command + [their_module] + values, " theirs")

    # -- comparing --

    def job_done(self, name, result):
        name, who = name.rsplit(" ", 1)
        self.results[name][who] = result
        if len(self.results[name]) == 2:
            self.compare(self.specs[name], **self.results.pop(name))

    @staticmethod
    def diff(theirs, ours):
        return [line.rstrip("\n") for line in difflib.unified_diff(
            theirs, ours, "SystemTap", "ours", n=1, lineterm="")][:SHOWN]

    def compare(self, spec, ours, theirs):
        differences = {}
        for who, result in (("ours", ours), ("SystemTap", theirs)):
            if "died" in result or result["stood"] is not None or result["kernel"]:
                differences[f"trouble-{who}"] = \
                    (result.get("died") or "\n".join(result["kernel"] or ["it did not end"])
                     ).split("\n")
        if differences:
            self.verdict(spec, differences)
            return
        if ours["stdout"] != theirs["stdout"] and not self.both_fit(spec, ours, theirs):
            differences["stdout"] = self.diff(theirs["stdout"].split("\n"),
                                              ours["stdout"].split("\n"))
        if ours["status"] != theirs["status"]:
            differences["status"] = [f"SystemTap {theirs['status']}, ours {ours['status']}"]
        b, a = (messages(r["stderr"], m) for r, m in zip((ours, theirs), spec.modules))
        if a != b:
            differences["stderr"] = self.diff(a, b)
        self.verdict(spec, differences)

    @staticmethod
    def both_fit(spec, ours, theirs):
        if all(kind == "=" for kind, _ in spec.expected) and spec.get("sort") != "yes":
            return False
        want = spec.number("exit", 0)
        spec.messages = []
        return not any(specs.check(spec, want, r["stdout"], "") for r in (ours, theirs))


def options(parser):
    parser.set_defaults(suite=SUITE)
    parser.add_argument("patterns", nargs="*", metavar="PATTERN")


def run(place, opts):
    suite = Differential(place)
    names = [n for n in collect(opts.patterns) if n.startswith(DIRECTORIES) and n.endswith(".stp")]
    return suite.run(names + matching(suite.refused, opts.patterns))
