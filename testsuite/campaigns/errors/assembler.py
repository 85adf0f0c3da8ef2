# SPDX-License-Identifier: GPL-2.0-or-later
"""A program's assembler text, with what the compiler remarks on its debug information, and changes
of it that the assembler takes: what comes out is whole, and says something else.

    text = Assembler(compiled)
    text.set("formal_parameter", "n", "DW_AT_type", ".long .Ldie_2e - .Ldebug_info0")
"""
import re

REFERENCES = ("type|sibling|abstract_origin|call_origin|specification|import|containing_type|"
              "object_pointer|call_return_pc_origin")
DIE = r"(?m)^(?=\t\.uleb128 0x[0-9a-f]+\t# \(DIE \()"
# An expression: its length, and its operations.
EXPRESSION = (r"\t\.uleb128 0x[0-9a-f]+\t# (?:DW_AT_{}|Location expression size)[^\n]*\n"
              r"(?:\t\.\w+[ \t][^\n#]*(?:# DW_OP_[^\n]*)?\n)+")


def escaped(raw):
    """Bytes as a string of the assembler's."""
    return '"' + "".join(f"\\{b:03o}" for b in raw) + '"'


def numbered(ops):
    """An expression of these operations."""
    return f"\t.uleb128 9f-8f\n8:\t{ops}\n9:\n"


class Assembler:
    """References between entries are made labels, so that entries can grow."""

    def __init__(self, text):
        head, info, rest = re.split(r'(?m)^(?=\t\.section\t\.debug_(?:info|abbrev),)', text, 2)
        info = re.sub(rf"\.long\t0x([0-9a-f]+)\t# (DW_AT_(?:{REFERENCES})\b)",
                      r".long .Ldie_\1 - .Ldebug_info0\t# \2", info)
        info = re.sub(r"\.long\t0x[0-9a-f]+(\t# Length of Compilation Unit Info\n)",
                      r".long .Linfo_end - .Linfo_start\1.Linfo_start:\n", info)
        self.head, self.rest = head, rest
        self.begin, *self.dies = re.split(DIE, info)
        self.dies[-1] += ".Linfo_end:\n"

    def text(self):
        labels = (".Ldie_" + re.search(r"DIE \(0x([0-9a-f]+)", die)[1] + ":\n" for die in self.dies)
        return (self.head + self.begin + "".join(a + b for a, b in zip(labels, self.dies)) +
                self.rest)

    def find(self, tag, name):
        """The index of an entry."""
        for i, die in enumerate(self.dies):
            if (f"DW_TAG_{tag})" in die and
                    (f'DW_AT_name: "{name}"' in die or f'.ascii "{name}\\0"' in die)):
                return i
        raise ValueError(f"no {tag} {name}")

    def label(self, tag, name):
        at = re.search(r"DIE \(0x([0-9a-f]+)", self.dies[self.find(tag, name)])[1]
        return f".Ldie_{at} - .Ldebug_info0"

    def set(self, tag, name, attribute, value):
        """Another value of the same form."""
        i = self.find(tag, name)
        changed, n = re.subn(rf"\t[^\n#]*# {attribute}\b", lambda m: f"\t{value}\t# {attribute}",
                             self.dies[i], 1)
        if not n:
            raise ValueError(f"{tag} {name} has no {attribute}")
        self.dies[i] = changed

    def expressions(self, attribute, ops):
        """Each expression of an attribute becomes OPS; of "location", those in lists too."""
        pattern, new = EXPRESSION.format(attribute), numbered(ops)
        self.dies = [re.sub(pattern, lambda m: new, die) for die in self.dies]
        if attribute == "location":
            self.rest = re.sub(pattern, lambda m: new, self.rest)

    def widen(self, attribute, value):
        """Each constant of an attribute becomes VALUE, of 64 bits."""
        self.rest = re.sub(rf"(\(DW_AT_{attribute}\)\n\t\.uleb128 )0x[0-9a-f]+\t# \(DW_FORM_data\d\)",
                           r"\g<1>0x7\t# (DW_FORM_data8)", self.rest)
        self.dies = [re.sub(rf"\t\.(?:byte|value|long|quad)\t\S+\t# DW_AT_{attribute}\b",
                            f"\t.quad {value}\t# DW_AT_{attribute}", die) for die in self.dies]

    def nest(self, tag, depth, where):
        """So many entries of a tag, one in another, behind the children of the entry WHERE."""
        code = 0x4000
        self.rest = self.rest.replace(
            ".Ldebug_abbrev0:\n", f".Ldebug_abbrev0:\n\t.uleb128 {code}, {tag}\n\t.byte 1, 0, 0\n", 1)
        self.dies[where] += (f"\t.rept {depth}\n\t.uleb128 {code}\n\t.endr\n"
                             f"\t.rept {depth}\n\t.byte 0\n\t.endr\n")

    def replace(self, old, new, where="head"):
        """A text in the code's part, or in what is behind the debug information."""
        text = getattr(self, where)
        if old not in text:
            raise ValueError(f"no {old!r}")
        setattr(self, where, text.replace(old, new))

    def head_string(self, begin, raw):
        """Each string of the code's part (of marks) that begins so becomes RAW."""
        new, n = re.subn(rf'\.asciz "{re.escape(begin)}[^"\n]*"',
                         lambda m: ".asciz " + escaped(raw), self.head)
        if not n:
            raise ValueError(f"no string {begin!r}")
        self.head = new
