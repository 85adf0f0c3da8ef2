/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Source lines by address: a table that the translator (debuginfo/dwarf/line_table.c) puts
 * into a script's object, and the runtime (text/srcline.c) reads.
 *
 * A table belongs to one base (the kernel's image, a module's section).  It has the rows of
 * all DWARF line programs there, sorted by address, without rows that repeat the one before.
 * Rows are in blocks, so that looking up an address decodes one block:
 *
 *	struct st_lines		the header
 *	struct st_line_block	nblocks times: a block's first row, and where its other rows are
 *	unsigned int		nfiles times: a file name's offset in the strings.  File 0 is
 *				none: from a row with it to the next, no line is known
 *	bytes			the other rows in LEB128: the address; the line times two, plus 1
 *				if the file follows; the file.  Address and line are
 *				differences to the row before
 *	strings			file names with NULs
 */
#ifndef STAP_SRCLINE_H
#define STAP_SRCLINE_H

#define ST_LINES_MAGIC 0x314c5453u	/* "STL1" */
#define ST_LINES_BLOCK 64		/* rows */

/* The head of a table of source lines; its blocks, files and bytes follow. */
struct st_lines {
	unsigned int magic, nblocks, nfiles, nbytes, nchars, pad;
	unsigned long long start, end;	/* of the code, as offsets from the base */
};

/* ST_LINES_BLOCK rows, of which this is the first; the others are differences in the bytes. */
struct st_line_block {
	unsigned int address;		/* offset from the start */
	unsigned int at;		/* offset of the other rows in the bytes */
	unsigned int file, line;
};

/* A source line that was found: fs/read_write.c:450. */
struct st_line {
	const char *file;
	unsigned int line;
};

/* Is what the table's parts say of each other sound, so that looking up stays inside it? */
int st_lines_check(const struct st_lines *lines);

/* Finds the line of the code at an offset from the base; returns 0 if it is not known.
 * out->file points into the table. */
int st_lines_find(const struct st_lines *lines, unsigned long long offset, struct st_line *out);

#endif
