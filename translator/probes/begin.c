// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * begin, end, error, oneshot: events of the session itself.  Probes of one event
 * run in the order of their sequence numbers, lowest first.
 */

#include "families.h"
#include "ir/ir.h"

enum begin_kind { BEGIN, END, ERROR, ONESHOT };

struct begin_probe {
	struct probe probe;
	enum begin_kind kind;
	int64_t sequence;
};

static const struct probe_pattern begin_patterns[] = {
	{ "begin", BEGIN, "when the session starts" },
	{ "begin(n)", BEGIN, "when the session starts, in order of n" },
	{ "end", END, "when the session ends" },
	{ "end(n)", END, "when the session ends, in order of n" },
	{ "error", ERROR, "when an error ends the session" },
	{ "error(n)", ERROR, "when an error ends the session, in order of n" },
	{ "oneshot", ONESHOT, "once at the start; the session then ends" },
	{ NULL, 0, NULL },
};

static int begin_resolve(struct session *s, const struct probe_point *point,
			 const struct probe_pattern *pat, struct family_result *out)
{
	struct begin_probe *b = arena_new(struct begin_probe);
	const struct point_part *part = &point->parts.v[0];

	(void)s;
	add_named_site(&b->probe, point);
	b->kind = pat->variant;
	b->sequence = part->arg ? part->arg->num : 0;
	b->probe.acts = b->kind == ONESHOT;	/* because it ends the session */
	vec_push(&out->probes, &b->probe);
	return 0;
}

static void begin_row(const struct probe *p, const struct site *site, struct row *out)
{
	static const char *const kinds[] = {
		[BEGIN] = "ST_BEGIN", [END] = "ST_END", [ERROR] = "ST_ERROR",
		[ONESHOT] = "ST_ONESHOT",
	};
	const struct begin_probe *b = container_of(p, struct begin_probe, probe);

	(void)site;
	if (b->kind == ONESHOT)
		out->pp = "begin";	/* oneshot is a begin probe followed by exit() */
	row_constant(out, "kind", kinds[b->kind]);
	row_number(out, "sequence", b->sequence);
}

static void begin_place(const struct probe *p, const struct site *site, struct ir_place *out)
{
	static const enum ir_event events[] = {
		[BEGIN] = IR_BEGIN, [END] = IR_END, [ERROR] = IR_ERROR, [ONESHOT] = IR_ONESHOT,
	};
	const struct begin_probe *b = container_of(p, struct begin_probe, probe);

	(void)site;
	out->event = events[b->kind];
	out->sequence = b->sequence;
	if (b->kind == ONESHOT)
		out->pp = "begin";
}

const struct probe_family family_begin = {
	.name = "begin",
	.patterns = begin_patterns,
	.resolve = begin_resolve,
	.table = "begin",
	.row = begin_row,
	.place = begin_place,
	.serial = true,
	.interruptible = true,
};
