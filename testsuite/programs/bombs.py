#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Makes programs that hurt whoever looks up the names of their code:

    bombs.py CC DIRECTORY

good        none of that
doubling    a symbol of 650 bytes, whose demangled form has twice as much at each of 60 steps
nested      debug information with 200,000 blocks in each other around main()
announced   a compressed section of debug information that says it has 2^62 bytes
relocated   a thousand sections of relocations that all are the same megabytes, and as many linkage tables
escapes     a symbol and a source file whose names move the cursor
"""
import os
import struct
import subprocess
import sys

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def substitution(n):
    """The n-th thing that a mangled name has mentioned: S_, S0_, … S10_ …"""
    text = ""
    while n:
        n -= 1
        text = DIGITS[n % 36] + text
        n //= 36
    return f"S{text}_"


def doubling(steps):
    """f(P<int, int>, P<P<int, int>, P<int, int>>, …): each parameter is two of the one before it."""
    return "_Z1f1PIiiE" + "".join(f"S_I{substitution(i)}{substitution(i)}E"
                                  for i in range(1, steps + 1))


CALLS = """
#include <unistd.h>
int bomb(void) {label};
__attribute__((noinline)) int bomb(void) {{ return getppid() + 1; }}
int main(void) {{ return !bomb(); }}
"""

# A unit with one function and blocks in it, each of which contains all of main().
NESTED = """
	.text
	.globl main
main:	sub $8, %rsp
	call getppid@plt
	xor %eax, %eax
	add $8, %rsp
	ret
end:
	.section .debug_abbrev,"",@progbits
	.uleb128 1; .uleb128 0x11; .byte 1; .uleb128 0x11; .uleb128 1; .uleb128 0x12; .uleb128 7
	.uleb128 0x10; .uleb128 0x17; .byte 0, 0
	.uleb128 2; .uleb128 0x2e; .byte 1; .uleb128 3; .uleb128 8; .uleb128 0x11; .uleb128 1
	.uleb128 0x12; .uleb128 7; .byte 0, 0
	.uleb128 3; .uleb128 0x0b; .byte 1; .uleb128 0x11; .uleb128 1; .uleb128 0x12; .uleb128 7
	.byte 0, 0
	.byte 0
	.section .debug_info,"",@progbits
	.long 2f - 1f
1:	.short 4
	.long 0
	.byte 8
	.uleb128 1; .quad main, end - main; .long 0
	.uleb128 2; .asciz "main"; .quad main, end - main
	.rept 200000
	.uleb128 3; .quad main, end - main
	.endr
	.fill 200002, 1, 0
2:
	.section .debug_line,"",@progbits
	.long 2f - 1f
1:	.short 4
	.long 4f - 3f
3:	.byte 1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1
	.byte 0
	.asciz "nested.c"
	.byte 0, 0, 0, 0
4:	.byte 0, 9, 2
	.quad main
	.byte 1, 2
	.uleb128 end - main
	.byte 0, 1, 1
2:
	.section .debug_aranges,"",@progbits
	.long 2f - 1f
1:	.short 2
	.long 0
	.byte 8, 0
	.long 0
	.quad main, end - main, 0, 0
2:
	.section .note.GNU-stack,"",@progbits
"""


class Maker:
    def __init__(self, cc, directory):
        self.cc, self.directory = cc, directory

    def path(self, name):
        return os.path.join(self.directory, name)

    def compile(self, name, source, *options, language="c"):
        subprocess.run([self.cc, "-O1", *options, "-o", self.path(name), "-x", language, "-"],
                       input=source, text=True, check=True)
        with open(self.path(name), "rb") as f:
            return bytearray(f.read())

    def write(self, name, data):
        with open(self.path(name), "wb") as f:
            f.write(data)

    def sections(self, data):
        """Of an ELF file: where the header of each section is."""
        at, = struct.unpack_from("<Q", data, 0x28)
        count, = struct.unpack_from("<H", data, 0x3c)
        return [at + 64 * i for i in range(count)]

    def section(self, data, wanted):
        heads = self.sections(data)
        names, = struct.unpack_from("<Q", data, heads[struct.unpack_from("<H", data, 0x3e)[0]] + 24)
        for head in heads:
            at = names + struct.unpack_from("<I", data, head)[0]
            if bytes(data[at:data.index(b"\0", at)]).decode() == wanted:
                return head
        raise SystemExit(f"there is no section {wanted}")

    def make(self):
        self.compile("good", CALLS.format(label=""), "-g")
        self.compile("doubling", CALLS.format(label=f'__asm__("{doubling(60)}")'))
        self.compile("nested", NESTED, "-no-pie", language="assembler")
        data = self.compile("announced", CALLS.format(label=""), "-g", "-gz=zlib")
        struct.pack_into("<Q", data, struct.unpack_from(
            "<Q", data, self.section(data, ".debug_info") + 24)[0] + 8, 1 << 62)
        self.write("announced", data)
        self.relocated()
        data = self.compile("escapes", CALLS.format(label='__asm__("bomb__2Jend")'), "-g")
        data = data.replace(b"bomb__2Jend", b"bomb\x1b[2Jend")
        self.write("escapes", data.replace(b"<stdin>", b"\x1b[1;1H."))

    def relocated(self):
        data = self.compile("relocated", CALLS.format(label=""), "-Wl,-z,lazy")
        rela, plt = (bytes(data[h:h + 64]) for h in
                     (self.section(data, ".rela.plt"), self.section(data, ".plt")))
        old = b"".join(bytes(data[h:h + 64]) for h in self.sections(data))
        at = len(data)
        data += bytes(4 << 20)			# relocations without a symbol
        big = lambda head: head[:24] + struct.pack("<QQ", at, 4 << 20) + head[40:]
        struct.pack_into("<Q", data, 0x28, len(data))
        struct.pack_into("<H", data, 0x3c, len(old) // 64 + 2000)
        self.write("relocated", data + old + (big(rela) + big(plt)) * 1000)


if __name__ == "__main__":
    Maker(*sys.argv[1:]).make()
