// SPDX-License-Identifier: GPL-2.0-or-later
/* Operations without blocks. */
#include "internal.h"

static union run_value arg(struct run_frame *f, const struct ir_op *op, unsigned i)
{
	return run_operand(f, &op->args.v[i]);
}

static union run_variable *global(const struct ir_op *op)
{
	return &run_globals[op->symbol];
}

static const struct ir_global *meaning(const struct ir_op *op)
{
	return &run_program->ir->globals.v[op->symbol];
}

static const struct st_stat_decl *decl(const struct ir_op *op)
{
	return &run_program->st.globals[op->symbol].stat;
}

static void give(struct run_frame *f, const struct ir_op *op, union run_value v)
{
	if (op->result != IR_NO_VALUE)
		f->values[op->result] = v;
}

static void give_word(struct run_frame *f, const struct ir_op *op, st_long i)
{
	give(f, op, (union run_value){ .i = i });
}

static void give_string(struct run_frame *f, const struct ir_op *op, struct st_str s)
{
	give(f, op, (union run_value){ .s = s });
}

/* ---- words -------------------------------------------------------------- */

/* Applies an operator to two words, which wrap around. */
static st_long two_words(struct st_ctx *c, enum ir_opcode code, st_long a, st_long b)
{
	switch (code) {
	case IR_ADD:
		return (u64)a + (u64)b;
	case IR_SUB:
		return (u64)a - (u64)b;
	case IR_MUL:
		return (u64)a * (u64)b;
	case IR_DIV:
		return st_div(c, a, b);
	case IR_MOD:
		return st_mod(c, a, b);
	case IR_SHL:
		return st_shl(a, b);
	case IR_SHR:
		return st_shr(a, b);
	case IR_AND:
		return a & b;
	case IR_OR:
		return a | b;
	case IR_XOR:
		return a ^ b;
	case IR_EQ:
		return a == b;
	case IR_NE:
		return a != b;
	case IR_LT:
		return a < b;
	case IR_GT:
		return a > b;
	case IR_LE:
		return a <= b;
	default:			/* IR_GE */
		return a >= b;
	}
}

static st_long one_word(enum ir_opcode code, st_long a)
{
	switch (code) {
	case IR_NEG:
		return 0 - (u64)a;
	case IR_NOT:
		return !a;
	case IR_COMPLEMENT:
		return ~a;
	case IR_TRUTH:
		return a != 0;
	default:			/* IR_LIMIT */
		return a < 0 ? 0 : a;
	}
}

/* ---- strings ------------------------------------------------------------- */

static st_long two_strings(enum ir_opcode code, struct st_str a, struct st_str b)
{
	switch (code) {
	case IR_STREQ:
		return st_equal(a, b);
	case IR_STRNE:
		return !st_equal(a, b);
	case IR_STRLT:
		return st_compare(a, b) < 0;
	case IR_STRGT:
		return st_compare(a, b) > 0;
	case IR_STRLE:
		return st_compare(a, b) <= 0;
	default:			/* IR_STRGE */
		return st_compare(a, b) >= 0;
	}
}

static void match(struct run_frame *f, const struct ir_op *op)
{
	const struct st_regex *re = run_program->ir->patterns.v[op->symbol].tables;
	struct st_str s = arg(f, op, 0).s;
	bool found = run_program->st.groups ? st_regex_match(f->c, re, s) : st_regex_search(f->c, re, s);

	give_word(f, op, found == (op->code == IR_MATCH));
}

/* ---- variables ------------------------------------------------------------ */

static void store(struct run_frame *f, const struct ir_op *op)
{
	union run_value v = arg(f, op, 0);

	if (op->code == IR_STORE_LOCAL)
		run_assign(&f->locals[op->symbol], op->args.v[0].type, v);
	else if (op->args.v[0].type == IR_WORD && meaning(op)->percpu)
		st_counter_set(global(op)->counter, v.i);
	else
		run_assign(global(op), op->args.v[0].type, v);
}

static void add(struct run_frame *f, const struct ir_op *op)
{
	bool minus = op->code == IR_MINUS || op->code == IR_MINUS_LOCAL;
	bool local = op->code == IR_PLUS_LOCAL || op->code == IR_MINUS_LOCAL;
	u64 delta = minus ? 0 - (u64)arg(f, op, 0).i : (u64)arg(f, op, 0).i;
	union run_variable *v = local ? &f->locals[op->symbol] : global(op);

	if (!local && meaning(op)->percpu)
		st_counter_add(v->counter, delta);
	else
		v->i = (u64)v->i + delta;
}

static void load(struct run_frame *f, const struct ir_op *op)
{
	give_word(f, op, meaning(op)->percpu ? st_counter_sum(global(op)->counter) : global(op)->i);
}

/* ---- arrays and statistics -------------------------------------------------- */

static union st_arg as_arg(union run_value v, enum ir_type type)
{
	return type == IR_STRING ? (union st_arg){ .s = v.s } : (union st_arg){ .i = v.i };
}

static void tuple(struct run_frame *f, const struct ir_op *op)
{
	union st_arg *t = f->tuples + op->n;

	for (size_t i = 0; i < op->args.n; i++)
		t[i] = as_arg(arg(f, op, i), op->args.v[i].type);
	give(f, op, (union run_value){ .tuple = t });
}

static void get(struct run_frame *f, const struct ir_op *op)
{
	const union st_arg *keys = arg(f, op, 0).tuple;

	if (meaning(op)->type == IR_STRING)
		give_string(f, op, st_map_get_str(f->c, global(op)->map, keys));
	else
		give_word(f, op, st_map_get(f->c, global(op)->map, keys));
}

static void set(struct run_frame *f, const struct ir_op *op)
{
	const union st_arg *keys = arg(f, op, 0).tuple;

	if (meaning(op)->type == IR_STRING)
		st_map_set_str(f->c, global(op)->map, keys, arg(f, op, 1).s);
	else
		st_map_set(f->c, global(op)->map, keys, arg(f, op, 1).i);
}

static void add_at(struct run_frame *f, const struct ir_op *op)
{
	u64 delta = arg(f, op, 1).i;

	st_map_add(f->c, global(op)->map, arg(f, op, 0).tuple,
		   op->code == IR_MINUS_AT ? 0 - delta : delta);
}

/* ---- output ------------------------------------------------------------------ */

/* Returns the bytes of the values from argument FIRST on. */
static unsigned long value_bytes(struct run_frame *f, const struct ir_op *op, size_t first)
{
	unsigned long bytes = 0;

	for (size_t i = first; i < op->args.n; i++)
		bytes += op->args.v[i].type == IR_STRING ? 4ul + arg(f, op, i).s.len : 8;
	return bytes;
}

static void put_values(struct run_frame *f, const struct ir_op *op, size_t first, char *p)
{
	for (size_t i = first; p && i < op->args.n; i++)
		p = op->args.v[i].type == IR_STRING ? st_emit_str(p, arg(f, op, i).s)
						    : st_emit_long(p, arg(f, op, i).i);
}

/* Returns the format NUMBER, or the probe's own for OP. */
static unsigned format_of(struct run_frame *f, const struct ir_op *op, unsigned number)
{
	return op->format == IR_NO_CONSTANT ? number : run_own(f, op->format)->number;
}

static void print(struct run_frame *f, const struct ir_op *op)
{
	put_values(f, op, 0, st_emit(f->c, format_of(f, op, op->symbol), value_bytes(f, op, 0)));
}

static void print_hist(struct run_frame *f, const struct ir_op *op)
{
	const struct st_stat *stat = arg(f, op, 0).stat;
	char *p = st_print_hist(f->c, stat, decl(op), format_of(f, op, op->n), value_bytes(f, op, 1));

	if (!p)
		return;
	put_values(f, op, 1, p);
	st_print_buckets(f->c, stat, decl(op));
}

static void run_global_op(struct run_frame *f, const struct ir_op *op)
{
	struct st_ctx *c = f->c;
	union run_variable *g = global(op);

	switch (op->code) {
	case IR_LOAD:
		load(f, op);
		break;
	case IR_STORE:
		store(f, op);
		break;
	case IR_PLUS:
	case IR_MINUS:
		add(f, op);
		break;
	case IR_GET:
		get(f, op);
		break;
	case IR_SET:
		set(f, op);
		break;
	case IR_HAS:
		give_word(f, op, st_map_has(c, g->map, arg(f, op, 0).tuple, op->n));
		break;
	case IR_DELETE:
		st_map_delete(c, g->map, arg(f, op, 0).tuple, op->n);
		break;
	case IR_PLUS_AT:
	case IR_MINUS_AT:
		add_at(f, op);
		break;
	case IR_CLEAR:
		st_map_clear(c, g->map);
		break;
	case IR_RECORD:
		st_agg_add(c, g->agg, arg(f, op, 0).i);
		break;
	case IR_RECORD_AT:
		st_map_add_stat(c, g->map, arg(f, op, 0).tuple, arg(f, op, 1).i);
		break;
	case IR_STAT:
		give(f, op, (union run_value){ .stat = st_agg_merge(c, g->agg) });
		break;
	case IR_STAT_AT:
		give(f, op, (union run_value){ .stat = st_map_get_stat(c, g->map,
								      arg(f, op, 0).tuple) });
		break;
	case IR_CLEAR_STAT:
		st_agg_clear(c, g->agg);
		break;
	case IR_BUCKET:
		give_word(f, op, st_hist_count(c, arg(f, op, 0).stat, decl(op), arg(f, op, 1).i));
		break;
	case IR_PRINT_HIST:
		print_hist(f, op);
		break;
	default:			/* IR_FORMAT_HIST */
		give_string(f, op, st_format_hist(c, arg(f, op, 0).stat, decl(op)));
	}
}

/* ---- calls ------------------------------------------------------------------- */

static void call(struct run_frame *f, const struct ir_op *op)
{
	const struct ir_function *callee = &run_program->ir->functions.v[op->symbol];
	union st_arg args[4];

	if (callee->nexts)
		f->c->by_next = 0;
	if (callee->written_in == IR_SCRIPT) {
		give(f, op, run_function(f, op));
		return;
	}
	for (size_t i = 0; i < op->args.n; i++)
		args[i] = as_arg(arg(f, op, i), op->args.v[i].type);
	give(f, op, run_builtin(run_builtin_find(callee), f->c, args));
}

/* What an input probe was given, or a word of the kernel's memory. */
static void fetch(struct run_frame *f, const struct ir_op *op)
{
	union run_value inputs[RUN_INPUTS];

	if (op->term->sort == SORT_STRING) {
		give_string(f, op, run_value);
		return;
	}
	for (size_t i = 0; i < op->args.n; i++)
		inputs[i] = arg(f, op, i);
	give_word(f, op, run_term(f->c, op->term, inputs));
}

/* ---- all ------------------------------------------------------------------------ */

void run_op(struct run_frame *f, const struct ir_op *op)
{
	struct st_ctx *c = f->c;
	const char *near = run_near(f, op);

	if (near)
		c->near = near;
	if (ir_opcodes[op->code].symbol == IR_OF_GLOBAL) {
		run_global_op(f, op);
		return;
	}
	switch (op->code) {
	case IR_ADD ... IR_GE:
		give_word(f, op, two_words(c, op->code, arg(f, op, 0).i, arg(f, op, 1).i));
		break;
	case IR_NEG ... IR_LIMIT:
		give_word(f, op, one_word(op->code, arg(f, op, 0).i));
		break;
	case IR_STREQ ... IR_STRGE:
		give_word(f, op, two_strings(op->code, arg(f, op, 0).s, arg(f, op, 1).s));
		break;
	case IR_DUP:
		give_string(f, op, st_dup(c, arg(f, op, 0).s));
		break;
	case IR_CONCAT:
		give_string(f, op, st_concat(c, arg(f, op, 0).s, arg(f, op, 1).s));
		break;
	case IR_FORMAT:
		give_string(f, op, st_format(c, op->format == IR_NO_CONSTANT ? op->text
					     : run_own(f, op->format)->text,
					     arg(f, op, 0).tuple, op->n));
		break;
	case IR_MATCH:
	case IR_NOMATCH:
		match(f, op);
		break;
	case IR_COPY:
		give(f, op, arg(f, op, 0));
		break;
	case IR_STORE_LOCAL:
		store(f, op);
		break;
	case IR_PLUS_LOCAL:
	case IR_MINUS_LOCAL:
		add(f, op);
		break;
	case IR_KEEP:
		run_assign(&f->kept[op->symbol], op->args.v[0].type, arg(f, op, 0));
		break;
	case IR_ARM:
		*run_program->probes[f->body->number].armed = arg(f, op, 0).i != 0;
		break;
	case IR_TUPLE_OF:
		tuple(f, op);
		break;
	case IR_AREA:
		/* In the frame: scratch may be wound back while the area is in use. */
		memset(f->tuples + op->symbol, 0, op->n * sizeof(union st_arg));
		give(f, op, (union run_value){ .tuple = f->tuples + op->symbol });
		break;
	case IR_HOLD:
		arg(f, op, 0).tuple[op->n] = as_arg(arg(f, op, 1), op->args.v[1].type);
		break;
	case IR_FILLED:
		break;
	case IR_EXTRACT:
		give_word(f, op, st_stat_get(c, arg(f, op, 0).stat, (enum st_stat_op)op->n));
		break;
	case IR_CALL:
		call(f, op);
		break;
	case IR_FETCH:
		fetch(f, op);
		break;
	case IR_PUT:
		run_store(op->term->n == TERM_APPEND_VALUE, arg(f, op, 0).s);
		break;
	case IR_RAISE:
		st_error(c, "%s", op->text);
		break;
	case IR_PRINT:
		print(f, op);
		break;
	default:			/* run_refuses() has refused it */
		st_error(c, "operation '%s' has no meaning in a process", ir_opcodes[op->code].name);
	}
}
