/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kernel addresses as symbols. */
#ifndef STAP_SYMBOL_H
#define STAP_SYMBOL_H

#include "abi/srcline.h"
#include "abi/stap_script.h"

/* The symbol that contains an address.  The strings are in the context, until the next
 * lookup.  There is none when the handler's time is over, which is an error of the handler. */
struct st_symbol {
	const char *name;		/* NULL: no symbol known */
	const char *module;		/* "kernel" or a module's name */
	unsigned long offset, size;
};

void st_symbol(struct st_ctx *c, unsigned long addr, struct st_symbol *s);

/* Writes "vfs_read+0x10/0x180 [kernel]" (without SIZE "vfs_read+0x10 [kernel]"), or the address
 * in hex; returns the length. */
unsigned int st_symbol_text(struct st_ctx *c, unsigned long addr, bool size, char *buf,
			    unsigned int room);

/* Returns an address in hex; a copy of a text, cut to the longest string.  Both in scratch. */
struct st_str st_hex_address(struct st_ctx *c, unsigned long addr);
struct st_str st_dup_text(struct st_ctx *c, const char *s);

/*
 * Prints " 0xffffffff81234560 : vfs_read+0x0/0x180 [kernel]", or, with the source line LINE,
 * " 0xffffffff81234560 : vfs_read+0x0/0x180 at fs/read_write.c:450 [kernel]".
 */
void st_print_frame(struct st_ctx *c, unsigned long addr, const struct st_line *line);

/* symbol_line.c: finds the source line of an address in the script's tables; false: not known. */
bool st_source_line(struct st_ctx *c, unsigned long addr, struct st_line *line);

#endif
