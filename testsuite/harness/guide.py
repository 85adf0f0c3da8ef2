# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the listings of a page, such as docs/GUIDE.md, and compares what they print with what the page shows.

    guide.py PAGE

A block marked "stap" is a script, whose first line is a comment with the name of its file.  A
block marked "console" has a command after "$ ", and what it prints.  Numbers may differ from
those shown, and so may the number of blanks and the length of bars; "..." stands for any text, and on
a line of its own for any lines.  Scripts are compiled on this machine, where -l and -L are run too, and
then run in the guest (in-guest), and so is jq, on what "> FILE" behind a script has kept.
"""
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

STAP, STAPRUN, RELEASE = (os.environ[n] for n in ("STAP", "STAPRUN", "STAP_TEST_RELEASE"))
# Options of stap that staprun gets here, with staprun's names for them.
RUN_OPTIONS = {"-c": "-c", "-x": "-x", "-T": "--end-after"}
# Options that both get: staprun is to be told how the output is written.
FORMATS = {"--json": "--format=json", "-b": "--format=bulk"}


class Listing:
    """A command, and the lines it should print."""

    def __init__(self, line, number):
        self.line = line
        self.number = number
        self.expected = []
        words = shlex.split(line)
        self.shell = words[0] == "jq"
        self.file = words[-1] if words[-2:-1] == [">"] else None
        if self.file:
            words = words[:-2]
        if words[0] not in ("stap", "jq"):
            sys.exit(f"line {number}: a command that is neither stap nor jq")
        self.options, self.run_options = [], []
        at = 1
        while at < len(words) and not self.shell:
            if words[at] in RUN_OPTIONS:
                self.run_options += [RUN_OPTIONS[words[at]], words[at + 1]]
                at += 2
            else:
                self.options.append(words[at])
                if words[at] in FORMATS:
                    self.run_options.append(FORMATS[words[at]])
                at += 1

    def lists(self):
        return not self.shell and self.options[0] in ("-l", "-L")

    def keep(self, printed):
        """Writes the script's output to the file of "> FILE", if there is one. Returns what the
        command still prints."""
        if not self.file:
            return printed
        with open(self.file, "w", encoding="utf-8") as out:
            out.write(printed)
        return ""

    def run(self, module):
        """Runs the script's module; returns its output."""
        return subprocess.run(["timeout", "60", STAPRUN, *self.run_options, module], text=True, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT).stdout

    def read(self):
        """Runs a shell command; returns its output."""
        return subprocess.run(self.line, shell=True, text=True, check=False, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT).stdout

    def stap(self, *options):
        return subprocess.run([STAP, "-r", RELEASE, *options, *self.options], text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout

    def check(self, printed):
        """Compares the output with the expected lines. Returns True, after a message, if they differ."""
        wanted = "".join(r"(?:.*\n)*" if line == "..." else pattern(line) + r"\n"
                         for line in self.expected)
        if re.fullmatch(wanted, plain(printed)):
            return False
        print(f"line {self.number}: {self.line}\nprints\n{printed}and should print",
              *self.expected, "", sep="\n")
        return True


def plain(text):
    """Returns the text with all numbers replaced by 0, and runs of blanks and of "@" by one."""
    text = re.sub(r"0x[0-9a-f]+|\d+", "0", text)
    return re.sub(r"@+", "@", re.sub(r"[ \t]+", " ", text))


def pattern(line):
    return ".*".join(re.escape(plain(part)) for part in line.split("..."))


def listings(page):
    """Writes the scripts of the page, and returns its commands."""
    found = []
    kind, block = None, []
    with open(page, encoding="utf-8") as f:
        for number, line in enumerate(f.read().split("\n"), 1):
            if not line.startswith("```"):
                if kind == "console" and line.startswith("$ "):
                    found.append(Listing(line[2:], number))
                elif kind == "console":
                    found[-1].expected.append(line)
                block.append(line)
                continue
            if kind == "stap":
                name = re.fullmatch(r"# ([\w-]+\.stp)", block[0])
                if not name:
                    sys.exit(f"line {number}: a script without a name")
                with open(name.group(1), "w", encoding="utf-8") as out:
                    out.write("\n".join(block) + "\n")
            kind, block = (None if kind else line[3:]), []
    return found


def on_host(page):
    """Compiles the scripts and checks the lists. The guest is told of the modules by a file."""
    wrong, modules = 0, []
    for listing in listings(page):
        if listing.shell:
            continue
        if listing.lists():
            wrong += listing.check(listing.stap())
            continue
        output = listing.stap("-p4")
        modules.append(output.strip().split("\n")[-1])
        if not modules[-1].endswith(".ko"):
            print(f"line {listing.number}: {listing.line}\n{output}")
            wrong += 1
    if wrong:
        sys.exit(f"{wrong} listings are wrong")
    with open("modules", "w", encoding="utf-8") as out:
        json.dump(modules, out)
    os.execv(os.environ["STAP_TEST_GUEST"],
             ["in-guest", "python3", os.path.abspath(__file__), "--in-guest", page])


def in_guest(page):
    with open("modules", encoding="utf-8") as f:
        modules = iter(json.load(f))
    found = [listing for listing in listings(page) if not listing.lists()]
    wrong = sum(listing.check(listing.keep(listing.run(next(modules))))
                for listing in found if not listing.shell)
    if shutil.which("jq"):
        wrong += sum(listing.check(listing.read()) for listing in found if listing.shell)
    print(f"{wrong} of {len(found)} listings do not do what the page says")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(in_guest(sys.argv[2]) if sys.argv[1] == "--in-guest" else on_host(sys.argv[1]))
