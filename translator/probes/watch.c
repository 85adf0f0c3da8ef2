// SPDX-License-Identifier: GPL-2.0-or-later
/* Hardware breakpoints (watch.h). */
#include "watch.h"

#include <inttypes.h>

#include "base/arena.h"
#include "base/diag.h"

/* The default length in bytes; one is enough, because a longer access touches it too. */
#define DEFAULT_LENGTH 1

#define MOST_LENGTH 8

/* Returns the next larger length that a breakpoint can have, or 0 if LENGTH is too long. */
static unsigned known_length(int64_t length)
{
	unsigned known = 1;

	while (known < length && known <= MOST_LENGTH)
		known *= 2;
	return length > 0 && known <= MOST_LENGTH ? known : 0;
}

bool watch_parse(const struct probe_point *point, const struct probe_pattern *pat,
		 struct watch *w, struct problem *why)
{
	int64_t length = pat->variant & WATCH_LENGTH ? point->parts.v[2].arg->num : DEFAULT_LENGTH;

	w->reads = pat->variant & WATCH_READS;
	w->length = known_length(length);
	if (pat->variant & WATCH_ADDRESS)
		w->address = point->parts.v[1].arg->num;
	if (!w->length)
		why->text = arena_printf("a watched length is 1 to %d bytes, not %" PRId64,
					 MOST_LENGTH, length);
	return w->length;
}

bool watch_check(const struct watch *w, struct problem *why)
{
	if (w->address % w->length == 0)
		return true;
	why->text = arena_printf("address %#" PRIx64 " is not a multiple of the watched length %u",
				 w->address, w->length);
	return false;
}

const char *watch_text(const struct probe_point *point, const struct watch *w)
{
	const struct expr *what = point->parts.v[1].arg;
	const char *data = what->kind == E_STR ? arena_printf("\"%s\"", what->str)
					       : arena_printf("%#" PRIx64, (uint64_t)what->num);

	return arena_printf("data(%s).length(%u).%s", data, w->length,
			    w->reads ? "rw" : "write");
}

void watch_warn_many(struct probe *const *probes, size_t n)
{
	if (n > WATCH_MOST)
		diag_at(DIAG_WARNING, probes[WATCH_MOST]->point->loc,
			"too many hardware breakpoint probes: %zu, where a CPU has %d", n,
			WATCH_MOST);
}

void watch_row(struct row *out, const struct watch *w)
{
	struct row *watch = row_record(out, "watch");

	row_address(watch, "address", w->address);
	row_number(watch, "linked", w->linked);
	row_number(watch, "percpu", w->percpu);
	row_number(watch, "length", w->length);
	row_number(watch, "reads", w->reads);
}
