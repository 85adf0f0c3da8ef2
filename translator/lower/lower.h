/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first half of pass 3: from the elaborated program to the intermediate one (ir/ir.h). */
#ifndef STAP_LOWER_H
#define STAP_LOWER_H

struct ir_program;
struct program;
struct session;

/*
 * Lowers the program, and verifies the result: a fault is one of stap's, and an error.
 * Locals that only ever hold a literal become that literal (variable.literal).
 */
struct ir_program *lower_program(struct session *s, struct program *prog);

#endif
