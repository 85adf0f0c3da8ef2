// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Marks: what notes say, which of them are believed, and how operands are fetched.
 *
 * Programs are assembled with notes written out by hand, so that all that compilers
 * write is there, and what none should.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arch/arch.h"
#include "base/arena.h"
#include "base/file.h"
#include "backend/module/codegen.h"
#include "debuginfo/debuginfo.h"
#include "debuginfo/values/operand.h"
#include "session.h"
#include "check.h"

static const char *dir;
static const struct arch *arch;
static struct target *target;

/* ---- operands ---------------------------------------------------------- */

/* Registers among the words of struct pt_regs: rbp 4, rax 10, rcx 11, rdi 14, r8 9. */
static const struct {
	const char *text, *want;	/* in C; "!text": why not */
} operands[] = {
	{ "-4@%edi", "(int)st_reg(c, 14)" },
	{ "4@%edi", "(unsigned int)st_reg(c, 14)" },
	{ "8@%rax", "st_reg(c, 10)" },
	{ "-8@%rax", "st_reg(c, 10)" },
	{ "1@%al", "(unsigned char)st_reg(c, 10)" },
	{ "-1@%ah", "(signed char)(st_reg(c, 10) >> 8)" },
	{ "2@%ax", "(unsigned short)st_reg(c, 10)" },
	{ "-2@%di", "(short)st_reg(c, 14)" },
	{ "1@%dil", "(unsigned char)st_reg(c, 14)" },
	{ "4@%r8d", "(unsigned int)st_reg(c, 9)" },
	{ "-2@%r8w", "(short)st_reg(c, 9)" },
	{ "1@%r8b", "(unsigned char)st_reg(c, 9)" },
	{ "1@%bpl", "(unsigned char)st_reg(c, 4)" },
	{ "8@%rsp", "st_reg(c, 19)" },
	{ "4@%rdi", "(unsigned int)st_reg(c, 14)" },
	{ "8@%edi", "st_reg(c, 14)" },
	{ "%edi", "(unsigned int)st_reg(c, 14)" },
	{ "%rdi", "st_reg(c, 14)" },
	{ "4@$5", "0x5ul" },
	{ "-4@$-3", "0xfffffffffffffffdul" },
	{ "4@$-3", "0xfffffffdul" },
	{ "8@$0x10", "0x10ul" },
	{ "-8@$-9223372036854775808", "0x8000000000000000ul" },
	{ "$7", "0x7ul" },
	{ "8@(%rax)", "st_uread(c, st_reg(c, 10), 8)" },
	{ "8@-8(%rbp)", "st_uread(c, (st_reg(c, 4) + 0xfffffffffffffff8ul), 8)" },
	{ "-4@-8(%rbp)",
	  "(int)(unsigned long)st_uread(c, (st_reg(c, 4) + 0xfffffffffffffff8ul), 4)" },
	{ "2@0x10(%rbp)", "st_uread(c, (st_reg(c, 4) + 0x10ul), 2)" },
	{ "4@8(%rbp,%rcx,4)",
	  "st_uread(c, ((st_reg(c, 4) + (st_reg(c, 11) * 0x4ul)) + 0x8ul), 4)" },
	{ "4@(%rbp, %rcx, 4)", "st_uread(c, (st_reg(c, 4) + (st_reg(c, 11) * 0x4ul)), 4)" },
	{ "8@(,%rcx,8)", "st_uread(c, (st_reg(c, 11) * 0x8ul), 8)" },
	{ "8@(%rax,%rcx)", "st_uread(c, (st_reg(c, 10) + st_reg(c, 11)), 8)" },
	{ "4@1+2-4(%rax)", "st_uread(c, (st_reg(c, 10) + 0xfffffffffffffffful), 4)" },
	{ "4@4+-32(%rbp)", "st_uread(c, (st_reg(c, 4) + 0xffffffffffffffe4ul), 4)" },
	{ "8@0x601000", "st_uread(c, 0x601000ul, 8)" },
	{ "(%rax)", "st_uread(c, st_reg(c, 10), 8)" },
	/* symbols: their address is SYMBOL here */
	{ "4@count(%rip)", "st_uread(c, ix[0], 4)" },
	{ "4@count+4(%rip)", "st_uread(c, ((unsigned long)ix[0] + 0x4ul), 4)" },
	{ "4@4+count(%rip)", "st_uread(c, ((unsigned long)ix[0] + 0x4ul), 4)" },
	{ "8@count", "st_uread(c, ix[0], 8)" },
	{ "8@$count+8", "((unsigned long)ix[0] + 0x8ul)" },
	{ "1@table-1(%rax)",
	  "st_uread(c, (((unsigned long)ix[0] + st_reg(c, 10)) + 0xfffffffffffffffful), 1)" },
	{ "8@table(,%rcx,8)",
	  "st_uread(c, ((unsigned long)ix[0] + (st_reg(c, 11) * 0x8ul)), 8)" },
	{ "8@_ZN1a1bE.lto_priv.0(%rip)", "st_uread(c, ix[0], 8)" },
	{ "8@count@GOTPCREL(%rip)", "ix[0]" },
	/* thread-local */
	{ "8@%fs:40", "st_uread(c, ((unsigned long)st_thread_pointer(c) + 0x28ul), 8)" },
	{ "4@%fs:(%rax)", "st_uread(c, ((unsigned long)st_thread_pointer(c) + st_reg(c, 10)), 4)" },
	{ "4@%fs:count@tpoff", "st_uread(c, ix[0], 4)" },
	{ "4@%fs:count@TPOFF+4", "st_uread(c, ((unsigned long)ix[0] + 0x4ul), 4)" },
	/* floating point */
	{ "8f@(%rax)", "st_uread(c, st_reg(c, 10), 8)" },
	{ "4f@-4(%rbp)", "st_uread(c, (st_reg(c, 4) + 0xfffffffffffffffcul), 4)" },
	{ "-8f@%rax", "st_reg(c, 10)" },
	{ "8f@%xmm0", "st_vector(c, 0ul, 0ul)" },
	{ "4f@%xmm15", "(unsigned int)(unsigned long)st_vector(c, 0xful, 0ul)" },
	{ "8@%xmm3", "st_vector(c, 0x3ul, 0ul)" },
	{ "8f@%xmm16", "!no register %xmm16" },
	{ "8f@%st(1)", "!no register %st" },
	{ "8f@(%xmm0)", "!no register %xmm0" },
	/* what is nowhere a probe can read */
	{ "16@(%rax)", "!1, 2, 4 and 8 bytes" },
	{ "3@%eax", "!1, 2, 4 and 8 bytes" },
	{ "8@%gs:40", "!no register %gs" },
	{ "8@count@tpoff", "!dynamic linker" },
	{ "8@%fs:count@gottpoff", "!dynamic linker" },
	{ "8@count@GOTPCREL+8(%rip)", "!dynamic linker" },
	{ "8@count+8@GOTPCREL(%rip)", "!number" },
	{ "8@16(%rip)", "!relative to an instruction" },
	{ "8@%rip", "!relative to an instruction" },
	{ "8@count(%rip,%rax,8)", "!relative to an instruction" },
	/* nonsense */
	{ "", "!operand" },
	{ "8@", "!operand" },
	{ "8@$", "!operand" },
	{ "8@-(%rax)", "!operand" },
	{ "-@%eax", "!size" },
	{ "@%eax", "!size" },
	{ "f@%eax", "!size" },
	{ "8ff@%eax", "!size" },
	{ "99999999999999999999@%eax", "!bytes" },
	{ "8@(%rax", "!parentheses" },
	{ "8@(%rax,%rcx,3)", "!scale" },
	{ "8@(%rax,%rcx,16)", "!scale" },
	{ "8@(%rax,%rcx,-4)", "!scale" },
	{ "8@(%al)", "!part of a register" },
	{ "8@a+b", "!operand" },
	{ "8@-a", "!operand" },
	{ "8@4+(%rax)", "!operand" },
	{ "8@1f", "!number" },
	{ "8@%", "!no register" },
	{ "8@%eax%ebx", "!operand" },
	{ "8@(%rax)x", "!operand" },
	{ "DWORD PTR [rbp-4]", "!operand" },
};

static const char *fetched(const char *text, unsigned word)
{
	const struct term *symbol = term_input(0);
	struct problem why = { 0 };
	struct operand o;

	if (!operand_parse(text, arch, word, &o, &why))
		return arena_printf("!%s", why.text ? why.text : "(no reason)");
	return fetch_text(operand_term(&o, o.symbol ? symbol : NULL));
}

static void check_operands(void)
{
	for (size_t i = 0; i < sizeof(operands) / sizeof(*operands); i++) {
		const char *want = operands[i].want, *got = fetched(operands[i].text, 8);

		if (*want == '!' ? *got == '!' && strstr(got, want + 1) : !strcmp(got, want))
			continue;
		fprintf(stderr, "'%s': %s\n\tinstead of %s\n", operands[i].text, got, want);
		failures++;
	}
	CHECK(!strcmp(fetched("4@-8(%ebp)", 4),
		      "st_uread(c, (unsigned int)(st_reg(c, 4) + 0xfffffffffffffff8ul), 4)"));
}

/* ---- notes ------------------------------------------------------------- */

#define NOTE(pc, base, semaphore, texts) \
	"	.4byte 8, 2f - 1f, 3\n	.asciz \"stapsdt\"\n" \
	"1:	.8byte " pc ", " base ", " semaphore "\n	.ascii " texts "\n2:	.balign 4\n"

static const char program[] =
	"	.globl _start\n	.text\n_start:	nop\nhere:	nop\nthere:	nop\n	ret\n"
	"	.data\n	.balign 8\ncount:	.8byte 0\ntwice:	.8byte 0\n"
	"	.local other\nother:	.8byte 0\n"
	"	.section .probes,\"aw\"\n	.balign 2\nsem:	.2byte 0\n"
	"	.bss\nlate:	.2byte 0\n"
	"	.section .tbss,\"awT\",@nobits\n	.type own, @object\nown:	.8byte 0\n"
	"	.section .stapsdt.base,\"a\"\nbase:	.byte 0\n"
	"	.section .note.stapsdt,\"\",@note\n"
	NOTE("here", "base", "sem", "\"app\\0two\\0-4@%edi 8@count(%rip)\\0\"")
	NOTE("there", "base", "0", "\"app\\0two\\0-4@$3 8@(%rax, %rcx)\\0\"")
	NOTE("there", "base", "0", "\"app\\0two\\0again\\0\"")
	NOTE("there", "base", "0", "\"app\\0none\\0\\0\"")
	NOTE("here + 0x1000", "base + 0x1000", "sem + 0x1000", "\"app\\0moved\\0 8@own \\0\"")
	NOTE("_start", "base", "0", "\"Lib\\0one\\0 8@nothing(%rip)  8@late \\0\"")
	/* not believed */
	NOTE("count", "base", "0", "\"bad\\0in data\\0\\0\"")
	NOTE("0", "base", "0", "\"bad\\0nowhere\\0\\0\"")
	NOTE("-1", "base", "0", "\"bad\\0far\\0\\0\"")
	NOTE("here", "base", "late", "\"bad\\0bss\\0\\0\"")
	NOTE("here", "base", "0", "\"bad\\0quote\\\"\\0\\0\"")
	NOTE("here", "base", "0", "\"bad\\0\\0\\0\"")
	NOTE("here", "base", "0", "\"bad\\0unended\\0 8@%\"")
	"	.4byte 8, 4, 3\n	.asciz \"stapsdt\"\n	.4byte 0\n"
	"	.4byte 4, 0, 3\n	.asciz \"GNU\"\n"
	"	.4byte 8, 0x7fffffff, 3\n	.asciz \"stapsdt\"\n";

static bool run(const char *command)
{
	return system(command) == 0;
}

static bool make_program(const char *flags)
{
	FILE *f = fopen(arena_printf("%s/a.s", dir), "w");

	if (!f || fputs(program, f) < 0 || fclose(f))
		return false;
	return run(arena_printf("cd %s && as -o a.o a.s && ld %s -o a a.o", dir, flags));
}

static const char *argument(const struct mark *m, unsigned n)
{
	struct problem why = { 0 };
	const struct term *t = target_mark_argument(target, m, n, &why);

	return t ? fetch_text(t) : arena_printf("!%s", why.text);
}

static mark_list marks_of(const char *path)
{
	struct problem why = { 0 };
	mark_list marks = { 0 };

	if (!target_marks(target, path, &marks, &why)) {
		fprintf(stderr, "%s\n", why.text ? why.text : "no reason");
		failures++;
	}
	return marks;
}

static void check_notes(bool fixed)
{
	mark_list marks = marks_of(arena_printf("%s/a", dir));
	const struct mark *m = marks.v;
	const char *prefix = fixed ? "st_uread(c, 0x" : "st_uread(c, st_program_address(c, 0, 0x";
	const char *read;

	CHECK(marks.n == 5);
	if (marks.n != 5)
		return;
	CHECK(!strcmp(m[0].provider, "Lib") && !strcmp(m[0].name, "one"));
	CHECK(m[0].operands.n == 2 && !m[0].semaphore);
	CHECK(!strcmp(m[1].name, "moved") && !strcmp(m[2].name, "none"));
	CHECK(!strcmp(m[3].name, "two") && !strcmp(m[4].name, "two"));
	CHECK(m[1].addr == m[3].addr && m[1].semaphore == m[3].semaphore);
	CHECK(m[4].addr == m[3].addr + 1 && m[4].offset == m[3].offset + 1);
	CHECK(m[2].operands.n == 0 && m[3].operands.n == 2 && m[4].operands.n == 2);
	CHECK(m[3].semaphore && !(m[3].semaphore & 1) && !m[4].semaphore);
	CHECK(!strcmp(argument(&m[3], 1), "(int)st_reg(c, 14)"));
	CHECK(!strcmp(argument(&m[4], 1), "0x3ul"));
	CHECK(!strcmp(argument(&m[4], 2), "st_uread(c, (st_reg(c, 10) + st_reg(c, 11)), 8)"));
	CHECK(strstr(argument(&m[0], 1), "no symbol 'nothing'"));
	CHECK(strstr(argument(&m[1], 1), "thread-local"));
	read = argument(&m[3], 2);
	CHECK(!strncmp(read, prefix, strlen(prefix)));
	if (failures)
		fprintf(stderr, "in a%s program; %s\n", fixed ? " fixed" : "n independent", read);
}

/* A file offset is where the byte is in the file. */
static void check_offset(void)
{
	mark_list marks = marks_of(arena_printf("%s/a", dir));
	FILE *f = fopen(arena_printf("%s/a", dir), "r");
	int nop = 0;

	CHECK(f && marks.n && !fseek(f, marks.v[0].offset, SEEK_SET) && (nop = fgetc(f)) == 0x90);
	if (f)
		fclose(f);
}

static void check_refused(void)
{
	static const char *const paths[] = { "/nonexistent", "/", "/dev/null", "a.s", "a.o" };

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		const char *path = *paths[i] == '/' ? paths[i]
						    : arena_printf("%s/%s", dir, paths[i]);
		struct problem why = { 0 };
		mark_list marks = { 0 };

		CHECK(!target_marks(target, path, &marks, &why));
		CHECK(why.text && strstr(why.text, path));
	}
}

int main(void)
{
	char template[] = "/tmp/stap-marks-XXXXXX";
	struct kernel kernel = { .release = "none-such", .arch = "x86_64", .build = "" };
	struct session session = {
		.kernel = &kernel, .home = "", .options.disable_cache = true,
	};

	target = target_open(&session);
	arch = arch_find("x86_64");
	dir = mkdtemp(template);
	if (!arch || !dir)
		return 1;
	check_operands();
	if (!make_program("-pie --no-dynamic-linker"))
		return 1;
	check_notes(false);
	check_offset();
	if (!make_program(""))
		return 1;
	check_notes(true);
	check_offset();
	if (run(arena_printf("cd %s && objcopy --only-keep-debug a a.debug && objcopy --strip-all "
			     "--add-gnu-debuglink=a.debug a", dir)))
		check_notes(true);
	check_refused();
	target_close(target);
	file_remove_tree(dir);
	arena_free_all();
	return failures != 0;
}
