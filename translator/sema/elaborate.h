/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 2: the interface for other rooms. */
#ifndef STAP_ELABORATE_H
#define STAP_ELABORATE_H

#include <stdbool.h>
#include <stdio.h>

struct session;
struct program;

/*
 * Runs pass 2 on the files of pass 1 (s->files).  Returns the program
 * (program/program.h), or NULL after messages.
 */
struct program *sema_elaborate(struct session *s);

/* --dump-passes: prints the passes over a program in order, and what each needs and leaves. */
void sema_dump_passes(FILE *out);

/* -p2: prints globals, functions, and probes with types and places, as SystemTap does. */
void print_program(FILE *out, const struct program *p, bool bodies);

#endif
