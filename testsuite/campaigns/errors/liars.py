# SPDX-License-Identifier: GPL-2.0-or-later
"""Who lies: the first table of the campaign's second axis.

A liar is programs/liar.c with something false about it: its assembler text is changed before it is
assembled (assembler.py), its file afterwards, names are forged over placeholders (harness/forge.py),
it lies while it runs, or its file is exchanged under the script.  What is read of it, readers.py
says.  A new lie is a line in one of the tables.
"""
import os
import random
import re
import struct
import subprocess

import forge
from assembler import Assembler, escaped

OPTIONS = ["-g", "-O1", "-gdwarf-5", "-gno-variable-location-views", "-pthread", "-w"]
DAMAGED = 40            # bytes of a section
SEEDS = 3               # ways to damage a section

# Names: code to one who prints them, to a terminal, to who parses lines, quotes or strings.
NAMES = {
    "percent": b"p%s%s%n%5000d%*d%5$s", "many-percents": b"%.1s" * 40,
    "escape": b"\x1b[31m\x1b]0;title\x07\x1b[2J", "newline": b"first\nERROR: second\r\n",
    "quote": b"\"\\*/ // '\"); x = \"%", "bytes": bytes(range(0x80, 0x100)),
    "c1": b"\xc2\x9b31m\x9b31m", "long": b"n" * 65000, "long-percent": b"%s" * 32000,
    "space": b"a b, c=d { } [ ] $x @y",
}
# Identifiers of liar.c that readers don't use by their names.
FORGED = ["param_extra", "local_extra", "local_counter", "local_buffer", "inner_first", "inner_part",
          "outer_low", "outer_shade", "outer_either", "union_word", "shade_dark", "named_by_liar",
          "global_table"]


def text_of_bytes(raw):
    return ".byte " + ", ".join(str(b) for b in raw)


def nested_entry_values(depth):
    """DW_OP_entry_value of DW_OP_entry_value of..."""
    raw = b"\x55"
    for _ in range(depth):
        n, length = len(raw), b""
        while n > 0x7f:
            length += bytes([n & 0x7f | 0x80])
            n >>= 7
        raw = b"\xa3" + length + bytes([n]) + raw
    return text_of_bytes(raw)


LOCATIONS = {
    "register-none": ".byte 0x90\n\t.uleb128 0xffffffff", "register-far": ".byte 0x92\n\t.uleb128 200"
    "\n\t.sleb128 0", "offset-huge": ".byte 0x91\n\t.sleb128 0x7fffffffffffffff",
    "address-kernel": ".byte 3\n\t.quad 0xffffffff81000000", "address-odd": ".byte 3\n\t.quad 1 << 63",
    "deref-chain": ".byte 0x91\n\t.sleb128 0\n\t.fill 5000, 1, 6", "loop": ".byte 0x31, 0x2f, 0xfc, 0xff",
    "loop-conditional": ".byte 0x31, 0x12, 0x28, 0xfc, 0xff", "bomb": ".byte 0x31\n\t.fill 20000, "
    "2, 0x2212", "dup": ".byte 0x31\n\t.fill 50000, 1, 0x12", "empty-stack": ".byte 0x13, 0x13, "
    "0x22", "pick": ".byte 0x31, 0x15, 255, 0x17", "division": ".byte 0x31, 0x30, 0x1b", "unknown":
    ".byte 0xff, 0xe3, 0", "cut": ".byte 3, 1, 2", "piece-huge": ".byte 0x55, 0x93\n\t.uleb128 "
    "0xffffffffffffffff\n\t.byte 0x55, 0x9d\n\t.uleb128 0xffffffff\n\t.uleb128 0xffffffff",
    "pieces": ".fill 5000, 3, 0x019355", "value-huge": ".byte 0x9e\n\t.uleb128 0x7fffffff",
    "calls-itself": ".byte 0x99\n\t.long .Ldie_self - .Ldebug_info0", "implicit-pointer":
    ".byte 0xa0\n\t.long .Ldie_self - .Ldebug_info0\n\t.sleb128 0", "entry-values": nested_entry_values(200),
    "tls": ".byte 0x0e\n\t.quad -1\n\t.byte 0xe0", "empty": "", "deref-size": ".byte 0x31, 0x94, 255",
    "type-none": ".byte 0x31, 0xa8\n\t.uleb128 0x7fffffff",
}
FRAMES = {"itself": ".byte 0x91, 0", "wild": ".byte 3\n\t.quad 0xffffffff81000000",
          "loop": ".byte 0x31, 0x2f, 0xfc, 0xff", "cfa-of-cfa": ".byte 0x9c, 0x9c, 0x22"}

SIZES = {
    "byte_size": ("0", "-1", "1 << 62", "65537"), "data_member_location": ("-1", "1 << 62", "0x7ffffff8"),
    "upper_bound": ("-1", "0x7fffffffffffffff", "0x7ffffff"), "bit_size": ("0", "-1", "200"),
    "data_bit_offset": ("-1", "1 << 62", "70000"), "encoding": ("0", "255"), "const_value": ("-1", "1 << 63"),
    "decl_line": ("-1", "0"), "decl_file": ("-1", "77"),
}

# Call frame information: rules of the frame that calls the one that is probed.
UNWIND = {
    "far": "0x0e, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f", "register": "0x0c, 0xff, 0x01, 0x10",
    "loop": "0x0f, 0x03, 0x2f, 0xfd, 0xff", "wild": "0x0f, 0x0a, 0x0e, 0, 0, 0, 0, 0, 0x80, 0, 0, 0x06",
    "kernel": "0x0f, 0x09, 0x03, 0, 0, 0, 0x81, 0xff, 0xff, 0xff, 0xff", "nowhere": "0x0e, 0",
    "undefined": "0x07, 0x10", "remember": ", ".join(["0x0a"] * 2000), "restore": ", ".join(["0x0b"] * 50),
    "expressions": ", ".join(["0x10, 0x10, 0x03, 0x31, 0x12, 0x22"] * 300),
    "advance": ", ".join(["0x04, 0xff, 0xff, 0xff, 0x7f"] * 50), "length": "0x0f, 0xff, 0xff, 0xff, 0x7f",
}

MARKS = {
    "operands-percent": b"-8@%s%n 8@%5$s", "operands-register": b"-8@%xyz 8@%r99", "operands-huge":
    b"-8@99999999999999999999(%rsp) 8@$-99999999999999999999999", "operands-size": b"-99@%rax 0@%rbx 777@%rcx",
    "operands-many": b"8@%rax " * 5000, "operands-long": b"8@" + b"x" * 65000, "operands-empty": b"",
    "operands-signs": b"@ -@ 8@ 8@( 8@(%rax 8@,) 8@%", "operands-wild": b"-8@-1(%rax) 8@0xffffffff81000000",
    "operands-index": b"8@-8(%rax,%rbx,64) 8@(,,) 8@nosuchsymbol+8(%rip)", "operands-escape": b"8@%rax\x1b[31m\n",
    "operands-float": b"8f@%xmm0 4f@%xmm99",
}

DAMAGES = (".debug_info", ".debug_abbrev", ".debug_str", ".debug_line", ".debug_line_str",
           ".debug_loclists", ".debug_rnglists", ".debug_aranges", ".symtab", ".strtab", ".dynsym",
           ".dynstr", ".rela.plt", ".plt", ".dynamic", ".eh_frame", ".eh_frame_hdr", ".note.stapsdt",
           ".note.gnu.build-id", "headers")
RUNNING = ("comm words words-huge words-nowhere maps maps-names maps-path cut late pointer text "
           "directory arguments deleted").split()


class Liar:
    """make(path): puts the program there.  lie: its word.  before, meanwhile: shell commands, with
    {} for its path, between compiling and arming, and between arming and running it.  runs: is it
    one that can be run at all?"""

    def __init__(self, name, make, lie="", before="", meanwhile=""):
        self.name, self.make, self.lie = name, make, lie
        self.before, self.meanwhile = before, meanwhile


class Sections:
    """An ELF file's section headers, to change the file's bytes by."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as f:
            self.data = bytearray(f.read())
        at, = struct.unpack_from("<Q", self.data, 40)
        n, names = struct.unpack_from("<HH", self.data, 60)
        headers = [struct.unpack_from("<IIQQQQIIQQ", self.data, at + 64 * i) for i in range(n)]
        texts = headers[names][4]
        self.found = {}
        for i, h in enumerate(headers):
            end = self.data.index(0, texts + h[0])
            self.found[self.data[texts + h[0]:end].decode()] = (h[4], h[5])
        self.found["headers"] = (at, 64 * n)

    def damage(self, name, rand):
        """Wrong bytes in a section, alone and in rows."""
        if name not in self.found:
            return
        at, size = self.found[name]
        for _ in range(DAMAGED):
            i = rand.randrange(size)
            for j in range(i, min(i + rand.choice((1, 1, 4, 8)), size)):
                self.data[at + j] = rand.choice((0, 0xff, 0x7f, 0x80, rand.randrange(256)))
        self.save()

    def symbols(self, change):
        """CHANGE, of each function's value and size."""
        at, size = self.found[".symtab"]
        for i in range(at, at + size, 24):
            name, info, other, section, value, n = struct.unpack_from("<IBBHQQ", self.data, i)
            if info & 15 == 2 and section:
                value, n = change(value, n)
                mask = (1 << 64) - 1
                struct.pack_into("<IBBHQQ", self.data, i, name, info, other, section, value & mask,
                                 n & mask)
        self.save()

    def save(self):
        with open(self.path, "wb") as f:
            f.write(self.data)


def run(*argv):
    subprocess.run(argv, check=True, capture_output=True)


class Maker:
    """Makes liars of one source, whose assembler text is made once."""

    def __init__(self, source, folder):
        self.source, self.folder = source, folder
        compiled = os.path.join(folder, "liar.s")
        run("gcc", *OPTIONS, "-S", "-dA", "-o", compiled, source)
        with open(compiled, encoding="utf-8") as f:
            self.compiled = f.read()

    def assemble(self, path, change=lambda text: None, options=()):
        text = Assembler(self.compiled)
        change(text)
        with open(path + ".s", "w", encoding="utf-8") as f:
            f.write(text.text())
        run("gcc", *OPTIONS, *options, "-o", path, path + ".s")
        os.unlink(path + ".s")

    def plain(self, path):
        self.assemble(path)

    # -- debug information --

    def names(self):
        for kind, name in NAMES.items():
            yield Liar(f"names-{kind}", lambda path, name=name: forge.build(
                path, self.source, {macro: name for macro in FORGED}, OPTIONS))
        yield Liar("names-empty", lambda path: self.assemble(path, self.empty_names))
        yield Liar("file-name", self.renamed_source)

    @staticmethod
    def empty_names(text):
        for name in FORGED:
            text.rest = text.rest.replace(f'.string\t"{name}"', '.string\t""')

    def renamed_source(self, path):
        source = os.path.join(os.path.dirname(path), "%s%n\x1b[31m\n\"\\ \udcff.c")
        with open(source, "w", encoding="utf-8", errors="surrogateescape") as f:
            f.write(f'#include "{self.source}"\n')
        run("gcc", *OPTIONS, "-o", path, "-x", "c", source)
        os.unlink(source)

    def locations(self):
        for name, ops in LOCATIONS.items():
            yield Liar(f"location-{name}", lambda path, ops=ops: self.assemble(
                path, lambda text: self.lie_location(text, "location", ops)))
        for name, ops in FRAMES.items():
            yield Liar(f"frame-base-{name}", lambda path, ops=ops: self.assemble(
                path, lambda text: self.lie_location(text, "frame_base", ops)))

    @staticmethod
    def lie_location(text, attribute, ops):
        at = text.find("formal_parameter", "param_number")
        text.dies[at] = ".Ldie_self:\n" + text.dies[at]
        text.expressions(attribute, ops)

    def types(self):
        """Types that are made of themselves."""
        cycles = {
            "typedef": ("typedef", "outer_type", "typedef", "outer_type"),
            "member": ("member", "inner_first", "structure_type", "inner_part"),
            "number": ("formal_parameter", "param_number", "formal_parameter", "param_number"),
            "function": ("formal_parameter", "param_number", "subprogram", "work"),
            "pointer": ("formal_parameter", "param_whole", "structure_type", "outer_whole"),
            "unit": ("variable", "local_number", "compile_unit", self.source),
            "buffer": ("member", "outer_buffer", "member", "outer_buffer"),
        }
        for name, (tag, of, other, target) in cycles.items():
            yield Liar(f"type-{name}", lambda path, c=(tag, of, other, target): self.assemble(
                path, lambda text: text.set(c[0], c[1], "DW_AT_type", ".long " + text.label(*c[2:]))))
        for tag in ("array_type", "pointer_type", "const_type", "subroutine_type"):
            yield Liar(f"type-{tag[:-5]}-of-itself", lambda path, tag=tag: self.assemble(
                path, lambda text: self.of_itself(text, tag)))
        yield Liar("type-outside", lambda path: self.assemble(path, lambda text: text.set(
            "formal_parameter", "param_number", "DW_AT_type", ".long 0x7fffffff")))
        for tag, depth in (("lexical_block", 200000), ("structure_type", 200000), ("namespace", 50000)):
            code = {"lexical_block": 0x0b, "structure_type": 0x13, "namespace": 0x39}[tag]
            yield Liar(f"nested-{tag}", lambda path, code=code, depth=depth: self.assemble(
                path, lambda text: text.nest(code, depth, text.find("variable", "local_number"))))

    @staticmethod
    def of_itself(text, tag):
        for i, die in enumerate(text.dies):
            number = re.search(rf"DIE \(0x([0-9a-f]+)\) DW_TAG_{tag}\)", die)
            if number:
                text.dies[i] = re.sub(r"\.long [^\n]*(\t# DW_AT_type)",
                                      rf".long .Ldie_{number[1]} - .Ldebug_info0\1", die)

    def sizes(self):
        for attribute, values in SIZES.items():
            for i, value in enumerate(values):
                yield Liar(f"{attribute.replace('_', '-')}-{i + 1}",
                           lambda path, a=attribute, v=value: self.assemble(
                               path, lambda text: text.widen(a, v)))

    # -- symbols, frames, marks, identity --

    def symbols(self):
        changes = {"value-wild": lambda v, n: (0xffffffff81000000, n), "value-odd": lambda v, n: (v + 1, n),
                   "value-huge": lambda v, n: ((1 << 63) - 1, n), "size-none": lambda v, n: (v, 0),
                   "size-huge": lambda v, n: (v, -1), "all-one": lambda v, n: (0x1000, 0x100000)}
        for name, change in changes.items():
            def make(path, change=change):
                self.plain(path)
                Sections(path).symbols(change)
            yield Liar(f"symbol-{name}", make)
        for name, symbol in (("bomb", bomb(24)), ("deep", "_ZN" + "1aI" * 20000), ("packs", "_Z" + "1" * 400),
                             ("rust", "_R" + "NvC" * 3000 + "1a"), ("long", "s" * 65000)):
            yield Liar(f"symbol-{name}", lambda path, symbol=symbol: self.assemble(
                path, lambda text: self.rename(text, symbol)))

    @staticmethod
    def rename(text, symbol):
        for part in "head", "begin":
            old = getattr(text, part)
            setattr(text, part, re.sub(r'(?<!")\bnamed_by_liar\b(?!")', symbol, old))

    def frames(self):
        for name, lie in UNWIND.items():
            yield Liar(f"unwind-{name}", lambda path, lie=lie: self.assemble(
                path, lambda text: text.replace(".cfi_startproc\n", ".cfi_startproc\n\t.cfi_escape "
                                                f"{lie}\n")))

    def marks(self):
        for name, operands in MARKS.items():
            yield Liar(f"mark-{name}", lambda path, o=operands: self.assemble(
                path, lambda text: text.head_string("-8@%", o)))
        for name, raw in NAMES.items():
            def change(text, raw=raw):
                text.head_string("liar_mark", raw)
                text.head_string("liar_provider", raw)
            yield Liar(f"mark-name-{name}", lambda path, c=change: self.assemble(path, c))
        for name, note in {"address-wild": "0xffffffff81000000, mark.base, mark_semaphore",
                           "address-none": "0, 0, 0", "address-data": "global_table, mark.base, 0",
                           "address-middle": "work + 1, mark.base, 0", "base-wild": "990b, -1, mark_semaphore",
                           "counter-kernel": "990b, mark.base, 0xffffffff81000000",
                           "counter-odd": "990b, mark.base, global_table + 4095",
                           "counter-code": "990b, mark.base, named_by_liar",
                           "counter-none": "990b, mark.base, 1 << 63"}.items():
            yield Liar(f"mark-{name}", lambda path, note=note: self.assemble(
                path, lambda text: text.replace(" 990b, mark.base, mark_semaphore", " " + note),
                ["-no-pie"]))
        yield Liar("mark-cut", lambda path: self.assemble(path, lambda text: text.replace(
            "994f - 993f, 3", "994f - 993f + 90000, 3")))

    def identity(self):
        ids = {"none": "none", "short": "0xab", "long": "0x" + "ab" * 4000,
               "text": "0x" + (b"%s%n\x1b[31m\n" * 6).hex()}
        for name, build_id in ids.items():
            yield Liar(f"build-id-{name}", lambda path, b=build_id: self.assemble(
                path, options=[f"-Wl,--build-id={b}"]))
        notes = {"empty": '4, 0, 3\n\t.asciz "GNU"', "huge": '4, 0x7fffffff, 3\n\t.asciz "GNU"',
                 "cut": "0xffffffff, 20, 3",
                 "many": "\n\t.long ".join(['4, 4, 3\n\t.asciz "GNU"\n\t.long 7'] * 3000)}
        for name, note in notes.items():
            section = f'\t.section .note.gnu.build-id,"a",@note\n\t.long {note}\n\t.text\n'
            yield Liar(f"build-id-{name}", lambda path, s=section: self.assemble(
                path, lambda text: setattr(text, "head", s + text.head), ["-Wl,--build-id=none"]))

    def damages(self, seed):
        for section in DAMAGES:
            for i in range(SEEDS):
                def make(path, section=section, i=i):
                    self.plain(path)
                    Sections(path).damage(section, random.Random(f"{seed} {section} {i}"))
                yield Liar(f"damaged{section.replace('.', '-').replace('_', '-')}-{i}"
                           .replace("damagedheaders", "damaged-headers"), make)

    def exchanged(self):
        """What lies under the program's name later on."""
        other = os.path.join(self.folder, "other")
        self.assemble(other, lambda text: text.replace("\t.text\n", "\t.text\n\t.fill 1027, 1, 0x90\n"))
        new = f"cp {other} {{}}.new && mv {{}}.new {{}}"
        for when in "before", "meanwhile":
            for name, command in {
                    "replaced": new, "overwritten": f"cat {other} >{{}}", "removed": "rm {}",
                    "shell": "cp /bin/bash {}", "cut": ": >{}", "half": "truncate -s 8K {}",
                    "link": "mv {} {}.old && ln -s {}.old {}", "directory": "rm {} && mkdir {}",
                    "zeroes": "truncate -s 0 {} && truncate -s 1M {}",
                    "device": "rm {} && ln -s /dev/zero {}", "again": "cat {} >{}.new && cat {}.new >{}",
            }.items():
                yield Liar(f"{name}-{when}", self.plain, **{when: command})

    def all(self, seed):
        """The truth, which readers must read, and all lies."""
        yield Liar("truth", self.plain)
        for some in (self.names(), self.locations(), self.types(), self.sizes(), self.symbols(),
                     self.frames(), self.marks(), self.identity(), self.damages(seed), self.exchanged()):
            yield from some
        for lie in RUNNING:
            yield Liar(f"running-{lie}", self.plain, lie=lie)


def bomb(doublings):
    """A C++ symbol whose text doubles so many times."""
    digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    text = "_Z1f1a1bIS_S_E"
    for i in range(1, doublings):
        text += f"S0_IS{digits[i]}_S{digits[i]}_E"
    return text
