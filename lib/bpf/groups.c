// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Matches regular expressions with groups, as runtime/text/regex.c does: backwards over the subject, to where the match
 * begins, then forwards over the match, noting where groups begin and end.  Each is a round of a loop for each byte.
 *
 *	"abcd" =~ "b(c)"	states of 4 bytes and the end; begins at 1; group 0: 1 to 3, group 1: 2 to 3
 */
#include <stddef.h>

#include "abi/bounds.h"
#include "abi/stap_script.h"
#include "builtins/builtins.h"
#include "gen.h"
#include "subject.h"

/* Words of the frame that rounds share. */
enum {
	AT = SUBJECT_AT,
	STATE = AT + 8,
	BEGIN = AT + 16,		/* where the match begins; negative: there is none yet */
	FROM = AT + 24,			/* the node that was left */
	LOW = AT + 32, HIGH = AT + 40,	/* steps among which the next one is */
	TAG = AT + 48,			/* the place of the next tag */
	TO = AT + 56,			/* the node that comes next */
};

/* What is kept of the last match, behind one another: how many groups, or 0; where each begins and ends; the subject. */
static unsigned ends_at(const struct gen *g, unsigned i)
{
	return g->match + 8 + 8 * i;
}

static unsigned text_at(const struct gen *g)
{
	return ends_at(g, 2 * ir_most_groups(g->ir));
}

static unsigned states_at(const struct gen *g)
{
	return text_at(g) + STRING_BYTES + string_room(g, 0);
}

void place_match(struct gen *g)
{
	unsigned groups = ir_most_groups(g->ir);

	if (groups)
		g->match = take(g, 8 + 16 * groups + STRING_BYTES + 3 * string_room(g, 0));
}

/* ---- the tables in the texts ---------------------------------------------------------- */

/* r3 = where entry r1 of a table is, whose entries have BYTES; goes to OVER unless it is below N. */
static void find_entry(struct gen *g, unsigned table, unsigned bytes, unsigned n, unsigned over)
{
	code_jump_if(g->c, BPF_JGE, R1, n, over);
	code_op(g->c, BPF_MUL, R1, bytes);
	code_map_value(g->c, R3, BPF_TEXTS, table);
	code_op_reg(g->c, BPF_ADD, R3, R1);
}

/* r1 + states_at() = where the state at the byte AT is; goes to OVER if that is none of the subject's. */
static void find_state(struct gen *g, unsigned over)
{
	code_load(g->c, BPF_DW, R1, R9, AT);
	code_jump_if(g->c, BPF_JGE, R1, string_room(g, 0), over);
	code_op(g->c, BPF_LSH, R1, 1);
	code_op_reg(g->c, BPF_ADD, R1, R9);
}

/* ---- backwards ------------------------------------------------------------------------ */

static unsigned put_back(struct gen *g, const struct ir_pattern *p, const struct regex_tables *t)
{
	struct function *outer;
	unsigned number = begin_function(g, &outer), over = code_label(g->c), first = code_label(g->c);
	unsigned other = code_label(g->c), flagged = code_label(g->c);

	find_state(g, over);
	code_load(g->c, BPF_DW, R2, R9, STATE);
	code_store(g->c, BPF_H, R1, states_at(g), R2);
	code_op_reg(g->c, BPF_MOV, R1, R2);
	find_entry(g, t->flags, 1, p->nstates, over);
	code_load(g->c, BPF_B, R0, R3, 0);
	code_load(g->c, BPF_DW, R7, R9, AT);
	code_jump_if(g->c, BPF_JEQ, R7, 0, first);
	code_op(g->c, BPF_AND, R0, ST_RE_BEGINS);
	code_jump(g->c, flagged);
	code_here(g->c, first);
	code_op(g->c, BPF_AND, R0, ST_RE_BEGINS_FIRST);
	code_here(g->c, flagged);
	code_jump_if(g->c, BPF_JEQ, R0, 0, other);
	code_store(g->c, BPF_DW, R9, BEGIN, R7);
	code_here(g->c, other);
	code_op(g->c, BPF_SUB, R7, 1);
	code_jump_if(g->c, BPF_JGE, R7, string_room(g, 0), over);
	code_store(g->c, BPF_DW, R9, AT, R7);
	code_op_reg(g->c, BPF_ADD, R7, R9);
	code_load(g->c, BPF_B, R1, R7, text_at(g) + STRING_BYTES);
	find_entry(g, t->classes, 1, 256, over);
	code_load(g->c, BPF_B, R2, R3, 0);
	code_load(g->c, BPF_DW, R1, R9, STATE);
	code_op(g->c, BPF_MUL, R1, p->tables->nclasses);
	code_op_reg(g->c, BPF_ADD, R1, R2);
	find_entry(g, t->next, 2, p->nstates * p->tables->nclasses, over);
	code_load(g->c, BPF_H, R1, R3, 0);
	code_store(g->c, BPF_DW, R9, STATE, R1);
	code_number(g->c, R0, 0);
	code_exit(g->c);
	code_here(g->c, over);
	code_number(g->c, R0, 1);
	code_exit(g->c);
	end_function(g, outer);
	return number;
}

/* ---- forwards ------------------------------------------------------------------------- */

/* Returns how often the longest row of steps can be halved. */
static unsigned halves(const struct ir_pattern *p)
{
	unsigned longest = 1, n = 0;

	for (size_t i = 0; i < p->nstates; i++)
		if (p->tables->rows[i + 1] - p->tables->rows[i] > longest)
			longest = p->tables->rows[i + 1] - p->tables->rows[i];
	for (; longest > 1; longest = (longest + 1) / 2)
		n++;
	return n;
}

/* Finds, in LOW and HIGH, the steps of the state r1; goes to OVER if it has none. */
static void put_row(struct gen *g, const struct ir_pattern *p, const struct regex_tables *t, unsigned over)
{
	find_entry(g, t->rows, 4, p->nstates, over);
	code_load(g->c, BPF_W, R1, R3, 0);
	code_load(g->c, BPF_W, R2, R3, 4);
	code_store(g->c, BPF_DW, R9, LOW, R1);
	code_store(g->c, BPF_DW, R9, HIGH, R2);
	code_jump_if_reg(g->c, BPF_JGE, R1, R2, over);
}

/* Halves the steps between LOW and HIGH, unless that is one. */
static void put_half(struct gen *g, const struct ir_pattern *p, const struct regex_tables *t, unsigned over)
{
	unsigned found = code_label(g->c), above = code_label(g->c);

	code_load(g->c, BPF_DW, R1, R9, LOW);
	code_load(g->c, BPF_DW, R2, R9, HIGH);
	code_op_reg(g->c, BPF_MOV, R7, R2);
	code_op_reg(g->c, BPF_SUB, R7, R1);
	code_jump_if(g->c, BPF_JLE, R7, 1, found);
	code_op_reg(g->c, BPF_ADD, R1, R2);
	code_op(g->c, BPF_RSH, R1, 1);
	code_op_reg(g->c, BPF_MOV, R7, R1);
	find_entry(g, t->steps, sizeof(struct st_regex_step), p->nsteps, over);
	code_load(g->c, BPF_H, R1, R3, offsetof(struct st_regex_step, from));
	code_load(g->c, BPF_DW, R2, R9, FROM);
	code_jump_if_reg(g->c, BPF_JGT, R1, R2, above);
	code_store(g->c, BPF_DW, R9, LOW, R7);
	code_jump(g->c, found);
	code_here(g->c, above);
	code_store(g->c, BPF_DW, R9, HIGH, R7);
	code_here(g->c, found);
}

/* Makes the function that notes that a group begins or ends here. */
static unsigned put_tag(struct gen *g, const struct ir_pattern *p, const struct regex_tables *t)
{
	struct function *outer;
	unsigned number = begin_function(g, &outer), over = code_label(g->c);

	code_load(g->c, BPF_DW, R1, R9, TAG);
	code_op_reg(g->c, BPF_MOV, R2, R1);
	code_op(g->c, BPF_ADD, R2, 1);
	code_store(g->c, BPF_DW, R9, TAG, R2);
	find_entry(g, t->tags, 2, p->ntags, over);
	code_load(g->c, BPF_H, R1, R3, 0);
	code_jump_if(g->c, BPF_JGE, R1, 2 * p->tables->ngroups, over);	/* also ST_RE_NO_TAG */
	code_op(g->c, BPF_LSH, R1, 3);
	code_op_reg(g->c, BPF_ADD, R1, R9);
	code_load(g->c, BPF_DW, R2, R9, AT);
	code_store(g->c, BPF_DW, R1, ends_at(g, 0), R2);
	code_number(g->c, R0, 0);
	code_exit(g->c);
	code_here(g->c, over);
	code_number(g->c, R0, 1);
	code_exit(g->c);
	end_function(g, outer);
	return number;
}

static unsigned put_forward(struct gen *g, const struct ir_pattern *p, const struct regex_tables *t)
{
	struct function *outer;
	unsigned number = begin_function(g, &outer), over = code_label(g->c);

	code_load(g->c, BPF_DW, R1, R9, AT);
	code_load(g->c, BPF_DW, R2, R9, text_at(g));
	code_jump_if_reg(g->c, BPF_JGT, R1, R2, over);
	find_state(g, over);
	code_load(g->c, BPF_H, R1, R1, states_at(g));
	put_row(g, p, t, over);
	for (unsigned i = 0, n = halves(p); i < n; i++)
		put_half(g, p, t, over);
	code_load(g->c, BPF_DW, R1, R9, LOW);
	find_entry(g, t->steps, sizeof(struct st_regex_step), p->nsteps, over);
	code_load(g->c, BPF_H, R1, R3, offsetof(struct st_regex_step, tags));
	code_load(g->c, BPF_H, R2, R3, offsetof(struct st_regex_step, to));
	code_store(g->c, BPF_DW, R9, TAG, R1);
	code_store(g->c, BPF_DW, R9, TO, R2);
	put_rounds(g, put_tag(g, p, t), p->ntags);
	code_load(g->c, BPF_DW, R1, R9, TO);
	code_jump_if(g->c, BPF_JEQ, R1, ST_RE_DONE, over);
	code_store(g->c, BPF_DW, R9, FROM, R1);
	end_round(g, over, outer);
	return number;
}

/* ---- operations ------------------------------------------------------------------------ */

void put_match_groups(struct gen *g, const struct ir_op *op, const struct ir_pattern *p, const struct regex_tables *t)
{
	unsigned room = string_room(g, 0), none = code_label(g->c), first = code_label(g->c), done = code_label(g->c);

	put_string(g, text_at(g), room, &op->args.v[0]);
	code_store_number(g->c, BPF_DW, R9, g->match, 0);
	code_store_number(g->c, BPF_DW, R9, STATE, 0);
	code_store_number(g->c, BPF_DW, R9, BEGIN, -1);
	code_load(g->c, BPF_DW, R1, R9, text_at(g));
	code_store(g->c, BPF_DW, R9, AT, R1);
	put_rounds(g, put_back(g, p, t), room);
	code_load(g->c, BPF_DW, R1, R9, BEGIN);
	code_jump_if(g->c, BPF_JSLT, R1, 0, none);
	code_store(g->c, BPF_DW, R9, AT, R1);
	code_store_number(g->c, BPF_DW, R9, FROM, ST_RE_FROM_FIRST);
	code_jump_if(g->c, BPF_JEQ, R1, 0, first);
	code_store_number(g->c, BPF_DW, R9, FROM, ST_RE_FROM_START);
	code_here(g->c, first);
	for (unsigned i = 0; i < 2 * p->tables->ngroups; i++)
		code_store_number(g->c, BPF_DW, R9, ends_at(g, i), -1);
	put_rounds(g, put_forward(g, p, t), room);
	code_load(g->c, BPF_DW, R1, R9, BEGIN);
	code_load(g->c, BPF_DW, R2, R9, ends_at(g, 1));
	code_jump_if_reg(g->c, BPF_JSLT, R2, R1, none);
	code_store_number(g->c, BPF_DW, R9, g->match, p->tables->ngroups);
	code_number(g->c, R0, 1);
	code_jump(g->c, done);
	code_here(g->c, none);
	code_number(g->c, R0, 0);
	code_here(g->c, done);
}

/* The part of the last subject that the group of the argument's number matched. */
void put_matched(struct gen *g, const struct ir_op *op, int64_t unused)
{
	unsigned at = g->layout->values[op->result], room = g->layout->value_rooms[op->result], all = string_room(g, 0);
	unsigned some = code_label(g->c), fine = code_label(g->c), none = code_label(g->c);

	(void)unused;
	clear_bytes(g, at, STRING_BYTES + room);
	load_word(g, R1, &op->args.v[0]);
	code_load(g->c, BPF_DW, R2, R9, g->match);
	code_jump_if(g->c, BPF_JNE, R2, 0, some);
	fail_number(g, "Attempted to get subexpression ", R1, " from failed match");
	code_jump(g->c, none);
	code_here(g->c, some);
	code_jump_if_reg(g->c, BPF_JLT, R1, R2, fine);
	fail_number(g, "Attempted to get nonexistent subexpression ", R1, "");
	code_jump(g->c, none);
	code_here(g->c, fine);
	code_jump_if(g->c, BPF_JGE, R1, ir_most_groups(g->ir), none);
	code_op(g->c, BPF_LSH, R1, 4);
	code_op_reg(g->c, BPF_ADD, R1, R9);
	code_load(g->c, BPF_DW, R4, R1, ends_at(g, 0));
	code_load(g->c, BPF_DW, R2, R1, ends_at(g, 1));
	code_jump_if(g->c, BPF_JGE, R4, all, none);
	code_op_reg(g->c, BPF_SUB, R2, R4);
	code_jump_if(g->c, BPF_JGE, R2, room, none);
	put_append_part(g, at, room, text_at(g), all);
	code_here(g->c, none);
}

void put_ngroups(struct gen *g, const struct ir_op *op, int64_t unused)
{
	unsigned some = code_label(g->c);

	(void)unused;
	code_load(g->c, BPF_DW, R0, R9, g->match);
	code_jump_if(g->c, BPF_JNE, R0, 0, some);
	fail(g, "Attempted to get subexpression count from failed match");
	code_number(g->c, R0, 0);
	code_here(g->c, some);
	store_word(g, op, R0);
}
