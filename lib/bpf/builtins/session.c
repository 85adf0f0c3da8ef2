// SPDX-License-Identifier: GPL-2.0-or-later
/* Builtins about the session, which know their result when the program is made; and random numbers. */
#include <time.h>
#include <unistd.h>

#include "builtins.h"

void put_known_number(struct gen *g, const struct ir_op *op, int64_t number)
{
	code_number(g->c, R0, number);
	store_word(g, op, R0);
}

void put_target(struct gen *g, const struct ir_op *op, int64_t unused)
{
	(void)unused;
	put_known_number(g, op, g->on->target);
}

/* The process that runs the script, and has these programs made. */
void put_own_pid(struct gen *g, const struct ir_op *op, int64_t unused)
{
	(void)unused;
	put_known_number(g, op, getpid());
}

void put_page_size(struct gen *g, const struct ir_op *op, int64_t unused)
{
	(void)unused;
	put_known_number(g, op, sysconf(_SC_PAGESIZE));
}

/* The kernel's coarse clocks advance by its tick. */
void put_hz(struct gen *g, const struct ir_op *op, int64_t unused)
{
	struct timespec tick;

	(void)unused;
	clock_getres(CLOCK_MONOTONIC_COARSE, &tick);
	put_known_number(g, op, (1000000000 + tick.tv_nsec / 2) / (tick.tv_nsec ? tick.tv_nsec : 1));
}

void put_session_name(struct gen *g, const struct ir_op *op, int64_t unused)
{
	(void)unused;
	put_text(g, g->layout->values[op->result], g->layout->value_rooms[op->result], g->on->name ? g->on->name : "");
}

void put_maxstringlen(struct gen *g, const struct ir_op *op, int64_t unused)
{
	(void)unused;
	put_known_number(g, op, g->ir->limits.string);
}

/* The machine's load average that the first argument numbers, as the kernel has it. */
void put_load(struct gen *g, const struct ir_op *op, int64_t unused)
{
	unsigned at = take(g, 8), valid = code_label(g->c), done = code_label(g->c);

	(void)unused;
	load_word(g, R0, &op->args.v[0]);
	code_store(g->c, BPF_DW, R9, at, R0);
	code_jump_if(g->c, BPF_JLT, R0, 3, valid);
	code_op_reg(g->c, BPF_MOV, R1, R0);
	fail_number(g, "Invalid loadavg index ", R1, " specified.");
	code_number(g->c, R0, 0);
	code_jump(g->c, done);
	code_here(g->c, valid);
	put_fallible_fact(g, MACHINE_LOAD, at);
	code_here(g->c, done);
	store_word(g, op, R0);
}

/* r0 = a random number from 0 up to the first argument */
void put_random(struct gen *g, const struct ir_op *op, int64_t unused)
{
	unsigned none = code_label(g->c);

	(void)unused;
	code_helper(g->c, BPF_FUNC_get_prandom_u32);
	load_word(g, R1, &op->args.v[0]);
	code_jump_if(g->c, BPF_JEQ, R1, 0, none);
	code_op_reg(g->c, BPF_MOD, R0, R1);
	code_here(g->c, none);
	store_word(g, op, R0);
}
