// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads what handlers in the kernel tell (handlers.h): records of the ring, which are outputs, or pieces of
 * one, and say how the handler ended.
 */
#include <limits.h>
#include <string.h>
#include <time.h>

#include "base/sbuf.h"
#include "core/state.h"
#include "core/supply.h"
#include "handlers.h"
#include "internal.h"
#include "mappings.h"
#include "port/user/engine.h"
#include "system.h"

/* Bytes of one output that is kept until its last piece comes. */
enum { PIECES_MOST = 1 << 20 };

/*
 * The error of a handler in the kernel, which a handler here repeats, so that it is told and counted like
 * any.
 */
static struct {
	struct sbuf text, near, callers[ST_CALLERS];
	unsigned ncallers;
} failed;

static void repeat_error(struct st_ctx *c)
{
	st_error(c, "%s", sbuf_str(&failed.text));
	c->near = failed.near.len ? sbuf_str(&failed.near) : NULL;
	for (unsigned i = 0; i < failed.ncallers; i++)
		st_called(c, sbuf_str(&failed.callers[i]));
}

static void put_near(struct sbuf *to, const struct bpf_site *site)
{
	to->len = 0;
	if (site->near)
		sbuf_printf(to, "near %.512s at %.512s", site->near, site->at);
}

/* Notes the calls that led to an error, from a record's end. */
static void put_callers(const struct handlers *h, const struct bpf_record *r, const char *end)
{
	uint32_t site;

	failed.ncallers = 0;
	for (unsigned i = 0; i < r->callers; i++) {
		memcpy(&site, end + i * sizeof(site), sizeof(site));
		if (site - 1 < h->plan->sites.n && h->plan->sites.v[site - 1].near)
			put_near(&failed.callers[failed.ncallers++], &h->plan->sites.v[site - 1]);
	}
}

/* Tells the error of a record, of which END is what is behind its items. */
static void tell_error(const struct handlers *h, const struct bpf_record *r, const char *end)
{
	static const struct st_probe probe = { .handler = repeat_error, .budget = LONG_MAX, .where = "" };
	const struct st_point point = { .probe = &probe, .pp = h->points[r->point] };
	const struct bpf_site *site = &h->plan->sites.v[r->site - 1];

	failed.text.len = 0;
	if (site->told)
		sbuf_add(&failed.text, end, r->told);
	else
		sbuf_puts(&failed.text, site->text);
	if (site->decimal)
		sbuf_printf(&failed.text, "%lld", (long long)r->value);
	else if (site->digits)
		sbuf_printf(&failed.text, "%0*llx", (int)site->digits, (unsigned long long)r->value);
	sbuf_puts(&failed.text, site->behind);
	put_near(&failed.near, site);
	put_callers(h, r, end + r->told);
	st_engine_run(&point, ST_RUNNING);
}

struct reading {
	struct handlers *h;
	handlers_take *take;
	void *arg;
};

/* Returns the bytes behind a record's items. */
static size_t behind_items(const struct bpf_record *r)
{
	return r->told + r->callers * sizeof(uint32_t);
}

static void take_record(void *arg, const char *p, size_t bytes)
{
	const struct reading *reading = arg;
	const struct bpf_record *r = (const struct bpf_record *)p;
	const struct bpf_plan *plan = reading->h->plan;
	struct sbuf *pieces;
	size_t items;

	if (bytes < sizeof(*r) || r->callers > ST_CALLERS || behind_items(r) > bytes - sizeof(*r) ||
	    r->frame >= plan->frames || r->point >= reading->h->npoints || r->site > plan->sites.n)
		return;
	pieces = &reading->h->pieces[r->frame];
	if (!(r->more & BPF_CONTINUES))
		pieces->len = 0;	/* the end of what came before was lost */
	sbuf_add(pieces, p + sizeof(*r), bytes - sizeof(*r));
	if (r->more & BPF_MORE && pieces->len < PIECES_MOST)
		return;
	items = pieces->len - behind_items(r);
	reading->take(reading->arg, r, reading->h->points[r->point], pieces->s, items);
	pieces->len = 0;
	if (r->more & BPF_MORE)
		return;
	if (r->site)
		tell_error(reading->h, r, pieces->s + items);
	if (r->exits)
		st_session_end(false, NULL);
}

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000ull + t.tv_nsec;
}

void handlers_read(struct handlers *h, handlers_take *take, void *arg)
{
	struct reading reading = { h, take, arg };
	uint64_t began = h->mappings ? now_ns() : 0;

	ring_read(h->ring, take_record, &reading);
	if (h->links.n && !control(h)->running && control(h)->lost && st_state == ST_RUNNING) {
		/* The record that ends the session may be among those that found no room. */
		system_wait();
		ring_read(h->ring, take_record, &reading);
		if (st_state == ST_RUNNING)
			st_session_end(true, "A handler ended the session, and what it told was lost.");
	}
	if (h->mappings)
		mappings_follow(h->mappings, began);
	if (!st_program.suppress_errors && control(h)->skipped > st_program.maxskipped && st_state == ST_RUNNING)
		st_session_end(true, "Skipped too many probes, check MAXSKIPPED or try again with --runtime=kernel.");
}
