// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Looks for regular expressions, by the tables of the translator's DFA (abi/stap_script.h), and for parts of
 * strings: a round of a loop for each byte.  And takes parts, and finds tokens.
 */
#include <string.h>

#include "abi/stap_script.h"
#include "gen.h"

/* Words of the frame that rounds share: which byte comes next, and the state or the answer. */
enum { AT = FRAME_TEMPORARY, STATE = AT + 8 };

/* A string that is looked at. */
struct subject {
	unsigned from, room;
};

static struct subject subject_of(struct gen *g, const struct ir_operand *o)
{
	return (struct subject){ string_at(g, o), operand_room(g, o) };
}

/* r7 = where byte AT of the subject is; goes to OVER if fewer than BYTES are left. */
static void put_next(struct gen *g, const struct subject *s, unsigned bytes, unsigned over)
{
	code_load(g->c, BPF_DW, R7, R9, AT);
	code_load(g->c, BPF_DW, R1, R9, s->from);
	code_jump_if(g->c, BPF_JGE, R7, s->room, over);
	code_op_reg(g->c, BPF_MOV, R2, R7);
	code_op(g->c, BPF_ADD, R2, bytes);
	code_jump_if_reg(g->c, BPF_JGT, R2, R1, over);
	code_op(g->c, BPF_ADD, R7, s->from + STRING_BYTES);
	code_op_reg(g->c, BPF_ADD, R7, R9);
}

/* Ends a round, OVER: the last. */
static void end_round(struct gen *g, unsigned over, struct function *outer)
{
	code_load(g->c, BPF_DW, R1, R9, AT);
	code_op(g->c, BPF_ADD, R1, 1);
	code_store(g->c, BPF_DW, R9, AT, R1);
	code_number(g->c, R0, 0);
	code_exit(g->c);
	code_here(g->c, over);
	code_number(g->c, R0, 1);
	code_exit(g->c);
	end_function(g, outer);
}

/* ---- regular expressions --------------------------------------------------------- */

enum { CLASSES = 256 };

/* Returns where the tables are in the texts: classes, next states, flags. */
static unsigned regex_at(struct gen *g, const struct ir_pattern *p)
{
	const struct st_regex *re = p->tables;
	bool is_new;
	unsigned at = table_at(g, re, &is_new);

	if (is_new) {
		sbuf_add(&g->plan->texts, (const char *)re->classes, CLASSES);
		sbuf_add(&g->plan->texts, (const char *)re->next, p->nstates * re->nclasses * sizeof(*re->next));
		sbuf_add(&g->plan->texts, (const char *)re->flags, p->nstates);
	}
	return at;
}

/* r1 = the state; goes to OVER if that is none of the DFA's. */
static void load_state(struct gen *g, const struct ir_pattern *p, unsigned over)
{
	code_load(g->c, BPF_DW, R1, R9, STATE);
	code_jump_if(g->c, BPF_JGE, R1, p->nstates, over);
}

/* Makes the function that takes a byte to the next state. */
static unsigned put_state(struct gen *g, const struct subject *s, const struct ir_pattern *p, unsigned at)
{
	struct function *outer;
	unsigned number = begin_function(g, &outer), over = code_label(g->c), entries = p->nstates * p->tables->nclasses;

	put_next(g, s, 1, over);
	code_load(g->c, BPF_B, R2, R7, 0);
	code_map_value(g->c, R3, BPF_TEXTS, at);
	code_op_reg(g->c, BPF_ADD, R3, R2);
	code_load(g->c, BPF_B, R2, R3, 0);
	load_state(g, p, over);
	code_jump_if(g->c, BPF_JLE, R1, ST_RE_MATCHED, over);
	code_op(g->c, BPF_MUL, R1, p->tables->nclasses);
	code_op_reg(g->c, BPF_ADD, R1, R2);
	code_jump_if(g->c, BPF_JGE, R1, entries, over);
	code_op(g->c, BPF_LSH, R1, 1);
	code_map_value(g->c, R3, BPF_TEXTS, at + CLASSES);
	code_op_reg(g->c, BPF_ADD, R3, R1);
	code_load(g->c, BPF_H, R1, R3, 0);
	code_store(g->c, BPF_DW, R9, STATE, R1);
	end_round(g, over, outer);
	return number;
}

void put_match_of(struct gen *g, const struct ir_op *op)
{
	const struct ir_pattern *p = &g->ir->patterns.v[op->symbol];
	struct subject s = subject_of(g, &op->args.v[0]);
	unsigned over = code_label(g->c), at;

	if (p->tables->ngroups) {
		refuse(g, "no matched() of a regular expression");
		return;
	}
	at = regex_at(g, p);
	code_store_number(g->c, BPF_DW, R9, AT, 0);
	code_store_number(g->c, BPF_DW, R9, STATE, p->tables->start);
	put_rounds(g, put_state(g, &s, p, at), s.room);
	code_number(g->c, R0, 0);
	load_state(g, p, over);
	code_map_value(g->c, R3, BPF_TEXTS, at + CLASSES + p->nstates * p->tables->nclasses * sizeof(*p->tables->next));
	code_op_reg(g->c, BPF_ADD, R3, R1);
	code_load(g->c, BPF_B, R0, R3, 0);
	code_op(g->c, BPF_AND, R0, ST_RE_AT_END);
	code_here(g->c, over);
	if (op->code == IR_NOMATCH)
		code_op(g->c, BPF_XOR, R0, 1);
	store_word(g, op, R0);
}

/* ---- parts ----------------------------------------------------------------------- */

/* The longest part: what is behind a string in a frame is read with it, and the frame has so much more. */
enum { PART_MOST = 256 };

/* Goes to OTHER unless the bytes at r7 are the part's. */
static void put_is_part(struct gen *g, const char *part, unsigned other)
{
	for (size_t i = 0, n = strlen(part); i < n; i += 8) {
		unsigned unused = n - i < 8 ? 8 * (8 - (n - i)) : 0;
		char word[8] = { 0 };
		int64_t number;

		memcpy(word, part + i, n - i < 8 ? n - i : 8);
		memcpy(&number, word, 8);
		code_load(g->c, BPF_DW, R1, R7, i);
		if (unused) {
			code_op(g->c, BPF_LSH, R1, unused);
			code_op(g->c, BPF_RSH, R1, unused);
		}
		code_number(g->c, R2, number);
		code_jump_if_reg(g->c, BPF_JNE, R1, R2, other);
	}
}

/* Makes the function that notes the byte where the part begins. */
static unsigned put_part_at(struct gen *g, const struct subject *s, const char *part)
{
	struct function *outer;
	unsigned number = begin_function(g, &outer), over = code_label(g->c), other = code_label(g->c);

	put_next(g, s, strlen(part), over);
	put_is_part(g, part, other);
	code_load(g->c, BPF_DW, R1, R9, AT);
	code_store(g->c, BPF_DW, R9, STATE, R1);
	code_jump(g->c, over);
	code_here(g->c, other);
	end_round(g, over, outer);
	return number;
}

/* Where the second argument, a literal, begins in the first, or -1; or ONLY_WHETHER it does. */
void put_find(struct gen *g, const struct ir_op *op, int64_t only_whether)
{
	const char *part = literal_text(g, &op->args.v[1]);
	struct subject s = subject_of(g, &op->args.v[0]);

	if (!part || strlen(part) > PART_MOST) {
		refuse(g, "no search for what is no short literal");
		return;
	}
	code_store_number(g->c, BPF_DW, R9, AT, 0);
	code_store_number(g->c, BPF_DW, R9, STATE, *part ? -1 : 0);
	if (*part)
		put_rounds(g, put_part_at(g, &s, part), s.room);
	code_load(g->c, BPF_DW, R0, R9, STATE);
	if (only_whether) {
		code_op(g->c, BPF_RSH, R0, 63);
		code_op(g->c, BPF_XOR, R0, 1);
	}
	store_word(g, op, R0);
}

/* The bytes of the first argument from the second on, as many as the third says. */
void put_substr(struct gen *g, const struct ir_op *op, int64_t unused)
{
	unsigned at = g->layout->values[op->result], room = g->layout->value_rooms[op->result];
	unsigned from = string_at(g, &op->args.v[0]), from_room = operand_room(g, &op->args.v[0]);
	unsigned none = code_label(g->c), short_enough = code_label(g->c), fits = code_label(g->c);

	(void)unused;
	clear_bytes(g, at, STRING_BYTES + room);
	load_word(g, R1, &op->args.v[1]);
	load_word(g, R2, &op->args.v[2]);
	code_load(g->c, BPF_DW, R3, R9, from);
	code_jump_if_reg(g->c, BPF_JGE, R1, R3, none);
	code_jump_if(g->c, BPF_JSLE, R2, 0, none);
	code_op_reg(g->c, BPF_SUB, R3, R1);
	code_jump_if_reg(g->c, BPF_JLE, R2, R3, short_enough);
	code_op_reg(g->c, BPF_MOV, R2, R3);
	code_here(g->c, short_enough);
	code_jump_if(g->c, BPF_JLT, R1, from_room, fits);
	code_jump(g->c, none);
	code_here(g->c, fits);
	code_jump_if(g->c, BPF_JGE, R2, room, none);
	code_store(g->c, BPF_DW, R9, at, R2);
	pass_frame(g, R3, from + STRING_BYTES);
	code_op_reg(g->c, BPF_ADD, R3, R1);
	pass_frame(g, R1, at + STRING_BYTES);
	code_helper(g->c, BPF_FUNC_probe_read_kernel);
	code_here(g->c, none);
}

/* ---- tokens ----------------------------------------------------------------------- */

/* The bytes that separate tokens, a bit for each. */
enum { SEPARATORS = STATE + 8, SEPARATORS_BYTES = 256 / 8 };

/* r1 + SEPARATORS = where the bit of the byte at r7 is, r3 = that bit. */
static void load_bit(struct gen *g)
{
	code_load(g->c, BPF_B, R2, R7, 0);
	code_op_reg(g->c, BPF_MOV, R1, R2);
	code_op(g->c, BPF_RSH, R1, 6);
	code_op(g->c, BPF_LSH, R1, 3);
	code_op_reg(g->c, BPF_ADD, R1, R9);
	code_op(g->c, BPF_AND, R2, 63);
	code_number(g->c, R3, 1);
	code_op_reg(g->c, BPF_LSH, R3, R2);
	code_load(g->c, BPF_DW, R0, R1, SEPARATORS);
}

/* Makes the function that adds a byte to the separators. */
static unsigned put_separator(struct gen *g, const struct subject *s)
{
	struct function *outer;
	unsigned number = begin_function(g, &outer), over = code_label(g->c);

	put_next(g, s, 1, over);
	load_bit(g);
	code_op_reg(g->c, BPF_OR, R0, R3);
	code_store(g->c, BPF_DW, R1, SEPARATORS, R0);
	end_round(g, over, outer);
	return number;
}

/*
 * Makes the function that goes past a byte, if it is one of the token or, if that is to BEGIN, a separator.
 */
static unsigned put_pass_byte(struct gen *g, const struct subject *s, bool begin)
{
	struct function *outer;
	unsigned number = begin_function(g, &outer), over = code_label(g->c);

	put_next(g, s, 1, over);
	load_bit(g);
	code_op_reg(g->c, BPF_AND, R0, R3);
	code_jump_if(g->c, begin ? BPF_JEQ : BPF_JNE, R0, 0, over);
	end_round(g, over, outer);
	return number;
}

/* Where a token of the first argument begins or ends, from the second on; the third has the separators. */
void put_token(struct gen *g, const struct ir_op *op, int64_t begin)
{
	struct subject separators = subject_of(g, &op->args.v[2]), s;
	unsigned positive = code_label(g->c), fits = code_label(g->c);

	code_store_number(g->c, BPF_DW, R9, AT, 0);
	clear_bytes(g, SEPARATORS, SEPARATORS_BYTES);
	put_rounds(g, put_separator(g, &separators), separators.room);
	s = subject_of(g, &op->args.v[0]);
	load_word(g, R0, &op->args.v[1]);
	code_jump_if(g->c, BPF_JSGE, R0, 0, positive);
	code_number(g->c, R0, 0);
	code_here(g->c, positive);
	code_load(g->c, BPF_DW, R1, R9, s.from);
	code_jump_if_reg(g->c, BPF_JLE, R0, R1, fits);
	code_op_reg(g->c, BPF_MOV, R0, R1);
	code_here(g->c, fits);
	code_store(g->c, BPF_DW, R9, AT, R0);
	put_rounds(g, put_pass_byte(g, &s, begin), s.room);
	code_load(g->c, BPF_DW, R0, R9, AT);
	store_word(g, op, R0);
}
