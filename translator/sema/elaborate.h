/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 2, from outside. */
#ifndef STAP_ELABORATE_H
#define STAP_ELABORATE_H

#include <stdbool.h>
#include <stdio.h>

struct session;
struct program;

/* What the files of pass 1 come to (program/program.h); NULL after messages. */
struct program *elaborate(struct session *s);

/* -p2: globals, functions, probes with types and places, as SystemTap lists them. */
void print_program(FILE *out, const struct program *p, bool bodies);

#endif
