// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Builtins that name numbers: errors, system calls, signals and other constants, by the runtime's tables
 * (runtime/names/).
 *
 * A table is copied to the texts, which nobody changes, as slots of one size: each a name as strings are in a
 * frame, its length, its bytes, and zeroes.  So a helper copies a slot as it is.
 *
 *	0 ""	1 "EPERM"	2 "ENOENT" …
 */
#include <string.h>

#include "base/arena.h"
#include "builtins.h"
#include "names/names.h"

/* A table whose numbers end below this has a slot for each; else one for each name. */
enum { DENSE_MOST = 1024 };

/* Returns the bytes of the list's slots. */
static unsigned slot_bytes(const struct list *l)
{
	size_t longest = 0;

	for (unsigned i = 0; i < l->n; i++)
		if (l->names[i] && strlen(l->names[i]) > longest)
			longest = strlen(l->names[i]);
	return STRING_BYTES + rounded(longest + 1);
}

unsigned table_at(struct gen *g, const void *of, bool *is_new)
{
	struct bpf_plan *plan = g->plan;
	struct bpf_table table = { of, plan->texts.len };

	*is_new = false;
	for (size_t i = 0; i < plan->tables.n; i++)
		if (plan->tables.v[i].of == of)
			return plan->tables.v[i].at;
	*is_new = true;
	vec_push(&plan->tables, table);
	return table.at;
}

/* Returns where the list is in the texts. */
static unsigned list_at(struct gen *g, const struct list *l)
{
	unsigned slot = slot_bytes(l), at;
	bool is_new;

	at = table_at(g, l->of, &is_new);
	for (unsigned i = 0; is_new && i < l->n; i++) {
		char *bytes = arena_alloc(slot);
		uint64_t len = l->names[i] ? strlen(l->names[i]) : 0;

		memcpy(bytes, &len, sizeof(len));
		if (len)
			memcpy(bytes + STRING_BYTES, l->names[i], len);
		sbuf_add(&g->plan->texts, bytes, slot);
	}
	return at;
}

void put_listed(struct gen *g, unsigned at, unsigned room, const struct list *l, unsigned none)
{
	unsigned bytes = STRING_BYTES + room, slot = slot_bytes(l);

	if (bytes < slot)
		refuse(g, "no names in strings of so few bytes (-D MAXSTRINGLEN)");
	code_jump_if(g->c, BPF_JGE, R1, l->n, none);
	code_op(g->c, BPF_MUL, R1, slot);
	code_map_value(g->c, R3, BPF_TEXTS, list_at(g, l));
	code_op_reg(g->c, BPF_ADD, R3, R1);
	pass_frame(g, R1, at);
	code_number(g->c, R2, slot);
	code_helper(g->c, BPF_FUNC_probe_read_kernel);
	code_load(g->c, BPF_DW, R0, R9, at);
	code_jump_if(g->c, BPF_JEQ, R0, 0, none);
	clear_bytes(g, at + slot, bytes - slot);
}

/* The operation's result = name r1 of the list. */
static void put_result(struct gen *g, const struct ir_op *op, const struct list *l, unsigned none)
{
	put_listed(g, g->layout->values[op->result], g->layout->value_rooms[op->result], l, none);
}

struct number {
	struct gen *g;
	const struct ir_operand *of;
};

/* r0 = the number, the only value of a format */
static unsigned put_the_number(void *arg, unsigned i, unsigned *room)
{
	const struct number *n = arg;

	(void)i, (void)room;
	load_word(n->g, R0, n->of);
	return 0;
}

/* The operation's result = its first argument by FORMAT. */
static void put_nameless(struct gen *g, const struct ir_op *op, const char *format)
{
	struct number n = { g, &op->args.v[0] };

	put_format(g, g->layout->values[op->result], g->layout->value_rooms[op->result], format, put_the_number, &n);
}

/* ---- builtins ------------------------------------------------------------------ */

void put_errno(struct gen *g, const struct ir_op *op, int64_t unused)
{
	const struct list l = { &st_errnos, st_errnos.names, st_errnos.n };
	unsigned positive = code_label(g->c), none = code_label(g->c), done = code_label(g->c);

	(void)unused;
	load_word(g, R1, &op->args.v[0]);
	code_jump_if(g->c, BPF_JSGE, R1, 0, positive);
	code_op(g->c, BPF_NEG, R1, 0);
	code_here(g->c, positive);
	put_result(g, op, &l, none);
	code_jump(g->c, done);
	code_here(g->c, none);
	clear_bytes(g, g->layout->values[op->result], STRING_BYTES + g->layout->value_rooms[op->result]);
	code_here(g->c, done);
}

static void put_listed_call(struct gen *g, const struct ir_op *op, bool narrow, unsigned none)
{
	const struct list l = { &st_calls[narrow], st_calls[narrow].names, st_calls[narrow].n };

	load_word(g, R1, &op->args.v[0]);
	put_result(g, op, &l, none);
}

void put_call_name(struct gen *g, const struct ir_op *op, int64_t unused)
{
	unsigned wide = code_label(g->c), none = code_label(g->c), done = code_label(g->c);

	(void)unused;
	put_is_narrow(g, wide);
	put_listed_call(g, op, true, none);
	code_jump(g->c, done);
	code_here(g->c, wide);
	put_listed_call(g, op, false, none);
	code_jump(g->c, done);
	code_here(g->c, none);
	put_nameless(g, op, "syscall_%d");
	code_here(g->c, done);
}

bool has_names(int64_t which)
{
	return st_names_table(which)->n;
}

static bool is_dense(const struct st_table_of_names *t)
{
	for (unsigned i = 0; i < t->n; i++)
		if (t->names[i].value < 0 || t->names[i].value >= DENSE_MOST)
			return false;
	return true;
}

/* Lists the names of a table: by their numbers, or by their order. */
static struct list list_of(const struct st_table_of_names *t)
{
	bool dense = is_dense(t);
	const char **names = arena_alloc((DENSE_MOST + t->n) * sizeof(*names));
	struct list l = { t, names, 0 };

	for (unsigned i = 0; i < t->n; i++) {
		unsigned at = dense ? t->names[i].value : i;

		if (!names[at])
			names[at] = t->names[i].name;
		if (at >= l.n)
			l.n = at + 1;
	}
	return l;
}

/* r1 = the place of the number r1 in the table's order */
static void put_search(struct gen *g, const struct st_table_of_names *t)
{
	unsigned found = code_label(g->c);

	code_op_reg(g->c, BPF_MOV, R2, R1);
	for (unsigned i = 0; i < t->n; i++) {
		code_store_number(g->c, BPF_DW, R9, FRAME_TEMPORARY, i);
		code_number(g->c, R1, t->names[i].value);
		code_jump_if_reg(g->c, BPF_JEQ, R2, R1, found);
	}
	code_store_number(g->c, BPF_DW, R9, FRAME_TEMPORARY, t->n);
	code_here(g->c, found);
	/* From memory, so that the verifier does not follow how the number came about. */
	code_load(g->c, BPF_DW, R1, R9, FRAME_TEMPORARY);
}

/* Goes to OTHER unless the string at AT is TEXT. */
static void put_is_text(struct gen *g, unsigned at, unsigned room, const char *text, unsigned other)
{
	size_t n = strlen(text);

	if (n >= room) {
		code_jump(g->c, other);
		return;
	}
	code_load(g->c, BPF_DW, R1, R9, at);
	code_jump_if(g->c, BPF_JNE, R1, n, other);
	for (size_t i = 0; i < n; i += 8) {
		int64_t word = 0;

		memcpy(&word, text + i, n - i < 8 ? n - i : 8);
		code_load(g->c, BPF_DW, R1, R9, at + STRING_BYTES + i);
		code_number(g->c, R2, word);
		code_jump_if_reg(g->c, BPF_JNE, R1, R2, other);
	}
}

void put_constant(struct gen *g, const struct ir_op *op, int64_t which)
{
	const struct st_table_of_names *t = st_names_table(which);
	struct list l = list_of(t);
	unsigned none = code_label(g->c), done = code_label(g->c);

	load_word(g, R1, &op->args.v[0]);
	if (!is_dense(t))
		put_search(g, t);
	put_result(g, op, &l, none);
	code_jump(g->c, done);
	code_here(g->c, none);
	put_nameless(g, op, "0x%x");
	code_here(g->c, done);
}

/* The constant that the first argument names; -1: none. */
void put_constant_value(struct gen *g, const struct ir_op *op, int64_t which)
{
	const struct st_table_of_names *t = st_names_table(which);
	unsigned at = string_at(g, &op->args.v[0]), done = code_label(g->c);

	for (unsigned i = 0; i < t->n; i++) {
		unsigned next = code_label(g->c);

		put_is_text(g, at, operand_room(g, &op->args.v[0]), t->names[i].name, next);
		code_number(g->c, R0, t->names[i].value);
		code_jump(g->c, done);
		code_here(g->c, next);
	}
	code_number(g->c, R0, -1);
	code_here(g->c, done);
	store_word(g, op, R0);
}

/* ---- flags -------------------------------------------------------------------------- */

/* Words of the frame that rounds share: which flag comes next, and the bits that have no name yet. */
enum { NEXT = FRAME_TEMPORARY, BITS = NEXT + 8 };

/* The bytes of a flag in the texts: its bits, and a string that begins with "|". */
enum { FLAG_STRING = 8, FLAG_ROOM = 48, FLAG_BYTES = FLAG_STRING + STRING_BYTES + FLAG_ROOM };

/* Returns where the flags of a table are in the texts. */
static unsigned flags_at(struct gen *g, const struct st_table_of_names *t)
{
	bool is_new;
	unsigned at = table_at(g, &t->names, &is_new);

	for (unsigned i = 0; is_new && i < t->n; i++) {
		char bytes[FLAG_BYTES] = { 0 };
		const char *text = arena_printf("|%.*s", FLAG_ROOM - 2, t->names[i].name);
		uint64_t len = strlen(text);

		memcpy(bytes, &t->names[i].value, sizeof(t->names[i].value));
		memcpy(bytes + FLAG_STRING, &len, sizeof(len));
		memcpy(bytes + FLAG_STRING + STRING_BYTES, text, len);
		sbuf_add(&g->plan->texts, bytes, FLAG_BYTES);
	}
	return at;
}

/* Makes the function that appends the next flag to the string at AT, if all of its bits are set. */
static unsigned put_flag(struct gen *g, const struct st_table_of_names *t, unsigned at, unsigned room)
{
	unsigned flag = piece_at(g), table = flags_at(g, t), over, next, empty;
	struct function *outer;
	unsigned number = begin_function(g, &outer);

	over = code_label(g->c);
	next = code_label(g->c);
	empty = code_label(g->c);
	code_load(g->c, BPF_DW, R1, R9, NEXT);
	code_jump_if(g->c, BPF_JGE, R1, t->n, over);
	code_op_reg(g->c, BPF_MOV, R2, R1);
	code_op(g->c, BPF_ADD, R2, 1);
	code_store(g->c, BPF_DW, R9, NEXT, R2);
	code_op(g->c, BPF_MUL, R1, FLAG_BYTES);
	code_map_value(g->c, R3, BPF_TEXTS, table);
	code_op_reg(g->c, BPF_ADD, R3, R1);
	pass_frame(g, R1, flag);
	code_number(g->c, R2, FLAG_BYTES);
	code_helper(g->c, BPF_FUNC_probe_read_kernel);
	code_load(g->c, BPF_DW, R1, R9, flag);
	code_load(g->c, BPF_DW, R2, R9, BITS);
	code_jump_if(g->c, BPF_JEQ, R1, 0, next);
	code_op_reg(g->c, BPF_MOV, R3, R2);
	code_op_reg(g->c, BPF_AND, R3, R1);
	code_jump_if_reg(g->c, BPF_JNE, R3, R1, next);
	code_op_reg(g->c, BPF_XOR, R2, R1);
	code_store(g->c, BPF_DW, R9, BITS, R2);
	code_load(g->c, BPF_DW, R2, R9, flag + FLAG_STRING);
	code_number(g->c, R4, 0);
	code_load(g->c, BPF_DW, R1, R9, at);
	code_jump_if(g->c, BPF_JNE, R1, 0, empty);
	code_number(g->c, R4, 1);
	code_op(g->c, BPF_SUB, R2, 1);
	code_here(g->c, empty);
	put_append_part(g, at, room, flag + FLAG_STRING, FLAG_ROOM);
	code_here(g->c, next);
	code_number(g->c, R0, 0);
	code_exit(g->c);
	code_here(g->c, over);
	code_number(g->c, R0, 1);
	code_exit(g->c);
	end_function(g, outer);
	return number;
}

/* The flags of the first argument, "O_CREAT|O_CLOEXEC|0x3". */
void put_flags(struct gen *g, const struct ir_op *op, int64_t which)
{
	const struct st_table_of_names *t = st_names_table(which);
	unsigned at = g->layout->values[op->result], room = g->layout->value_rooms[op->result];
	unsigned none = code_label(g->c), rest = code_label(g->c);

	load_word(g, R0, &op->args.v[0]);
	code_store(g->c, BPF_DW, R9, BITS, R0);
	code_store_number(g->c, BPF_DW, R9, NEXT, 0);
	clear_bytes(g, at, STRING_BYTES + room);
	put_rounds(g, put_flag(g, t, at, room), t->n);
	code_load(g->c, BPF_DW, R0, R9, BITS);
	code_jump_if(g->c, BPF_JNE, R0, 0, rest);
	code_load(g->c, BPF_DW, R1, R9, at);
	code_jump_if(g->c, BPF_JNE, R1, 0, none);
	code_here(g->c, rest);
	append_hex(g, at, room, "|");
	code_here(g->c, none);
}
