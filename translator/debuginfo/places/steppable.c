// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Can the kernel step an instruction of its own that has a kprobe?
 *
 * The kernel accepts kprobes that end it.  A module's runtime asks the running kernel more
 * (runtime/probes/stepping.c); what attaches through system calls can't.  So the answers are sought in the
 * kernel's file.  There are two dangers:
 *
 * The copy of an instruction that is stepped faults, and the kernel's table of such instructions
 * (__ex_table) has the original's address, not the copy's.
 *
 * The kernel replaces the breakpoint by a jump, which is longer than the instruction, and other code jumps
 * into the jump.  The kernel looks for that code in the function alone:
 *
 *	parse_linerange:	xor %eax,%eax; pop %rbx; pop %rbp; ...	← kprobe: jmp detour
 *	parse_linerange.cold:	mov $-22,%eax; jmp to the first pop	→ the middle of that jump
 *
 * It overlooks the function's cold part, what a static key's jump (__jump_table) leads to, and where code goes
 * on after a fault in another function or the cold part.
 */
#include <string.h>

#include "base/arena.h"
#include "debuginfo/symbols/symbols.h"

/* The kernel's tables of addresses in code.  Each address is a distance from itself, in 32 bits. */
struct code_table {
	const unsigned char *entries;
	uint64_t addr;			/* of the entries */
	size_t bytes;
};

struct code_tables {
	struct code_table exceptions, jumps;
};

/* Bytes of an entry, and where its address is (the kernel's asm/extable.h, linux/jump_label.h). */
enum {
	EX_ENTRY = 12, EX_INSTRUCTION = 0, EX_FIXUP = 4,
	JUMP_ENTRY = 16, JUMP_TARGET = 4,
};

/* What the kernel may replace by a jump. */
struct span {
	uint64_t begin, end;
};

static bool is_within(const struct span *s, uint64_t addr)
{
	return addr > s->begin && addr < s->end;
}

/* Finds the table between two symbols.  Its bytes are 0 if the file doesn't have it. */
static void find_table(struct dwfile *f, const char *start, const char *stop, struct code_table *table)
{
	const struct section *s;
	uint64_t begin, end;

	if (!symbol_address(f, start, &begin) || !symbol_address(f, stop, &end))
		return;
	s = dwfile_section(f, begin);
	if (s && s->data && end > begin && end - s->addr <= s->size)
		*table = (struct code_table){ s->data + (begin - s->addr), begin, end - begin };
}

static const struct code_tables *tables_of(struct dwfile *f)
{
	if (!f->code_tables) {
		f->code_tables = arena_new(struct code_tables);
		find_table(f, "__start___ex_table", "__stop___ex_table", &f->code_tables->exceptions);
		find_table(f, "__start___jump_table", "__stop___jump_table", &f->code_tables->jumps);
	}
	return f->code_tables;
}

/* Does an entry, of SIZE bytes with an address at byte AT, have an address within the span, or is there no table? */
static bool has_address(const struct code_table *table, size_t size, size_t at, struct span span)
{
	for (size_t entry = 0; entry + size <= table->bytes; entry += size) {
		int32_t distance;

		memcpy(&distance, table->entries + entry + at, sizeof(distance));
		if (is_within(&span, table->addr + entry + at + distance))
			return true;
	}
	return !table->bytes;
}

/* Decodes an instruction at ADDR; *CODE and *LEFT are its bytes and those behind them in the section. */
static bool decode_at(struct dwfile *f, uint64_t addr, const unsigned char **code, size_t *left, struct insn *insn)
{
	const struct section *s = dwfile_section(f, addr);

	if (!s || !s->data || addr - s->addr >= s->size)
		return false;
	*code = s->data + (addr - s->addr);
	*left = s->size - (addr - s->addr);
	return f->arch->decode(*code, *left, insn);
}

/* Finds the instructions that a jump at SPAN->begin would replace. */
static bool find_end(struct dwfile *f, struct span *span)
{
	const unsigned char *code;
	struct insn insn;
	size_t left;

	for (span->end = span->begin; span->end - span->begin < f->arch->kprobe_jump; span->end += insn.size)
		if (!decode_at(f, span->end, &code, &left, &insn))
			return false;
	return true;
}

/*
 * Does code from BEGIN to END jump into the span, or can't that be told?  A jump to another section, such as
 * .altinstr_aux, is one that the kernel replaces when it boots.
 */
static bool jumps_into(struct dwfile *f, uint64_t begin, uint64_t end, const struct span *span)
{
	const unsigned char *code;
	struct insn insn;
	size_t left;

	for (uint64_t at = begin; at < end; at += insn.size)
		if (!decode_at(f, at, &code, &left, &insn) || insn.kind == INSN_JUMP_SOMEWHERE ||
		    (insn.kind == INSN_JUMP && (is_within(span, at + insn.to) ||
						dwfile_section(f, at + insn.to) != dwfile_section(f, at))))
			return true;
	return false;
}

/* Does a cold part of the function FUNCTION, or of one with the same name, jump into the span? */
static bool cold_part_jumps_into(struct dwfile *f, const char *function, const struct span *span)
{
	size_t n;
	struct func_symbol *syms = symbols_named(f, arena_printf("%s.cold", function), &n);

	for (size_t i = 0; i < n; i++)
		if (jumps_into(f, syms[i].addr, syms[i].addr + syms[i].size, span))
			return true;
	return false;
}

/* The places of modules have no addresses that tables and jumps could be compared with before they are linked. */
static bool may_be_jumped_into(struct dwfile *f, uint64_t addr)
{
	struct span span = { .begin = addr };
	struct func_symbol sym;

	return !f->is_kernel || !find_end(f, &span) || !symbol_at(f, addr, &sym) || is_cold_part(sym.name) ||
	       has_address(&tables_of(f)->exceptions, EX_ENTRY, EX_FIXUP, span) ||
	       has_address(&tables_of(f)->jumps, JUMP_ENTRY, JUMP_TARGET, span) ||
	       cold_part_jumps_into(f, sym.name, &span);
}

bool place_is_steppable(const struct place *p)
{
	struct dwfile *f = p->scope ? p->scope->file : NULL;
	const unsigned char *code;
	struct insn insn;
	uint64_t addr;
	size_t left;

	if (!p->traceable || !f || f->is_program)
		return false;
	addr = p->scope->pc;
	if (!decode_at(f, addr, &code, &left, &insn) || f->arch->cant_step(code, left))
		return false;
	if (f->is_kernel && has_address(&tables_of(f)->exceptions, EX_ENTRY, EX_INSTRUCTION,
					(struct span){ addr - 1, addr + 1 }))
		return false;
	return insn.size >= f->arch->kprobe_jump || !may_be_jumped_into(f, addr);
}
