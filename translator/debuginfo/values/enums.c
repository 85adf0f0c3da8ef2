// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Enumerations: the value of a name, the name of a value.
 */
#include <dwarf.h>
#include <inttypes.h>
#include <string.h>

#include "base/arena.h"
#include "base/sbuf.h"
#include "types.h"

enum { ENUMERATORS_MAX = 20000 };

/* ---- the value of a name ------------------------------------------------ */

struct wanted {
	const char *name;
	int64_t *value;
};

static bool find_enumerator(struct dwfile *f, void *arg)
{
	struct wanted *w = arg;

	return index_find_enumerator(f, w->name, w->value);
}

int target_enum(struct target *t, const char *name, const char *module, int64_t *out,
		const char **why)
{
	struct wanted w = { name, out };

	return target_search(t, module, arena_printf("enumerator '%s'", name), find_enumerator,
			     &w, why) ? 0 : -1;
}

/* ---- the name of a value ------------------------------------------------ */

static bool is_new(const int64_t *seen, size_t n, int64_t value)
{
	for (size_t i = 0; i < n; i++)
		if (seen[i] == value)
			return false;
	return true;
}

/* "case 1: x = "ONE"; break; …" for each value once, by its first name. */
static void put_cases(struct sbuf *out, Dwarf_Die *type)
{
	vec(int64_t) seen = { 0 };
	unsigned left = ENUMERATORS_MAX;
	Dwarf_Attribute attr;
	Dwarf_Die child;
	Dwarf_Sword value;

	if (dwarf_child(type, &child) != 0)
		return;
	do {
		const char *name = dwarf_diename(&child);

		if (!die_is(&child, DW_TAG_enumerator) || !name ||
		    !dwarf_attr(&child, DW_AT_const_value, &attr) ||
		    dwarf_formsdata(&attr, &value) != 0 || !is_new(seen.v, seen.n, value))
			continue;
		vec_push(&seen, value);
		sbuf_printf(out, "case (st_long)%#" PRIx64 "ull: st_t0 = ST_LIT(\"%s\"); break; ",
			    (uint64_t)value, name);
	} while (--left && dwarf_siblingof(&child, &child) == 0);
}

int target_enum_name(struct target *t, const char *type, const char *module, struct fetch *out,
		     const char **why)
{
	struct sbuf text = { 0 };
	struct ctype named;
	struct shape s;

	*out = (struct fetch){ .type = FETCH_STRING, .strings = 1 };
	if (!ctype_named(t, type, module, &named, why) || !ctype_shape(&named, &s, why))
		return -1;
	if (s.kind != CK_ENUM) {
		*why = arena_printf("'%s' is no enum", ctype_text(&named));
		return -1;
	}
	sbuf_puts(&text, "({ struct st_str st_t0; switch (ix[0]) { ");
	put_cases(&text, &s.type.die);
	sbuf_puts(&text, "default: st_t0 = st_format(c, \"%d\", "
		  "(union st_arg[]){ { .i = ix[0] } }, 1); } st_t0; })");
	out->load = sbuf_take(&text);
	return 0;
}
