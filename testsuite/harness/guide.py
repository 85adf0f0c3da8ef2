# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the listings of a page, such as docs/GUIDE.md, and compares what they print with what the page shows.

    guide.py PAGE

A block marked "stap" is a script, whose first line is a comment with the name of its file.  A
block marked "console" has a command after "$ ", and what it prints.  Numbers may differ from
those shown, and so may the number of blanks and the length of bars; "..." stands for any text, and on
a line of its own for any lines.  Scripts are compiled here and run in one guest; -l and -L are run
here, and so is jq, on what "> FILE" behind a script has kept.
"""
import os
import re
import shlex
import shutil
import subprocess
import sys

STAP, STAPRUN, STAPVM, RELEASE = (
    os.environ[n] for n in ("STAP", "STAPRUN", "STAPVM", "STAP_TEST_RELEASE"))
# Options of stap that staprun gets here, with staprun's names for them.
RUN_OPTIONS = {"-c": "-c", "-x": "-x", "-T": "--end-after"}


class Listing:
    """A command, the lines it should print, and the module made of it."""

    def __init__(self, line, number):
        self.line = line
        self.number = number
        self.expected = []
        self.module = None
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


def in_guest(some):
    """What each listing of SOME prints, in order."""
    with open("guest.sh", "w", encoding="utf-8") as out:
        for listing in some:
            command = shlex.join([STAPRUN, *listing.run_options, listing.module])
            out.write(f"timeout 60 {command} 2>&1 < /dev/null\necho '@@@'\n")
    printed = subprocess.run([STAPVM, "-n", "-r", RELEASE, "sh", "guest.sh"], text=True, check=True,
                             stdout=subprocess.PIPE).stdout
    return printed.split("@@@\n")


def main():
    found = listings(sys.argv[1])
    wrong = 0
    if not shutil.which("jq"):
        found = [listing for listing in found if not listing.shell]
    runs = [listing for listing in found if not listing.lists() and not listing.shell]
    for listing in runs:
        output = listing.stap("-p4")
        listing.module = output.strip().split("\n")[-1]
        if not listing.module.endswith(".ko"):
            print(f"line {listing.number}: {listing.line}\n{output}")
            wrong += 1
    runs = [listing for listing in runs if listing.module.endswith(".ko")]
    printed = in_guest(runs)
    wrong += sum(listing.check(listing.keep(text)) for listing, text in zip(runs, printed))
    wrong += sum(listing.check(listing.read()) for listing in found if listing.shell)
    wrong += sum(listing.check(listing.stap()) for listing in found if listing.lists())
    print(f"{len(found) - wrong} of {len(found)} listings do what the page says")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
