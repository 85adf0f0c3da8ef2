// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Looks for regular expressions, by the tables of the translator's DFA (abi/stap_script.h): a round of a loop for each
 * byte.
 */
#include "abi/stap_script.h"
#include "gen.h"
#include "subject.h"

/* Words of the frame that rounds share, and the state. */
enum { AT = SUBJECT_AT, STATE = AT + 8 };

enum { CLASSES = 256 };

/* Puts the tables in the texts, unless they are there. */
static struct regex_tables regex_tables(struct gen *g, const struct ir_pattern *p)
{
	const struct st_regex *re = p->tables;
	struct sbuf *texts = &g->plan->texts;
	struct regex_tables t;
	bool is_new;

	t.classes = table_at(g, re, &is_new);
	t.next = t.classes + CLASSES;
	t.flags = t.next + p->nstates * re->nclasses * sizeof(*re->next);
	t.rows = t.flags + p->nstates;
	t.steps = t.rows + (p->nstates + 1) * sizeof(*re->rows);
	t.tags = t.steps + p->nsteps * sizeof(*re->steps);
	if (!is_new)
		return t;
	sbuf_add(texts, (const char *)re->classes, CLASSES);
	sbuf_add(texts, (const char *)re->next, t.flags - t.next);
	sbuf_add(texts, (const char *)re->flags, p->nstates);
	if (re->ngroups) {
		sbuf_add(texts, (const char *)re->rows, t.steps - t.rows);
		sbuf_add(texts, (const char *)re->steps, t.tags - t.steps);
		sbuf_add(texts, (const char *)re->tags, p->ntags * sizeof(*re->tags));
	}
	return t;
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

/* r0 = whether the first argument matches */
static void put_search(struct gen *g, const struct ir_op *op, const struct ir_pattern *p, const struct regex_tables *t)
{
	struct subject s = subject_of(g, &op->args.v[0]);
	unsigned over = code_label(g->c);

	code_store_number(g->c, BPF_DW, R9, AT, 0);
	code_store_number(g->c, BPF_DW, R9, STATE, p->tables->start);
	put_rounds(g, put_state(g, &s, p, t->classes), s.room);
	code_number(g->c, R0, 0);
	load_state(g, p, over);
	code_map_value(g->c, R3, BPF_TEXTS, t->flags);
	code_op_reg(g->c, BPF_ADD, R3, R1);
	code_load(g->c, BPF_B, R0, R3, 0);
	code_op(g->c, BPF_AND, R0, ST_RE_AT_END);
	code_here(g->c, over);
}

void put_match_of(struct gen *g, const struct ir_op *op)
{
	const struct ir_pattern *p = &g->ir->patterns.v[op->symbol];
	const struct regex_tables t = regex_tables(g, p);

	if (p->tables->ngroups)
		put_match_groups(g, op, p, &t);
	else
		put_search(g, op, p, &t);
	if (op->code == IR_NOMATCH)
		code_op(g->c, BPF_XOR, R0, 1);
	store_word(g, op, R0);
}
