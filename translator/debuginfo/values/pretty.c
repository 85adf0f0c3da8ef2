/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values as text for people, in SystemTap's form:
 *
 *	{.f_path={.mnt=0x…, .dentry=0x…}, <union>={…}, .comm="cat", .a=[1, ...]}
 *
 * A whole value becomes one format and its arguments.  All members of a struct are
 * shown, up to as many arguments as a line holds; the first element of an array;
 * character arrays and pointers as quoted strings.  With "$" only one level is shown,
 * and inner structs are "{...}".
 */
#include "pretty.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/printable.h"

enum {
	ARGS_MAX = 32,			/* values in one text, as in SystemTap */
	DEPTH_MAX = 16,
	POINTERS_MAX = 8,
};

struct pretty {
	struct view *view;
	struct pretty_text text;
	bool deep;
	struct problem *why;
};

/* Adds literal text: '%' is doubled, and bytes that a terminal may not show are escaped. */
static void text_literal(struct pretty_text *t, const char *text)
{
	char *shown = printable(text, strlen(text), "");

	sbuf_format_escape(&t->format, shown ? shown : "?");
	free(shown);
}

static void text_argument(struct pretty_text *t, const char *directive, const struct term *value)
{
	sbuf_puts(&t->format, directive);
	vec_push(&t->args, value);
}

static void literal(struct pretty *p, const char *text)
{
	text_literal(&p->text, text);
}

static void argument(struct pretty *p, const char *directive, const struct term *value)
{
	text_argument(&p->text, directive, value);
}

const struct term *pretty_text_end(struct pretty_text *t)
{
	return term_format(sbuf_take(&t->format), &t->args);
}

static bool is_char(const struct ctype *t)
{
	struct problem ignored = { 0 };
	struct shape s;

	return ctype_shape(t, &s, &ignored) && s.kind == CK_CHAR;
}

static const struct term *quoted(const struct term *address, uint64_t max)
{
	return term_call(TERM_QUOTED, address,
			 term_number(max && max < INT32_MAX ? max : INT32_MAX));
}

static bool show(struct pretty *p, const struct object *o, const struct ctype *t,
		 unsigned depth);

static const char *directive_of(const struct shape *s, bool is_bits)
{
	switch (s->kind) {
	case CK_CHAR:
		return is_bits ? (s->is_signed ? "%i" : "%u") : "'%#c'";
	case CK_BOOL:
		return "%i";
	default:
		return s->is_signed ? "%i" : "%u";
	}
}

const struct term *pretty_float(const struct term *bits)
{
	return term_call(TERM_FLOAT_SHOWN, bits, NULL);
}

static bool show_scalar(struct pretty *p, const struct object *o, const struct shape *s)
{
	const struct term *load = object_load(p->view, o, s, p->why);

	if (!load)
		return false;
	if (s->kind == CK_FLOAT) {
		argument(p, "%s", pretty_float(load));
		return true;
	}
	argument(p, directive_of(s, o->is_bits), load);
	return true;
}

static bool show_pointer(struct pretty *p, const struct object *o, const struct shape *s)
{
	struct ctype pointee = ctype_pointee(s);
	const struct term *load = object_load(p->view, o, s, p->why);

	if (!load)
		return false;
	if (is_char(&pointee))
		argument(p, "%s", quoted(load, 0));
	else
		argument(p, "%p", load);
	return true;
}

static bool show_array(struct pretty *p, const struct object *o, const struct shape *s,
		       unsigned depth)
{
	struct ctype element = ctype_element(s);
	const struct term *address;

	if (depth && !p->deep) {
		literal(p, "[...]");
		return true;
	}
	if (is_char(&element)) {
		address = object_address(o, p->why);
		if (!address)
			return false;
		argument(p, "%s", quoted(address, s->size));
		return true;
	}
	literal(p, "[");
	if (!show(p, o, &element, depth + 1))
		return false;
	literal(p, ", ...]");
	return true;
}

static void member_label(struct pretty *p, const struct member *m)
{
	struct ctype t = m->type;

	if (m->name && *m->name)
		literal(p, arena_printf(".%s=", m->name));
	else if (m->base)
		literal(p, arena_printf("<%s>=", dwarf_diename(&t.die) ?: "class"));
	else
		literal(p, t.die.addr && dwarf_tag(&t.die) == DW_TAG_union_type
				      ? "<union>=" : "<class>=");
}

static bool show_struct(struct pretty *p, const struct object *o, const struct shape *s,
			unsigned depth)
{
	struct member_iter it;
	struct member m;
	bool first = true;

	if (depth && (!p->deep || depth > DEPTH_MAX)) {
		literal(p, "{...}");
		return true;
	}
	literal(p, "{");
	for (bool more = member_first(s, &it); more; more = member_next(&it)) {
		struct object inside;

		if (!first)
			literal(p, ", ");
		first = false;
		if (p->text.args.n >= ARGS_MAX) {
			literal(p, "...");
			break;
		}
		if (!member_get(&it, &m, p->why))
			return false;
		member_label(p, &m);
		inside = object_member(o, &m);
		if (!show(p, &inside, &m.type, depth + 1))
			return false;
	}
	literal(p, "}");
	return true;
}

static bool show(struct pretty *p, const struct object *o, const struct ctype *t,
		 unsigned depth)
{
	struct problem ignored = { 0 };
	struct shape s;

	if (!ctype_shape(t, &s, &ignored)) {
		literal(p, "?");
		return true;
	}
	switch (s.kind) {
	case CK_STRUCT:
		return show_struct(p, o, &s, depth);
	case CK_ARRAY:
		return show_array(p, o, &s, depth);
	case CK_POINTER:
		return show_pointer(p, o, &s);
	case CK_VOID:
	case CK_FUNCTION:
	case CK_OTHER:
		literal(p, "?");
		return true;
	default:
		return show_scalar(p, o, &s);
	}
}

/*
 * Goes from a pointer to its target, which is shown instead, unless the target is a string, a
 * function or of unknown type.
 */
static bool follow_pointers(struct pretty *p, struct object *o, struct ctype *t)
{
	struct shape s, to;
	const struct term *load;

	for (unsigned i = 0; i < POINTERS_MAX; i++) {
		struct ctype pointee;

		if (!ctype_shape(t, &s, p->why))
			return false;
		if (s.kind != CK_POINTER)
			return true;
		pointee = ctype_pointee(&s);
		if (!ctype_shape(&pointee, &to, p->why))
			return false;
		if (to.kind == CK_VOID || to.kind == CK_CHAR || to.kind == CK_FUNCTION ||
		    to.kind == CK_OTHER) {
			if (to.kind == CK_FUNCTION)
				literal(p, "<function>:");
			return true;
		}
		load = object_load(p->view, o, &s, p->why);
		if (!load)
			return false;
		*o = object_memory(load, o->user);
		*t = pointee;
	}
	return true;
}

/* Binds the object's address to a temporary, since all its members use it. */
static const struct term *show_all(struct pretty *p, const struct object *o,
				   const struct ctype *t)
{
	struct object at = *o;
	const struct term *address = NULL, *text;
	unsigned base = 0;

	if (o->where == IN_MEMORY && !o->is_bits) {
		base = p->view->temps++;
		address = object_address(o, p->why);
		at = object_memory(term_temporary(base), o->user);
	}
	if (!show(p, &at, t, 0))
		return NULL;
	address = p->text.args.n ? address : NULL;
	text = pretty_text_end(&p->text);
	return address ? term_let(base, address, text) : text;
}

const struct term *pretty_value(struct view *v, const struct object *o, const struct ctype *t,
				bool deep, struct problem *why)
{
	struct pretty p = { .view = v, .deep = deep, .why = why };
	struct object at = *o;
	struct ctype type = *t;
	const struct term *text = NULL;

	if (follow_pointers(&p, &at, &type))
		text = show_all(&p, &at, &type);
	sbuf_free(&p.text.format);
	return text ? term_attempt(text) : NULL;
}

void pretty_entry(struct pretty_text *list, const char *name, const struct term *value)
{
	text_literal(list, list->format.len ? " " : "");
	text_literal(list, name);
	if (value)
		text_argument(list, value->sort == SORT_STRING ? "=%s" : "=%#x", value);
	else
		text_literal(list, "=?");
}
