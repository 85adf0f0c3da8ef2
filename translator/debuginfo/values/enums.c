// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Enumerations: from a name to its value, and from a value to its name.
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/printable.h"
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
		struct problem *why)
{
	struct wanted w = { name, out };

	return target_search(t, module, arena_printf("enumerator '%s'", name), find_enumerator,
			     &w, why) ? 0 : -1;
}

/* ---- the name of a value ------------------------------------------------ */

typedef vec(struct term_case) case_list;

static bool is_new(const case_list *seen, int64_t value)
{
	for (size_t i = 0; i < seen->n; i++)
		if (seen->v[i].value == value)
			return false;
	return true;
}

/* Returns a name from the file, made safe to print. */
static const char *shown_name(const char *name)
{
	char *shown = printable(name, strlen(name), "");
	const char *kept = arena_strdup(shown ? shown : "?");

	free(shown);
	return kept;
}

/* Lists each value once, with its first name. */
static void list_cases(case_list *out, Dwarf_Die *type)
{
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
		    dwarf_formsdata(&attr, &value) != 0 || !is_new(out, value))
			continue;
		vec_push(out, ((struct term_case){ value, shown_name(name) }));
	} while (--left && dwarf_siblingof(&child, &child) == 0);
}

int target_enum_name_of(const struct ctype *type, struct fetch *out, struct problem *why)
{
	case_list cases = { 0 };
	struct shape s;

	*out = (struct fetch){ 0 };
	if (!ctype_shape(type, &s, why))
		return -1;
	if (s.kind != CK_ENUM) {
		why->text = arena_printf("'%s' is not an enum", ctype_text(type));
		return -1;
	}
	list_cases(&cases, &s.type.die);
	out->load = term_enumerator(term_input(0), cases.v, cases.n);
	return 0;
}

int target_enum_name(struct target *t, const char *type, const char *module, struct fetch *out,
		     struct problem *why)
{
	struct ctype named;

	*out = (struct fetch){ 0 };
	return ctype_named(t, type, module, &named, why) ? target_enum_name_of(&named, out, why)
							 : -1;
}
