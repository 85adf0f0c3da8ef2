// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Places in programs and shared libraries: process("PATH").function, .statement, ….
 *
 * The kernel's uprobes take a file and an offset in it, and find every process that
 * maps the file, now or later.  debuginfo/ finds the offsets; a program without debug
 * information has its symbols and addresses.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "code.h"
#include "families.h"
#include "library_path.h"
#include "program_path.h"
#include "session.h"
#include "uprobe.h"

static const struct probe_pattern uprobe_patterns[] = {
	CODE_PLACES(PROGRAM)
	PROGRAM("function(s).nearest", PLACE_FUNCTION, "entry of functions")
	{ "process(n).statement(n).absolute", PLACE_STATEMENT | V_ADDRESS | V_PID | V_ABSOLUTE,
	  "an address in a process's memory" },
	{ NULL, 0, NULL },
};

/* ---- programs ---------------------------------------------------------- */

/* Returns the index of the part behind process(…) and library(…). */
static size_t place_part(const struct probe_pattern *pat)
{
	return pat->variant & V_LIBRARY ? 2 : 1;
}

static const char *target_path(struct session *s, struct problem *why)
{
	if (s->options.relayed.command)
		return program_of_command(s, why);
	if (s->options.relayed.target)
		return program_of_pid(s, atol(s->options.relayed.target), why);
	why->text = "process without the name of a program needs stap -c COMMAND or -x PID";
	return NULL;
}

/* Finds the programs that a point's head, process, process("PATH") or process(PID), means. */
static bool find_programs(struct session *s, const struct point_part *head, text_list *out,
			  struct problem *why)
{
	const char *path;

	if (head->arg && head->arg->kind == E_STR)
		return program_find_all(s, head->arg->str, out, why) == 0;
	path = head->arg ? program_of_pid(s, head->arg->num, why) : target_path(s, why);
	if (path)
		vec_push(out, path);
	return path;
}

bool uprobe_files(struct session *s, const struct probe_point *point,
		  const struct probe_pattern *pat, probed_files *out, struct problem *why)
{
	const struct point_part *parts = point->parts.v;
	struct probed_file file = { .pid = pat->variant & V_PID ? parts[0].arg->num : 0 };
	text_list programs = { 0 };

	if (!find_programs(s, &parts[0], &programs, why))
		return false;
	for (size_t i = 0; i < programs.n; i++) {
		text_list libraries = { 0 };

		file.path = programs.v[i];
		file.program = session_program_name(s, file.path);
		if (!(pat->variant & V_LIBRARY))
			vec_push(out, file);
		else if (!library_find_all(programs.v[i], parts[1].arg->str, &libraries, why))
			continue;
		for (size_t k = 0; k < libraries.n; k++) {
			file.path = libraries.v[k];
			file.library = session_program_name(s, file.path);
			vec_push(out, file);
		}
	}
	for (size_t i = 0; i < out->n; i++)
		target_meet_program(s->target, out->v[i].path);
	return out->n;
}

void uprobe_put_head(struct sbuf *b, const struct probed_file *file)
{
	sbuf_printf(b, "process(\"%s\").", file->program);
	if (file->library)
		sbuf_printf(b, "library(\"%s\").", file->library);
}

struct site uprobe_site(const struct probed_file *file, const char *pp, uint64_t offset)
{
	return (struct site){
		.pp = pp,
		.func = "",
		.module = file->path,
		.attach = ST_UPROBE,
		.offset = offset,
		.body = offset,
		.pid = file->pid,
	};
}

/* ---- places → probes --------------------------------------------------- */

struct resolver {
	struct session *s;
	const struct probe_point *point;
	const struct probe_pattern *pat;
	struct place_query query;
	struct family_result *out;
};

static enum st_attach attach_return(const struct place *pl)
{
	if (pl->in_go)
		return ST_GO_RETURN;
	return pl->nreturns ? ST_URETURNS : ST_URETPROBE;
}

/* Adds a probe at a place.  Returns false with the reason set if its returns can't be probed. */
static bool add_place(struct resolver *r, const struct probed_file *file, struct place *pl)
{
	struct probe *p = arena_new(struct probe);
	struct sbuf pp = { 0 };
	bool at_return = r->pat->variant & V_RETURN;

	if (at_return && pl->no_returns) {
		r->out->why.text = arena_printf("the return of '%s' can't be probed: %s",
						pl->function, pl->no_returns);
		return false;
	}

	uprobe_put_head(&pp, file);
	code_put_place(&pp, r->point, r->pat, place_part(r->pat), pl);

	struct site site = uprobe_site(file, sbuf_take(&pp), at_return ? pl->offset : pl->body);

	site.func = pl->function;
	site.attach = at_return ? attach_return(pl) : ST_UPROBE;
	site.body = pl->body;
	site.returns = pl->returns;
	site.nreturns = pl->nreturns;
	site.caller = pl->returns_to;
	site.optional = code_has_wildcard(&r->query);
	site.place = pl;
	vec_push(&p->sites, site);
	vec_push(&r->out->probes, p);
	return true;
}

static void warn_exceptions(const struct probe_point *point, const struct place *places, size_t n)
{
	const struct place *first = NULL;
	size_t others = 0;

	for (size_t i = 0; i < n; i++) {
		if (!places[i].breaks_exceptions)
			continue;
		others += first != NULL;
		first = first ? first : &places[i];
	}
	if (!first)
		return;
	diag_at(DIAG_WARNING, point->loc, "an exception that passes '%s'%s would end the program, because its "
		"return address is replaced: %s", first->function,
		others ? arena_printf(", or %zu other functions,", others) : "",
		first->breaks_exceptions);
}

static bool resolve_file(struct resolver *r, const struct probed_file *file)
{
	struct place *places;
	unsigned forbidden;
	size_t n, added = 0;

	r->query.module = file->path;
	if (target_places(r->s->target, &r->query, &places, &n, &forbidden, &r->out->why) < 0)
		return false;
	code_warn_many(r->point, n);
	warn_exceptions(r->point, places, n);
	for (size_t i = 0; i < n; i++)
		added += add_place(r, file, &places[i]);
	return added && (added == n || code_has_wildcard(&r->query));
}

/* Resolves an address in a running process to the file mapped there and the offset in it. */
static int resolve_absolute(struct session *s, const struct probe_point *point,
			    struct family_result *out)
{
	struct probe *p = arena_new(struct probe);
	struct probed_file file = { .pid = point->parts.v[0].arg->num };
	uint64_t address = point->parts.v[1].arg->num, offset;

	file.path = program_mapped_at(s, file.pid, address, &offset, &out->why);
	if (file.path)
		target_meet_program(s->target, file.path);
	if (!file.path || (!s->options.guru && !target_begins_instruction(s->target, file.path, offset,
									   address, &out->why)))
		return -1;
	vec_push(&p->sites, uprobe_site(&file, probe_point_text(point), offset));
	vec_push(&out->probes, p);
	return 0;
}

static int uprobe_resolve(struct session *s, const struct probe_point *point,
			  const struct probe_pattern *pat, struct family_result *out)
{
	struct resolver r = { .s = s, .point = point, .pat = pat, .out = out };
	probed_files files = { 0 };
	bool any = false;

	if (pat->variant & V_ABSOLUTE)
		return resolve_absolute(s, point, out);
	if (!code_query(s, point, pat, place_part(pat), &r.query, &out->why) ||
	    !uprobe_files(s, point, pat, &files, &out->why))
		return -1;
	for (size_t i = 0; i < files.n; i++)
		any |= resolve_file(&r, &files.v[i]);
	return any ? 0 : -1;
}

/* ---- rows -------------------------------------------------------------- */

static const char *attach_name(enum st_attach attach)
{
	switch (attach) {
	case ST_URETPROBE:
		return "ST_URETPROBE";
	case ST_URETURNS:
		return "ST_URETURNS";
	case ST_GO_RETURN:
		return "ST_GO_RETURN";
	default:
		return "ST_UPROBE";
	}
}

void uprobe_row(const struct probe *p, const struct site *site, struct row *out)
{
	(void)p;
	row_constant(out, "attach", attach_name(site->attach));
	row_number(out, "file", site->program);
	row_code(out, "at", site->offset, &site->code[0]);
	if (site->body != site->offset &&
	    (site->attach == ST_URETPROBE || site->attach == ST_URETURNS))
		row_code_pointer(out, "body", site->body, &site->code[1]);
	row_codes(out, "returns", site->returns, &site->code[2], site->nreturns);
	row_address(out, "semaphore", site->semaphore);
	row_address(out, "caller", site->caller);
	row_number(out, "pid", site->pid);
	row_number(out, "optional", site->optional);
}

const struct probe_family family_uprobe = {
	.name = "uprobe",
	.patterns = uprobe_patterns,
	.resolve = uprobe_resolve,
	.variable = code_variable,
	.list_variables = code_list_variables,
	.table = "uprobe",
	.row = uprobe_row,
	.waits = true,
};
