# SPDX-License-Identifier: GPL-2.0-or-later
"""Finds names that two of the runtime's C files define at file scope.

The kit joins the runtime's files into a few translation units (translator/kit/kitunits.c), so
static names, macros, tags and enumerators must be unique among all of them.  The runtime follows the
kernel's style, so their definitions begin at the left margin.
"""
import glob
import os
import re
import sys

IDENT = r"[A-Za-z_]\w*"
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
TAGS = re.compile(r"^(?:struct|union|enum) (%s) \{" % IDENT, re.M)
MACROS = re.compile(r"^#define (%s)" % IDENT, re.M)
ENUMS = re.compile(r"^(?:typedef )?enum [^;{=(]*\{(.*?)\}", re.M | re.S)
# static const struct { … } name[] = …
ANONYMOUS = re.compile(r"^static (?:const )?(?:struct|union|enum)\s+\{.*?^\} \*?(%s)" % IDENT, re.M | re.S)
# static int name(…) …, static struct s name[] = …, static int a, b;
STATICS = re.compile(r"^static [^;={]*", re.M)
# DEFINE_PER_CPU(type, name), static LIST_HEAD(name)
DEFINERS = re.compile(r"^(?:static )?[A-Z_]+\(([^)]*)\)", re.M)


def enumerators(body):
    return [item.split("=")[0].strip() for item in body.split(",") if item.strip()]


def static_names(text):
    """The names that one declaration, cut before its value or body, introduces."""
    head = re.sub(r"__\w+\(\(?.*?\)\)?", "", text)
    if re.match(r"static [A-Z_]+\(", head):
        return []
    function = re.match(r"[^(]*?(%s)\(" % IDENT, head)
    if function:
        return [function[1]]
    return re.findall(r"(%s)(?:\[[^\]]*\])*\s*(?:,|$)" % IDENT, head.strip())


def names(path):
    with open(path) as file:
        text = COMMENT.sub("", file.read())
    found = set(TAGS.findall(text)) | set(MACROS.findall(text))
    for body in ENUMS.findall(text):
        found.update(enumerators(body))
    found.update(ANONYMOUS.findall(text))
    for head in STATICS.findall(text):
        if not re.match(r"static (?:const )?(?:struct|union|enum)\s*$", head):
            found.update(static_names(head))
    for arguments in DEFINERS.findall(text):
        found.add(arguments.split(",")[-1].strip().split("[")[0])
    return found


def main():
    runtime = sys.argv[1]
    files = {}
    for path in sorted(glob.glob(runtime + "/*/*.c") + glob.glob(runtime + "/arch/*/*.c")):
        if "/features/" not in path:
            for name in names(path):
                files.setdefault(name, []).append(os.path.relpath(path, runtime))
    if len(files) < 500:
        sys.exit("only %d names found: this script no longer reads the style" % len(files))
    twice = {name: where for name, where in files.items() if len(where) > 1}
    for name, where in sorted(twice.items()):
        print(name, "is defined in", " and ".join(where))
    sys.exit(bool(twice))


if __name__ == "__main__":
    main()
