// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds a task by its number, of the first PID namespace, as the kernel does: by a tree (lib/xarray.c) of nodes with
 * 64 slots, from the highest bits of the number on; an entry that ends with the bits 10 is a node.
 *
 *	number 4711 = 1 * 64 * 64 + 9 * 64 + 39		node (shift 12) → slot 1: node (shift 6) → slot 9:
 *							node (shift 0) → slot 39: its struct pid
 */
#include "fetch.h"
#include "builtins.h"

/* Numbers have up to 22 bits (PID_MAX_LIMIT), and a slot is chosen by six. */
enum { LEVELS = 4, SLOTS = 64, NODE_BITS = 3, NODE = 2, RESERVED_MOST = 4096 };

/* What the walk uses of the frame, behind one another: the inputs of facts, and the number. */
enum { OF = 0, SLOT = 8, NUMBER = 16, WORDS = 24 };

/* r0 = FACT of r0; 0 if it can't be read */
static void put_fact_of(struct gen *g, enum task_fact fact)
{
	code_store(g->c, BPF_DW, R9, g->finding + OF, R0);
	put_fact(g, fact, g->finding);
}

/* r0, an entry: if it is a node, becomes the entry of its slot; else goes to FOUND. */
static void put_level(struct gen *g, bool first, unsigned found, unsigned none)
{
	code_op_reg(g->c, BPF_MOV, R1, R0);
	code_op(g->c, BPF_AND, R1, NODE_BITS);
	code_jump_if(g->c, BPF_JNE, R1, NODE, found);
	code_jump_if(g->c, BPF_JLE, R0, RESERVED_MOST, none);
	code_op(g->c, BPF_SUB, R0, NODE);
	put_fact_of(g, TREE_SHIFT);
	code_load(g->c, BPF_DW, R1, R9, g->finding + NUMBER);
	code_op_reg(g->c, BPF_RSH, R1, R0);
	if (first)
		code_jump_if(g->c, BPF_JGE, R1, SLOTS, none);
	code_op(g->c, BPF_AND, R1, SLOTS - 1);
	code_store(g->c, BPF_DW, R9, g->finding + SLOT, R1);
	code_load(g->c, BPF_DW, R0, R9, g->finding + OF);
	put_fact_of(g, TREE_SLOT);
}

void put_find_task(struct gen *g, const struct ir_op *op, int64_t unused)
{
	unsigned found = code_label(g->c), none = code_label(g->c), done = code_label(g->c);

	(void)unused;
	if (!g->finding)
		g->finding = take(g, WORDS);
	load_word(g, R0, &op->args.v[0]);
	code_jump_if(g->c, BPF_JSLE, R0, 0, none);
	code_store(g->c, BPF_DW, R9, g->finding + NUMBER, R0);
	put_own_fact(g, TASK_TREE, none);
	for (unsigned level = 0; level < LEVELS; level++)
		put_level(g, !level, found, none);
	code_here(g->c, found);
	code_jump_if(g->c, BPF_JEQ, R0, 0, none);
	put_fact_of(g, TREE_FIRST_TASK);
	code_jump_if(g->c, BPF_JEQ, R0, 0, none);
	code_store(g->c, BPF_DW, R9, g->finding + NUMBER, R0);
	code_number(g->c, R0, 0);
	put_fact_of(g, TASK_LINK);
	code_load(g->c, BPF_DW, R1, R9, g->finding + NUMBER);
	code_op_reg(g->c, BPF_SUB, R1, R0);
	code_op_reg(g->c, BPF_MOV, R0, R1);
	code_jump(g->c, done);
	code_here(g->c, none);
	code_number(g->c, R0, 0);
	code_here(g->c, done);
	store_word(g, op, R0);
}
