// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes the files of source line tables, or takes them from the cache. */
#include <stdio.h>

#include "abi/srcline.h"
#include "base/arena.h"
#include "base/hash.h"
#include "debuginfo/index/index.h"
#include "kit/cache.h"
#include "debuginfo/dwarf/line_table.h"
#include "session.h"

#define SUFFIX ".lines"

static const char *key_of(const struct dwfile *f, const struct section *sect)
{
	struct hash *h = hash_new();
	unsigned magic = ST_LINES_MAGIC;

	hash_string(h, "source lines");
	hash_bytes(h, &magic, sizeof(magic));
	hash_debug_file(h, f);
	hash_string(h, sect ? sect->name : "");
	return hash_hex(h);
}

/*
 * Writes a table to the work directory, and to the cache if it has a KEY.
 * Returns its path, or NULL.
 */
static const char *keep(struct session *s, const char *key, unsigned base,
			const struct sbuf *table)
{
	const char *dir = session_tmpdir(s), *path, *kept;
	FILE *out;
	bool good;

	if (!dir)
		return NULL;
	path = arena_printf("%s/%u" SUFFIX, dir, base);
	out = fopen(path, "we");
	if (!out)
		return NULL;
	good = fwrite(table->s, table->len, 1, out) == 1;
	good &= !fclose(out);
	kept = good && key ? cache_put(s, key, SUFFIX, path) : NULL;
	return kept ? kept : good ? path : NULL;
}

static bool add_table(struct dwfile *f, const struct section *sect, line_table_list *out)
{
	struct session *s = f->target->session;
	unsigned base = target_base(f->target, f->module, sect ? sect->name : "");
	const char *key = f->build_id && !s->options.disable_cache ? key_of(f, sect) : NULL;
	const char *path = key ? cache_get(s, key, SUFFIX) : NULL;
	struct sbuf table = { 0 };

	if (!path && line_table_write(f, sect, &table))
		path = keep(s, key, base, &table);
	sbuf_free(&table);
	if (path)
		vec_push(out, ((struct line_table){ base, path }));
	return path;
}

bool target_lines(struct target *t, const char *module, line_table_list *out, struct problem *why)
{
	struct dwfile *f = target_file(t, module, why);
	bool any = false;

	if (!f)
		return false;
	if (f->by_symbol) {
		why->text = arena_printf("'%s' has only BTF, which has no source lines; install package "
				    "linux-image-%s-dbg", module, kernel_release(t->session->kernel));
		return false;
	}
	if (f->is_kernel) {
		any = add_table(f, NULL, out);
	} else {
		for (size_t i = 0; i < f->sections.n; i++)
			if (f->sections.v[i].exec)
				any |= add_table(f, &f->sections.v[i], out);
	}
	if (!any)
		why->text = arena_printf("the debug information of '%s' has no source lines",
				    module);
	return any;
}
