// SPDX-License-Identifier: GPL-2.0-or-later
/* Builtins that read what the kernel knows of a task, by terms of the kernel's types (enum task_fact). */
#include <sys/resource.h>

#include "fetch.h"
#include "builtins.h"

/* Where the task's address is: the last of the temporary words, which terms do not use. */
enum { TASK = FRAME_TEMPORARY + 8 * (FRAME_TEMPORARIES - 1) };

/* Numbers that the kernel counts from others than users do: real-time priorities, and nice(2)'s. */
enum { REAL_TIME_MOST = 100, NICE_ZERO = 120 };

/* Stores the address of the task that the call is about. */
static void find_task(struct gen *g, const struct ir_op *op)
{
	if (op->args.n)
		load_word(g, R0, &op->args.v[0]);
	else
		code_helper(g->c, BPF_FUNC_get_current_task);
	code_store(g->c, BPF_DW, R9, TASK, R0);
}

/*
 * Goes to GONE with r0 = 0 if the task has not what FACT is about.  That of the parent, of the current task, is gone
 * if the task has left its process: its pointer to the parent is stale.
 */
static void put_has(struct gen *g, int64_t fact, unsigned gone)
{
	static const struct { enum task_fact fact, needs; } needs[] = {
		{ TASK_PARENT_PROCESS, TASK_NUMBERS }, { TASK_PARENT_NAME, TASK_NUMBERS },
		{ TASK_TREE, TASK_NUMBERS }, { TASK_EXE_FILE, TASK_MEMORY }, { TASK_ARGUMENTS_END, TASK_MEMORY },
		{ TASK_ROOT, TASK_FS }, { TASK_CWD, TASK_FS },
	};

	for (size_t i = 0; i < sizeof(needs) / sizeof(*needs); i++)
		if (needs[i].fact == fact) {
			put_fallible_fact(g, needs[i].needs, TASK);
			code_jump_if(g->c, BPF_JEQ, R0, 0, gone);
		}
}

void put_own_fact(struct gen *g, enum task_fact fact, unsigned none)
{
	code_helper(g->c, BPF_FUNC_get_current_task);
	code_store(g->c, BPF_DW, R9, TASK, R0);
	put_has(g, fact, none);
	put_fallible_fact(g, fact, TASK);
}

void put_task_fact(struct gen *g, const struct ir_op *op, int64_t fact)
{
	unsigned gone = code_label(g->c);

	find_task(g, op);
	put_has(g, fact, gone);
	put_fallible_fact(g, fact, TASK);
	if (fact == TASK_PRIORITY)
		code_op(g->c, BPF_SUB, R0, REAL_TIME_MOST);
	if (fact == TASK_STATIC_PRIORITY)
		code_op(g->c, BPF_SUB, R0, NICE_ZERO);
	code_here(g->c, gone);
	store_word(g, op, R0);
}

/* __task_rlimit(): the limit of the first argument's task of the resource that the second is; -1: it has none. */
void put_task_limit(struct gen *g, const struct ir_op *op, int64_t unused)
{
	unsigned inputs = take(g, 16), none = code_label(g->c), done = code_label(g->c);

	(void)unused;
	load_word(g, R0, &op->args.v[0]);
	code_store(g->c, BPF_DW, R9, inputs, R0);
	load_word(g, R0, &op->args.v[1]);
	code_store(g->c, BPF_DW, R9, inputs + 8, R0);
	code_jump_if(g->c, BPF_JGE, R0, RLIM_NLIMITS, none);
	put_fallible_fact(g, TASK_SIGNAL, inputs);
	code_jump_if(g->c, BPF_JEQ, R0, 0, none);
	put_fallible_fact(g, TASK_LIMIT, inputs);
	code_jump(g->c, done);
	code_here(g->c, none);
	code_number(g->c, R0, -1);
	code_here(g->c, done);
	store_word(g, op, R0);
}

/* FACT is where the name lies. */
void put_task_name(struct gen *g, const struct ir_op *op, int64_t fact)
{
	unsigned at = g->layout->values[op->result], room = g->layout->value_rooms[op->result];
	unsigned gone = code_label(g->c), failed = code_label(g->c), done = code_label(g->c);

	find_task(g, op);
	clear_bytes(g, at, STRING_BYTES + room);
	put_has(g, fact, gone);
	put_fallible_fact(g, fact, TASK);
	code_op_reg(g->c, BPF_MOV, R7, R0);
	put_string_read(g, at, room, BPF_FUNC_probe_read_kernel_str, NULL, failed);
	code_jump(g->c, done);
	code_here(g->c, failed);
	fail_read(g, NULL, R7);
	code_here(g->c, gone);
	code_here(g->c, done);
}
