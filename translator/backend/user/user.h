/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The second half of pass 3, for the interpreter: the tables that it needs besides the bodies. */
#ifndef STAP_USER_H
#define STAP_USER_H

struct ir_program;
struct program;
struct run_program;

/*
 * Makes of the elaborated and the intermediate program what the interpreter runs (interpreter/run.h), in the
 * arena.  Returns NULL after a message: a probe, a builtin or an operation needs the kernel.
 */
struct run_program *user_translate(struct program *prog, struct ir_program *ir);

#endif
