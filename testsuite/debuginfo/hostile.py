# SPDX-License-Identifier: GPL-2.0-or-later
"""Writes programs whose debug information, symbols and tables are made to hurt who reads them:

    hostile.py DIRECTORY

Each function below that is marked with @case writes one file; its comment says what is wrong. They
have a function main, with a variable x, at TEXT.
"""
import struct
import sys
import zlib

TEXT = 0x401000
CODE = b"\x55\x48\x89\xe5\x5d\xc3" + b"\x90" * 58
SHT = {"progbits": 1, "symtab": 2, "strtab": 3, "rela": 4, "note": 7}

cases = []


def case(make):
    cases.append(make)
    return make


def uleb(n):
    out = bytearray()
    while True:
        out.append(n & 127 | (128 if n > 127 else 0))
        n >>= 7
        if not n:
            return bytes(out)


# ---- ELF ------------------------------------------------------------------------------

class Section:
    def __init__(self, name, data, kind="progbits", **fields):
        self.name, self.data, self.kind = name, data, SHT[kind]
        self.fields = fields


def elf(sections, symbols=(), repeat=None):
    """The bytes of a program. Symbols are names at TEXT; repeat is a section's name and how often
    its header occurs."""
    strings, table = b"\0main\0", struct.pack("<IBBHQQ", 0, 0, 0, 0, 0, 0)
    table += struct.pack("<IBBHQQ", 1, 0x12, 0, 1, TEXT, 6)
    for name in symbols:
        table += struct.pack("<IBBHQQ", len(strings), 0x12, 0, 1, TEXT, 6)
        strings += name + b"\0"
    every = [Section(".text", CODE, flags=6, addr=TEXT)] + list(sections)
    every.append(Section(".symtab", table, "symtab", link=len(every) + 2, entsize=24, info=1))
    every.append(Section(".strtab", strings, "strtab"))
    names = b"\0"
    for s in every:
        s.name_at = len(names)
        names += s.name.encode() + b"\0"
    every.append(Section(".shstrtab", names + b".shstrtab\0", "strtab"))
    every[-1].name_at = len(names)

    at, body = 0x1000, bytearray()
    headers = bytes(64)
    for s in every:
        s.at = at + len(body)
        size = s.fields.get("size", len(s.data))
        header = struct.pack("<IIQQQQIIQQ", s.name_at, s.kind, s.fields.get("flags", 0),
                             s.fields.get("addr", 0), s.at, size, s.fields.get("link", 0),
                             s.fields.get("info", 0), 8, s.fields.get("entsize", 0))
        body += s.data + bytes(-len(s.data) % 8)
        headers += header
        if repeat and repeat[0] == s.name:
            more = header * repeat[1]
    if repeat:
        headers += more
    count, shoff = len(headers) // 64, at + len(body)
    head = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 2, 62, 1, TEXT, 64, shoff, 0, 64, 56,
                       1, 64, count, len(every))
    head += struct.pack("<IIQQQQQQ", 1, 5, 0x1000, TEXT, TEXT, 64, 64, 0x1000)
    return head + bytes(at - len(head)) + bytes(body) + headers


# ---- DWARF ----------------------------------------------------------------------------

CU, SUB, VAR, BLOCK, STRUCT, MEMBER, BASE, PTR, TYPEDEF, SPACE, IMPORT, INL = (
    0x11, 0x2e, 0x34, 0x0b, 0x13, 0x0d, 0x24, 0x0f, 0x16, 0x39, 0x3d, 0x1d)
ARRAY, RANGE, CONST = 0x01, 0x21, 0x26
(SIBLING, LOCATION, NAME, BYTE_SIZE, STMT_LIST, LOW, HIGH, LANGUAGE, ORIGIN, ENCODING, MEMBER_AT,
 TYPE, RANGES, SPECIFICATION, IMPORTED, FRAME_BASE, EXTERNAL, DECLARATION, UPPER) = (
    0x01, 0x02, 0x03, 0x0b, 0x10, 0x11, 0x12, 0x13, 0x31, 0x3e, 0x38, 0x49, 0x55, 0x47, 0x18, 0x40,
    0x3f, 0x3c, 0x2f)
ADDR, DATA1, DATA4, DATA8, STRING, REF4, EXPR, SECOFF, PRESENT, INDIRECT = (
    0x01, 0x0b, 0x06, 0x07, 0x08, 0x13, 0x18, 0x17, 0x19, 0x16)


class Unit:
    """DWARF 4: entries one after the other. die() returns the entry's offset."""

    def __init__(self, language=0x0c, **attrs):
        self.abbrevs, self.info = {}, bytearray(11)
        self.die(CU, True, (LANGUAGE, DATA1, bytes([language])), (NAME, STRING, b"a.c\0"),
                 (LOW, ADDR, struct.pack("<Q", TEXT)), (HIGH, DATA4, struct.pack("<I", 64)),
                 *attrs.get("more", ()))

    def die(self, tag, children, *attrs):
        at = len(self.info)
        key = (tag, children, tuple((a, f) for a, f, _ in attrs))
        code = self.abbrevs.setdefault(key, len(self.abbrevs) + 1)
        self.info += uleb(code) + b"".join(v for _, _, v in attrs)
        return at

    def end(self, n=1):
        self.info += bytes(n)

    def main(self, *more):
        """main(), open, whose frame is at register 6."""
        return self.die(SUB, True, (NAME, STRING, b"main\0"), (EXTERNAL, PRESENT, b""),
                        (LOW, ADDR, struct.pack("<Q", TEXT)),
                        (HIGH, DATA4, struct.pack("<I", 64)),
                        (FRAME_BASE, EXPR, b"\x01\x56"), *more)

    def var(self, type_at, location=b"\x91\x70", name=b"x\0"):
        return self.die(VAR, False, (NAME, STRING, name),
                        (TYPE, REF4, struct.pack("<I", type_at)),
                        (LOCATION, EXPR, uleb(len(location)) + location))

    def int(self):
        return self.die(BASE, False, (NAME, STRING, b"int\0"), (BYTE_SIZE, DATA1, b"\4"),
                        (ENCODING, DATA1, b"\5"))

    def sections(self, abbrev=None):
        table = b"".join(
            uleb(code) + uleb(tag) + bytes([children]) +
            b"".join(uleb(a) + uleb(f) for a, f in attrs) + b"\0\0"
            for (tag, children, attrs), code in self.abbrevs.items()) + b"\0"
        struct.pack_into("<IHIB", self.info, 0, len(self.info) - 4, 4, 0, 8)
        return [Section(".debug_info", bytes(self.info)),
                Section(".debug_abbrev", table if abbrev is None else abbrev)]


def ref(at):
    return struct.pack("<I", at)


def plain():
    """main() with int x."""
    u = Unit()
    t = u.int()
    u.main()
    u.var(t)
    u.end(2)
    return u


# ---- entries --------------------------------------------------------------------------

def range_of_main():
    return ((LOW, ADDR, struct.pack("<Q", TEXT)), (HIGH, DATA4, struct.pack("<I", 64)))


@case
def nested_blocks():
    """200,000 blocks in each other, with a variable in the innermost."""
    u = Unit()
    t = u.int()
    u.main()
    for _ in range(200000):
        u.die(BLOCK, True, *range_of_main())
    u.var(t)
    u.end(200002)
    return elf(u.sections())


@case
def nested_structs():
    """Types in each other, without names."""
    u = Unit()
    u.main()
    u.var(len(u.info) + 100000)
    u.end()
    u.info += bytes(100000 - len(u.info) % 10)
    for _ in range(200000):
        u.die(STRUCT, True, (BYTE_SIZE, DATA1, b"\4"))
    u.end(200002)
    return elf(u.sections())


@case
def nested_spaces():
    """200,000 namespaces of C++."""
    u = Unit(language=0x04)
    t = u.int()
    for _ in range(200000):
        u.die(SPACE, True, (NAME, STRING, b"n\0"))
    u.main()
    u.var(t)
    u.end(200003)
    return elf(u.sections())


@case
def nested_inlined():
    """Inlined calls in each other, all of one function, whose origin is the first."""
    u = Unit()
    t = u.int()
    main = u.main()
    for _ in range(100000):
        u.die(INL, True, (ORIGIN, REF4, ref(main)), *range_of_main())
    u.var(t)
    u.end(100002)
    return elf(u.sections())


@case
def type_chain():
    """200,000 typedefs, one of the other; and one of itself."""
    u = Unit()
    t = u.int()
    for _ in range(200000):
        t = u.die(TYPEDEF, False, (NAME, STRING, b"t\0"), (TYPE, REF4, ref(t)))
    own = len(u.info)
    u.die(TYPEDEF, False, (NAME, STRING, b"own\0"), (TYPE, REF4, ref(own)))
    u.main()
    u.var(t)
    u.var(own, name=b"y\0")
    u.end(2)
    return elf(u.sections())


@case
def type_cycles():
    """A struct in itself, an array of itself, a const of itself, pointers in a ring."""
    u = Unit()
    s = u.die(STRUCT, True, (NAME, STRING, b"s\0"), (BYTE_SIZE, DATA1, b"\10"))
    for name in b"a\0", b"b\0", b"c\0", b"\0":
        u.die(MEMBER, False, (NAME, STRING, name), (TYPE, REF4, ref(s)),
              (MEMBER_AT, DATA1, b"\0"))
    u.end()
    a = len(u.info)
    u.die(ARRAY, True, (TYPE, REF4, ref(a)))
    for _ in range(1000):
        u.die(RANGE, False, (UPPER, DATA8, b"\xff" * 7 + b"\x7f"))
    u.end()
    c = len(u.info)
    u.die(CONST, False, (TYPE, REF4, ref(c)))
    p = len(u.info)
    u.die(PTR, False, (BYTE_SIZE, DATA1, b"\10"), (TYPE, REF4, ref(p)))
    u.main()
    for name, t in (b"x\0", s), (b"y\0", a), (b"z\0", c), (b"p\0", p):
        u.var(t, name=name)
    u.end(2)
    return elf(u.sections())


@case
def doubling_structs():
    """40 structs with two of the one before each."""
    u = Unit()
    t = u.int()
    for i in range(40):
        inner, t = t, u.die(STRUCT, True, (NAME, STRING, b"s%d\0" % i), (BYTE_SIZE, DATA1, b"\4"))
        for name in b"a\0", b"b\0":
            u.die(MEMBER, False, (NAME, STRING, name), (TYPE, REF4, ref(inner)),
                  (MEMBER_AT, DATA1, b"\0"))
        u.end()
    u.main()
    u.var(t)
    u.end(2)
    return elf(u.sections())


@case
def doubling_functions():
    """40 functions' types, each of which takes two of the one before, in a variable's type."""
    u = Unit()
    t = u.int()
    for _ in range(40):
        inner, t = t, u.die(0x15, True)
        for _ in range(2):
            u.die(0x05, False, (TYPE, REF4, ref(inner)))
        u.end()
    t = u.die(PTR, False, (BYTE_SIZE, DATA1, b"\10"), (TYPE, REF4, ref(t)))
    u.main()
    u.var(t)
    u.end(2)
    return elf(u.sections())


@case
def origin_cycles():
    """Functions whose origins, specifications and imports lead back to them."""
    u = Unit()
    t = u.int()
    a = len(u.info)
    u.main((ORIGIN, REF4, ref(a)))
    u.var(t)
    u.end()
    b = len(u.info)
    for kind, to in (ORIGIN, b), (SPECIFICATION, b), (IMPORTED, 11):
        u.die(SUB, False, (kind, REF4, ref(to)), *range_of_main())
    x = len(u.info)
    y = x + 1 + 4 + 8 + 4
    for to in y, x:
        u.die(SUB, False, (ORIGIN, REF4, ref(to)), *range_of_main())
    u.die(IMPORT, False, (IMPORTED, REF4, ref(11)))
    u.end()
    return elf(u.sections())


@case
def siblings_back():
    """A sibling that lies before its entry."""
    u = Unit()
    t = u.die(BASE, True, (SIBLING, REF4, ref(11)), (NAME, STRING, b"int\0"),
              (BYTE_SIZE, DATA1, b"\4"), (ENCODING, DATA1, b"\5"))
    u.end()
    u.main((SIBLING, REF4, ref(11)))
    u.var(t)
    u.die(BLOCK, True, (SIBLING, REF4, ref(t)), *range_of_main())
    u.end(3)
    return elf(u.sections())


@case
def indirect_forms():
    """A form that is indirect, which is indirect, and so on; it never ends."""
    u = Unit()
    u.main()
    u.die(VAR, False, (NAME, INDIRECT, b"\x16" * 1000000))
    u.end(2)
    return elf(u.sections())


@case
def abbreviations():
    """An abbreviation with a million attributes, and entries that have it."""
    u = plain()
    u.info += b"\x7f" * 1000000
    abbrev = u.sections()[1].data[:-1]
    abbrev += b"\x7f\x2e\x01" + b"\x03\x19" * 1000000 + b"\0\0\0"
    return elf(u.sections(abbrev))


@case
def members():
    """A struct of a million members."""
    u = Unit()
    t = u.int()
    s = u.die(STRUCT, True, (NAME, STRING, b"s\0"), (BYTE_SIZE, DATA1, b"\4"))
    for _ in range(1000000):
        u.die(MEMBER, False, (NAME, STRING, b"m\0"), (TYPE, REF4, ref(t)),
              (MEMBER_AT, DATA1, b"\0"))
    u.end()
    u.main()
    u.var(s)
    u.end(2)
    return elf(u.sections())


@case
def units():
    """A hundred thousand units of nothing, and a unit's length of everything."""
    u = plain()
    sections = u.sections()
    empty = struct.pack("<IHIB", 8, 4, 0, 8) + b"\0"
    sections[0].data += empty * 100000 + struct.pack("<IHIB", 0xfffffff0, 4, 0, 8)
    return elf(sections)


# ---- locations, frames, ranges, lines -------------------------------------------------

def located(location):
    u = Unit()
    t = u.int()
    u.main()
    u.var(t, location)
    u.end(2)
    return u


@case
def location_loops():
    """DW_OP_skip back to itself."""
    return elf(located(b"\x30\x2f" + struct.pack("<h", -4)).sections())


@case
def location_branches():
    """Branches, each of which can go both ways."""
    return elf(located(b"\x91\x70" + b"\x12\x28\x01\x00\x96" * 4000).sections())


@case
def location_calls():
    """An expression that calls itself, by its entry."""
    u = Unit()
    t = u.int()
    u.main()
    at = len(u.info)
    u.var(t, b"\x99" + ref(at) + b"\x99" + ref(at))
    u.end(2)
    return elf(u.sections())


@case
def location_stack():
    """An expression that doubles what is on the stack."""
    return elf(located(b"\x91\x70" + b"\x12\x22" * 100000).sections())


@case
def ranges():
    """A list of ranges without an end, and one of a million."""
    u = Unit(more=((RANGES, SECOFF, bytes(4)),))
    t = u.int()
    u.die(SUB, True, (NAME, STRING, b"f\0"), (RANGES, SECOFF, bytes(4)))
    u.var(t)
    u.end(2)
    one = struct.pack("<QQ", TEXT, TEXT + 1)
    return elf(u.sections() + [Section(".debug_ranges", one * 1000000)])


@case
def frames():
    """An entry of call frames that is its own CIE, one of advances only, and one of pushes."""
    cie = struct.pack("<IIB", 12, 0, 1) + b"\0\1\x78\x10\0\0\0"
    fde = struct.pack("<II", 100008, 0) + struct.pack("<QQ", TEXT, 64) + b"\x0a" * 99988
    own = struct.pack("<II", 20, 100028) + struct.pack("<QQ", TEXT, 64)
    u = located(b"\x9c")
    debug = struct.pack("<IIB", 12, 0xffffffff, 4) + b"\0\1\x78\x10\0\0\0" + \
        struct.pack("<II", 16 + 100000, 0) + struct.pack("<QQ", TEXT, 64) + b"\x0a" * 99996
    return elf(u.sections() + [Section(".eh_frame", cie + fde + own, flags=2, addr=0x500000),
                               Section(".debug_frame", debug)])


def lines(header, program):
    """A line table of DWARF 4."""
    head = struct.pack("<BBBbBB", 1, 1, 1, -5, 14, 13) + bytes([0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1])
    head += header
    body = struct.pack("<HI", 4, len(head)) + head + program
    return Section(".debug_line", struct.pack("<I", len(body)) + body)


def with_lines(section):
    u = Unit(more=((STMT_LIST, SECOFF, bytes(4)),))
    t = u.int()
    u.main()
    u.var(t)
    u.end(2)
    return elf(u.sections() + [section])


SET = b"\0\x09\x02" + struct.pack("<Q", TEXT)


@case
def line_rows():
    """Ten million rows at few addresses."""
    return with_lines(lines(b"\0a.c\0\0\0\0\0", SET + b"\x14" * 10000000 + b"\0\1\1"))


@case
def line_files():
    """A million files, in a directory that there isn't."""
    return with_lines(lines(b"\0" + b"a.c\0\x7f\0\0" * 1000000 + b"\0", SET + b"\x14\0\1\1"))


@case
def line_columns():
    """DWARF 5: four billion directories of no columns."""
    head = struct.pack("<BBBbBB", 1, 1, 1, -5, 14, 1) + b"\0\xff\xff\xff\xff\x0f\0\xff\xff\xff\xff\x0f"
    body = struct.pack("<HBBI", 5, 8, 0, len(head)) + head + SET + b"\0\1\1"
    return with_lines(Section(".debug_line", struct.pack("<I", len(body)) + body))


@case
def line_shared():
    """Ten thousand units with one table of a hundred thousand rows."""
    more = ((STMT_LIST, SECOFF, bytes(4)),)
    u = Unit(more=more)
    t = u.int()
    u.main()
    u.var(t)
    u.end(2)
    sections = u.sections()
    n = Unit(more=more)
    n.end()
    n.abbrevs = u.abbrevs
    sections[0].data += n.sections()[0].data * 10000
    return elf(sections + [lines(b"\0a.c\0\0\0\0\0", SET + b"\x14" * 100000 + b"\0\1\1")])


# ---- symbols and sections -------------------------------------------------------------

def doubling(name, times):
    """Each argument is two of the one before."""
    digits = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    text = b"_Z%d%sI1Q1PIS0_S0_E" % (len(name), name)
    for i in range(2, times):
        text += b"S1_IS%c_S%c_E" % (digits[i], digits[i])
    return text + b"Evv"


@case
def doubling_symbol():
    """270 bytes that stand for a gigabyte."""
    return elf(plain().sections(), [doubling(b"large", 30)])


@case
def deep_symbol():
    """Pointers to pointers, functions of functions, and Rust's references."""
    return elf(plain().sections(), [b"_Z4deep" + b"P" * 3000 + b"i", b"_Z4deepI" + b"F" * 3000 + b"vE",
                                    b"_RINvC1c4deep" + b"R" * 3000 + b"hE", b"_Z4deep" + b"N" * 4000])


@case
def many_symbols():
    """Two thousand of that kind."""
    return elf(plain().sections(), [doubling(b"many%d" % n, 25) for n in range(2000)])


@case
def overlapping_tables():
    """Thirty thousand headers of one table of relocations, and of one of calls."""
    word = 0x600000
    rela = b"".join(struct.pack("<QQq", word + 8 * i, 1 << 32 | 7, 0) for i in range(20000))
    plt = b"\xff\x25" + struct.pack("<i", word - 0x700000 - 6)
    return elf(plain().sections() +
               [Section(".plt", (plt + b"\x90" * 10) * 20000, flags=6, addr=0x700000),
                Section(".rela.plt", rela, "rela", flags=2, link=6, entsize=24)],
               repeat=(".rela.plt", 30000))


@case
def overlapping_notes():
    """Thirty thousand headers of one section of marks."""
    desc = struct.pack("<QQQ", TEXT, 0, 0) + b"p\0n\0" + b"8@%rax \0"
    note = struct.pack("<III", 8, len(desc), 3) + b"stapsdt\0" + desc + bytes(-len(desc) % 4)
    return elf(plain().sections() + [Section(".note.stapsdt", note * 5000, "note")],
               repeat=(".note.stapsdt", 30000))


def bomb(name, kind, packed, size):
    header = struct.pack("<IIQQ", kind, 0, size, 1)
    return Section(name, header + packed, flags=0x800)


def zeroes(megabytes):
    """A zlib stream: a block of a megabyte, repeated."""
    z = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = z.compress(bytes(1 << 20)) + z.flush(zlib.Z_FULL_FLUSH)
    check = (megabytes << 20) % 65521 << 16 | 1
    return b"\x78\xda" + block * megabytes + b"\x03\0" + struct.pack(">I", check)


@case
def bomb_zlib():
    """Two sections of 1 GB, in two megabytes."""
    packed = zeroes(1024)
    u = plain()
    return elf([bomb(".debug_info", 1, packed, 1 << 30), u.sections()[1],
                bomb(".debug_str", 1, packed, 1 << 30)])


@case
def bomb_gnu():
    """The same in GNU's older form."""
    u = plain()
    old = b"ZLIB" + struct.pack(">Q", 1 << 30) + zeroes(1024)
    return elf([Section(".zdebug_info", old), u.sections()[1], Section(".zdebug_str", old)])


@case
def bomb_zstd():
    """4 GB less a byte of a zstd frame, or so its header says."""
    frame = b"\x28\xb5\x2f\xfd\xe0" + struct.pack("<Q", (1 << 32) - 1)
    frame += (struct.pack("<I", (0x20000 << 3) | 2)[:3] + b"\0") * 32767 + b"\x03\x00\x00\0"
    u = plain()
    return elf([bomb(".debug_info", 2, frame, (1 << 32) - 1), u.sections()[1]])


@case
def bomb_mini():
    """Of .gnu_debugdata, 128 MB from 20 KB."""
    import lzma                                 # pylint: disable=import-outside-toplevel
    c = lzma.LZMACompressor(preset=0)
    packed = b"".join(c.compress(bytes(1 << 20)) for _ in range(128)) + c.flush()
    return elf([Section(".gnu_debugdata", packed)])


@case
def no_end_of_strings():
    """Names of a megabyte, and one that ends with the section."""
    u = Unit()
    t = u.int()
    u.main()
    u.var(t, name=b"x" * 1000000 + b"\0")
    u.info += b"\x03" + b"y" * 1000000
    return elf(u.sections(), [b"_Z" + b"9" * 100000, b"m" * 1000000])


if __name__ == "__main__":
    for f in cases:
        with open(f"{sys.argv[1]}/{f.__name__}", "wb") as out:
            out.write(f())
    print(" ".join(f.__name__ for f in cases))
