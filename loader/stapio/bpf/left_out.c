// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Leaves out places of the kernel's code where no probe can be, as a module does: with a warning, in its
 * words.  The session ends where the reason isn't the place.
 * So does one of whose probes all places are in modules that aren't loaded; where some are, a warning tells how many.
 */
#include <errno.h>
#include <stdlib.h>

#include "base/arena.h"
#include "common/say.h"
#include "core/unplaced.h"
#include "internal.h"

struct left_out {
	const char *pp;
	uint64_t address;
	int err;			/* negative */
	bool at_return;
	unsigned point;			/* its number among all places */
};

int leave_out(struct handlers *h, size_t program, unsigned i, uint64_t address, int err)
{
	const struct bpf_program *p = &h->plan->programs.v[program];
	const struct ir_place *place = &h->plan->ir->probes.v[p->probe].places.v[p->first + i];
	const struct ir_base *base = place->base < h->plan->ir->bases.n ? &h->plan->ir->bases.v[place->base] : NULL;
	struct left_out *one;

	if (place->optional && is_about_place(err))
		return 0;
	if (place->attach == IR_AT_TRACEPOINT ? err == ENOENT : base && !address && !is_loaded(base->module)) {
		h->waiting[p->probe] += p->role == BPF_HANDLES;
		return 0;
	}
	if (base && !address) {
		say_warning("%s has no function '%s', or several: its probe is left out", base->module, base->symbol);
		return 0;
	}
	if (!is_about_place(err) || err == EBUSY) {
		say_place_refused(place, err);
		return -1;
	}
	one = arena_new(struct left_out);
	*one = (struct left_out){ place->pp, address, -err, p->attach == IR_AT_RETURN, p->point + i };
	vec_push(&h->left_out, one);
	return 0;
}

/* A module tries returns after all else. */
static int in_order(const void *a, const void *b)
{
	const struct left_out *x = *(struct left_out *const *)a, *y = *(struct left_out *const *)b;

	if (x->at_return != y->at_return)
		return x->at_return ? 1 : -1;
	return x->point < y->point ? -1 : x->point > y->point;
}

/* Warns of the places in modules that aren't loaded.  Returns -1 after a message if a probe has no other. */
static int tell_waiting(const struct handlers *h)
{
	const struct ir_program *ir = h->plan->ir;
	unsigned n = 0;

	for (size_t i = 0; i < ir->probes.n; i++) {
		if (h->waiting[i] && h->waiting[i] == ir->probes.v[i].places.n) {
			say_waits(ir->probes.v[i].places.v[0].pp);
			return -1;
		}
		n += h->waiting[i];
	}
	if (n)
		say_warning("%u places are left out, because they are in modules that are not loaded: --runtime=kernel "
			    "waits for these", n);
	return 0;
}

int tell_left_out(struct handlers *h)
{
	qsort(h->left_out.v, h->left_out.n, sizeof(*h->left_out.v), in_order);
	for (size_t i = 0; i < h->left_out.n; i++) {
		const struct left_out *one = h->left_out.v[i];

		/* Programs that save values of an entry have the point of their handler's. */
		if (!i || one->point != h->left_out.v[i - 1]->point)
			st_unplaced(one->pp, one->address, one->err);
	}
	st_unplaced_tell();
	return tell_waiting(h);
}
