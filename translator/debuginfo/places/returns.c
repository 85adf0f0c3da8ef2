// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the return instructions of Go functions: see returns.h. */
#include "returns.h"

#include <inttypes.h>

#include "base/arena.h"
#include "symbols.h"

enum {
	FUNCTION_MAX = 16 << 20,	/* bytes of a function */
	RETURNS_MAX = 1000,
};

/* Finds the end of a function's code, by its DIE or, without one, by its symbol. */
static uint64_t function_end(struct dwfile *f, uint64_t entry, Dwarf_Off die)
{
	struct func_symbol sym;
	Dwarf_Addr high;
	Dwarf_Die d;

	if (die && dwfile_die(f, die, &d) && dwarf_highpc(&d, &high) == 0)
		return high;
	return symbol_at(f, entry, &sym) && sym.addr == entry ? entry + sym.size : 0;
}

static bool is_go(struct search *s, Dwarf_Off die)
{
	Dwarf_Die d;

	return die && dwfile_die(s->file, die, &d) ? die_is_go(&d) : program_is_go(s->file);
}

static const char *find_returns(struct search *s, struct place *p, const unsigned char *code,
				size_t n)
{
	const struct arch *arch = s->file->arch;
	vec(uint64_t) found = { 0 };
	size_t size;

	for (size_t at = 0; at < n; at += size) {
		bool returns = false;

		size = arch->decode(code + at, n - at, &returns);
		if (!size)
			return arena_printf("its code can't be decoded at offset %#" PRIx64,
					    p->offset + at);
		if (returns && found.n == RETURNS_MAX)
			return "it has too many return instructions";
		if (returns)
			vec_push(&found, p->offset + at);
	}
	p->returns = found.v;
	p->nreturns = found.n;
	return found.n ? NULL : "it never returns: it has no return instruction";
}

void set_go_returns(struct search *s, struct place *p, uint64_t entry, Dwarf_Off die)
{
	const struct section *sect = dwfile_section(s->file, entry);
	uint64_t end;

	if (!s->q->to_return || !p->is_entry || !is_go(s, die))
		return;
	end = function_end(s->file, entry, die);
	if (!sect || !sect->data || end <= entry || end - entry > FUNCTION_MAX ||
	    end > sect->addr + sect->size)
		p->no_returns = "where its code ends is unknown";
	else if (s->q->callee)
		p->no_returns = "the callers of Go functions can't be told apart when they return";
	else
		p->no_returns = find_returns(s, p, sect->data + (entry - sect->addr), end - entry);
	if (p->scope)
		p->scope->go_return = p->nreturns;
}
