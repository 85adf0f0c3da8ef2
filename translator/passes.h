/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What main.c puts in order. */
#ifndef STAP_PASSES_H
#define STAP_PASSES_H

#include <stdio.h>

struct session;

/* list.c: -l and -L.  An exit status. */
int list_probes(struct session *s);

/* lines.c: --lines.  The script that asks for them; an exit status. */
const char *lines_script(const char *asked);
int list_lines(struct session *s);

/*
 * dump.c: --dump-…, a line each, sorted, as SystemTap writes them:
 * "kernel.function(string).call", "vm.pagefault = kernel.function(…), …",
 * "execname:string ()" with "unknown" for what has no type, and its pragmas.
 */
void dump_probe_types(FILE *out);
int dump_probe_aliases(struct session *s, FILE *out);
int dump_functions(struct session *s, FILE *out);

/* run.c: pass 5.  An exit status: the script's session's. */
int run_module(struct session *s);

#endif
