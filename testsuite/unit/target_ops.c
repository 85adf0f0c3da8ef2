// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * DWARF operations: is what a location comes to what the standard says it is?
 *
 * An assembler file has a function with a variable for every case, whose
 * location is written out by hand: compilers make few of the operations, and
 * none of the broken ones.  It is opened as if it were a kernel; the fetch of each
 * variable at the function's entry and within it is printed, compiled, run over
 * faked registers, and must come to the value DWARF 5, sections 2.5 and 2.6, says.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/sbuf.h"
#include "backend/module/codegen.h"
#include "debuginfo/internal.h"
#include "debuginfo/symbols/symbols.h"
#include "session.h"

static int failures;
static const char *dir;
static struct kernel kernel;
static struct session session;
static struct target *target;

/* x86-64: register 0 is rax, 3 rbx, 4 rsi, 5 rdi, 7 rsp. */
static const struct op_case {
	const char *type;		/* of the variable: s8, u8, s32, u32, s64, u64, pointer */
	const char *ops;		/* assembler text */
	const char *value;		/* in C, of rax, rbx, …; "!text": part of the message */
} cases[] = {
	/* 2.5.1.1 literals */
	{ "u64", ".byte 0x3f, 0x9f", "15" },				/* lit15 stack_value */
	{ "u64", ".byte 0x08, 200, 0x9f", "200" },			/* const1u */
	{ "s64", ".byte 0x09, 200, 0x9f", "-56" },			/* const1s */
	{ "u64", ".byte 0x0a; .2byte 65000; .byte 0x9f", "65000" },
	{ "s64", ".byte 0x0b; .2byte -5; .byte 0x9f", "-5" },
	{ "u64", ".byte 0x0c; .4byte 4000000000; .byte 0x9f", "4000000000" },
	{ "s64", ".byte 0x0d; .4byte -7; .byte 0x9f", "-7" },
	{ "u64", ".byte 0x0e; .8byte 0x123456789abcdef; .byte 0x9f", "0x123456789abcdef" },
	{ "s64", ".byte 0x0f; .8byte -9; .byte 0x9f", "-9" },
	{ "u64", ".byte 0x10; .uleb128 300000; .byte 0x9f", "300000" },
	{ "s64", ".byte 0x11; .sleb128 -300000; .byte 0x9f", "-300000" },
	{ "s64", ".byte 0x03; .8byte cells + 8", "cells[1]" },		/* addr */
	{ "s64", ".byte 0xa1, 1", "cells[2]" },				/* addrx */
	{ "u64", ".byte 0xa2, 0, 0x9f", "12345" },			/* constx */
	/* 2.5.1.2 registers */
	{ "s64", ".byte 0x70; .sleb128 -16; .byte 0x9f", "rax - 16" },	/* breg0 */
	{ "s64", ".byte 0x92, 3; .sleb128 4; .byte 0x9f", "rbx + 4" },	/* bregx */
	{ "s64", ".byte 0x91; .sleb128 8; .byte 0x9f", "rsp + 8 + 8" },	/* fbreg */
	{ "s32", ".byte 0xa5, 3; .uleb128 s32 - unit; .byte 0x9f", "(int)rbx" },
	/* 2.5.1.3 the stack */
	{ "s64", ".byte 0x35, 0x12, 0x1e, 0x9f", "25" },		/* dup mul */
	{ "s64", ".byte 0x35, 0x36, 0x13, 0x9f", "5" },			/* drop */
	{ "s64", ".byte 0x35, 0x36, 0x14, 0x1c, 0x1c, 0x9f", "4" },	/* over: 5 - (6 - 5) */
	{ "s64", ".byte 0x35, 0x36, 0x37, 0x15, 2, 0x9f", "5" },	/* pick */
	{ "s64", ".byte 0x39, 0x36, 0x16, 0x1c, 0x9f", "-3" },		/* swap */
	{ "s64", ".byte 0x31, 0x32, 0x33, 0x17, 0x1c, 0x9f", "1 - 2" },	/* rot: 3 1 2 */
	{ "s64", ".byte 0x03; .8byte cells; .byte 0x06, 0x9f", "cells[0]" },	/* deref */
	{ "s64", ".byte 0x03; .8byte cells; .byte 0x94, 2, 0x9f", "cells[0] & 0xffff" },
	{ "s64", ".byte 0x03; .8byte cells; .byte 0xa6, 2; .uleb128 s16 - unit; .byte 0x9f",
	  "(short)cells[0]" },						/* deref_type */
	{ "u64", ".byte 0x9c, 0x9f", "rsp + 8" },			/* call_frame_cfa */
	/* 2.5.1.4 arithmetic */
	{ "s64", ".byte 0x75, 0, 0x19, 0x9f", "rdi < 0 ? -rdi : rdi" },	/* abs */
	{ "s64", ".byte 0x75, 0, 0x70, 0, 0x1a, 0x9f", "rdi & rax" },
	{ "s64", ".byte 0x75, 0, 0x33, 0x1b, 0x9f", "rdi / 3" },	/* div, signed */
	{ "s64", ".byte 0x75, 0, 0x33, 0x1c, 0x9f", "rdi - 3" },
	{ "s64", ".byte 0x75, 0, 0x33, 0x1d, 0x9f", "(long)((unsigned long)rdi % 3)" },
	{ "s64", ".byte 0x75, 0, 0x1f, 0x9f", "-rdi" },
	{ "s64", ".byte 0x75, 0, 0x20, 0x9f", "~rdi" },
	{ "s64", ".byte 0x75, 0, 0x70, 0, 0x21, 0x9f", "rdi | rax" },
	{ "s64", ".byte 0x75, 0, 0x70, 0, 0x22, 0x9f", "rdi + rax" },
	{ "s64", ".byte 0x75, 0, 0x23; .uleb128 1000; .byte 0x9f", "rdi + 1000" },
	{ "s64", ".byte 0x75, 0, 0x34, 0x24, 0x9f", "rdi << 4" },
	{ "s64", ".byte 0x75, 0, 0x34, 0x25, 0x9f", "(long)((unsigned long)rdi >> 4)" },
	{ "s64", ".byte 0x75, 0, 0x34, 0x26, 0x9f", "rdi >> 4" },
	{ "s64", ".byte 0x75, 0, 0x70, 0, 0x27, 0x9f", "rdi ^ rax" },
	/* 2.5.1.5 control: least and greatest of two, as gcc writes them */
	{ "s64", ".byte 0x70, 0, 0x73, 0, 0x14, 0x14, 0x2d, 0x28; .2byte 1; .byte 0x16, 0x13, 0x9f",
	  "rax < rbx ? rax : rbx" },
	{ "s64", ".byte 0x70, 0, 0x73, 0, 0x14, 0x14, 0x2b, 0x28; .2byte 1; .byte 0x16, 0x13, 0x9f",
	  "rax > rbx ? rax : rbx" },
	{ "s64", ".byte 0x75, 0, 0x30, 0x2a, 0x28; .2byte 4; .byte 0x31, 0x2f; .2byte 1; .byte 0x32, 0x9f",
	  "rdi >= 0 ? 2 : 1" },						/* ge bra … skip */
	{ "s64", ".byte 0x70, 0, 0x30, 0x29, 0x28; .2byte 8; .byte 0x75, 0, 0x70, 0, 0x1b, 0x2f; "
	  ".2byte 1; .byte 0x30, 0x9f", "rax == 0 ? 0 : rdi / rax" },
	{ "s64", ".byte 0x31, 0x28; .2byte 2; .byte 0x35, 0x9f, 0x36, 0x9f", "6" },
	{ "s64", ".byte 0x2f; .2byte 1; .byte 0x96, 0x37, 0x9f", "7" },
	{ "s64", ".byte 0x75, 0, 0x30, 0x2d, 0x28; .2byte 12; .byte 0x03; .8byte cells; .byte 0x2f; "
	  ".2byte 9; .byte 0x03; .8byte cells + 8", "rdi < 0 ? cells[1] : cells[0]" },
	{ "s64", ".byte 0x96, 0x2f; .2byte -4", "!computed in a loop" },
	{ "s64", ".byte 0x31, 0x70, 0, 0x28; .2byte -5; .byte 0x9f", "!computed in a loop" },
	{ "s64", ".byte 0x31, 0x2f; .2byte 1; .byte 0x08, 1, 0x9f", "!makes no sense" },
	{ "s64", ".byte 0x99; .4byte called - unit; .byte 0x9f", "rbx + 3" },	/* call4 */
	{ "s64", ".byte 0xfd; .4byte called - .Linfo; .byte 0x33, 0x22, 0x9f", "value_at(rbx + 3) + 3" },
	{ "s64", ".byte 0xfd; .4byte circle - .Linfo; .byte 0x9f", "!makes no sense" },
	/* 2.5.1.6 conversions */
	{ "s64", ".byte 0x75, 0, 0xa8; .uleb128 s8 - unit; .byte 0xa8, 0, 0x9f", "(signed char)rdi" },
	{ "s64", ".byte 0xa4; .uleb128 s8 - unit; .byte 1, 250, 0xa8, 0, 0x9f", "-6" },
	{ "s64", ".byte 0x75, 0, 0xa9; .uleb128 u32 - unit; .byte 0xa8, 0, 0x9f", "(long)(unsigned)rdi" },
	/* 2.5.1.7 */
	{ "s64", ".byte 0x96, 0x35, 0x9f", "5" },
	{ "s64", ".byte 0xa3, 1, 0x55, 0x9f", "rdi" },			/* entry_value */
	/* 2.6.1.1 */
	{ "s64", ".byte 0x55", "rdi" },
	{ "s8", ".byte 0x90, 5", "(signed char)rdi" },
	{ "s32", ".byte 0x9e, 4; .4byte -77", "-77" },			/* implicit_value */
	{ "pointer", ".byte 0xa0; .4byte pointed - .Linfo; .sleb128 0", "!optimised out" },
	{ "s64", "", "!optimised out" },
	/* 2.6.1.2 */
	{ "u64", ".byte 0x50, 0x93, 4, 0x55, 0x93, 4", "(rax & 0xffffffff) | (unsigned long)rdi << 32" },
	{ "u64", ".byte 0x50, 0x93, 3, 0x03; .8byte cells; .byte 0x93, 5",
	  "(rax & 0xffffff) | (unsigned long)cells[0] << 24" },
	{ "u64", ".byte 0x50, 0x93, 4, 0x93, 4", "!optimised out" },
	{ "u64", ".byte 0x50, 0x9d, 4, 8, 0x55, 0x9d, 60, 0",
	  "(rax >> 8 & 15) | (unsigned long)rdi << 4" },
	{ "u64", ".byte 0x03; .8byte cells; .byte 0x9d, 20, 3, 0x50, 0x9d, 44, 1",
	  "((unsigned long)cells[0] >> 3 & 0xfffff) | (unsigned long)rax >> 1 << 20" },
	{ "u8", ".byte 0x35, 0x9f, 0x9d, 3, 0, 0x50, 0x9d, 5, 2", "(unsigned char)(5 | (rax >> 2 & 31) << 3)" },
	{ "u64", ".byte 0x50, 0x9d, 0, 0, 0x50, 0x93, 8", "!makes no sense" },
	{ "u64", ".byte 0x93; .uleb128 1 << 40", "!makes no sense" },
	/* damage */
	{ "s64", ".byte 0x22", "!makes no sense" },
	{ "s64", ".byte 0x13, 0x9f", "!makes no sense" },
	{ "s64", ".byte 0x9b", "!makes no sense" },
	{ "s64", ".byte 0x66", "!can't see" },				/* reg22 */
	{ "s64", ".byte 0x31, 0x9f, 0x31, 0x9f", "!makes no sense" },
	{ "s64", ".byte 0x0a, 1", "!can't be read" },
	{ NULL, NULL, NULL },
};

#define NCASES (sizeof(cases) / sizeof(*cases) - 1)

static const char head[] =
	"	.globl f, cells, system_state\n"
	"	.text\nf:	nop\n	nop\n	ret\nend:\n"
	"	.data\ncells:	.8byte 0x8877665544339922, -3, 44\nsystem_state:	.8byte 0\n"
	"	.section .debug_addr,\"\",@progbits\n	.4byte .Laddr_end - 1f\n"
	"1:	.2byte 5\n	.byte 8, 0\n.Laddr:	.8byte 12345, cells + 16\n.Laddr_end:\n"
	"	.section .debug_abbrev,\"\",@progbits\n"
	/* unit, base type, pointer type, subprogram, variable */
	"	.byte 1, 0x11, 1, 0x03, 0x08, 0x11, 0x01, 0x12, 0x07, 0x73, 0x17, 0, 0\n"
	"	.byte 2, 0x24, 0, 0x03, 0x08, 0x0b, 0x0b, 0x3e, 0x0b, 0, 0\n"
	"	.byte 3, 0x0f, 0, 0x0b, 0x0b, 0x49, 0x13, 0, 0\n"
	"	.byte 4, 0x2e, 1, 0x03, 0x08, 0x3f, 0x19, 0x11, 0x01, 0x12, 0x07, 0x40, 0x18, 0, 0\n"
	"	.byte 5, 0x34, 0, 0x03, 0x08, 0x49, 0x13, 0x02, 0x18, 0, 0\n	.byte 0\n"
	"	.section .debug_info,\"\",@progbits\n.Linfo:\nunit:	.4byte .Linfo_end - 1f\n"
	"1:	.2byte 5\n	.byte 1, 8\n	.4byte 0\n"
	"	.byte 1\n	.asciz \"ops.s\"\n	.8byte f, end - f\n	.4byte .Laddr - .Laddr + 8\n"
	"s8:	.byte 2\n	.asciz \"signed char\"\n	.byte 1, 6\n"
	"u8:	.byte 2\n	.asciz \"unsigned char\"\n	.byte 1, 8\n"
	"s16:	.byte 2\n	.asciz \"short int\"\n	.byte 2, 5\n"
	"s32:	.byte 2\n	.asciz \"int\"\n	.byte 4, 5\n"
	"u32:	.byte 2\n	.asciz \"unsigned int\"\n	.byte 4, 7\n"
	"s64:	.byte 2\n	.asciz \"long int\"\n	.byte 8, 5\n"
	"u64:	.byte 2\n	.asciz \"long unsigned int\"\n	.byte 8, 7\n"
	"pointer:	.byte 3, 8\n	.4byte s64 - unit\n"
	"	.byte 4\n	.asciz \"f\"\n	.8byte f, end - f\n	.byte 1, 0x9c\n";

static void variable(struct sbuf *b, const char *label, const char *name, const char *type,
		     const char *ops)
{
	sbuf_printf(b, "%s	.byte 5\n	.asciz \"%s\"\n	.4byte %s - unit\n"
		    "	.uleb128 2f - 1f\n1:	%s\n2:\n", label, name, type, ops);
}

static bool run(const char *command)
{
	return system(command) == 0;
}

static void write_file(const char *name, const char *text)
{
	FILE *f = fopen(arena_printf("%s/%s", dir, name), "w");

	if (!f || fputs(text, f) < 0 || fclose(f)) {
		perror(name);
		exit(1);
	}
}

static bool make_program(void)
{
	struct sbuf b = { 0 };

	sbuf_puts(&b, head);
	for (size_t i = 0; i < NCASES; i++)
		variable(&b, "", arena_printf("v%zu", i), cases[i].type, cases[i].ops);
	variable(&b, "called:", "called", "s64", ".byte 0x73, 3");
	variable(&b, "circle:", "circle", "s64", ".byte 0xfd; .4byte circle - .Linfo; .byte 0x9f");
	variable(&b, "pointed:", "pointed", "s64", ".byte 0x50");
	variable(&b, "", "through", "pointer", ".byte 0xa0; .4byte pointed - .Linfo; .sleb128 0");
	sbuf_puts(&b, "	.byte 0, 0\n.Linfo_end:\n");
	write_file("ops.s", sbuf_str(&b));
	sbuf_free(&b);
	return run(arena_printf("cd %s && gcc -c ops.s && ld -e f -o vmlinux ops.o", dir));
}

static bool fetch(struct place *p, const char *name, const struct step *path, size_t npath,
		  struct fetch *f, struct problem *why)
{
	return target_variable(p, false, name, path, npath, false, f, why) == 0;
}

static void fail(size_t i, const char *what, const char *text)
{
	fprintf(stderr, "case %zu (%s): %s: %s\n", i, cases[i].ops, what, text);
	failures++;
}

static const char support[] =
	"#include <stdio.h>\n#include <string.h>\n"
	"typedef long long st_long;\nstruct st_ctx { int x; };\n"
	"static long cells[] = { 0x8877665544339922, -3, 44 };\n"
	"static long rax, rbx, rdi, rsp;\nstatic int bad;\n"
	"static unsigned long st_relocate(struct st_ctx *c, unsigned b, unsigned long a)\n"
	"{ (void)c; (void)b; return (unsigned long)cells + (a - CELLS); }\n"
	"static unsigned long value_at(unsigned long a)\n"
	"{ return a * 0x9e3779b97f4a7c15; }\n"
	"static st_long st_kread(struct st_ctx *c, unsigned long a, unsigned n)\n"
	"{ unsigned long v = 0; (void)c;\n"
	"  if (a - (unsigned long)cells >= sizeof(cells)) return value_at(a);\n"
	"  bad |= (n & (n - 1)) != 0; memcpy(&v, (void *)a, n); return v; }\n"
	"static st_long st_div(struct st_ctx *c, st_long a, st_long b)\n"
	"{ (void)c; bad |= !b; return b ? a / b : 0; }\n"
	"static void same(int n, st_long got, st_long want)\n"
	"{ if (got != want) { bad = 1; printf(\"case %d: %#llx instead of %#llx (rax %lx rbx %lx rdi "
	"%lx)\\n\", n, got, want, rax, rbx, rdi); } }\n";

static void emit_registers(struct sbuf *b)
{
	const struct arch *a = target->arch;

	sbuf_printf(b, "static unsigned long st_reg(struct st_ctx *c, int r) { (void)c;\n"
		    "	return r == %d ? rax : r == %d ? rbx : r == %d ? rdi : r == %d ? rsp : 0; }\n",
		    a->dwarf_reg(0), a->dwarf_reg(3), a->dwarf_reg(5), a->dwarf_reg(7));
}

static void check(struct place *p)
{
	static const struct step element = { .kind = STEP_INDEX };
	struct sbuf b = { 0 };
	struct problem why = { 0 };
	struct fetch f;
	uint64_t cells_at = 0;

	if (!symbol_address(target_file(target, "kernel", &why), "cells", &cells_at))
		failures++;
	sbuf_printf(&b, "#define CELLS %#lxul\n%s", (unsigned long)cells_at, support);
	emit_registers(&b);
	sbuf_puts(&b, "static void all(struct st_ctx *c)\n{\n	(void)c;\n");
	for (size_t i = 0; i < NCASES; i++) {
		const char *want = cases[i].value;

		if (fetch(p, arena_printf("v%zu", i), NULL, 0, &f, &why)) {
			if (*want == '!')
				fail(i, "not refused", fetch_text(f.load));
			else
				sbuf_printf(&b, "	same(%zu, %s, %s);\n", i, fetch_text(f.load),
					    want);
		} else if (*want != '!') {
			fail(i, "refused", why.text);
		} else if (!strstr(why.text, want + 1) || !strstr(why.text, "$v")) {
			fail(i, "refused with", why.text);
		}
	}
	if (fetch(p, "through", &element, 1, &f, &why))
		sbuf_printf(&b, "	same(-1, %s, rax);\n", fetch_text(f.load));
	else
		fail(0, "an implicit pointer", why.text);
	sbuf_puts(&b, "}\nint main(void)\n{\n	struct st_ctx c = { 0 };\n"
		  "	static const long v[] = { 0, 1, -1, 7, -300, 0x123456789abcdef };\n"
		  "	for (int i = 0; i < 216; i++) { rax = v[i % 6]; rbx = v[i / 6 % 6]; "
		  "rdi = v[i / 36]; rsp = 4096; all(&c); }\n	return bad; }\n");
	write_file("check.c", sbuf_str(&b));
	sbuf_free(&b);
	if (!run(arena_printf("cd %s && gcc -std=gnu11 -fwrapv -Wall -Wextra -Werror -Wno-parentheses "
			      "-o check check.c && ./check", dir)))
		failures++;
}

/* Past the entry, where the value then is gone. */
static void check_later(struct place *p)
{
	struct problem why = { 0 };
	struct fetch f;

	p->scope->pc++;
	p->scope->at_entry = false;
	for (size_t i = 0; i < NCASES; i++)
		if (strstr(cases[i].ops, "0xa3, 1") &&
		    (fetch(p, arena_printf("v%zu", i), NULL, 0, &f, &why) ||
		     !strstr(why.text, "only as it was at the function's entry")))
			fail(i, "later", "not refused");
}

int main(void)
{
	char template[] = "/tmp/target_ops.XXXXXX";
	struct place_query q = { .kind = PLACE_FUNCTION, .module = "kernel", .function = "f" };
	struct place *p;
	unsigned forbidden;
	struct problem why = { 0 };
	size_t n;

	dir = mkdtemp(template);
	if (!dir || !make_program()) {
		perror(template);
		return 1;
	}
	kernel = (struct kernel){ .release = "none-such", .arch = "x86_64", .build = dir };
	session = (struct session){
		.kernel = &kernel,
		.home = dir, .tmpdir = dir, .options.disable_cache = true,
	};
	target = target_open(&session);
	if (target_places(target, &q, &p, &n, &forbidden, &why) || n != 1) {
		fprintf(stderr, "f: %s\n", why.text);
		return 1;
	}
	check(p);
	check_later(p);
	target_close(target);
	if (!failures)
		run(arena_printf("rm -rf %s", dir));
	return failures != 0;
}
