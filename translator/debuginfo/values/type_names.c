/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How types are written: in messages and -L, in SystemTap's spelling, where every
 * declarator follows the type ("char const*", "struct page*[]", "int (*)(struct
 * inode*, void*)"); and in scripts, which name a type in @cast.
 */
#include "types.h"

#include <dwarf.h>
#include <string.h>

#include "base/arena.h"
#include "base/limits.h"
#include "base/sbuf.h"

enum {
	ARGS_MAX = 256,
	STEPS_MAX = 10000,		/* types of one text: functions take functions that take … */
};

/* ---- spelling ---------------------------------------------------------- */

/* LEFT is the number of types that may still be spelt. */
static const char *spell(struct ctype t, const char *declarator, unsigned depth, unsigned *left);

static const char *spell_arguments(struct ctype function, unsigned depth, unsigned *steps)
{
	struct sbuf out = { 0 };
	unsigned n = 0, left = ARGS_MAX;
	Dwarf_Die child;

	if (dwarf_child(&function.die, &child) == 0) {
		do {
			if (die_is(&child, DW_TAG_formal_parameter))
				sbuf_printf(&out, "%s%s", n++ ? ", " : "",
					    spell(ctype_of(function.file, &child), "", depth + 1,
						  steps));
			else if (die_is(&child, DW_TAG_unspecified_parameters))
				sbuf_printf(&out, "%s...", n++ ? ", " : "");
		} while (--left && dwarf_siblingof(&child, &child) == 0);
	}
	return out.len ? sbuf_take(&out) : "void";
}

/* Is it the type to which a parameter of type va_list points? */
static bool is_argument_list(struct ctype t)
{
	const char *name = t.die.addr ? dwarf_diename(&t.die) : NULL;

	return name && strcmp(name, "__va_list_tag") == 0;
}

/* Returns the type as text, followed by AFTER: "*", " const*", "[]". */
static const char *spell(struct ctype t, const char *declarator, unsigned depth, unsigned *left)
{
	const char *name;
	int tag;

	while (t.stars) {
		declarator = arena_printf("*%s", declarator);
		t.stars--;
	}
	if (depth > LIMIT_CHAIN || !*left)
		return arena_printf("...%s", declarator);
	--*left;
	if (!t.die.addr)
		return arena_printf("void%s", declarator);
	tag = dwarf_tag(&t.die);
	name = dwarf_diename(&t.die);
	switch (tag) {
	case DW_TAG_pointer_type:
		if (is_argument_list(ctype_of(t.file, &t.die)))
			return arena_printf("va_list%s", declarator);
		declarator = arena_printf("*%s", declarator);
		break;
	case DW_TAG_reference_type:
		declarator = arena_printf("&%s", declarator);
		break;
	case DW_TAG_rvalue_reference_type:
		declarator = arena_printf("&&%s", declarator);
		break;
	case DW_TAG_array_type:
		declarator = arena_printf("[]%s", declarator);
		break;
	case DW_TAG_const_type:
		declarator = arena_printf(" const%s", declarator);
		break;
	case DW_TAG_volatile_type:
		declarator = arena_printf(" volatile%s", declarator);
		break;
	case DW_TAG_restrict_type:
		declarator = arena_printf(" restrict%s", declarator);
		break;
	case DW_TAG_atomic_type:
		declarator = arena_printf(" _Atomic%s", declarator);
		break;
	case DW_TAG_subroutine_type:
		declarator = arena_printf(" (%s) (%s)", declarator, spell_arguments(t, depth, left));
		break;
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_class_type:
	case DW_TAG_enumeration_type:
		return arena_printf("%s %s%s", die_keyword(&t.die), name ? name : "{...}",
				    declarator);
	default:
		return arena_printf("%s%s", name ? name : "<unknown>", declarator);
	}
	return spell(ctype_of(t.file, &t.die), declarator, depth + 1, left);
}

const char *ctype_text(const struct ctype *t)
{
	unsigned left = STEPS_MAX;

	return spell(*t, "", 0, &left);
}

const char *die_place(Dwarf_Die *die)
{
	const char *file = dwarf_decl_file(die), *dir = NULL;
	Dwarf_Attribute attr;
	Dwarf_Die cu;
	size_t len;
	int line;

	if (!file || dwarf_decl_line(die, &line) != 0)
		return NULL;
	if (dwarf_diecu(die, &cu, NULL, NULL))
		dir = dwarf_formstring(dwarf_attr(&cu, DW_AT_comp_dir, &attr));
	len = dir ? strlen(dir) : 0;
	if (len && strncmp(file, dir, len) == 0 && file[len] == '/')
		file += len + 1;
	if (strncmp(file, "./", 2) == 0)
		file += 2;
	return arena_printf("%s:%d", file, line);
}

/* ---- by name ----------------------------------------------------------- */

/* C's spellings of integer types, and the one that DWARF uses. */
static const struct {
	const char *c, *dwarf;
} spellings[] = {
	{ "unsigned", "unsigned int" },
	{ "signed", "int" },
	{ "signed int", "int" },
	{ "short", "short int" },
	{ "signed short", "short int" },
	{ "unsigned short", "short unsigned int" },
	{ "unsigned short int", "short unsigned int" },
	{ "long", "long int" },
	{ "signed long", "long int" },
	{ "unsigned long", "long unsigned int" },
	{ "unsigned long int", "long unsigned int" },
	{ "long long", "long long int" },
	{ "signed long long", "long long int" },
	{ "unsigned long long", "long long unsigned int" },
	{ "unsigned long long int", "long long unsigned int" },
	{ "_Bool", "bool" },
	{ "bool", "_Bool" },
};

/*
 * Returns NAME without qualifiers, repeated blanks and trailing stars, and counts the
 * stars.
 */
static const char *plain_name(const char *name, unsigned *stars)
{
	struct sbuf out = { 0 };
	const char *p = name;

	*stars = 0;
	while (*p) {
		size_t len = strcspn(p, " \t\n*");

		if (len && !(len == 5 && !strncmp(p, "const", 5)) &&
		    !(len == 8 && !strncmp(p, "volatile", 8))) {
			if (out.len)
				sbuf_putc(&out, ' ');
			sbuf_add(&out, p, len);
		}
		p += len;
		if (*p == '*' && *stars < LIMIT_CHAIN)
			(*stars)++;
		if (*p)
			p++;
	}
	return sbuf_take(&out);
}

static bool find_in(struct dwfile *f, const char *name, Dwarf_Die *out)
{
	if (index_find_type(f, name, out))
		return true;
	for (unsigned i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++)
		if (strcmp(name, spellings[i].c) == 0 &&
		    index_find_type(f, spellings[i].dwarf, out))
			return true;
	return false;
}

struct wanted {
	const char *name;		/* plain */
	struct ctype *type;
};

static bool find_type(struct dwfile *f, void *arg)
{
	struct wanted *w = arg;

	w->type->file = f;
	return strcmp(w->name, "void") == 0 || find_in(f, w->name, &w->type->die);
}

bool ctype_named(struct target *t, const char *name, const char *module,
		 struct ctype *out, struct problem *why)
{
	unsigned stars;
	struct wanted w = { plain_name(name, &stars), out };

	*out = (struct ctype){ 0 };
	if (!target_search(t, module, arena_printf("type definition '%s'", w.name), find_type, &w,
			   why))
		return false;
	out->stars = stars;
	return true;
}

const struct ctype *ctype_pointer(struct target *t, const char *name)
{
	struct ctype *type = arena_new(struct ctype);
	struct problem ignored = { 0 };

	if (!ctype_named(t, name, NULL, type, &ignored))
		return NULL;
	type->stars++;
	return type;
}
