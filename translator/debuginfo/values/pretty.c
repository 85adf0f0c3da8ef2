/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values as text for people, in the form SystemTap gives them:
 *
 *	{.f_path={.mnt=0x…, .dentry=0x…}, <union>={…}, .comm="cat", .a=[1, ...]}
 *
 * One format and its arguments are made for a whole value.  Of a struct all
 * members are shown until there are as many arguments as a line bears; of an
 * array its first element; character arrays and pointers as quoted strings.
 * One level deep ("$"), what is inside is "{...}".
 */
#include "pretty.h"

#include <dwarf.h>
#include <inttypes.h>

#include "base/arena.h"

enum {
	ARGS_MAX = 32,			/* values in one text, as SystemTap has it */
	DEPTH_MAX = 16,
	POINTERS_MAX = 8,
};

struct pretty {
	struct view *view;
	struct sbuf format, args;
	unsigned nargs, nstrings;
	bool deep;
	const char **why;
};

/* N more strings in scratch at the same time as what is held. */
static void need_strings(struct view *v, unsigned n)
{
	if (v->held + n > v->strings)
		v->strings = v->held + n;
}

static void argument(struct pretty *p, const char *directive, char member, const char *text)
{
	sbuf_puts(&p->format, directive);
	p->nstrings += member == 's';
	sbuf_printf(&p->args, "%s{ .%c = %s }", p->nargs++ ? ", " : "", member, text);
}

static bool is_char(const struct ctype *t)
{
	const char *ignored;
	struct shape s;

	return ctype_shape(t, &s, &ignored) && s.kind == CK_CHAR;
}

static const char *quoted(const char *address, uint64_t max)
{
	return arena_printf("st_quoted_at(c, %s, %" PRIu64 ")", address,
			    max && max < INT32_MAX ? max : INT32_MAX);
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

static bool show_scalar(struct pretty *p, const struct object *o, const struct shape *s)
{
	const char *load = object_load(p->view, o, s, p->why);

	if (!load)
		return false;
	argument(p, directive_of(s, o->is_bits), 'i', load);
	return true;
}

static bool show_pointer(struct pretty *p, const struct object *o, const struct shape *s)
{
	struct ctype pointee = ctype_pointee(s);
	const char *load = object_load(p->view, o, s, p->why);

	if (!load)
		return false;
	if (is_char(&pointee))
		argument(p, "%s", 's', quoted(arena_printf("(unsigned long)%s", load), 0));
	else
		argument(p, "%p", 'i', load);
	return true;
}

static bool show_array(struct pretty *p, const struct object *o, const struct shape *s,
		       unsigned depth)
{
	struct ctype element = ctype_element(s);
	const char *address;

	if (depth && !p->deep) {
		sbuf_puts(&p->format, "[...]");
		return true;
	}
	if (is_char(&element)) {
		address = object_address(o, p->why);
		if (!address)
			return false;
		argument(p, "%s", 's', quoted(address, s->size));
		return true;
	}
	sbuf_putc(&p->format, '[');
	if (!show(p, o, &element, depth + 1))
		return false;
	sbuf_puts(&p->format, ", ...]");
	return true;
}

static void member_label(struct pretty *p, const struct member *m)
{
	struct ctype t = m->type;

	if (m->name && *m->name)
		sbuf_printf(&p->format, ".%s=", m->name);
	else
		sbuf_puts(&p->format, t.die.addr && dwarf_tag(&t.die) == DW_TAG_union_type
				      ? "<union>=" : "<class>=");
}

static bool show_struct(struct pretty *p, const struct object *o, const struct shape *s,
			unsigned depth)
{
	struct member_iter it;
	struct member m;
	bool first = true;

	if (depth && (!p->deep || depth > DEPTH_MAX)) {
		sbuf_puts(&p->format, "{...}");
		return true;
	}
	sbuf_putc(&p->format, '{');
	for (bool more = member_first(s, &it); more; more = member_next(&it)) {
		struct object inside;

		if (!first)
			sbuf_puts(&p->format, ", ");
		first = false;
		if (p->nargs >= ARGS_MAX) {
			sbuf_puts(&p->format, "...");
			break;
		}
		if (!member_get(&it, &m, p->why))
			return false;
		member_label(p, &m);
		inside = object_member(o, &m);
		if (!show(p, &inside, &m.type, depth + 1))
			return false;
	}
	sbuf_putc(&p->format, '}');
	return true;
}

static bool show(struct pretty *p, const struct object *o, const struct ctype *t,
		 unsigned depth)
{
	const char *ignored;
	struct shape s;

	if (!ctype_shape(t, &s, &ignored)) {
		sbuf_putc(&p->format, '?');
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
		sbuf_putc(&p->format, '?');
		return true;
	default:
		return show_scalar(p, o, &s);
	}
}

/*
 * What a pointer leads to is what is shown of it, unless that is a string, a
 * function or nothing known.
 */
static bool follow_pointers(struct pretty *p, struct object *o, struct ctype *t)
{
	struct shape s, to;
	const char *load;

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
				sbuf_puts(&p->format, "<function>:");
			return true;
		}
		load = object_load(p->view, o, &s, p->why);
		if (!load)
			return false;
		*o = object_memory(arena_printf("(unsigned long)%s", load), o->user);
		*t = pointee;
	}
	return true;
}

/* The format as a C string and its arguments as a C array: the call. */
static const char *format_call(struct sbuf *format, struct sbuf *args, unsigned nargs)
{
	struct sbuf out = { 0 };

	sbuf_puts(&out, "st_format(c, \"");
	sbuf_c_escape(&out, sbuf_str(format));
	if (nargs)
		sbuf_printf(&out, "\", (union st_arg[]){ %s }, %u)", sbuf_str(args), nargs);
	else
		sbuf_puts(&out, "\", (void *)0, 0)");
	return sbuf_take(&out);
}

const char *pretty_value(struct view *v, const struct object *o, const struct ctype *t,
			 bool deep, const char **why)
{
	struct pretty p = { .view = v, .deep = deep, .why = why };
	struct object at = *o;
	struct ctype type = *t;
	const char *before = "", *text = NULL, *address;
	unsigned result = v->temps++, mark = v->temps++;

	if (!follow_pointers(&p, &at, &type))
		goto out;
	if (at.where == IN_MEMORY) {
		unsigned base = v->temps++;

		address = object_address(&at, why);
		before = arena_printf("unsigned long st_t%u = %s; ", base, address);
		at = object_memory(arena_printf("st_t%u", base), at.user);
	}
	if (!show(&p, &at, &type, 0))
		goto out;
	if (!p.nargs)
		before = "";
	need_strings(v, p.nstrings + 2);
	text = arena_printf("({ struct st_str st_t%u = ST_LIT(\"\"); char *st_t%u = c->sp; "
			    "if (!c->error) { %sst_t%u = st_keep(c, st_t%u, %s); "
			    "if (c->error) { st_catch(c, (void *)0); c->sp = st_t%u; "
			    "st_t%u = ST_LIT(\"ERROR\"); } } st_t%u; })",
			    result, mark, before, result, mark,
			    format_call(&p.format, &p.args, p.nargs), mark, result, result);
out:
	sbuf_free(&p.format);
	sbuf_free(&p.args);
	return text;
}

/* ---- lists -------------------------------------------------------------- */

static void entry(struct pretty_list *l, const char *name, const char *value)
{
	sbuf_printf(&l->format, "%s%s=%s", l->n++ ? " " : "", name, value);
}

void pretty_number(struct pretty_list *l, const char *name, const char *load)
{
	entry(l, name, "%#x");
	sbuf_printf(&l->args, "%s{ .i = %s }", l->nargs++ ? ", " : "", load);
}

void pretty_string(struct pretty_list *l, struct view *v, const char *name, const char *text)
{
	v->held++;
	entry(l, name, "%s");
	sbuf_printf(&l->args, "%s{ .s = %s }", l->nargs++ ? ", " : "", text);
}

void pretty_unknown(struct pretty_list *l, const char *name)
{
	entry(l, name, "?");
}

const char *pretty_list_end(struct pretty_list *l, struct view *v)
{
	const char *text = format_call(&l->format, &l->args, l->nargs);

	need_strings(v, 1);
	sbuf_free(&l->format);
	sbuf_free(&l->args);
	return text;
}
