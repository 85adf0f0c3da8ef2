// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints globals that are written and never read at the end of the session, as SystemTap does.  An
 * end probe is generated as script text and parsed.  Its prints also get the members of the objects
 * that they become under --json.
 */
#include <string.h>

#include "base/arena.h"
#include "base/sbuf.h"
#include "lang/lang.h"
#include "program/uses.h"
#include "sema.h"

static const char *key_format(enum type t)
{
	return t == T_STRING ? "\\\"%#s\\\"" : "%#d";
}

static const char stat_values[] = "@count=%#d @min=%#d @max=%#d @sum=%#d @avg=%#d\\n";

/* Writes what a print takes of VALUE, the value of V or of one of its elements. */
static void put_values(struct sbuf *out, const struct variable *v, const char *value)
{
	if (v->type == T_STATS)
		sbuf_printf(out, "@count(%s), @min(%s), @max(%s), @sum(%s), @avg(%s)",
			    value, value, value, value, value);
	else
		sbuf_puts(out, value);
}

static void dump_scalar(struct sbuf *out, const struct variable *v)
{
	const char *name = v->name;

	if (v->type == T_STATS)
		sbuf_printf(out, "if (@count(%s) == 0) printf(\"%s @count=0x0\\n\") "
			    "else printf(\"%s %s\", ", name, name, name, stat_values);
	else
		sbuf_printf(out, v->type == T_STRING ? "printf(\"%s=\\\"%%#s\\\"\\n\", "
						     : "printf(\"%s=%%d\\n\", ", name);
	put_values(out, v, name);
	sbuf_puts(out, ")");
}

/* Returns a prefix for the names of V's keys that no global's name begins with. */
static const char *key_prefix(struct session *s, const struct variable *v)
{
	const char *prefix = "__key";

	for (int i = 0; i < v->nkeys; i++) {
		if (!find_global(s, intern(arena_printf("%s%d", prefix, i)), v->loc.src))
			continue;
		prefix = arena_printf("_%s", prefix);
		i = -1;			/* starts again at the first key */
	}
	return prefix;
}

static void dump_array(struct session *s, struct sbuf *out, const struct variable *v)
{
	struct sbuf keys = { 0 }, element = { 0 };
	const char *prefix = key_prefix(s, v);

	for (int i = 0; i < v->nkeys; i++)
		sbuf_printf(&keys, "%s%s%d", i ? ", " : "", prefix, i);
	sbuf_printf(&element, "%s[%s]", v->name, sbuf_str(&keys));
	sbuf_printf(out, "foreach ([%s] in %s-) ", sbuf_str(&keys), v->name);
	sbuf_printf(out, "printf(\"%s[", v->name);
	for (int i = 0; i < v->nkeys; i++)
		sbuf_printf(out, "%s%s", i ? "," : "", key_format(v->key_types.v[i]));
	if (v->type == T_STATS)
		sbuf_printf(out, "] %s\", ", stat_values);
	else
		sbuf_puts(out, v->type == T_STRING ? "]=\\\"%#s\\\"\\n\", " : "]=%d\\n\", ");
	sbuf_printf(out, "%s, ", sbuf_str(&keys));
	put_values(out, v, sbuf_str(&element));
	sbuf_puts(out, ")");
	sbuf_free(&keys);
	sbuf_free(&element);
}

/*
 * Returns the members of the JSON object for V or one of its elements:
 * "name":"n","key":[%s,%d],"value":%d.  A statistic's value is an object itself; one that is EMPTY
 * has nothing but its count.
 */
static const char *members_of(const struct variable *v, bool empty)
{
	struct sbuf b = { 0 };

	sbuf_printf(&b, "\"name\":\"%s\"", v->name);
	for (int i = 0; i < v->nkeys; i++)
		sbuf_printf(&b, "%s%s", i ? "," : ",\"key\":[",
			    v->key_types.v[i] == T_STRING ? "%s" : "%d");
	sbuf_printf(&b, "%s,\"value\":", v->nkeys > 0 ? "]" : "");
	if (empty)
		sbuf_puts(&b, "{\"count\":0}");
	else if (v->type == T_STATS)
		sbuf_puts(&b, "{\"count\":%d,\"min\":%d,\"max\":%d,\"sum\":%d,\"avg\":%d}");
	else
		sbuf_puts(&b, v->type == T_STRING ? "%s" : "%d");
	return sbuf_take(&b);
}

/* Sets the JSON members of a generated print.  One without arguments prints an empty statistic. */
static void add_members(struct expr **slot, void *arg)
{
	if ((*slot)->kind == E_PRINT)
		(*slot)->print->members = members_of(arg, !(*slot)->print->args.n);
}

/* Binds the names in the generated text to this variable, even if it is private. */
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
	return v->unread && v->file && !v->file->library;
}

static int dump_one(struct session *s, struct program *prog, struct variable *v)
{
	struct sbuf text = { 0 };

	sbuf_puts(&text, "probe end { ");
	if (v->nkeys > 0)
		dump_array(s, &text, v);
	else
		dump_scalar(&text, v);
	sbuf_puts(&text, " }");

	struct source *src = arena_new(struct source);

	*src = *source_from_text("<global dump>", sbuf_take(&text));
	src->library = true;
	struct file *f = lang_parse(s, src, true);

	if (!f)
		return -1;
	derived_list list = { 0 };

	if (sema_expand_points(s, f->probes.v[0], &list) < 0)
		return -1;
	struct probe *p = list.v[0].probe;

	p->body = f->probes.v[0]->body;
	p->loc = v->loc;
	p->index = prog->probes.n;
	p->unlimited = true;
	walk_stmt(p->body, bind, v);
	walk_stmt(p->body, add_members, v);
	bind_foreach(p->body, v);
	vec_push(&prog->probes, p);
	if (resolve_probe(s, prog, p) < 0)
		return -1;
	v->is_read = true;
	return 0;
}

struct order {
	vec(struct variable *) dump;
};

static void note_written(struct variable *v, unsigned how, const struct expr *e, void *arg)
{
	struct order *o = arg;

	(void)how, (void)e;
	if (!v->is_global || !to_be_dumped(v))
		return;
	for (size_t i = 0; i < o->dump.n; i++)
		if (o->dump.v[i] == v)
			return;
	vec_push(&o->dump, v);
}

/* Collects the globals in SystemTap's order: as handlers, then functions, mention them. */
static void find_written(struct program *prog, struct order *o)
{
	for (size_t i = 0; i < prog->probes.n; i++)
		find_uses(prog->probes.v[i]->body, note_written, o);
	for (size_t i = 0; i < prog->functions.n; i++)
		find_function_uses(prog->functions.v[i], note_written, o);
}

int add_global_dump(struct session *s, struct program *prog)
{
	struct order o = { 0 };

	if (!s->options.no_global_display)
		find_written(prog, &o);
	for (size_t i = 0; i < o.dump.n; i++)
		if (dump_one(s, prog, o.dump.v[i]) < 0)
			return -1;
	return o.dump.n ? infer_types(s, prog) : 0;
}
