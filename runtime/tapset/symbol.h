/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel addresses as symbols. */
#ifndef STAP_SYMBOL_H
#define STAP_SYMBOL_H

#include "abi/srcline.h"
#include "abi/stap_script.h"

/* What an address is in; the strings are in the context until the next lookup. */
struct st_symbol {
	const char *name;		/* NULL: nothing known */
	const char *module;		/* "kernel" or a module's name */
	unsigned long offset, size;
};

void st_symbol(struct st_ctx *c, unsigned long addr, struct st_symbol *s);

/* "vfs_read+0x10/0x180 [kernel]" ("vfs_read+0x10 [kernel]" without size), or the
 * address in hex; at buf, its length. */
unsigned int st_symbol_text(struct st_ctx *c, unsigned long addr, bool size, char *buf,
			    unsigned int room);

/* The source line of an address, by the tables the script carries; false: not known. */
bool st_source_line(unsigned long addr, struct st_line *line);

#endif
