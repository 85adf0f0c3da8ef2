// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds an address in a table of source lines (abi/srcline.h).  The table is checked once, and
 * nothing is copied.
 */
#include "port/port.h"
#include "abi/srcline.h"

/* Pointers to the table's parts. */
struct parts {
	const struct st_line_block *blocks;
	const unsigned int *files;
	const unsigned char *bytes;
	const char *chars;
};

static struct parts table_parts(const struct st_lines *l)
{
	struct parts p = { .blocks = (const struct st_line_block *)(l + 1) };

	p.files = (const unsigned int *)(p.blocks + l->nblocks);
	p.bytes = (const unsigned char *)(p.files + l->nfiles);
	p.chars = (const char *)p.bytes + l->nbytes;
	return p;
}

int st_lines_check(const struct st_lines *l)
{
	struct parts p = table_parts(l);
	unsigned int i, last = 0;

	if (l->magic != ST_LINES_MAGIC || (l->nchars && p.chars[l->nchars - 1]))
		return 0;
	for (i = 0; i < l->nblocks; last = p.blocks[i++].at)
		if (p.blocks[i].at < last || p.blocks[i].at > l->nbytes)
			return 0;
	for (i = 0; i < l->nfiles; i++)
		if (p.files[i] >= l->nchars)
			return 0;
	return 1;
}

/* Takes a LEB128 number.  Bytes behind the end count as 0. */
static unsigned int uleb(const unsigned char **p, const unsigned char *end)
{
	unsigned int value = 0, shift = 0;
	unsigned char byte;

	do {
		byte = *p < end ? *(*p)++ : 0;
		value |= (unsigned int)(byte & 127) << shift;
		shift += 7;
	} while (byte & 128 && shift < 32);
	return value;
}

/* Returns the last block that begins at or before an address. */
static unsigned int block_of(const struct st_lines *l, const struct st_line_block *blocks,
			     unsigned int address)
{
	unsigned int low = 0, high = l->nblocks;

	while (high - low > 1) {
		unsigned int middle = low + (high - low) / 2;

		if (blocks[middle].address <= address)
			low = middle;
		else
			high = middle;
	}
	return low;
}

int st_lines_find(const struct st_lines *l, unsigned long long offset, struct st_line *out)
{
	struct parts p = table_parts(l);
	struct st_line_block row;
	const unsigned char *at, *end;
	unsigned int block, address;

	if (offset < l->start || offset >= l->end || !l->nblocks)
		return 0;
	address = offset - l->start;
	block = block_of(l, p.blocks, address);
	row = p.blocks[block];
	at = p.bytes + row.at;
	end = p.bytes + (block + 1 < l->nblocks ? p.blocks[block + 1].at : l->nbytes);
	while (at < end) {
		unsigned int next = row.address + uleb(&at, end), change = uleb(&at, end);

		if (next > address)
			break;
		row.address = next;
		row.line += (int)(change >> 2) ^ -(int)(change >> 1 & 1);
		if (change & 1)
			row.file = uleb(&at, end);
	}
	if (!row.file || row.file > l->nfiles)
		return 0;
	*out = (struct st_line){ p.chars + p.files[row.file - 1], row.line };
	return 1;
}
