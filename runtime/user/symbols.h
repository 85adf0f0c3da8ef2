/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of programs' code in the kernel: what is printed is named by the reader, but a script may
 * compare a name, or key an array by it.
 *
 * The loader's reader makes a table of a file's symbols (abi/utable.h), and of its source lines, if
 * the script has functions that need them.  Tables of the files that the script probes and of its
 * target come before the first handler runs.  Another file's table is asked for when an address of
 * it is named first, and comes some milliseconds later; until then its code has no names.
 */
#ifndef STAP_USER_SYMBOLS_H
#define STAP_USER_SYMBOLS_H

#include <linux/types.h>

struct st_ctx;

/*
 * Take the table in the file open as TABLE, for the file that is open as FILE, or for a file by its
 * number (files.h).  Return 0, or -errno with st_message set.  Process context, one caller at a
 * time.
 */
int st_symbols_take(int table, int file);
int st_symbols_take_numbered(int table, unsigned int id);

/* Lets files be asked for again, because another reader begins. */
void st_symbols_again(void);

/* Frees the tables.  After the last handler. */
void st_symbols_free(void);

/* A symbol that was found: main+0x10, of 0x40 bytes. */
struct st_user_name {
	const char *name;		/* stays as long as the session */
	unsigned long offset, size;	/* of the address in the symbol; the symbol's */
};

/* A source line that was found: prog.c:12. */
struct st_user_line {
	const char *file;
	unsigned int line;
};

/* Find the symbol and the source line at an address of the current process; false: not known.  Any
 * context. */
bool st_symbols_find(struct st_ctx *c, unsigned long addr, struct st_user_name *out);
bool st_symbols_line(struct st_ctx *c, unsigned long addr, struct st_user_line *out);

#endif
