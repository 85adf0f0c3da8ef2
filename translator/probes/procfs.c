// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * procfs("path").read and .write: files below /proc/systemtap/MODULE.  Reading
 * one runs the .read handler, which sets $value to the contents; writing one
 * runs the .write handler, which finds in $value what was written.
 */
#include <string.h>

#include "abi/transport.h"
#include "base/arena.h"
#include "families.h"
#include "ir/ir.h"
#include "session.h"
#include "variables.h"

enum { V_WRITE = 1, V_MAXSIZE = 2 };

#define DEFAULT_PATH "command"
#define DEFAULT_UMASK 0077

#define READ_DOC "a file's contents when it is read"
#define WRITE_DOC "what is written to a file"

#define WITH_PATH(name)							\
	{ name ".read", 0, READ_DOC },					\
	{ name ".read.maxsize(n)", V_MAXSIZE, READ_DOC },		\
	{ name ".read.umask(n)", 0, READ_DOC },				\
	{ name ".read.umask(n).maxsize(n)", V_MAXSIZE, READ_DOC },	\
	{ name ".read.maxsize(n).umask(n)", V_MAXSIZE, READ_DOC },	\
	{ name ".umask(n).read", 0, READ_DOC },				\
	{ name ".umask(n).read.maxsize(n)", V_MAXSIZE, READ_DOC },	\
	{ name ".umask(n).maxsize(n).read", V_MAXSIZE, READ_DOC },	\
	{ name ".write", V_WRITE, WRITE_DOC },				\
	{ name ".write.umask(n)", V_WRITE, WRITE_DOC },			\
	{ name ".umask(n).write", V_WRITE, WRITE_DOC }

static const struct probe_pattern procfs_patterns[] = {
	WITH_PATH("procfs(s)"),
	WITH_PATH("procfs"),
	{ NULL, 0, NULL },
};

struct procfs_probe {
	struct probe probe;
	const char *path;
	bool write;
	unsigned umask;
	int64_t maxsize;		/* in bytes; 0 for the default */
};

static const struct procfs_probe *procfs_of(const struct probe *p)
{
	return container_of(p, struct procfs_probe, probe);
}

/* ---- points ------------------------------------------------------------ */

static const char *wrong_with_path(const char *path)
{
	if (*path == '/')
		return "procfs path cannot start with a '/'";
	if (!*path || path[strlen(path) - 1] == '/')
		return "procfs path cannot end with a '/'";
	for (const char *p = path; p; p = strchr(p, '/')) {
		p += *p == '/';
		if (*p == '/')
			return "procfs path cannot have an empty part";
		if (*p == '.')
			return "procfs path cannot have a part that starts with a '.'";
		if (strcspn(p, "/") > 255)
			return "procfs path has a part that is too long for the name of a file";
	}
	return NULL;
}

static int procfs_resolve(struct session *s, const struct probe_point *point,
			  const struct probe_pattern *pat, struct family_result *out)
{
	struct procfs_probe *f = arena_new(struct procfs_probe);
	const struct point_part *first = &point->parts.v[0];

	(void)s;
	add_named_site(&f->probe, point);
	f->probe.acts = true;		/* the file exists, whatever the handler does */
	f->path = first->arg ? first->arg->str : DEFAULT_PATH;
	f->write = pat->variant & V_WRITE;
	f->umask = DEFAULT_UMASK;
	for (size_t i = 1; i < point->parts.n; i++) {
		const struct point_part *part = &point->parts.v[i];

		if (!strcmp(part->name, "umask"))
			f->umask = part->arg->num & 0777;
		else if (!strcmp(part->name, "maxsize"))
			f->maxsize = part->arg->num;
	}
	out->why.text = wrong_with_path(f->path);
	if ((pat->variant & V_MAXSIZE) && f->maxsize < 1)
		out->why.text = "maxsize must be greater than 0";
	else if (f->maxsize > ST_PROCFS_MOST)
		out->why.text = arena_printf("maxsize can be no more than %d", ST_PROCFS_MOST);
	if (out->why.text)
		return -1;
	vec_push(&out->probes, &f->probe);
	return 0;
}

/* ---- $value ------------------------------------------------------------ */

static int procfs_variable(struct session *s, struct probe *p, const struct target_var *tv,
			   struct access *acc)
{
	const struct procfs_probe *f = procfs_of(p);
	struct fetch fetch = { 0 };

	(void)s;
	if (strcmp(tv->name, "$value")) {
		acc->why_not.text = "invalid target symbol for procfs probe, $value expected";
		return -1;
	}
	if (tv->path.n || tv->address) {
		acc->why_not.text = "procfs variable '$value' is a string, which has no members or address";
		return -1;
	}
	fetch.load = term_call(TERM_VALUE, NULL, NULL);
	if (!f->write) {
		fetch.store = term_call(TERM_SET_VALUE, term_stored(), NULL);
		fetch.append = term_call(TERM_APPEND_VALUE, term_stored(), NULL);
	}
	access_set_fetch(acc, fetch);
	acc->unguarded = true;
	acc->unreadable = !f->write;
	return 0;
}

static void procfs_list_variables(struct session *s, struct probe *p, text_list *out)
{
	(void)s, (void)p;
	vec_push(out, "$value:string");
}

/* ---- all probes together ------------------------------------------------ */

/* Is PATH in directory DIR? */
static bool is_inside(const char *path, const char *dir)
{
	size_t n = strlen(dir);

	return !strncmp(path, dir, n) && path[n] == '/';
}

/* Is PATH stapio's standard input?  Any number of probes may read that. */
static bool is_input(const char *path)
{
	return !strcmp(path, ST_FILE_CHARS) || !strcmp(path, ST_FILE_LINES);
}

static const char *conflict(const struct procfs_probe *a, const struct procfs_probe *b)
{
	if (!strcmp(a->path, b->path) && a->write == b->write && !(a->write && is_input(a->path)))
		return arena_printf("only one %s procfs probe can exist for procfs path \"%s\"",
				    a->write ? "write" : "read", a->path);
	if (!strcmp(a->path, b->path) && a->write && b->write && a->umask != b->umask)
		return arena_printf("the write probes of procfs path \"%s\" have different umasks, "
				    "%#o and %#o", a->path, b->umask, a->umask);
	if (is_inside(a->path, b->path) || is_inside(b->path, a->path))
		return arena_printf("procfs paths \"%s\" and \"%s\": one is the directory of the "
				    "other", a->path, b->path);
	return NULL;
}

/* Notes probes of standard input, and refuses them where it is empty.  Returns 0, or -1 after a message. */
static int check_input(struct session *s, struct probe *const *probes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (!is_input(procfs_of(probes[i])->path))
			continue;
		s->reads_input = true;
		if (!s->options.relayed.detach)
			continue;
		diag_at(DIAG_SEMANTIC_ERROR, probes[i]->decl->loc,
			"the script would read standard input, which is empty in a session of --detach");
		diag_hint("give it what it reads by -G NAME=VALUE, or by a procfs probe that is written there");
		return -1;
	}
	return 0;
}

static int procfs_check(struct session *s, struct probe *const *probes, size_t n)
{
	int failed = check_input(s, probes, n);

	for (size_t i = 1; i < n; i++) {
		for (size_t j = 0; j < i; j++) {
			const char *why = conflict(procfs_of(probes[i]), procfs_of(probes[j]));

			if (!why)
				continue;
			diag_at(DIAG_SEMANTIC_ERROR, probes[i]->point->loc, "%s", why);
			diag_also(probes[j]->point->loc, "the other is here");
			failed = -1;
		}
	}
	return failed;
}

/* ---- rows -------------------------------------------------------------- */

static void procfs_row(const struct probe *p, const struct site *site, struct row *out)
{
	const struct procfs_probe *f = procfs_of(p);

	(void)site;
	row_text(out, "path", f->path);
	row_number(out, "write", f->write);
	row_number(out, "umask", f->umask);
	row_number(out, "maxsize", f->maxsize);
}

/* Describes a place of standard input, or of a file that is read: these need no kernel. */
static void procfs_place(const struct probe *p, const struct site *site, struct ir_place *out)
{
	const struct procfs_probe *f = procfs_of(p);

	(void)site;
	if (f->write && is_input(f->path))
		out->event = strcmp(f->path, ST_FILE_CHARS) ? IR_INPUT_LINE : IR_INPUT_CHAR;
	if (f->write)
		return;
	out->event = IR_FILE;
	out->path = f->path;
	out->umask = f->umask;
	out->maxsize = f->maxsize;
}

const struct probe_family family_procfs = {
	.name = "procfs",
	.patterns = procfs_patterns,
	.resolve = procfs_resolve,
	.check = procfs_check,
	.variable = procfs_variable,
	.list_variables = procfs_list_variables,
	.table = "procfs",
	.row = procfs_row,
	.place = procfs_place,
	.interruptible = true,
};
