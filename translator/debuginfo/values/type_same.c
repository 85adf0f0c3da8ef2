// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * When two C types are the same for a script.
 *
 * Every compilation unit describes the types it uses anew, so the types of two
 * places are compared by name, not by where they are described.  Typedefs and
 * qualifiers are skipped; a struct is its name, an integer its width and sign.  Types
 * without a name are the same only if they are the same entry.  An array is the
 * address of its first element, as in C.
 */
#include <dwarf.h>
#include <string.h>

#include "base/arena.h"
#include "types.h"

enum { LINKS_MAX = 32 };

static bool is_word(enum ckind k)
{
	return k == CK_BOOL || k == CK_CHAR || k == CK_INTEGER;
}

/* Compares structs and enums by name, because one may only be declared. */
static bool same_name(struct ctype a, struct ctype b)
{
	const char *x = dwarf_diename(&a.die), *y = dwarf_diename(&b.die);

	if (x && y)
		return strcmp(x, y) == 0 && dwarf_tag(&a.die) == dwarf_tag(&b.die);
	return !x && !y && a.file == b.file &&
	       dwarf_dieoffset(&a.die) == dwarf_dieoffset(&b.die);
}

/* Returns the type behind an address: a pointer's target or an array's element. */
static bool leads_to(struct ctype *t)
{
	struct problem ignored = { 0 };
	struct shape s;

	if (!ctype_shape(t, &s, &ignored) || (s.kind != CK_POINTER && s.kind != CK_ARRAY))
		return false;
	*t = s.kind == CK_POINTER ? ctype_pointee(&s) : ctype_element(&s);
	return true;
}

bool ctype_same(const struct ctype *a, const struct ctype *b)
{
	struct ctype x = *a, y = *b;

	for (unsigned i = 0; i < LINKS_MAX; i++) {
		bool x_leads, y_leads;

		x = ctype_bare(&x);
		y = ctype_bare(&y);
		if (!x.stars && !y.stars && x.die.addr == y.die.addr && x.dims == y.dims)
			return true;
		x_leads = leads_to(&x);
		y_leads = leads_to(&y);
		if (x_leads != y_leads)
			return false;
		if (!x_leads)
			break;
	}
	if (!x.die.addr || !y.die.addr)
		return !x.die.addr && !y.die.addr;
	if (ctype_is_composite(&x) || ctype_is_composite(&y))
		return same_name(x, y);

	struct problem ignored = { 0 };
	struct shape sx, sy;

	if (!ctype_shape(&x, &sx, &ignored) || !ctype_shape(&y, &sy, &ignored))
		return false;
	if (sx.kind == CK_ENUM || sy.kind == CK_ENUM)
		return sx.kind == sy.kind && same_name(sx.type, sy.type);
	return sx.size == sy.size && sx.is_signed == sy.is_signed &&
	       (sx.kind == sy.kind || (is_word(sx.kind) && is_word(sy.kind)));
}

bool ctype_says_nothing(const struct ctype *t)
{
	struct problem ignored = { 0 };
	struct ctype to = *t;
	struct shape s;

	return leads_to(&to) && ctype_shape(&to, &s, &ignored) && s.kind == CK_VOID;
}

const char *ctype_key(const struct ctype *t)
{
	struct ctype to = *t;
	unsigned links = 0;

	while (links++ < LINKS_MAX && leads_to(&to))
		;
	to = ctype_bare(&to);
	if (!to.die.addr || dwarf_diename(&to.die))
		return ctype_text(t);
	return arena_printf("%s %#llx in %s", ctype_text(t),
			    (unsigned long long)dwarf_dieoffset(&to.die), to.file->path);
}
