// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes the runtime's source line table: the rows of all units' line programs,
 * sorted by address.
 *
 * A line program produces rows in sequences.  A sequence ascends and, except
 * for code that the linker dropped, overlaps no other.  So sorting takes some
 * thousand sequences instead of millions of rows.
 */
#include <stdlib.h>
#include <string.h>

#include "abi/srcline.h"
#include "base/arena.h"
#include "base/guard.h"
#include "base/table.h"
#include "line_table.h"
#include "lines.h"

/* A row: the source line from this address up to the next row's. */
struct row {
	uint64_t addr;
	uint32_t file, line;		/* file 0: unknown */
};

struct sequence {
	uint64_t addr;
	size_t first, n;		/* range of rows */
};

struct builder {
	struct dwfile *f;
	const struct section *sect;	/* NULL: all code of the file */
	struct cu cu;
	struct lines lines;
	struct sbuf path;
	struct row *rows;
	size_t nrows, row_room;
	struct sequence *sequences;
	size_t nsequences, sequence_room;
	size_t begun;			/* first row of the current sequence */
	uint32_t *unit_files;		/* the unit's file number → ours, plus 1; 0: not looked
					   up yet */
	size_t unit_file_room;
	vec(const char *) files;	/* our file number - 1 → path */
	struct table numbers;		/* of 'files', by path */
	vec(uint64_t) taken;		/* offsets of line programs: units may share one */
	struct table taken_at;		/* of 'taken' */
	bool failed;			/* out of memory */
};

static bool grow(struct builder *b, void **v, size_t n, size_t *room, size_t size)
{
	size_t more = *room ? *room * 2 : 1024;
	void *p;

	if (n < *room)
		return true;
	p = realloc(*v, more * size);
	b->failed |= !p;
	if (!p)
		return false;
	*v = p;
	*room = more;
	return true;
}

/* ---- files ------------------------------------------------------------------ */

static uint32_t file_number(struct builder *b, const char *path)
{
	uint32_t hash = table_hash_string(path);

	table_for_each(&b->numbers, hash, i)
		if (!strcmp(b->files.v[i], path))
			return i + 1;
	vec_push(&b->files, arena_strdup(path));
	table_add(&b->numbers, hash, b->files.n - 1);
	return b->files.n;
}

static uint32_t unit_file(struct builder *b, unsigned file)
{
	uint32_t number = 0;

	if (file >= b->lines.nfiles)
		return 0;
	if (b->unit_files[file])
		return b->unit_files[file] - 1;
	if (lines_path(&b->lines, file, &b->path))
		number = file_number(b, sbuf_str(&b->path));
	b->unit_files[file] = number + 1;
	return number;
}

/* ---- rows -------------------------------------------------------------------- */

static bool wanted(const struct builder *b, uint64_t addr)
{
	const struct section *s = dwfile_section(b->f, addr);

	return s && s->exec && strncmp(s->name, ".init", 5) && (!b->sect || s == b->sect);
}

static void end_sequence(struct builder *b)
{
	size_t first = b->begun, n = b->nrows - first;

	b->begun = b->nrows;
	if (n < 2 || !wanted(b, b->rows[first].addr)) {
		b->nrows = b->begun = first;
		return;
	}
	if (grow(b, (void **)&b->sequences, b->nsequences, &b->sequence_room,
		 sizeof(*b->sequences)))
		b->sequences[b->nsequences++] =
			(struct sequence){ b->rows[first].addr, first, n };
}

static bool take_row(void *arg, const struct line_row *r)
{
	struct builder *b = arg;
	struct row row = { r->addr, r->end ? 0 : unit_file(b, r->file), r->line };
	struct row *last = b->nrows > b->begun ? &b->rows[b->nrows - 1] : NULL;

	if (last && last->addr == row.addr)
		*last = row;		/* the last of several rows at an address counts */
	else if (last && last->addr > row.addr)
		return true;		/* damage: sequences ascend */
	else if (grow(b, (void **)&b->rows, b->nrows, &b->row_room, sizeof(*b->rows)))
		b->rows[b->nrows++] = row;
	if (r->end)
		end_sequence(b);
	return !b->failed;
}

static bool is_new(struct builder *b, uint64_t offset)
{
	uint32_t hash = table_hash(&offset, sizeof(offset));

	table_for_each(&b->taken_at, hash, i)
		if (b->taken.v[i] == offset)
			return false;
	vec_push(&b->taken, offset);
	table_add(&b->taken_at, hash, b->taken.n - 1);
	return true;
}

static void take_unit(struct builder *b)
{
	if (!b->cu.has_lines || !is_new(b, b->cu.stmt_list) || !lines_open(&b->lines, &b->cu))
		return;
	if (b->unit_file_room < b->lines.nfiles) {
		free(b->unit_files);
		b->unit_file_room = b->lines.nfiles * 2;
		b->unit_files = malloc(b->unit_file_room * sizeof(*b->unit_files));
		b->failed |= !b->unit_files;
		if (b->failed)
			return;
	}
	memset(b->unit_files, 0, b->lines.nfiles * sizeof(*b->unit_files));
	lines_walk(&b->lines, take_row, b);
	b->nrows = b->begun;		/* drop a sequence without an end */
}

static int by_address(const void *a, const void *b)
{
	const struct sequence *s = a, *t = b;

	return s->addr < t->addr ? -1 : s->addr > t->addr;
}

/* ---- the table ----------------------------------------------------------------- */

struct writer {
	struct sbuf blocks, bytes;
	struct row last;
	unsigned in_block;
	uint64_t start;
	uint32_t nblocks;
};

static void put_uleb(struct sbuf *out, uint32_t value)
{
	do {
		unsigned char byte = (value & 127) | (value > 127 ? 128 : 0);

		sbuf_putc(out, byte);
		value >>= 7;
	} while (value);
}

static void put_row(struct writer *w, const struct row *r)
{
	struct row row = *r;
	int32_t change;

	if (!row.file)
		row.line = w->last.line;
	if (w->nblocks && row.file == w->last.file && row.line == w->last.line)
		return;
	if (!w->nblocks || w->in_block == ST_LINES_BLOCK) {
		struct st_line_block block = {
			row.addr - w->start, w->bytes.len, row.file, row.line,
		};

		sbuf_add(&w->blocks, (const char *)&block, sizeof(block));
		w->nblocks++;
		w->in_block = 1;
	} else {
		change = row.line - w->last.line;
		put_uleb(&w->bytes, row.addr - w->last.addr);
		put_uleb(&w->bytes, ((uint32_t)change << 1 ^ (uint32_t)(change >> 31)) << 1 |
				    (row.file != w->last.file));
		if (row.file != w->last.file)
			put_uleb(&w->bytes, row.file);
		w->in_block++;
	}
	w->last = row;
}

static void put_table(struct builder *b, struct sbuf *out)
{
	uint64_t base = b->sect ? b->sect->addr : 0;
	struct writer w = { .start = b->sequences[0].addr };
	struct st_lines head = { .magic = ST_LINES_MAGIC, .start = w.start - base };
	struct sbuf chars = { 0 };

	for (size_t i = 0; i < b->nsequences; i++) {
		const struct sequence *s = &b->sequences[i];

		/* It overlaps the one before: code the linker dropped. */
		if (i && s->addr < w.last.addr)
			continue;
		for (size_t n = 0; n < s->n; n++)
			put_row(&w, &b->rows[s->first + n]);
	}
	head.nblocks = w.nblocks;
	head.nfiles = b->files.n;
	head.nbytes = w.bytes.len;
	head.end = w.last.addr - base;
	sbuf_add(out, (const char *)&head, sizeof(head));
	sbuf_add(out, w.blocks.s, w.blocks.len);
	for (size_t i = 0; i < b->files.n; i++) {
		uint32_t at = chars.len;

		sbuf_add(out, (const char *)&at, sizeof(at));
		sbuf_add(&chars, b->files.v[i], strlen(b->files.v[i]) + 1);
	}
	sbuf_add(out, w.bytes.s, w.bytes.len);
	sbuf_add(out, chars.s, chars.len);
	((struct st_lines *)out->s)->nchars = chars.len;
	sbuf_free(&w.blocks);
	sbuf_free(&w.bytes);
	sbuf_free(&chars);
}

bool line_table_write(struct dwfile *f, const struct section *sect, struct sbuf *out)
{
	struct builder b = { .f = f, .sect = sect };

	guard_reading(f->path);
	for (uint64_t off = 0; !b.failed && cu_open(&b.cu, &f->sects, off); off = b.cu.end)
		take_unit(&b);
	if (b.nsequences && !b.failed) {
		qsort(b.sequences, b.nsequences, sizeof(*b.sequences), by_address);
		put_table(&b, out);
	}
	cu_release(&b.cu);
	lines_release(&b.lines);
	sbuf_free(&b.path);
	free(b.rows);
	free(b.sequences);
	free(b.unit_files);
	return b.nsequences && !b.failed;
}
