// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lowers printing.  Output to the user is recorded (PRINT), strings that the script uses are
 * formatted at once (FORMAT).  String literals become part of a record's format and cost nothing at
 * a hit.
 */
#include <string.h>

#include "base/arena.h"
#include "text/format.h"
#include "lowering.h"

/*
 * The operands of a longer print are each stored in scratch at once, because all would be in the
 * frame of a C function until the last is evaluated.
 */
enum { MOST_OPERANDS = 16 };

/* The operands of a print, each with its value if it is a literal. */
struct operands {
	struct ir_operand area;		/* the area that holds them, or absent */
	ir_operands list;
	text_list literals;
};

static void add_operand(struct lowering *lo, struct operands *out, struct ir_operand o,
			const char *literal)
{
	if (out->area.kind == IR_VALUE) {
		struct ir_op *op = lower_op(lo, IR_HOLD);

		op->n = out->list.n;
		add_arg(op, out->area);
		add_arg(op, o);
		o = (struct ir_operand){ IR_SLOT, o.type, .index = op->n, .of = out->area.index };
	}
	vec_push(&out->list, o);
	vec_push(&out->literals, literal);
}

static void add_string(struct lowering *lo, struct operands *out, const struct expr *e,
		       struct ir_operand o)
{
	add_operand(lo, out, o, e->kind == E_STR ? e->str
			       : e->kind == E_SYMBOL ? e->var->literal : NULL);
}

static struct operands begin_operands(struct lowering *lo, size_t n)
{
	struct operands out = { .area = absent() };

	if (n > MOST_OPERANDS) {
		struct ir_op *op = lower_value(lo, IR_AREA, IR_TUPLE);

		op->n = n;
		out.area = result_of(lo, op);
		check_error(lo);
	}
	return out;
}

/* Lowers %m and %M, which take memory, with # the user's.  Its bytes are read now, as a string. */
static struct ir_operand lower_bytes(struct lowering *lo, struct expr *e,
				     struct ir_operand address, const struct st_directive *d,
				     struct ir_operand star)
{
	struct ir_op *op = lower_value(lo, d->flags & ST_F_ALT ? IR_UBYTES : IR_KBYTES, IR_STRING);

	add_arg(op, address);
	add_arg(op, star.kind != IR_ABSENT ? star : number(d->precision < 0 ? 1 : d->precision));
	set_near(op, arena_printf("operator '%%%c'", d->conversion), e->loc);
	check_error(lo);
	return result_of(lo, op);
}

static void printf_operands(struct lowering *lo, struct expr *e, struct operands *out)
{
	struct print *p = e->print;
	struct st_directive d;
	size_t next = 0;

	for (const char *fmt = p->canonical; st_format_next(&fmt, &d);) {
		struct ir_operand star = absent();

		if (!d.conversion)
			continue;
		for (int i = 0; i < d.width_arg + d.precision_arg; i++) {
			star = lower_expr(lo, p->args.v[next++]);
			add_operand(lo, out, star, NULL);
		}
		const struct expr *arg = p->args.v[next];
		struct ir_operand value = lower_expr(lo, p->args.v[next++]);

		if (d.conversion == 'm' || d.conversion == 'M')
			value = lower_bytes(lo, e, value, &d, d.precision_arg ? star : absent());
		if (st_conversion_is_string(d.conversion))
			add_string(lo, out, arg, value);
		else
			add_operand(lo, out, value, NULL);
	}
}

static void plain_operands(struct lowering *lo, struct print *p, struct operands *out)
{
	for (size_t i = 0; i < p->args.n; i++) {
		struct ir_operand value = lower_expr(lo, p->args.v[i]);

		if (p->args.v[i]->type == T_STRING)
			add_string(lo, out, p->args.v[i], value);
		else
			add_operand(lo, out, value, NULL);
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
		const char *literal = is_plain(&d) ? ops->literals.v[next] : NULL;

		sbuf_add(&b, from, (literal ? d.text + d.text_len : canonical) - from);
		if (literal)
			sbuf_format_escape(&b, literal);
		for (size_t i = next; i < next + n && !(is_plain(&d) && ops->literals.v[i]); i++)
			ops->list.v[kept++] = ops->list.v[i];
		next += n;
	}
	ops->list.n = kept;
	return sbuf_take(&b);
}

static bool is_same(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

/* Returns the number of a format, which the program has once.  MEMBERS may be NULL. */
static unsigned format_number(struct lowering *lo, const char *text, const char *members)
{
	const struct ir_format format = { text, members };
	uint32_t hash = table_hash_string(text);

	table_for_each(&lo->formats, hash, i)
		if (!strcmp(lo->ir->formats.v[i].text, text) &&
		    is_same(lo->ir->formats.v[i].members, members))
			return i;
	vec_push(&lo->ir->formats, format);
	table_add(&lo->formats, hash, lo->ir->formats.n - 1);
	return lo->ir->formats.n - 1;
}

/*
 * Lowers an output record.  Its members have the same arguments as the text, so both keep them all.
 */
static void lower_record(struct lowering *lo, const struct print *p, struct operands *ops)
{
	struct ir_op *op = lower_op(lo, IR_PRINT);

	op->symbol = format_number(lo, p->members ? p->canonical : take_literals(p->canonical, ops),
				   p->members);
	op->args = ops->list;
}

static struct ir_operand lower_format(struct lowering *lo, struct expr *e,
				      const struct operands *ops)
{
	struct ir_operand values = ops->area;
	struct ir_op *op;

	if (values.kind == IR_ABSENT)
		values = lower_tuple(lo, &ops->list);
	op = lower_value(lo, IR_FORMAT, IR_STRING);
	op->text = e->print->canonical;
	op->n = ops->list.n;
	add_arg(op, values);
	set_near(op, "formatted text", e->loc);
	check_error(lo);
	return result_of(lo, op);
}

/* Returns the members that say which statistic E is: "name":"n","key":["a",2]. */
static const char *naming_members(const struct expr *e, const ir_operands *keys)
{
	struct sbuf b = { 0 };

	sbuf_printf(&b, "\"name\":\"%s\"", e->var->name);
	for (size_t i = 0; i < keys->n; i++)
		sbuf_printf(&b, "%s%s", i ? "," : ",\"key\":[",
			    keys->v[i].type == IR_STRING ? "%s" : "%d");
	if (keys->n)
		sbuf_putc(&b, ']');
	return sbuf_take(&b);
}

/* Lowers a printed histogram, which ends with an empty line, so println adds nothing. */
static struct ir_operand lower_print_hist(struct lowering *lo, struct expr *e)
{
	struct expr *of = e->print->args.v[0]->a;
	bool to_string = e->print->to_string;
	ir_operands keys = lower_stat_keys(lo, of);
	struct ir_operand stat = lower_stat_at(lo, of, &keys);
	struct ir_op *op = to_string ? lower_value(lo, IR_FORMAT_HIST, IR_STRING)
				     : lower_op(lo, IR_PRINT_HIST);

	op->symbol = of->var->index;
	add_arg(op, stat);
	if (!to_string) {
		op->n = format_number(lo, "", naming_members(of, &keys));
		for (size_t i = 0; i < keys.n; i++)
			add_arg(op, keys.v[i]);
	}
	check_error(lo);
	return to_string ? result_of(lo, op) : absent();
}

struct ir_operand lower_print(struct lowering *lo, struct expr *e)
{
	struct print *p = e->print;
	struct operands ops;

	if (p->args.n == 1 && p->args.v[0]->kind == E_HIST)
		return lower_print_hist(lo, e);
	ops = begin_operands(lo, p->args.n);
	if (p->kind == PRINT_PRINTF)
		printf_operands(lo, e, &ops);
	else
		plain_operands(lo, p, &ops);
	if (ops.area.kind == IR_VALUE)
		add_arg(lower_op(lo, IR_FILLED), ops.area);
	if (p->to_string)
		return lower_format(lo, e, &ops);
	lower_record(lo, p, &ops);
	return absent();
}
