// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Printing.  Output to the user is recorded (st_emit): a format number and
 * arguments.  Strings that the script uses are formatted at once (st_format).
 * String literals become part of the format and cost nothing at a hit.
 */
#include <string.h>

#include "base/arena.h"
#include "text/format.h"
#include "gen.h"

struct operand {
	const char *text;
	bool string;
	const char *literal;		/* its value if it is a literal, or NULL */
};

typedef vec(struct operand) operand_list;

struct operands {
	const char *area;		/* an array in scratch where they are held, or NULL */
	operand_list list;
};

static struct operand string_operand(const struct expr *e, const char *text)
{
	const char *literal = e->kind == E_STR ? e->str : e->kind == E_SYMBOL ? e->var->literal : NULL;

	return (struct operand){ text, true, literal };
}

static struct operand number_operand(const char *text)
{
	return (struct operand){ text, false, NULL };
}

static void add_operand(struct gen *g, struct operands *out, struct operand o)
{
	if (out->area)
		o.text = gen_hold(g, out->area, out->list.n, o.text, o.string);
	vec_push(&out->list, o);
}

/* %m and %M take memory, with # the user's.  Its bytes are read now, as a string. */
static const char *gen_memory(struct gen *g, struct expr *e, const char *addr,
			      const struct st_directive *d, const char *star)
{
	const char *t = gen_temp(g);

	if (!star)
		star = c_number(d->precision < 0 ? 1 : d->precision);
	set_near(g, arena_printf("operator '%%%c'", d->conversion), e->loc);
	g->scratch_ops++;
	gen_line(g, "struct st_str %s = st_%cread_bytes(c, (unsigned long)%s, (unsigned int)%s);",
	     t, d->flags & ST_F_ALT ? 'u' : 'k', addr, star);
	check_error(g);
	return t;
}

static void printf_operands(struct gen *g, struct expr *e, struct operands *out)
{
	struct print *p = e->print;
	struct st_directive d;
	size_t next = 0;

	for (const char *fmt = p->canonical; st_format_next(&fmt, &d);) {
		const char *star = NULL;

		if (!d.conversion)
			continue;
		for (int i = 0; i < d.width_arg + d.precision_arg; i++) {
			star = gen_expr(g, p->args.v[next++]);
			add_operand(g, out, number_operand(star));
		}
		const struct expr *arg = p->args.v[next];
		const char *value = gen_expr(g, p->args.v[next++]);

		if (d.conversion == 'm' || d.conversion == 'M')
			value = gen_memory(g, e, value, &d, d.precision_arg ? star : NULL);
		add_operand(g, out, st_conversion_is_string(d.conversion) ? string_operand(arg, value)
									  : number_operand(value));
	}
}

static void plain_operands(struct gen *g, struct print *p, struct operands *out)
{
	for (size_t i = 0; i < p->args.n; i++) {
		const char *text = gen_expr(g, p->args.v[i]);

		add_operand(g, out, p->args.v[i]->type == T_STRING ? string_operand(p->args.v[i], text)
								   : number_operand(text));
	}
}

static bool is_plain(const struct st_directive *d)
{
	return d->conversion == 's' && !d->flags && d->width < 0 && d->precision < 0 &&
	       !d->width_arg && !d->precision_arg;
}

/* Moves literals from the operands into the format. */
static const char *take_literals(const char *canonical, struct operands *ops)
{
	struct sbuf b = { 0 };
	struct st_directive d;
	size_t next = 0, kept = 0;

	for (const char *from = canonical; st_format_next(&canonical, &d); from = canonical) {
		size_t n = st_directive_args(&d);
		const char *literal = is_plain(&d) ? ops->list.v[next].literal : NULL;

		sbuf_add(&b, from, (literal ? d.text + d.text_len : canonical) - from);
		if (literal)
			sbuf_format_escape(&b, literal);
		for (size_t i = next; i < next + n && !(is_plain(&d) && ops->list.v[i].literal); i++)
			ops->list.v[kept++] = ops->list.v[i];
		next += n;
	}
	ops->list.n = kept;
	return sbuf_take(&b);
}

void check_directives(const char *canonical, const bool *strings, size_t n)
{
	struct st_directive d;
	bool fits = true;
	size_t taken = 0;

	while (st_format_next(&canonical, &d)) {
		for (unsigned left = st_directive_args(&d); left; left--, taken++)
			fits &= taken < n && strings[taken] ==
				(left == 1 && st_conversion_is_string(d.conversion));
	}
	if (fits && taken == n)
		return;
	diag(DIAG_ERROR, "a format that was made for the script does not fit its %zu values", n);
	diag_hint("this is a fault of stap: please report it, with the script");
}

static const bool *kinds_of(const struct operands *ops)
{
	bool *strings = arena_alloc(ops->list.n + 1);

	for (size_t i = 0; i < ops->list.n; i++)
		strings[i] = ops->list.v[i].string;
	return strings;
}

/* Emits an output record: reserves room, then stores each argument. */
static void gen_emit(struct gen *g, const char *canonical, struct operands *ops)
{
	struct sbuf size = { 0 };
	unsigned fixed = 0;

	canonical = take_literals(canonical, ops);
	check_directives(canonical, kinds_of(ops), ops->list.n);
	for (size_t i = 0; i < ops->list.n; i++) {
		fixed += ops->list.v[i].string ? 4 : 8;
		if (ops->list.v[i].string)
			sbuf_printf(&size, " + (%s).len", ops->list.v[i].text);
	}
	if (ops->list.n == 1 && ops->list.v[0].string) {
		gen_line(g, "st_emit_one(c, %s, %s);", gen_format_id(g, canonical),
			 ops->list.v[0].text);
		sbuf_free(&size);
		return;
	}
	gen_line(g, "{");
	g->indent++;
	gen_line(g, "char *o = st_emit(c, %s, %uul%s);", gen_format_id(g, canonical), fixed,
	     sbuf_str(&size));
	sbuf_free(&size);
	if (ops->list.n) {
		gen_line(g, "if (st_likely(o != 0)) {");
		g->indent++;
		for (size_t i = 0; i < ops->list.n; i++)
			gen_line(g, "o = st_emit_%s(o, %s);", ops->list.v[i].string ? "str" : "long",
			     ops->list.v[i].text);
		g->indent--;
		gen_line(g, "}");
	} else {
		gen_line(g, "(void)o;");
	}
	g->indent--;
	gen_line(g, "}");
}

static const char *gen_format(struct gen *g, struct expr *e, const struct operands *ops)
{
	const char **values = arena_alloc((ops->list.n + 1) * sizeof(*values)), *args, *t;
	const bool *strings = kinds_of(ops);

	check_directives(e->print->canonical, strings, ops->list.n);
	for (size_t i = 0; i < ops->list.n; i++)
		values[i] = ops->list.v[i].text;
	args = ops->area ? ops->area : gen_args(g, values, strings, ops->list.n);
	t = gen_temp(g);
	g->scratch_ops++;
	set_near(g, "formatted text", e->loc);
	gen_line(g, "struct st_str %s = st_format(c, %s, %s, %zu);", t,
	     gen_chars(g, e->print->canonical), args, ops->list.n);
	check_error(g);
	return t;
}

/* --json: an object {"name":"n","key":["a",2],"histogram":[…]}. */
static void gen_hist_object(struct gen *g, struct expr *e)
{
	struct sbuf members = { 0 };
	struct operands ops = { 0 };
	const char *st;
	struct keys k = { 0 };

	if (e->kind == E_INDEX)
		gen_key_values(g, e->args.v, e->args.n, &k);
	st = gen_stat_at(g, e, &k);
	sbuf_printf(&members, "\"name\":\"%s\",", e->var->name);
	for (size_t i = 0; i < k.n; i++) {
		sbuf_puts(&members, i ? "," : "\"key\":[");
		sbuf_puts(&members, k.strings[i] ? "%s" : "%d");
		vec_push(&ops.list, ((struct operand){ k.values[i], k.strings[i], NULL }));
	}
	sbuf_printf(&members, "%s\"histogram\":", ops.list.n ? "]," : "");
	gen_line(g, "st_emit_one(c, ST_FMT_OBJECT, ST_LIT(\"{\"));");
	gen_emit(g, sbuf_take(&members), &ops);
	gen_line(g, "st_print_buckets(c, %s, &%s_decl);", st, global_name(e->var));
	gen_line(g, "st_emit_one(c, ST_FMT_OBJECT, ST_LIT(\"}\"));");
	check_error(g);
}

static const char *gen_print_hist(struct gen *g, struct expr *e)
{
	struct expr *hist = e->print->args.v[0];
	const char *st, *decl = global_name(hist->a->var), *t;

	if (!e->print->to_string && g->s->options.json) {
		gen_hist_object(g, hist->a);
		return "0";
	}
	st = gen_stat(g, hist->a);
	if (!e->print->to_string) {
		/* a histogram ends with an empty line, so println adds nothing */
		gen_line(g, "st_print_hist(c, %s, &%s_decl);", st, decl);
		check_error(g);
		return "0";
	}
	t = gen_temp(g);
	g->scratch_ops++;
	gen_line(g, "struct st_str %s = st_format_hist(c, %s, &%s_decl);", t, st, decl);
	check_error(g);
	return t;
}

const char *gen_print(struct gen *g, struct expr *e)
{
	struct print *p = e->print;
	struct operands ops = { 0 };

	if (p->args.n == 1 && p->args.v[0]->kind == E_HIST)
		return gen_print_hist(g, e);
	ops.area = gen_hold_area(g, p->args.n);
	if (p->kind == PRINT_PRINTF)
		printf_operands(g, e, &ops);
	else
		plain_operands(g, p, &ops);
	if (ops.area)
		gen_line(g, "ST_SETTLE();");
	if (p->to_string)
		return gen_format(g, e, &ops);
	gen_emit(g, p->canonical, &ops);
	return "0";
}
