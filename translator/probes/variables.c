// SPDX-License-Identifier: GPL-2.0-or-later
/* Converts a target variable's path to debuginfo/'s steps, and stores how it is fetched. */
#include "variables.h"

#include "base/arena.h"

size_t target_steps(const struct target_var *tv, struct access *acc, struct step **out)
{
	struct step *steps = arena_alloc((tv->path.n + 1) * sizeof(*steps));

	for (size_t i = 0; i < tv->path.n; i++) {
		const struct component *c = &tv->path.v[i];

		switch (c->kind) {
		case C_FIELD:
			steps[i].kind = STEP_FIELD;
			steps[i].name = c->name;
			break;
		case C_PRETTY:
			steps[i].kind = STEP_PRETTY;
			steps[i].name = c->name;
			break;
		case C_INDEX:
			if (c->index->kind == E_NUM) {
				steps[i].kind = STEP_INDEX;
				steps[i].index = c->index->num;
			} else {
				steps[i].kind = STEP_INDEX_VAR;
				steps[i].slot = acc->indexes.n;
				vec_push(&acc->indexes, c->index);
			}
			break;
		}
	}
	*out = steps;
	return tv->path.n;
}

void access_set_fetch(struct access *acc, struct fetch f)
{
	acc->defined = true;
	acc->type = f.load->sort == SORT_STRING ? T_STRING : T_LONG;
	acc->fetch = f;
}
