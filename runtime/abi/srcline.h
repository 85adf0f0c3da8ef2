/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Source lines by address: what the translator writes (translator/debuginfo/dwarf/line_table.c)
 * into a script's object, and the runtime reads there.
 *
 * A table is of one base (the kernel's image, a section of a module): the rows of all
 * its line programs, by address, without those that say what the row before says.
 * Rows come in blocks, so that finding one decodes a block and no more:
 *
 *	struct st_lines		the header
 *	struct st_line_block	each: the block's first row, and where its others are
 *	unsigned int		each file's offset in the strings; number 0 is no file:
 *				from such a row to the next nothing is known
 *	bytes			the other rows: address, then line with the lowest bit
 *				for "the file follows", then the file; LEB128, address
 *				and line as differences to the row before
 *	strings
 */
#ifndef STAP_SRCLINE_H
#define STAP_SRCLINE_H

#define ST_LINES_MAGIC 0x314c5453u	/* "STL1" */
#define ST_LINES_BLOCK 64		/* rows */

struct st_lines {
	unsigned int magic, nblocks, nfiles, nbytes, nchars, pad;
	unsigned long long start, end;	/* of the code, from the base */
};

struct st_line_block {
	unsigned int address;		/* from the start */
	unsigned int at;		/* in the bytes */
	unsigned int file, line;
};

struct st_line {
	const char *file;
	unsigned int line;
};

/* The line of the code at an offset from the base; false: not known. */
int st_lines_find(const struct st_lines *lines, unsigned long long offset, struct st_line *out);

#endif
