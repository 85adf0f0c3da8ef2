/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass 3: the elaborated program as one C file against runtime/abi/stap_script.h.
 */
#ifndef STAP_CODEGEN_H
#define STAP_CODEGEN_H

struct program;
struct sbuf;
struct session;
struct term;

/*
 * Writes s->c_file (in session_tmpdir) and chooses s->module_name when the
 * user gave none ("stap_" and 26 hex digits of the text's hash; when it runs the
 * last of them give way to a process id).  The text is the same for the same program: it is
 * what the cache is keyed by.  Returns 0, or -1 after a message.
 */
int translate(struct session *s, struct program *p);

/*
 * Prints a term of a fetch (fetch.h): of a word an expression whose value, made a
 * st_long or an unsigned long, is the word; of a string one of type struct st_str;
 * of a store a statement.  The names in it: c, the context; ix[], the inputs, st_long;
 * v, what is stored, st_long or struct st_str; others begin with st_.
 */
void fetch_print(struct sbuf *out, const struct term *t);
const char *fetch_text(const struct term *t);	/* in the arena */

#endif
