// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints operations without blocks: three-address code. */
#include "arch/arch.h"
#include "base/arena.h"
#include "gen.h"

/* Returns the C of argument I. */
static const char *arg(struct gen *g, const struct ir_op *op, size_t i)
{
	return operand_text(g, &op->args.v[i]);
}

/* Prints RESULT = FN(c, ARGS); */
static void gen_named(struct gen *g, const struct ir_op *op, const char *fn)
{
	const char *args = operands_text(g, &op->args, 0);

	gen_place(g, op);
	gen_line(g, "%s = %s(c%s%s);", result_text(g, op), fn, op->args.n ? ", " : "", args);
}

/* ---- words ------------------------------------------------------------- */

static const char *const infix[IR_OPCODES] = {
	[IR_ADD] = "+", [IR_SUB] = "-", [IR_MUL] = "*", [IR_DIV] = "/", [IR_MOD] = "%",
	[IR_AND] = "&", [IR_OR] = "|", [IR_XOR] = "^",
	[IR_EQ] = "==", [IR_NE] = "!=", [IR_LT] = "<", [IR_GT] = ">", [IR_LE] = "<=", [IR_GE] = ">=",
};

static void gen_binary(struct gen *g, const struct ir_op *op)
{
	const char *a = arg(g, op, 0), *b = arg(g, op, 1);

	gen_line(g, "%s = %s %s %s;", result_text(g, op), a, infix[op->code], b);
}

static void gen_division(struct gen *g, const struct ir_op *op)
{
	const struct ir_operand *b = &op->args.v[1];

	if (op->may_fail)
		gen_named(g, op, op->code == IR_DIV ? "st_div" : "st_mod");
	else if (b->kind == IR_NUMBER && b->number == -1)	/* INT64_MIN / -1 traps */
		gen_line(g, "%s = 0 %s %s;", result_text(g, op), op->code == IR_DIV ? "-" : "*",
			 arg(g, op, 0));
	else
		gen_binary(g, op);
}

static void gen_shift(struct gen *g, const struct ir_op *op)
{
	const char *a = arg(g, op, 0), *b = arg(g, op, 1);

	gen_line(g, "%s = st_sh%c(%s, %s);", result_text(g, op), op->code == IR_SHL ? 'l' : 'r', a,
		 b);
}

/* Prints RESULT = BEFORE A BEHIND; */
static void gen_around(struct gen *g, const struct ir_op *op, const char *before,
		       const char *behind)
{
	const char *a = arg(g, op, 0);

	gen_line(g, "%s = %s%s%s;", result_text(g, op), before, a, behind);
}

static void gen_limit(struct gen *g, const struct ir_op *op)
{
	const char *a = arg(g, op, 0);

	gen_line(g, "%s = %s < 0 ? 0 : %s;", result_text(g, op), a, a);
}

/* ---- strings ----------------------------------------------------------- */

static void gen_equal(struct gen *g, const struct ir_op *op)
{
	const char *args = operands_text(g, &op->args, 0);

	gen_line(g, "%s = %sst_equal(%s);", result_text(g, op), op->code == IR_STRNE ? "!" : "",
		 args);
}

static void gen_compare(struct gen *g, const struct ir_op *op)
{
	static const char *const signs[] = {
		[IR_STRLT] = "<", [IR_STRGT] = ">", [IR_STRLE] = "<=", [IR_STRGE] = ">=",
	};
	const char *args = operands_text(g, &op->args, 0);

	gen_line(g, "%s = st_compare(%s) %s 0;", result_text(g, op), args, signs[op->code]);
}

static void gen_format(struct gen *g, const struct ir_op *op)
{
	const char *values = arg(g, op, 0);

	gen_place(g, op);
	gen_line(g, "%s = st_format(c, %s, %s, %u);", result_text(g, op), format_text(op),
		 values, op->n);
}

static void gen_bytes(struct gen *g, const struct ir_op *op)
{
	const char *address = arg(g, op, 0), *size = arg(g, op, 1);

	gen_place(g, op);
	gen_line(g, "%s = st_%cread_bytes(c, (unsigned long)%s, (unsigned int)%s);",
		 result_text(g, op), op->code == IR_UBYTES ? 'u' : 'k', address, size);
}

static void gen_match(struct gen *g, const struct ir_op *op)
{
	const char *subject = arg(g, op, 0);

	gen_place(g, op);
	gen_line(g, "%s = %sst_regex_%s(c, &st_re%u, %s);", result_text(g, op),
		 op->code == IR_NOMATCH ? "!" : "", g->prog->groups ? "match" : "search", op->symbol,
		 subject);
}

/* ---- variables --------------------------------------------------------- */

static void gen_store(struct gen *g, const struct ir_op *op)
{
	bool global = op->code == IR_STORE;
	const char *name = global ? global_text(g, op->symbol) : local_text(g, op->symbol);
	const char *value = arg(g, op, 0);

	if (op->args.v[0].type == IR_STRING)
		gen_line(g, "st_assign(&%s, %s);", name, value);
	else if (global && g->ir->globals.v[op->symbol].percpu)
		gen_line(g, "st_counter_set(%s, %s);", name, value);
	else
		gen_line(g, "%s = %s;", name, value);
}

/* Returns the text of what is added: argument I, or its negative with MINUS. */
static const char *delta_text(struct gen *g, const struct ir_op *op, size_t i, bool minus)
{
	return minus ? arena_printf("-(%s)", arg(g, op, i)) : arg(g, op, i);
}

static void gen_plus(struct gen *g, const struct ir_op *op)
{
	bool minus = op->code == IR_MINUS || op->code == IR_MINUS_LOCAL;
	bool global = op->code == IR_PLUS || op->code == IR_MINUS;
	const char *delta = delta_text(g, op, 0, minus);

	if (global && g->ir->globals.v[op->symbol].percpu)
		gen_line(g, "st_counter_add(%s, %s);", global_text(g, op->symbol), delta);
	else
		gen_line(g, "%s += %s;",
			 global ? global_text(g, op->symbol) : local_text(g, op->symbol), delta);
}

static void gen_load(struct gen *g, const struct ir_op *op)
{
	gen_line(g, g->ir->globals.v[op->symbol].percpu ? "%s = st_counter_sum(%s);" : "%s = %s;",
		 result_text(g, op), global_text(g, op->symbol));
}

static void gen_keep(struct gen *g, const struct ir_op *op)
{
	gen_line(g, op->args.v[0].type == IR_STRING ? "st_assign(&m%u, %s);" : "m%u = %s;",
		 op->symbol, arg(g, op, 0));
}

static void gen_save(struct gen *g, const struct ir_op *op)
{
	unsigned i = op->symbol;

	if (op->args.v[0].type == IR_STRING)
		gen_line(g, "sv->v%u.len = st_save_text(sv->v%u.b, ST_MAXSTR, %s);", i, i,
			 arg(g, op, 0));
	else
		gen_line(g, "sv->v%u = %s;", i, arg(g, op, 0));
}

static void gen_saved(struct gen *g, const struct ir_op *op)
{
	unsigned p = op->n, i = op->symbol;

	if (g->body->values.v[op->result] == IR_STRING)
		gen_line(g, "%s = { ((struct st_saved_%u *)c->saved)->v%u.b, "
		     "((struct st_saved_%u *)c->saved)->v%u.len };", result_text(g, op), p, i, p, i);
	else
		gen_line(g, "%s = ((struct st_saved_%u *)c->saved)->v%u;", result_text(g, op), p, i);
}

/* ---- arrays and statistics --------------------------------------------- */

static void gen_tuple(struct gen *g, const struct ir_op *op)
{
	struct sbuf b = { 0 };

	for (size_t i = 0; i < op->args.n; i++)
		sbuf_printf(&b, "%s{ .%c = %s }", i ? ", " : "",
			    op->args.v[i].type == IR_STRING ? 's' : 'i', arg(g, op, i));
	gen_line(g, "const union st_arg t%u[] = { %s };", op->result,
		 op->args.n ? sbuf_str(&b) : "{ .i = 0 }");
	sbuf_free(&b);
}

static void gen_area(struct gen *g, const struct ir_op *op)
{
	g->texts += strings_for(g, op->n * ARG_SIZE);
	gen_line(g, "union st_arg *t%u = st_area(c, %u * sizeof(*t%u));", op->result, op->n,
		 op->result);
}

static void gen_hold(struct gen *g, const struct ir_op *op)
{
	gen_line(g, "%s[%u].%c = %s;", arg(g, op, 0), op->n,
		 op->args.v[1].type == IR_STRING ? 's' : 'i', arg(g, op, 1));
}

/* Prints [RESULT =] CALL; with the result declared on a line of its own. */
static void gen_access(struct gen *g, const struct ir_op *op, const char *call)
{
	declare_result(g, op);
	gen_place(g, op);
	if (op->result != IR_NO_VALUE)
		gen_line(g, "t%u = %s;", op->result, call);
	else
		gen_line(g, "%s;", call);
}

/* Prints FN(c, GLOBAL, ARGS) */
static void gen_map(struct gen *g, const struct ir_op *op, const char *fn)
{
	const char *args = operands_text(g, &op->args, 0);

	gen_access(g, op, arena_printf("%s(c, %s%s%s)", fn, global_text(g, op->symbol),
				       op->args.n ? ", " : "", args));
}

/* Prints a call of FN with the keys, and a mask with a bit for each key that is '*'. */
static void gen_slice(struct gen *g, const struct ir_op *op, const char *fn)
{
	gen_access(g, op, arena_printf("%s(c, %s, %s, %#x)", fn, global_text(g, op->symbol),
				       arg(g, op, 0), op->n));
}

static void gen_plus_at(struct gen *g, const struct ir_op *op)
{
	const char *keys = arg(g, op, 0), *delta = delta_text(g, op, 1, op->code == IR_MINUS_AT);

	gen_access(g, op, arena_printf("st_map_add(c, %s, %s, %s)", global_text(g, op->symbol), keys,
				       delta));
}

static bool is_of_strings(const struct gen *g, const struct ir_op *op)
{
	return g->ir->globals.v[op->symbol].type == IR_STRING;
}

static void gen_extract(struct gen *g, const struct ir_op *op)
{
	static const char *const what[] = {
		[IR_COUNT] = "ST_COUNT", [IR_SUM] = "ST_SUM", [IR_MIN] = "ST_MIN",
		[IR_MAX] = "ST_MAX", [IR_AVG] = "ST_AVG", [IR_VARIANCE] = "ST_VARIANCE",
	};

	gen_place(g, op);
	gen_line(g, "%s = st_stat_get(c, %s, %s);", result_text(g, op), arg(g, op, 0), what[op->n]);
}

static void gen_bucket(struct gen *g, const struct ir_op *op)
{
	const char *stat = arg(g, op, 0), *i = arg(g, op, 1);

	gen_place(g, op);
	gen_line(g, "%s = st_hist_count(c, %s, &%s_decl, %s);", result_text(g, op), stat,
		 global_text(g, op->symbol), i);
}

/* ---- calls, checks ----------------------------------------------------- */

/* Returns a call.  A builtin's constant stands before the script's arguments. */
static const char *call_text(struct gen *g, const struct ir_op *op)
{
	const struct function *f = g->prog->functions.v[op->symbol];
	const char *constant = f->builtin ? f->builtin->constant : NULL;

	return arena_printf("%s(c%s%s%s%s)", f->builtin ? f->builtin->symbol : function_name(g, op->symbol),
			    constant ? ", " : "", constant ? constant : "", op->args.n ? ", " : "",
			    operands_text(g, &op->args, 0));
}

static void gen_call(struct gen *g, const struct ir_op *op)
{
	const struct ir_function *f = &g->ir->functions.v[op->symbol];
	const char *call = call_text(g, op);

	gen_place(g, op);
	if (!g->passed) {
		g->texts += f->written_in == IR_SCRIPT ? 1 : 3;
		if (f->nexts)
			gen_line(g, "c->by_next = 0;");
	}
	g->passed = false;
	if (op->result != IR_NO_VALUE)
		gen_line(g, "%s = %s;", result_text(g, op), call);
	else
		gen_line(g, "%s;", call);
}

/* Prints a check behind a call, where an error gets the caller's position too. */
static void gen_check_call(struct gen *g, const struct ir_op *op)
{
	const struct ir_function *f = &g->ir->functions.v[op->symbol];

	gen_line(g, "if (st_unlikely(c->error != 0)) {");
	if (f->written_in != IR_SCRIPT)
		gen_line(g, "\tc->near = %s;",
			 c_near(arena_printf("identifier '%s'", f->name), f->at));
	gen_line(g, "\tst_called(c, %s);", near_text(op));
	gen_line(g, "\tgoto %s;", way_label(op->way));
	gen_line(g, "}");
}

static void gen_count(struct gen *g, const struct ir_op *op, const char *macro)
{
	gen_line(g, "%s(c, %u, %s, %s);", macro, op->n, near_text(op), way_label(op->way));
}

/* ---- what is probed ---------------------------------------------------- */

/* Opens a block and declares ix[] in it: the inputs, arguments FROM and further ones. */
static void begin_inputs(struct gen *g, const struct ir_op *op, size_t from)
{
	const char *inputs = operands_text(g, &op->args, from);

	gen_place(g, op);
	gen_line(g, "{");
	if (*inputs)
		gen_line(g, "\tconst st_long ix[] = { %s };", inputs);
}

static void gen_fetch(struct gen *g, const struct ir_op *op)
{
	if (g->body->values.v[op->result] == IR_STRING)
		g->texts += op->term->strings;
	declare_result(g, op);
	begin_inputs(g, op, 0);
	gen_line(g, "\tt%u = %s;", op->result, fetch_text(op->term));
	gen_line(g, "}");
}

static void gen_put(struct gen *g, const struct ir_op *op)
{
	begin_inputs(g, op, 1);
	gen_line(g, "\t%s v = %s;", c_type_of(op->args.v[0].type), arg(g, op, 0));
	gen_line(g, "\t%s", fetch_text(op->term));
	gen_line(g, "}");
}

static void gen_read(struct gen *g, const struct ir_op *op)
{
	const char *size = arg(g, op, 0), *address = arg(g, op, 1);

	gen_place(g, op);
	if (op->args.v[0].kind != IR_NUMBER) {
		gen_line(g, "if (%s != 1 && %s != 2 && %s != 4 && %s != 8)", size, size, size, size);
		gen_line(g, "\tst_error(c, \"%%lld is not a size of 1, 2, 4 or 8 bytes\", %s);", size);
	}
	gen_line(g, "%s = %s(c, (unsigned long)%s, (unsigned int)%s);", result_text(g, op),
		 op->code == IR_UREAD ? "st_uread" : "st_kread", address, size);
}

static void gen_register(struct gen *g, const struct ir_op *op)
{
	const struct arch *arch = arch_find(g->s->kernel->arch);

	gen_place(g, op);
	gen_line(g, "%s = (st_long)%s(c, %d);", result_text(g, op),
		 op->code == IR_UREGISTER ? "st_ureg" : "st_reg", arch->dwarf_reg(op->n));
}

static void gen_perf(struct gen *g, const struct ir_op *op)
{
	gen_place(g, op);
	gen_line(g, "%s = st_perf_count(c, %uU);", result_text(g, op), op->n);
}

/* ---- all --------------------------------------------------------------- */

/* Prints an operation on a global. */
static void gen_global_op(struct gen *g, const struct ir_op *op)
{
	switch (op->code) {
	case IR_LOAD:
		gen_load(g, op);
		break;
	case IR_STORE:
		gen_store(g, op);
		break;
	case IR_PLUS:
	case IR_MINUS:
		gen_plus(g, op);
		break;
	case IR_GET:
		gen_map(g, op, is_of_strings(g, op) ? "st_map_get_str" : "st_map_get");
		break;
	case IR_SET:
		gen_map(g, op, is_of_strings(g, op) ? "st_map_set_str" : "st_map_set");
		break;
	case IR_HAS:
		gen_slice(g, op, "st_map_has");
		break;
	case IR_DELETE:
		gen_slice(g, op, "st_map_delete");
		break;
	case IR_PLUS_AT:
	case IR_MINUS_AT:
		gen_plus_at(g, op);
		break;
	case IR_CLEAR:
		gen_map(g, op, "st_map_clear");
		break;
	case IR_RECORD:
		gen_map(g, op, "st_agg_add");
		break;
	case IR_RECORD_AT:
		gen_map(g, op, "st_map_add_stat");
		break;
	case IR_STAT:
		gen_map(g, op, "st_agg_merge");
		break;
	case IR_STAT_AT:
		gen_map(g, op, "st_map_get_stat");
		break;
	case IR_CLEAR_STAT:
		gen_map(g, op, "st_agg_clear");
		break;
	case IR_BUCKET:
		gen_bucket(g, op);
		break;
	case IR_PRINT_HIST:
		gen_print_hist(g, op);
		break;
	default:			/* IR_FORMAT_HIST */
		gen_line(g, "%s = st_format_hist(c, %s, &%s_decl);", result_text(g, op),
			 arg(g, op, 0), global_text(g, op->symbol));
	}
}

/* Prints an operation that is computed from its operands alone.  Returns false for any other. */
static bool gen_computed(struct gen *g, const struct ir_op *op)
{
	switch (op->code) {
	case IR_DIV:
	case IR_MOD:
		gen_division(g, op);
		return true;
	case IR_SHL:
	case IR_SHR:
		gen_shift(g, op);
		return true;
	case IR_NEG:
		gen_around(g, op, "-", "");
		return true;
	case IR_NOT:
		gen_around(g, op, "!", "");
		return true;
	case IR_COMPLEMENT:
		gen_around(g, op, "~", "");
		return true;
	case IR_TRUTH:
		gen_around(g, op, "", " != 0");
		return true;
	case IR_COPY:
		gen_around(g, op, "", "");
		return true;
	case IR_LIMIT:
		gen_limit(g, op);
		return true;
	case IR_STREQ:
	case IR_STRNE:
		gen_equal(g, op);
		return true;
	case IR_STRLT:
	case IR_STRGT:
	case IR_STRLE:
	case IR_STRGE:
		gen_compare(g, op);
		return true;
	case IR_DUP:
		gen_named(g, op, "st_dup");
		return true;
	case IR_CONCAT:
		gen_named(g, op, "st_concat");
		return true;
	case IR_FORMAT:
		gen_format(g, op);
		return true;
	case IR_TUPLE_OF:
		gen_tuple(g, op);
		return true;
	case IR_EXTRACT:
		gen_extract(g, op);
		return true;
	default:
		if (infix[op->code])
			gen_binary(g, op);
		return infix[op->code];
	}
}

/* Prints reads and writes of the probed code.  Returns false for any other operation. */
static bool gen_probed(struct gen *g, const struct ir_op *op)
{
	switch (op->code) {
	case IR_KBYTES:
	case IR_UBYTES:
		gen_bytes(g, op);
		return true;
	case IR_FETCH:
		gen_fetch(g, op);
		return true;
	case IR_PUT:
		gen_put(g, op);
		return true;
	case IR_KREAD:
	case IR_UREAD:
		gen_read(g, op);
		return true;
	case IR_KREGISTER:
	case IR_UREGISTER:
		gen_register(g, op);
		return true;
	case IR_PERF:
		gen_perf(g, op);
		return true;
	case IR_SAVE:
		gen_save(g, op);
		return true;
	case IR_SAVED:
		gen_saved(g, op);
		return true;
	default:
		return false;
	}
}

void gen_op(struct gen *g, const struct ir_op *op)
{
	if (ir_opcodes[op->code].traits & IR_MAKES)
		g->texts++;
	if (ir_opcodes[op->code].symbol == IR_OF_GLOBAL) {
		gen_global_op(g, op);
		return;
	}
	if (gen_computed(g, op) || gen_probed(g, op))
		return;
	switch (op->code) {
	case IR_MATCH:
	case IR_NOMATCH:
		gen_match(g, op);
		break;
	case IR_STORE_LOCAL:
		gen_store(g, op);
		break;
	case IR_PLUS_LOCAL:
	case IR_MINUS_LOCAL:
		gen_plus(g, op);
		break;
	case IR_KEEP:
		gen_keep(g, op);
		break;
	case IR_ARM:
		gen_line(g, "armed = %s != 0;", arg(g, op, 0));
		break;
	case IR_AREA:
		gen_area(g, op);
		break;
	case IR_HOLD:
		gen_hold(g, op);
		break;
	case IR_FILLED:
		gen_line(g, "ST_SETTLE();");
		break;
	case IR_CALL:
		gen_call(g, op);
		break;
	case IR_RAISE:
		gen_line(g, "st_error(c, %s);", c_string(op->text));
		break;
	case IR_PRINT:
		gen_print(g, op);
		break;
	case IR_FOREIGN:
		gen_embedded_stmt(g, op);
		break;
	case IR_FOREIGN_VALUE:
		gen_embedded_value(g, op);
		break;
	case IR_CONSTANT:
		gen_line(g, "%s = (st_long)(%s);", result_text(g, op), op->text);
		break;
	case IR_CHECK:
		gen_line(g, "ST_CHECK(c, %s);", way_label(op->way));
		break;
	case IR_CHECK_CALL:
		gen_check_call(g, op);
		break;
	case IR_STEP:
		gen_count(g, op, "ST_STEP");
		break;
	default:			/* IR_WALK */
		gen_count(g, op, "ST_WALK");
	}
}
