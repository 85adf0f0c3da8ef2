// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Places in programs and shared libraries: process("PATH").function, .statement, ….
 *
 * The kernel's uprobes take a file and an offset in it, and find every process that
 * maps the file, now or later.  debuginfo/ finds the offsets; a program without debug
 * information has its symbols and addresses.
 */
#include <inttypes.h>
#include <string.h>

#include "base/diag.h"
#include "code.h"
#include "families.h"
#include "library_path.h"
#include "program_path.h"
#include "session.h"
#include "uprobe.h"

enum {
	V_COMMAND = V_FAMILY,		/* process.…: the program that -c or -x gives */
	V_PID = V_FAMILY << 1,		/* process(PID).… */
	V_LIBRARY = V_FAMILY << 2,
};

#define PROGRAM(rest, variant, doc)						\
	{ "process." rest, (variant) | V_COMMAND, doc " of the target program" }, \
	{ "process(s)." rest, variant, doc " of a program" },			\
	{ "process(n)." rest, (variant) | V_PID, doc " of a process" },		\
	{ "process.library(s)." rest, (variant) | V_COMMAND | V_LIBRARY,	\
	  doc " of the target program's library" },				\
	{ "process(s).library(s)." rest, (variant) | V_LIBRARY, doc " of a library" }, \
	{ "process(n).library(s)." rest, (variant) | V_PID | V_LIBRARY,		\
	  doc " of a process's library" },

static const struct probe_pattern uprobe_patterns[] = {
	CODE_PLACES(PROGRAM)
	PROGRAM("function(s).nearest", PLACE_FUNCTION, "entry of functions")
	{ NULL, 0, NULL },
};

/* ---- programs ---------------------------------------------------------- */

/* Index of the part behind process(…) and library(…). */
static size_t place_part(const struct probe_pattern *pat)
{
	return pat->variant & V_LIBRARY ? 2 : 1;
}

static const char *target_path(struct session *s, struct problem *why)
{
	if (s->options.command)
		return program_of_command(s, why);
	if (s->options.target_pid)
		return program_of_pid(s->options.target_pid, why);
	why->text = "process without the name of a program needs stap -c COMMAND or -x PID";
	return NULL;
}

bool uprobe_programs(struct session *s, const struct probe_point *point, struct programs *out,
		     struct problem *why)
{
	const struct point_part *head = &point->parts.v[0];
	const char *path;

	*out = (struct programs){ .head = head };
	if (head->arg && head->arg->kind == E_STR)
		return program_find_all(s, head->arg->str, &out->paths, why) == 0;
	if (head->arg)
		out->pid = head->arg->num;
	path = head->arg ? program_of_pid(out->pid, why) : target_path(s, why);
	if (path)
		vec_push(&out->paths, path);
	return path;
}

void uprobe_put_head(struct sbuf *b, const char *program, const char *library)
{
	sbuf_printf(b, "process(\"%s\").", program);
	if (library)
		sbuf_printf(b, "library(\"%s\").", library);
}

/* ---- places → probes --------------------------------------------------- */

struct resolver {
	struct session *s;
	const struct probe_point *point;
	const struct probe_pattern *pat;
	struct place_query query;
	struct programs programs;
	struct family_result *out;
};

static void add_place(struct resolver *r, const char *program, const char *library,
		      struct place *pl)
{
	struct probe *p = arena_new(struct probe);
	struct sbuf pp = { 0 };
	bool at_return = r->pat->variant & V_RETURN;

	uprobe_put_head(&pp, program, library);
	code_put_place(&pp, r->point, r->pat, place_part(r->pat), pl);

	struct site site = {
		.pp = sbuf_take(&pp),
		.func = pl->function,
		.module = library ? library : program,
		.attach = at_return ? ST_URETPROBE : ST_UPROBE,
		.offset = at_return ? pl->offset : pl->body,
		.body = pl->body,
		.caller = pl->returns_to,
		.pid = r->programs.pid,
		.optional = code_has_wildcard(&r->query),
		.place = pl,
	};

	vec_push(&p->sites, site);
	vec_push(&r->out->probes, p);
}

static bool resolve_file(struct resolver *r, const char *program, const char *library)
{
	struct place *places;
	unsigned forbidden;
	size_t n;

	r->query.module = library ? library : program;
	if (target_places(r->s->target, &r->query, &places, &n, &forbidden, &r->out->why) < 0)
		return false;
	code_warn_many(r->point, n);
	for (size_t i = 0; i < n; i++)
		add_place(r, program, library, &places[i]);
	return true;
}

static bool resolve_program(struct resolver *r, const char *program)
{
	text_list libraries = { 0 };
	bool any = false;

	if (!(r->pat->variant & V_LIBRARY))
		return resolve_file(r, program, NULL);
	if (!library_find_all(r->s, program, r->point->parts.v[1].arg->str, &libraries,
			      &r->out->why))
		return false;
	for (size_t i = 0; i < libraries.n; i++)
		any |= resolve_file(r, program, libraries.v[i]);
	return any;
}

static int uprobe_resolve(struct session *s, const struct probe_point *point,
			  const struct probe_pattern *pat, struct family_result *out)
{
	struct resolver r = { .s = s, .point = point, .pat = pat, .out = out };
	bool any = false;

	if (!code_query(s, point, pat, place_part(pat), &r.query, &out->why) ||
	    !uprobe_programs(s, point, &r.programs, &out->why))
		return -1;
	for (size_t i = 0; i < r.programs.paths.n; i++)
		any |= resolve_program(&r, r.programs.paths.v[i]);
	return any ? 0 : -1;
}

/* ---- pass 3 ------------------------------------------------------------ */

void uprobe_emit(struct sbuf *out, const struct probe *p, const struct site *site)
{
	emit_point(out, p, site);
	sbuf_printf(out, ", .attach = %s, .file = %u, .offset = %#" PRIx64 "UL",
		    site->attach == ST_URETPROBE ? "ST_URETPROBE" : "ST_UPROBE", site->program,
		    site->offset);
	if (site->attach == ST_URETPROBE)
		sbuf_printf(out, ", .body = %#" PRIx64 "UL", site->body);
	if (site->semaphore)
		sbuf_printf(out, ", .semaphore = %#" PRIx64 "UL", site->semaphore);
	if (site->caller)
		sbuf_printf(out, ", .caller = %#" PRIx64 "UL", site->caller);
	if (site->pid)
		sbuf_printf(out, ", .pid = %" PRId64, site->pid);
	if (site->optional)
		sbuf_puts(out, ", .optional = 1");
}

const struct probe_family family_uprobe = {
	.name = "uprobe",
	.patterns = uprobe_patterns,
	.resolve = uprobe_resolve,
	.variable = code_variable,
	.list_variables = code_list_variables,
	.table = "uprobe",
	.row = "st_uprobe",
	.emit = uprobe_emit,
	.waits = true,
};
