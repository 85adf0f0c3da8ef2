#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes programs whose names lie.

A source uses macros where the names stand.  forge.build() compiles it with a placeholder, a
plain identifier, for each macro, and writes the name over it wherever it occurs in the file: in
debug information, symbol tables, marks.  The names have the placeholders' length, so nothing else
in the file changes.

    forge.build("x", "forged.c", {"PARM": b"%.1s" * 40, "FUNC": b"a\nb"}, ["-g"])

    forge.py x forged.c 'PARM*40=%.1s' 'FUNC=a\\nb' -- -g

On the command line escapes are Python's, and *N repeats the text.  One that is shorter than a
placeholder must be, some twenty bytes, is repeated too.  forge.patch() replaces any bytes in a
file by as many others.
"""
import codecs
import os
import re
import shutil
import subprocess
import sys
import tempfile


def placeholder(macro, text):
    """An identifier as long as TEXT repeated as often as need be, once at least; it occurs nowhere
    else, and no other string is its end."""
    begin, end = f"forged_{macro}_", "_QZJ7"
    times = -(-(len(begin) + len(end)) // len(text))
    return (begin + "x" * (max(1, times) * len(text) - len(begin) - len(end)) + end).encode()


def patch(path, old, new):
    """Writes NEW, which is as long, over each OLD in the file; there must be one."""
    with open(path, "rb") as f:
        data = f.read()
    if len(old) != len(new) or old not in data:
        raise ValueError(f"{path}: can't replace {old[:60]!r} by {new[:60]!r}")
    with open(path, "wb") as f:
        f.write(data.replace(old, new))


def patch_data(path, old, new):
    """The same in what of an ELF file is loaded and constant or variable data: elsewhere, as among symbols,
    the bytes may be there by chance, and mean something else."""
    listing = subprocess.run(["readelf", "-SW", path], capture_output=True, text=True, check=True)
    with open(path, "rb") as f:
        data = bytearray(f.read())
    found = 0
    for offset, size in re.findall(r"\] \.(?:ro)?data\S*\s+PROGBITS\s+\w+ (\w+) (\w+)", listing.stdout):
        start, end = int(offset, 16), int(offset, 16) + int(size, 16)
        found += data.count(old, start, end)
        data[start:end] = data[start:end].replace(old, new)
    if len(old) != len(new) or not found:
        raise ValueError(f"{path}: no data {old[:60]!r} to replace by {new[:60]!r}")
    with open(path, "wb") as f:
        f.write(data)


def build(out, source, names, options=()):
    """Compiles SOURCE with the options and NAMES, bytes without a NUL for each macro.  Returns the
    names as they are in the file: whole repetitions of those that were too short."""
    macros = {macro: placeholder(macro, text) for macro, text in names.items()}
    forged = {macro: text * (len(macros[macro]) // len(text)) for macro, text in names.items()}
    compiler = shutil.which("g++" if source.endswith(".cc") else "gcc")
    with tempfile.NamedTemporaryFile("w", suffix=".h") as header:
        for macro, held in macros.items():
            header.write(f"#define {macro} {held.decode()}\n")
        header.flush()
        subprocess.run([compiler, "-include", header.name, "-o", out, source, *options], check=True)
    for macro, held in macros.items():
        with open(out, "rb") as f:
            there = held in f.read()
        if there:		# a macro may be of use with other options only
            patch(out, held, forged[macro])
    return forged


def names_of(arguments):
    """The names in arguments MACRO=TEXT and MACRO*N=TEXT."""
    names = {}
    for argument in arguments:
        macro, text = argument.split("=", 1)
        macro, _, times = macro.partition("*")
        raw, _ = codecs.escape_decode(os.fsencode(text))
        names[macro] = raw * int(times or 1)
    return names


def main(arguments):
    split = arguments.index("--") if "--" in arguments else len(arguments)
    if split < 2:
        sys.exit("usage: forge.py PROGRAM SOURCE MACRO=TEXT… [-- COMPILER'S OPTIONS]")
    out, source, *names = arguments[:split]
    build(out, source, names_of(names), arguments[split + 1:])


if __name__ == "__main__":
    main(sys.argv[1:])
