// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * process("PATH").plt("name"): calls of functions in other libraries, at the entries of
 * the program's procedure linkage table (debuginfo/debuginfo.h).
 */
#include <fnmatch.h>
#include <string.h>

#include "base/diag.h"
#include "families.h"
#include "session.h"
#include "uprobe.h"
#include "variables.h"

enum { V_NAME = 1 };

#define HINTS 3		/* names in a message */

static const struct probe_pattern plt_patterns[] = {
	PROGRAM("plt", 0, "calls of functions in libraries")
	PROGRAM("plt.return", V_RETURN, "returns of functions in libraries")
	PROGRAM("plt(s)", V_NAME, "calls of functions in libraries")
	PROGRAM("plt(s).return", V_NAME | V_RETURN, "returns of functions in libraries")
	{ NULL, 0, NULL },
};

static const char *wanted_name(const struct probe_point *point, const struct probe_pattern *pat)
{
	const struct point_part *last = &point->parts.v[point->parts.n - 1];

	if (!(pat->variant & V_NAME))
		return "*";
	return pat->variant & V_RETURN ? last[-1].arg->str : last->arg->str;
}

static void add_entry(const struct probed_file *file, const struct probe_pattern *pat,
		      const struct plt_entry *e, struct family_result *out)
{
	struct probe *p = arena_new(struct probe);
	struct sbuf pp = { 0 };

	uprobe_put_head(&pp, file);
	sbuf_printf(&pp, "plt(\"%s\")%s", e->name, pat->variant & V_RETURN ? ".return" : "");

	struct site site = uprobe_site(file, sbuf_take(&pp), e->offset);

	site.func = e->name;
	if (pat->variant & V_RETURN)
		site.attach = ST_URETPROBE;
	vec_push(&p->sites, site);
	vec_push(&out->probes, p);
}

static int plt_resolve(struct session *s, const struct probe_point *point,
		       const struct probe_pattern *pat, struct family_result *out)
{
	const char *name = wanted_name(point, pat);
	probed_files files = { 0 };
	text_list names = { 0 };

	if (!uprobe_files(s, point, pat, &files, &out->why))
		return -1;
	for (size_t i = 0; i < files.n; i++) {
		plt_list entries = { 0 };

		if (!target_plt(s->target, files.v[i].path, &entries, &out->why))
			return -1;
		for (size_t k = 0; k < entries.n; k++) {
			vec_push(&names, entries.v[k].name);
			if (!fnmatch(name, entries.v[k].name, 0))
				add_entry(&files.v[i], pat, &entries.v[k], out);
		}
	}
	if (out->probes.n)
		return 0;
	out->why.text = arena_printf("'%s' calls no library function '%s' through a procedure "
				     "linkage table", files.v[0].path, name);
	out->why.hint = diag_nearest(name, names.v, names.n, HINTS);
	return -1;
}

/* Resolves $$name, the name of the function called; there is no other variable. */
static int plt_variable(struct session *s, struct probe *p, const struct target_var *tv,
			struct access *acc)
{
	(void)s;
	if (strcmp(tv->name, "$$name") || tv->path.n || tv->address) {
		acc->why_not.text = arena_printf("a .plt probe has no '%s', but $$name", tv->name);
		return -1;
	}
	access_set_fetch(acc, (struct fetch){ .load = term_text(p->sites.v[0].func) });
	return 0;
}

const struct probe_family family_plt = {
	.name = "plt",
	.patterns = plt_patterns,
	.resolve = plt_resolve,
	.variable = plt_variable,
	.table = "uprobe",
	.row = uprobe_row,
};
