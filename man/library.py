# SPDX-License-Identifier: GPL-2.0-or-later
"""What the script library has, and what its comments say of it.

A file of the library begins with a comment: after the licence a heading, which ends with the
first full stop, and paragraphs.  One of them may explain variables that probes of the file have:

    # Variables:
    #	sig		the number of the signal
    #	task, child	addresses of a task_struct

Above a function, macro, probe or global variable stands

    ## NAME: what it returns or does
    # More sentences, if there is more to say: when it fails, what it expects.

Sentences about a function mention each parameter.  Below those about a probe there may be lines
about its variables as above, which come before the file's.

Functions and macros are found in the text.  Probes are as "stap -p1" prints them, with
macros expanded: what a page says of their variables is what the code assigns.
"""
import functools
import os
import re
import subprocess
import sys
import tempfile

FUNCTION = re.compile(r"(private\s+)?function\s+(\w+)(?::(\w+))?\s*\(([^)]*)\)")
MACRO = re.compile(r"@define\s+()(\w+)()(?:\(([^)]*)\))?")
SUMMARY = re.compile(r"## ([\w.]+): (.*)")
VARIABLES = re.compile(r"#\t(\w+(?:, \w+)*)\t+(.*)")
CONTINUED = re.compile(r"#\t\t+(.*)")
ALIAS = re.compile(r"probe ([a-z_]\w*(?:\.\w+)*) \+?= (.*?) \{(.*?)^\}", re.M | re.S)
ASSIGNED = re.compile(r"((?:\w+ = )+)(.*?);?")

# What every probe of the library means by these names.
COMMON = {
    "name": "what is probed",
    "argstr": "the arguments, as text",
    "retval": "the result",
    "retstr": "the result, as text",
    "ret": "the result",
}


@functools.cache
def guru_builtins():
    """The names of the builtins that only scripts with -g may call."""
    with open("runtime/abi/builtins.def", encoding="utf-8") as f:
        rows = re.findall(r"^BUILTIN(?:_OF)?\((\w+),(.*(?:\n\t.*)*)", f.read(), re.M)
    return {name for name, row in rows if "FN_GURU" in row}


class Comment:
    """The comment above something: its first line, its sentences, its variables."""

    def __init__(self, lines):
        match = SUMMARY.fullmatch(lines[0]) if lines else None
        self.name = match.group(1) if match else None
        self.summary = match.group(2) if match else None
        self.variables = variables(lines)
        self.text = " ".join(line[1:].strip() for line in lines[1:] if not line.startswith("#\t"))


class Function:
    """A public function or macro: its declaration and its comment."""

    def __init__(self, name, result, params, comment, macro):
        self.name = name
        self.result = result
        self.macro = macro
        self.guru = not macro and name in guru_builtins()
        self.params = [p.strip() for p in (params or "").split(",") if p.strip()]
        self.summary = comment.summary if comment.name == name else None
        self.text = comment.text

    def complaints(self):
        if not self.summary:
            yield f"no '## {self.name}: …' above it"
            return
        for param in self.params:
            word = param.split(":")[0]
            if ":" not in param and not self.macro:
                yield f"parameter {word} has no type"
            if not re.search(whole_word(word), self.summary + " " + self.text):
                yield f"parameter {word} is not mentioned"


class Alias:
    """A public probe: the points it stands for, and the variables that its code assigns."""

    def __init__(self, name, points, body, family):
        self.name = name
        self.points = points
        self.assigned = {}		# name → the expression, the first one
        self.summary = None
        self.text = ""
        self.explained = {}		# variables that its own comment explains
        self.family = family		# and those of the file's
        for line in body:
            match = ASSIGNED.fullmatch(line.strip())
            for variable in match.group(1).split(" = ")[:-1] if match else ():
                if not variable.startswith("_"):
                    self.assigned.setdefault(variable, match.group(2))


class File:
    """A file of the library."""

    def __init__(self, path, stap=None):
        self.path = path
        self.name = os.path.splitext(os.path.basename(path))[0]
        with open(path, encoding="utf-8") as f:
            lines = f.read().split("\n")
        top = first_comment(lines)
        paragraphs = [p for p in top if p[0] != "# Variables:"]
        self.variables = variables([line for p in top if p[0] == "# Variables:" for line in p])
        first = " ".join(line[1:].strip() for line in paragraphs[0]) if paragraphs else path
        self.heading, rest = re.fullmatch(r"(.*?)(?:\.(?: +(.*))?)?", first).groups()
        self.paragraphs = [[rest]] if rest else []
        self.paragraphs += [[line[1:] for line in p] for p in paragraphs[1:]]
        self.functions = []
        self.globals = {}		# name → its comment
        self.aliases = []
        comments = self.scan(lines)
        if stap and path.endswith(".stp"):
            self.read_parsed(stap, comments)
            for unused in comments.values():
                self.complain(unused.name, "its comment is above nothing of this name")

    def scan(self, lines):
        """Finds functions, macros and globals.  Returns the comments about other things."""
        comments = {}
        comment = []
        for number, line in enumerate(lines, 1):
            if line.startswith("#"):
                if line.startswith("##"):
                    comment = []
                comment.append(line)
                continue
            above = Comment(comment)
            comment = []
            if self.declared(lines, number, above):
                continue
            if above.name and not above.name.startswith("_"):
                comments[above.name] = above
        return comments

    def declared(self, lines, number, comment):
        """Takes the function, macro or global declared in this line, with its comment."""
        macro = self.path.endswith(".stpm")
        text = " ".join(more.strip() for more in lines[number - 1:number + 3])
        match = (MACRO if macro else FUNCTION).match(text)
        if match and not match.group(1) and not match.group(2).startswith("_"):
            function = Function(*match.groups()[1:], comment, macro)
            for complaint in function.complaints():
                self.complain(function.name, complaint, number)
            if function.summary:
                self.functions.append(function)
            return True
        if lines[number - 1].startswith("global "):
            names = re.findall(r"\b(?!_)[A-Za-z]\w*\b", lines[number - 1].split("#")[0])[1:]
            for name in names:
                self.globals[name] = (comment.variables.get(name, comment.summary) or
                                      self.variables.get(name, f"see tapset::{self.name}"))
            return bool(names)
        return bool(match)

    def complain(self, name, what, number=None):
        place = f"{self.path}:{number}" if number else self.path
        print(f"{place}: {name}: {what}", file=sys.stderr)

    def read_parsed(self, stap, comments):
        """Finds the probes, with what COMMENTS say of them, which is taken out there."""
        with open(self.path, encoding="utf-8") as f:
            script = re.sub(r" = builtin$", " {}", f.read(), flags=re.M)
        printed = subprocess.run([stap, "-p1", "-"], input=script, check=True, text=True,
                                 stdout=subprocess.PIPE).stdout
        for name, points, body in ALIAS.findall(printed):
            alias = Alias(name, points.split(",\n\t"), body.split("\n"), self.variables)
            comment = comments.pop(alias.name, None)
            if comment:
                alias.summary, alias.text = comment.summary, comment.text
                alias.explained = comment.variables
            self.aliases.append(alias)


class Library:
    """All files.  Knows which aliases an alias stands for, and the types of variables."""

    def __init__(self, paths, stap):
        with tempfile.TemporaryDirectory() as cache:
            os.environ["SYSTEMTAP_DIR"] = cache
            self.files = [File(path, stap) for path in paths]
        self.aliases = {a.name: a for f in self.files for a in f.aliases}
        self.strings = {f"{x.name}(" for f in self.files for x in f.functions
                        if x.result == "string"}
        for path in paths:
            with open(path, encoding="utf-8") as f:
                self.strings.update(name + "(" for name in
                                    re.findall(r"^function (_\w+):string", f.read(), re.M))
        for file in self.files:
            self.check_explained(file)

    def check_explained(self, file):
        """Complains about probes without comments in a file where others have them, and about
        comments on variables that no probe has."""
        used = set()
        some = any(alias.summary for alias in file.aliases)
        for alias in file.aliases:
            base = self.aliases.get(alias.name.removesuffix(".return"), alias)
            if some and alias.assigned and not alias.summary and not base.summary and \
                    not alias.name.startswith(("_", "syscall.")):
                file.complain(alias.name, f"no '## {alias.name}: …' above it")
            found = self.variables(alias)
            used.update(found)
            for variable in sorted(alias.explained.keys() - found.keys()):
                file.complain(alias.name, f"has no variable {variable}")
        for variable in sorted(file.variables.keys() - used - file.globals.keys()):
            file.complain(variable, "no probe has this variable")

    def inner(self, alias):
        """The aliases of the library that this one stands for."""
        points = [point.rstrip(" ?!") for point in alias.points]
        return [self.aliases[point] for point in points if point in self.aliases]

    def variables(self, alias):
        """The variables of an alias and of all those it stands for: name → (type, expression)."""
        inner = [self.variables(a) for a in self.inner(alias)]
        found = {}
        if inner and len(inner) == len(alias.points):
            found = {name: known for name, known in inner[0].items()
                     if all(name in others for others in inner)}
        for name, value in alias.assigned.items():
            types = {n: t for n, (t, _) in found.items()}
            if value == "$value" and alias.points[0].startswith("procfs"):
                found[name] = ("string", value)
            else:
                found[name] = (found[name][0] if name in found else self.type(value, types), value)
        return found

    def explained(self, alias, name):
        """What comments say of a variable; None if they say nothing."""
        if name in alias.explained:
            return alias.explained[name]
        texts = [self.explained(inner, name) for inner in self.inner(alias)]
        return (name not in alias.assigned and next(filter(None, texts), None) or
                alias.family.get(name, COMMON.get(name)))

    def type(self, value, types):
        """The type of an expression that is assigned."""
        word = re.match(r"@entry\((.*)\)|(.*)", value)
        value = word.group(1) or word.group(2)
        for part in [*arms(value), value]:
            if part.startswith('"') or part in types and types[part] == "string":
                return "string"
            call = re.match(r"\w+\(", part)
            if call and (call.group(0) in self.strings or call.group(0) in
                         ("sprint(", "sprintf(", "sprintln(", "sprintd(")):
                return "string"
            if re.search(r'(^|[^"]) \. ', part) or part.endswith("$"):
                return "string"
        return "long"


def arms(value):
    """The values that "c ? a : b" chooses from."""
    return re.split(r" [?:] ", value)[1:] if " ? " in value else []


def variables(lines):
    """Lines of the form "#<tab>name, name<tab>what they are": name → what it is."""
    found = {}
    names = []
    for line in lines:
        match = VARIABLES.fullmatch(line)
        more = CONTINUED.fullmatch(line)
        if match:
            names = match.group(1).split(", ")
            found.update((name, match.group(2)) for name in names)
        elif more:
            found.update((name, found[name] + " " + more.group(1)) for name in names)
    return found


def whole_word(word):
    """Matches the word, but not the s of "user's"."""
    return rf"(?<![\w']){re.escape(word)}\b"


def first_comment(lines):
    """The comment a file begins with: paragraphs, the licence not among them."""
    paragraphs = [[]]
    for line in lines:
        if not line.startswith("#") or line.startswith("##"):
            break
        if line.strip() == "#":
            paragraphs.append([])
        elif "SPDX-License-Identifier" not in line:
            paragraphs[-1].append(line)
    return [p for p in paragraphs if p]
