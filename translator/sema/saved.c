// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Drops entry values that only removed code used, because evaluating them costs time
 * and might fail.  Values with a lasting effect, such as @entry(n++), stay.
 */
#include "sema.h"

static void keep_saved(struct saved *saved)
{
	struct probe *p = saved->probe;

	for (size_t i = 0; i < p->saved.n; i++)
		if (p->saved.v[i] == saved)
			return;
	saved->index = p->saved.n;
	vec_push(&p->saved, saved);
}

static void note_saved(struct expr **slot, void *arg)
{
	(void)arg;
	if ((*slot)->kind == E_ENTRY && (*slot)->saved)
		keep_saved((*slot)->saved);
}

void drop_unused_saved(struct program *prog)
{
	for (size_t i = 0; i < prog->probes.n; i++) {
		struct probe *p = prog->probes.v[i];
		size_t n = p->saved.n;

		p->saved.n = 0;
		for (size_t j = 0; j < n; j++)
			if (has_lasting_effect(p->saved.v[j]->expr))
				keep_saved(p->saved.v[j]);
	}
	walk_exprs(prog, note_saved, NULL);
}
