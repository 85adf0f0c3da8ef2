// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Fetches: terms (fetch.h) as instructions.  A term's value is in r0; what a binary term's first operand
 * gives waits in a word of the frame meanwhile, one for each level of the tree.
 */
#include <string.h>

#include "base/arena.h"
#include "fetch.h"
#include "gen.h"

/*
 * Registers of arguments among the words of struct pt_regs, and where a tracepoint's arguments are: the
 * first of a function that is attached to it is its own data, which BPF doesn't show.
 */
enum { ARGUMENTS_MOST = 12 };

static const signed char argument_of[] = { [13] = 1, [12] = 2, [11] = 3, [9] = 4, [8] = 5 };

/* A fetch that is made. */
struct fetching {
	struct gen *g;
	const struct ir_op *op;		/* NULL: its inputs are at 'inputs' in the frame */
	unsigned inputs;
	unsigned level;			/* temporaries in use */
	unsigned strings;		/* texts within each other */
	unsigned let[FRAME_TEMPORARIES];	/* the temporary that holds each LET's word */
};

static void put_term(struct fetching *f, const struct term *t);

/* ---- leaves ----------------------------------------------------------------------- */

static void put_trace_argument(struct gen *g, unsigned number)
{
	if (number < 1 || number > ARGUMENTS_MOST)
		refuse(g, "no such argument of a tracepoint");
	if (g->context_free) {
		put_traced_call(g, number);
		return;
	}
	code_load(g->c, BPF_DW, R0, R6, 8 * (number - 1));
}

/* r0 = word N of struct pt_regs */
void put_register(struct gen *g, unsigned n)
{
	if (g->attach == IR_AT_TRACEPOINT) {
		put_trace_argument(g, n < sizeof(argument_of) ? argument_of[n] : 0);
		return;
	}
	if (g->attach == IR_OF_PROCESS) {
		put_entered(g, n);
		return;
	}
	code_load(g->c, BPF_DW, R0, R6, 8 * n);
	if (g->attach != IR_AT_RETURNING)
		return;
	/* The handler sees the registers as they will be behind the return instruction. */
	if (n == STACK_POINTER)
		code_op(g->c, BPF_ADD, R0, 8);
	if (n == INSTRUCTION_POINTER) {
		code_load(g->c, BPF_DW, R3, R6, 8 * STACK_POINTER);
		put_read(g, 8, true, NULL);
	}
}

/*
 * Is it a tracepoint's argument that is passed on the stack?  *NUMBER counts as argument_of does: the sixth
 * is 8 bytes above the stack pointer.
 */
static bool is_stacked_argument(const struct term *address, unsigned *number)
{
	if (address->kind != TERM_BINARY || address->op != WORD_ADD || address->a->kind != TERM_REGISTER ||
	    address->a->n != STACK_POINTER || address->b->kind != TERM_NUMBER)
		return false;
	*number = 5 + address->b->number / 8;
	return true;
}

/*
 * The address of a variable of the program that is probed: as far from the place as in the file.  Elsewhere
 * than at the place nothing tells where the program is.
 */
static void put_program_address(struct gen *g, unsigned file, uint64_t address)
{
	const struct ir_place *p = g->place;

	if (!p || g->attach != IR_IN_PROGRAM || p->file != file) {
		refuse(g, "no variables of a program elsewhere than at a place in it");
		return;
	}
	code_load(g->c, BPF_DW, R0, R6, 8 * INSTRUCTION_POINTER);
	code_number(g->c, R1, address - g->ir->files.v[file].distance - g->offset);
	code_op_reg(g->c, BPF_ADD, R0, R1);
}

static void put_image(struct gen *g, unsigned base, uint64_t offset)
{
	if (base >= g->ir->bases.n)
		refuse(g, "no such address");
	else
		code_number(g->c, R0, (g->on->bases ? g->on->bases[base] : 0) + offset);
}

/* ---- operators ---------------------------------------------------------------------- */

static unsigned keep_temporary(struct fetching *f)
{
	unsigned n = f->level++;

	if (n + 2 >= FRAME_TEMPORARIES) {
		refuse(f->g, "no expressions of so many levels");
		return 0;
	}
	code_store(f->g->c, BPF_DW, R9, FRAME_TEMPORARY + 8 * (n + 1), R0);
	return n + 1;
}

static void load_temporary(struct fetching *f, unsigned reg, unsigned n)
{
	code_load(f->g->c, BPF_DW, reg, R9, FRAME_TEMPORARY + 8 * n);
}

/* r0 = r1 shifted by r2; by 64 and more: 0, or as by 63 if it is signed */
static void put_shift(struct gen *g, enum word_op op)
{
	unsigned within = code_label(g->c), done = code_label(g->c);

	code_op_reg(g->c, BPF_MOV, R0, R1);
	code_jump_if(g->c, BPF_JLT, R2, 64, within);
	if (op == WORD_SIGNED_SHR) {
		code_number(g->c, R2, 63);
	} else {
		code_number(g->c, R0, 0);
		code_jump(g->c, done);
	}
	code_here(g->c, within);
	code_op_reg(g->c, op == WORD_SHL ? BPF_LSH : op == WORD_SHR ? BPF_RSH : BPF_ARSH, R0, R2);
	code_here(g->c, done);
}

/* r0 = r1 OP r2 */
static void put_operator(struct gen *g, enum word_op op)
{
	static const unsigned plain[] = {
		[WORD_ADD] = BPF_ADD, [WORD_SUB] = BPF_SUB, [WORD_MUL] = BPF_MUL, [WORD_AND] = BPF_AND,
		[WORD_OR] = BPF_OR, [WORD_XOR] = BPF_XOR,
	};
	static const unsigned jumps[] = {
		[WORD_EQ] = BPF_JEQ, [WORD_NE] = BPF_JNE, [WORD_LT] = BPF_JLT, [WORD_LE] = BPF_JLE,
		[WORD_GT] = BPF_JGT, [WORD_GE] = BPF_JGE, [WORD_SIGNED_LT] = BPF_JSLT, [WORD_SIGNED_LE] = BPF_JSLE,
		[WORD_SIGNED_GT] = BPF_JSGT, [WORD_SIGNED_GE] = BPF_JSGE,
	};
	unsigned yes = code_label(g->c);

	switch (op) {
	case WORD_DIV:			/* by 0: 0, in BPF too */
	case WORD_MOD:
		code_op_reg(g->c, BPF_MOV, R0, R1);
		if (op == WORD_MOD)
			code_jump_if(g->c, BPF_JEQ, R2, 0, yes);
		code_op_reg(g->c, op == WORD_DIV ? BPF_DIV : BPF_MOD, R0, R2);
		code_here(g->c, yes);
		break;
	case WORD_SHL:
	case WORD_SHR:
	case WORD_SIGNED_SHR:
		put_shift(g, op);
		break;
	case WORD_EQ ... WORD_SIGNED_GE:
		code_number(g->c, R0, 1);
		code_jump_if_reg(g->c, jumps[op], R1, R2, yes);
		code_number(g->c, R0, 0);
		code_here(g->c, yes);
		break;
	case WORD_SIGNED_DIV:
		refuse(g, "no such division");
		break;
	default:
		code_op_reg(g->c, BPF_MOV, R0, R1);
		code_op_reg(g->c, plain[op], R0, R2);
	}
}

static void put_binary(struct fetching *f, const struct term *t)
{
	unsigned first;

	put_term(f, t->a);
	first = keep_temporary(f);
	put_term(f, t->b);
	code_op_reg(f->g->c, BPF_MOV, R2, R0);
	load_temporary(f, R1, first);
	put_operator(f->g, t->op);
	f->level--;
}

static void put_extension(struct fetching *f, const struct term *t)
{
	unsigned bits = 64 - 8 * t->size;

	put_term(f, t->a);
	code_op(f->g->c, BPF_LSH, R0, bits);
	code_op(f->g->c, t->is_signed ? BPF_ARSH : BPF_RSH, R0, bits);
}

static void put_choice(struct fetching *f, const struct term *t)
{
	unsigned other = code_label(f->g->c), done = code_label(f->g->c);

	put_term(f, t->a);
	code_jump_if(f->g->c, BPF_JEQ, R0, 0, other);
	put_term(f, t->b);
	code_jump(f->g->c, done);
	code_here(f->g->c, other);
	put_term(f, t->c);
	code_here(f->g->c, done);
}

/* Makes a LET's word, which end_let() gives up. */
static void begin_let(struct fetching *f, const struct term *t)
{
	put_term(f, t->a);
	if (t->n >= FRAME_TEMPORARIES)
		refuse(f->g, "no expressions of so many parts");
	else
		f->let[t->n] = keep_temporary(f);
}

static void end_let(struct fetching *f)
{
	f->level--;
}

static void put_let(struct fetching *f, const struct term *t)
{
	begin_let(f, t);
	put_term(f, t->b);
	end_let(f);
}

static void put_memory(struct fetching *f, const struct term *t)
{
	unsigned number;

	if (f->g->attach == IR_AT_TRACEPOINT && is_stacked_argument(t->a, &number)) {
		put_trace_argument(f->g, number);
		return;
	}
	put_term(f, t->a);
	code_op_reg(f->g->c, BPF_MOV, R3, R0);
	put_read(f->g, t->size, t->user, NULL);
}

/*
 * r0 = the base of the thread's variables, as the thread has last told the kernel, or was last switched away from with: the
 * register itself BPF doesn't show.
 */
static void put_thread_pointer(struct gen *g)
{
	if (g->on->untyped)
		refuse(g, "no thread-local variables in a kernel without types (CONFIG_DEBUG_INFO_BTF)");
	code_helper(g->c, BPF_FUNC_get_current_task_btf);
	code_load_member(g->c, R0, R0, TASK_THREAD_BASE);
}

static void put_term(struct fetching *f, const struct term *t)
{
	struct gen *g = f->g;

	switch (t->kind) {
	case TERM_NUMBER:
		code_number(g->c, R0, t->number);
		break;
	case TERM_REGISTER:
		put_register(g, t->n);
		break;
	case TERM_INPUT:
		if (f->op)
			load_word(g, R0, &f->op->args.v[t->n]);
		else
			code_load(g->c, BPF_DW, R0, R9, f->inputs + 8 * t->n);
		break;
	case TERM_IMAGE:
		put_image(g, t->n, t->number);
		break;
	case TERM_PROGRAM:
		put_program_address(g, t->n, t->number);
		break;
	case TERM_READ:
		put_memory(f, t);
		break;
	case TERM_CALL:
		if (t->n == TERM_THREAD_POINTER)
			put_thread_pointer(g);
		else
			refuse(g, "no such variable");
		break;
	case TERM_MEMBER:
		if (t->n == TERM_SYSTEM_CALL)
			put_system_call(g, t->text);
		else
			refuse(g, "no such variable");
		break;
	case TERM_UNARY:
		put_term(f, t->a);
		if (t->op == WORD_NEG)
			code_op(g->c, BPF_NEG, R0, 0);
		else
			code_op(g->c, BPF_XOR, R0, -1);
		break;
	case TERM_BINARY:
		put_binary(f, t);
		break;
	case TERM_EXTEND:
		put_extension(f, t);
		break;
	case TERM_CHOOSE:
		put_choice(f, t);
		break;
	case TERM_TEMPORARY:
		load_temporary(f, R0, t->n < FRAME_TEMPORARIES ? f->let[t->n] : 0);
		break;
	case TERM_LET:
		put_let(f, t);
		break;
	default:
		refuse(g, "no such variable");
	}
}

/* Returns the text of a tracepoint's $$name or $$system; NULL for another term. */
static const char *known_text(const struct gen *g, const struct term *t)
{
	const char *quote, *colon;

	if (t->kind == TERM_FORMAT && !t->n && !strchr(t->text, '%'))
		return t->text;
	if (t->kind != TERM_MEMBER || t->n != TERM_TRACEPOINT || !g->place)
		return NULL;
	if (!strcmp(t->text, "name"))
		return g->place->tracepoint;
	quote = strchr(g->place->pp, '"');
	colon = quote ? strchr(quote, ':') : NULL;
	return colon ? arena_strndup(quote + 1, colon - quote - 1) : NULL;
}

static void put_string_term(struct fetching *f, const struct term *t, unsigned at, unsigned room);

/* A format of terms that is being made. */
struct formatting {
	struct fetching *f;
	const struct term *format;
};

/* Makes value I of a format: a number in r0; or a string, in the frame's place for strings of its level. */
static unsigned put_value(void *arg, unsigned i, unsigned *room)
{
	const struct formatting *formatting = arg;
	struct fetching *f = formatting->f;
	const struct term *t = formatting->format->args[i];
	unsigned at;

	if (t->sort == SORT_WORD) {
		put_term(f, t);
		return 0;
	}
	*room = string_room(f->g, 0);
	if (f->strings == STRING_LEVELS) {
		refuse(f->g, "no texts of so many levels");
		return 0;
	}
	if (!f->g->texts[f->strings])
		f->g->texts[f->strings] = take(f->g, STRING_BYTES + *room);
	at = f->g->texts[f->strings++];
	put_string_term(f, t, at, *room);
	f->strings--;
	return at;
}

/* A text that can't be read is "ERROR", and the error forgotten. */
static void put_attempt(struct fetching *f, const struct term *t, unsigned at, unsigned room)
{
	struct gen *g = f->g;
	unsigned fine = code_label(g->c);

	put_string_term(f, t->a, at, room);
	code_load(g->c, BPF_DW, R0, R9, FRAME_SITE);
	code_jump_if(g->c, BPF_JEQ, R0, 0, fine);
	code_store_number(g->c, BPF_DW, R9, FRAME_SITE, 0);
	put_text(g, at, room, "ERROR");
	code_here(g->c, fine);
}

/* Makes the text of a term at AT in the frame. */
static void put_string_term(struct fetching *f, const struct term *t, unsigned at, unsigned room)
{
	struct formatting formatting = { f, t };
	const char *text = known_text(f->g, t);

	if (text) {
		put_text(f->g, at, room, text);
	} else if (t->kind == TERM_FORMAT) {
		put_format(f->g, at, room, t->text, put_value, &formatting);
	} else if (t->kind == TERM_ATTEMPT) {
		put_attempt(f, t, at, room);
	} else if (t->kind == TERM_CALL && t->n == TERM_QUOTED && t->b->kind == TERM_NUMBER) {
		put_term(f, t->a);
		put_quoted_variable(f->g, at, room, t->b->number);
	} else if (t->kind == TERM_LET) {
		begin_let(f, t);
		put_string_term(f, t->b, at, room);
		end_let(f);
	} else {
		refuse(f->g, "no variables that are shown as such a text");
	}
}

/* r0 = a fact of a task, of which the inputs are in the frame; or 0, with the error set, if it can't be read. */
void put_fallible_fact(struct gen *g, enum task_fact fact, unsigned inputs)
{
	struct fetching f = { .g = g, .inputs = inputs };

	if (g->ir->tasks[fact])
		put_term(&f, g->ir->tasks[fact]);
	else
		refuse(g, "no facts of tasks without the kernel's types");
}

/* r0 = a fact of a task, of which the inputs are in the frame; 0 if there is none. */
void put_fact(struct gen *g, enum task_fact fact, unsigned inputs)
{
	static const struct ir_op none = {
		.result = IR_NO_VALUE, .near = IR_NO_CONSTANT, .format = IR_NO_CONSTANT,
	};
	unsigned fine = code_label(g->c);

	g->op = &none;
	put_fallible_fact(g, fact, inputs);
	code_load(g->c, BPF_DW, R1, R9, FRAME_SITE);
	code_jump_if(g->c, BPF_JEQ, R1, 0, fine);
	code_store_number(g->c, BPF_DW, R9, FRAME_SITE, 0);
	code_number(g->c, R0, 0);
	code_here(g->c, fine);
}

void put_fetch(struct gen *g, const struct ir_op *op)
{
	struct fetching f = { .g = g, .op = op };

	if (op->term->sort == SORT_WORD) {
		put_term(&f, op->term);
		store_word(g, op, R0);
	} else if (op->result != IR_NO_VALUE) {
		put_string_term(&f, op->term, g->layout->values[op->result], g->layout->value_rooms[op->result]);
	}
}
