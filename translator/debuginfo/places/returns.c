// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the return instructions of functions: see returns.h. */
#include "returns.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "debuginfo/dwarf/qualified.h"
#include "debuginfo/symbols/demangle.h"
#include "debuginfo/symbols/symbols.h"

enum {
	FUNCTION_MAX = 16 << 20,	/* bytes of a part of a function */
	PARTS_MAX = 16,
	RETURNS_MAX = 1000,
};

struct part {
	uint64_t begin, end;
};

/* A function's code, and the ways out of it. */
struct code {
	struct dwfile *file;
	const char *symbol;		/* its name, or NULL */
	struct part parts[PARTS_MAX];
	size_t nparts;
	vec(uint64_t) returns;		/* offsets in the file */
};

/* ---- the parts ------------------------------------------------------------------- */

static void add_part(struct code *c, uint64_t begin, uint64_t end)
{
	if (c->nparts < PARTS_MAX)
		c->parts[c->nparts++] = (struct part){ begin, end };
}

/* Finds the parts of a function by its DIE or, without one, by its symbol. */
static void find_parts(struct code *c, uint64_t entry, Dwarf_Off off)
{
	Dwarf_Addr base, begin, end;
	struct func_symbol sym;
	ptrdiff_t at = 0;
	Dwarf_Die die;

	if (off && dwfile_die(c->file, off, &die))
		while ((at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0)
			add_part(c, begin, end);
	if (!symbol_at(c->file, entry, &sym) || sym.addr != entry)
		return;
	c->symbol = sym.name;
	if (!c->nparts)
		add_part(c, entry, entry + sym.size);
}

static bool is_inside(const struct code *c, uint64_t addr)
{
	for (size_t i = 0; i < c->nparts; i++)
		if (addr >= c->parts[i].begin && addr < c->parts[i].end)
			return true;
	return false;
}

static bool add_cold_part(struct code *c, uint64_t addr)
{
	size_t n = c->symbol ? strlen(c->symbol) : 0;
	struct func_symbol sym;

	if (!n || !symbol_at(c->file, addr, &sym) || strncmp(sym.name, c->symbol, n) ||
	    !is_cold_part(sym.name) || c->nparts == PARTS_MAX)
		return false;
	add_part(c, sym.addr, sym.addr + sym.size);
	return true;
}

/* ---- the ways out ---------------------------------------------------------------- */

/* Is the stack at ADDR as at the function's entry, so that a jump there may be a call? */
static bool has_no_frame(struct dwfile *f, uint64_t addr)
{
	Dwarf_Frame *frame = dwfile_frame(f, addr);
	Dwarf_Op *ops;
	size_t n;
	bool none = true;

	if (frame && dwarf_frame_cfa(frame, &ops, &n) == 0 && n == 1)
		none = ops[0].number2 == (Dwarf_Word)f->arch->entry_cfa_offset;
	free(frame);
	return none;
}

static const char *add_return(struct code *c, uint64_t addr)
{
	uint64_t offset;

	if (c->returns.n == RETURNS_MAX)
		return "it has too many return instructions";
	if (!program_offset(c->file, addr, &offset))
		return "part of its code is not in the file";
	vec_push(&c->returns, offset);
	return NULL;
}

/* Returns NULL if the instruction doesn't leave the function, or returns from it. */
static const char *follow(struct code *c, uint64_t addr, const struct insn *insn)
{
	switch (insn->kind) {
	case INSN_RETURN:
		return add_return(c, addr);
	case INSN_JUMP:
		if (is_inside(c, addr + insn->to) || add_cold_part(c, addr + insn->to))
			return NULL;
		return "it ends in a call of another function";
	case INSN_JUMP_SOMEWHERE:
		return has_no_frame(c->file, addr) ? "it ends in a call of another function" : NULL;
	default:
		return NULL;
	}
}

static const char *read_part(struct code *c, struct part part, bool jumps)
{
	const struct section *sect = dwfile_section(c->file, part.begin);
	const char *why = NULL;
	struct insn insn;

	if (!sect || !sect->data || part.end <= part.begin ||
	    part.end - part.begin > FUNCTION_MAX || part.end > sect->addr + sect->size)
		return "where its code ends is unknown";
	for (uint64_t at = part.begin; at < part.end && !why; at += insn.size) {
		if (!c->file->arch->decode(sect->data + (at - sect->addr), part.end - at, &insn))
			return arena_printf("its code can't be decoded at %#" PRIx64, at);
		if (insn.kind == INSN_RETURN || jumps)
			why = follow(c, at, &insn);
	}
	return why;
}

/*
 * Finds the return instructions and, with JUMPS, checks that there is no other way out.  Returns
 * NULL, or the reason why they can't be probed.
 */
static const char *find_returns(struct code *c, bool jumps)
{
	const char *why = c->nparts ? NULL : "where its code ends is unknown";

	for (size_t i = 0; i < c->nparts && !why; i++)
		why = read_part(c, c->parts[i], jumps);
	return why;
}

/* ---- whose returns --------------------------------------------------------------- */

static bool is_go(struct search *s, Dwarf_Off off)
{
	Dwarf_Die die;

	return off && dwfile_die(s->file, off, &die) ? die_is_go(&die) : program_is_go(s->file);
}

/*
 * May an exception or a panic pass through the function?  False for C, whose functions at most pass
 * on another language's.
 */
static bool may_throw(const struct code *c, Dwarf_Off off)
{
	Dwarf_Die die, unit;

	if (off && dwfile_die(c->file, off, &die) && dwarf_diecu(&die, &unit, NULL, NULL))
		return language_has_scopes(dwarf_srclang(&unit));
	return c->symbol && is_mangled(c->symbol);
}

void set_returns(struct search *s, struct place *p, uint64_t entry, Dwarf_Off die)
{
	struct code c = { .file = s->file };
	const char *why;

	if (!s->q->to_return || !p->is_entry)
		return;
	find_parts(&c, entry, die);
	p->in_go = is_go(s, die);
	if (!p->in_go && (!may_throw(&c, die) || gelf_getclass(s->file->elf) != ELFCLASS64))
		return;
	why = find_returns(&c, !p->in_go);
	if (!why) {
		p->returns = c.returns.v;
		p->nreturns = c.returns.n;
	}
	if (p->in_go && s->q->callee)
		p->no_returns = "the callers of Go functions can't be told apart when they return";
	else if (p->in_go && why)
		p->no_returns = why;
	else if (!why && !c.returns.n)
		p->no_returns = "it has no return instruction";
	else
		p->breaks_exceptions = why;
	if (p->scope)
		p->scope->go_return = p->in_go;
}
