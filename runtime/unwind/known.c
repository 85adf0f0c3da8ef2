// SPDX-License-Identifier: GPL-2.0-or-later
/* Keeps rules (known.h). */
#include "known.h"

/* Adds a register's rule, as yet with the words below the CFA; false if it can't be kept. */
static bool keep_rule(struct st_unwind_known *k, const struct st_unwind_row *row,
		      unsigned int reg)
{
	long below = -row->values[reg];

	if (row->kinds[reg] == ST_RULE_SAME)
		return reg != ST_UNWIND_IP;
	if (row->kinds[reg] != ST_RULE_OFFSET || reg == ST_UNWIND_SP || below % 8 || below < 8 ||
	    below > ST_UNWIND_SAVED * 8 || k->count == ST_UNWIND_SAVED)
		return false;
	below /= 8;
	if (below > k->words)
		k->words = below;
	k->saved[k->count].reg = reg;
	k->saved[k->count++].at = below;
	return true;
}

void st_unwind_keep(struct st_unwind *u, const struct st_unwind_map *map, unsigned long pc)
{
	struct st_unwind_known k = {
		.file = map->file, .offset = st_unwind_place(map, pc),
		.cfa_register = u->row.cfa_register, .cfa = u->row.cfa,
	};
	struct st_unwind_known *set = st_unwind_known_set(u, k.file, k.offset);
	unsigned int reg, i;

	if (!map->file || u->entry.signal)
		return;
	k.outermost = u->row.kinds[ST_UNWIND_IP] == ST_RULE_UNDEFINED;
	if (u->row.cfa_expression && !k.outermost)
		return;
	for (reg = 0; reg < ST_UNWIND_REGS && !k.outermost; reg++)
		if (!keep_rule(&k, &u->row, reg))
			return;
	for (i = 0; i < k.count; i++)
		k.saved[i].at = 8 * (k.words - k.saved[i].at);
	for (i = 0; i < ST_UNWIND_WAYS && set[i].file; i++)
		;
	set[i < ST_UNWIND_WAYS ? i : u->kept++ % ST_UNWIND_WAYS] = k;
}
