// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What goes, and what is added.
 *
 * A local that is never read goes with its assignments, unless their values do
 * something.  A global that is written and never read is printed at the end of
 * the session, as SystemTap prints it: the text of such a probe is written
 * here and parsed like any script.
 */
#include <string.h>

#include "../arena.h"
#include "../lang/lang.h"
#include "../sbuf.h"
#include "sema.h"
#include "uses.h"

/* ---- globals never read ------------------------------------------------ */

static const char *key_format(enum type t)
{
	return t == T_STRING ? "\\\"%#s\\\"" : "%#d";
}

static const char stat_values[] = "@count=%#d @min=%#d @max=%#d @sum=%#d @avg=%#d\\n";

static void stat_arguments(struct sbuf *out, const char *what)
{
	sbuf_printf(out, "@count(%s), @min(%s), @max(%s), @sum(%s), @avg(%s)",
		    what, what, what, what, what);
}

static void dump_scalar(struct sbuf *out, const struct variable *v)
{
	const char *name = v->name;

	if (v->type == T_STATS) {
		sbuf_printf(out, "if (@count(%s) == 0) printf(\"%s @count=0x0\\n\") "
			    "else printf(\"%s %s\", ", name, name, name, stat_values);
		stat_arguments(out, name);
		sbuf_puts(out, ")");
	} else if (v->type == T_STRING) {
		sbuf_printf(out, "printf(\"%s=\\\"%%#s\\\"\\n\", %s)", name, name);
	} else {
		sbuf_printf(out, "printf(\"%s=%%d\\n\", %s)", name, name);
	}
}

static void dump_array(struct sbuf *out, const struct variable *v)
{
	struct sbuf keys = { 0 }, element = { 0 };

	for (int i = 0; i < v->nkeys; i++)
		sbuf_printf(&keys, "%s__key%d", i ? ", " : "", i);
	sbuf_printf(&element, "%s[%s]", v->name, sbuf_str(&keys));
	sbuf_printf(out, "foreach ([%s] in %s-) printf(\"%s[", sbuf_str(&keys), v->name, v->name);
	for (int i = 0; i < v->nkeys; i++)
		sbuf_printf(out, "%s%s", i ? "," : "", key_format(v->key_types.v[i]));
	if (v->type == T_STATS) {
		sbuf_printf(out, "] %s\", %s, ", stat_values, sbuf_str(&keys));
		stat_arguments(out, sbuf_str(&element));
		sbuf_puts(out, ")");
	} else {
		sbuf_printf(out, "]=%s\\n\", %s, %s)",
			    v->type == T_STRING ? "\\\"%#s\\\"" : "%d", sbuf_str(&keys),
			    sbuf_str(&element));
	}
	sbuf_free(&keys);
	sbuf_free(&element);
}

/* The names in the made text are this very variable, private or not. */
static void bind(struct expr **slot, void *arg)
{
	struct variable *v = arg;

	if (((*slot)->kind == E_SYMBOL || (*slot)->kind == E_INDEX) && (*slot)->name == v->name)
		(*slot)->var = v;
}

static void bind_foreach(struct stmt *s, struct variable *v)
{
	if (s->kind == S_FOREACH)
		s->foreach->var = v;
	for (size_t i = 0; i < s->body.n; i++)
		bind_foreach(s->body.v[i], v);
}

static bool to_be_dumped(const struct variable *v)
{
	return v->is_written && !v->is_read && v->file && !v->file->library;
}

static int dump_one(struct session *s, struct program *prog, struct variable *v)
{
	struct sbuf text = { 0 };

	sbuf_puts(&text, "probe end { ");
	if (v->nkeys > 0)
		dump_array(&text, v);
	else
		dump_scalar(&text, v);
	sbuf_puts(&text, " }");

	struct source *src = new(struct source);

	*src = *source_from_text("<global dump>", sbuf_take(&text));
	src->library = true;
	struct file *f = parse(s, src, true);

	if (!f)
		return -1;
	derived_list list = { 0 };

	if (expand_points(s, f->probes.v[0], &list) < 0)
		return -1;
	struct probe *p = list.v[0].probe;

	p->body = f->probes.v[0]->body;
	p->loc = v->loc;
	p->index = prog->probes.n;
	p->unlimited = true;
	walk_stmt(p->body, bind, v);
	bind_foreach(p->body, v);
	vec_push(&prog->probes, p);
	if (resolve_probe(s, prog, p) < 0)
		return -1;
	v->is_read = true;
	return 0;
}

int add_global_dump(struct session *s, struct program *prog)
{
	vec(struct variable *) dump = { 0 };

	/* in the order of the text */
	for (size_t i = 0; i < s->files.n && !s->no_global_display; i++)
		for (size_t j = 0; j < s->files.v[i]->globals.n; j++)
			if (to_be_dumped(s->files.v[i]->globals.v[j]))
				vec_push(&dump, s->files.v[i]->globals.v[j]);
	if (!dump.n)
		return 0;
	if (infer_types(s, prog) < 0)
		return -1;
	for (size_t i = 0; i < dump.n; i++)
		if (dump_one(s, prog, dump.v[i]) < 0)
			return -1;
	return 0;
}

/* ---- order buffers ------------------------------------------------------ */

static void skip_expr(struct expr **slot, void *arg)
{
	(void)slot, (void)arg;
}

static void number_sorters(struct stmt *s, void *arg);

static void number_sub(struct stmt **slot, void *arg)
{
	if (*slot)
		number_sorters(*slot, arg);
}

/* Each sorted foreach has an order buffer of its array to itself. */
static void number_sorters(struct stmt *s, void *arg)
{
	if (s->kind == S_FOREACH && s->foreach->sort_by && s->foreach->var)
		s->foreach->sorter = s->foreach->var->nsorters++;
	stmt_children(s, skip_expr, number_sub, arg);
}

/* ---- locals never read ------------------------------------------------- */

static void note_effect(struct expr **slot, void *arg)
{
	struct expr *e = *slot;
	bool *effect = arg;

	switch (e->kind) {
	case E_ASSIGN: case E_INCDEC: case E_PRINT: case E_EMBEDDED: case E_REGEX:
		*effect = true;
		break;
	case E_CALL:
		for (struct function *f = e->func; f; f = f->next_overload)
			if (!f->embedded || !f->embedded->pure)
				*effect = true;
		break;
	default:
		break;
	}
}

static bool has_effect(struct expr *e)
{
	bool effect = false;

	walk_expr(&e, note_effect, &effect);
	return effect;
}

static bool assigns_unread_local(const struct stmt *s)
{
	const struct expr *e = s->expr;

	return s->kind == S_EXPR && e->kind == E_ASSIGN && e->a->kind == E_SYMBOL &&
	       e->a->var && !e->a->var->is_global && !e->a->var->is_read &&
	       !has_effect(e->b);
}

static void elide_stmt(struct stmt **slot, void *arg)
{
	if (!*slot)
		return;
	if (assigns_unread_local(*slot)) {
		*slot = stmt_new(S_EMPTY, (*slot)->loc);
		*(bool *)arg = true;
		return;
	}
	stmt_children(*slot, skip_expr, elide_stmt, arg);
}

static void forget(struct variable *v, unsigned how, const struct expr *e, void *arg)
{
	(void)how, (void)e, (void)arg;
	v->is_read = v->is_written = false;
}

static void forget_body(struct stmt *s, void *arg)
{
	find_uses(s, forget, arg);
}

static void elide_body(struct stmt *s, void *arg)
{
	elide_stmt(&s, arg);
}

/* What is used of a body's locals, in place; how many. */
static size_t keep_used(struct variable **v, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (v[i]->is_read || v[i]->is_written)
			v[kept++] = v[i];
	return kept;
}

static void forget_locals(struct variable **v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		v[i]->is_read = v[i]->is_written = false;
}

/* Locals go with the last statement that names them. */
static void elide_locals(struct program *prog)
{
	for (size_t i = 0; i < prog->functions.n; i++)
		forget_locals(prog->functions.v[i]->locals.v, prog->functions.v[i]->locals.n);
	for (size_t i = 0; i < prog->probes.n; i++)
		forget_locals(prog->probes.v[i]->locals.v, prog->probes.v[i]->locals.n);
	mark_uses(prog);
	for (size_t i = 0; i < prog->functions.n; i++) {
		struct function *f = prog->functions.v[i];

		f->locals.n = keep_used(f->locals.v, f->locals.n);
	}
	for (size_t i = 0; i < prog->probes.n; i++) {
		struct probe *p = prog->probes.v[i];

		p->locals.n = keep_used(p->locals.v, p->locals.n);
	}
}

void elide_unused(struct session *s, struct program *prog)
{
	bool changed = !s->unoptimized;

	/* Each round may make further locals unread. */
	while (changed) {
		changed = false;
		walk_program(prog, elide_body, &changed);
		if (changed) {
			walk_program(prog, forget_body, NULL);
			mark_uses(prog);
		}
	}
	if (!s->unoptimized)
		elide_locals(prog);
	walk_program(prog, number_sorters, NULL);
}
