/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass 3: the elaborated program as one C file against runtime/abi/stap_script.h.
 */
#ifndef STAP_CODEGEN_H
#define STAP_CODEGEN_H

struct session;
struct program;

/*
 * Writes s->c_file (in session_tmpdir) and chooses s->module_name when the
 * user gave none ("stap_" and 26 hex digits of the text's hash; when it runs the
 * last of them give way to a process id).  The text is the same for the same program: it is
 * what the cache is keyed by.  Returns 0, or -1 after a message.
 */
int translate(struct session *s, struct program *p);

#endif
