/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The second half of pass 3, for the kernel module: prints the intermediate program, and
 * the tables of the elaborated one, as one C file, which includes only
 * runtime/abi/stap_script.h.
 */
#ifndef STAP_CODEGEN_H
#define STAP_CODEGEN_H

struct ir_program;
struct program;
struct sbuf;
struct session;
struct term;

/*
 * Writes S->c_file, in the work directory, and sets S->c_code.  If the user gave no -m, sets
 * S->module_name to "stap_" and 26 hex digits of the text's hash
 * (kit_build_own_copy() later replaces the last digits by a process id).  Equal
 * programs give equal texts, because the text is part of the cache's key.
 * Returns 0, or -1 after a message.
 */
int codegen_translate(struct session *s, struct program *p, const struct ir_program *ir);

/*
 * Prints a term of a fetch (fetch.h).  A word becomes an expression that gives the
 * word when converted to st_long or unsigned long; a string becomes one of type
 * struct st_str; a store becomes a statement.  It uses the names c, the context;
 * ix[], the inputs, each an st_long; v, the st_long or struct st_str to be stored;
 * and others that begin with st_.
 */
void fetch_print(struct sbuf *out, const struct term *t);
const char *fetch_text(const struct term *t);	/* in the arena */

#endif
