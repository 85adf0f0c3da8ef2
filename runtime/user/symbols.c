// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Keeps the tables of names (symbols.h).  They come over .control and are not believed: each is
 * checked before it is used.  Tables are only added, so handlers look without a lock.
 */
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/mm.h>

#include "port/port.h"
#include "core/report.h"
#include "handler/context.h"
#include "handler/print.h"
#include "memory/files.h"
#include "names/code.h"
#include "stack.h"
#include "symbols.h"

#define TABLES 256
#define TABLES_BYTES (256u << 20)	/* of all */

static struct st_symbol_table {
	unsigned long file;		/* its identity, as in struct st_mapping */
	struct st_code_names names;
	void *table;			/* their memory */
} st_symbol_tables[TABLES];

static unsigned int st_nsymbol_tables;		/* valid in st_symbol_tables */
static unsigned int st_symbols_bytes;
static DECLARE_BITMAP(st_symbols_asked, ST_FILES_MOST + 1);

static const struct st_symbol_table *symbols_of(unsigned long file)
{
	unsigned int i, n = smp_load_acquire(&st_nsymbol_tables);

	for (i = 0; i < n; i++)
		if (st_symbol_tables[i].file == file)
			return &st_symbol_tables[i];
	return NULL;
}

/* ---- taking a table ---- */

/* Reads a table into memory, which the caller frees with kvfree(); NULL with *ERR and st_message. */
static void *read_in_table(struct file *file, unsigned int bytes, int *err)
{
	void *t = bytes <= st_data_room() ? st_data_alloc(bytes, NUMA_NO_NODE) : NULL;
	loff_t at = 0;

	*err = -ENOMEM;
	if (!t)
		st_fail(*err, "no memory for the names of programs");
	while (t && at < bytes) {
		ssize_t n = kernel_read(file, t + at, bytes - at, &at);

		if (n > 0)
			continue;
		kvfree(t);
		t = NULL;
		*err = st_fail(n ? n : -EINVAL, "the table of names can't be read");
	}
	return t;
}

/*
 * Is the file in memory?  The loader makes tables by memfd_create(); reading another file may take
 * for ever.
 */
static bool is_in_memory(const struct file *file)
{
	const struct inode *inode = file_inode(file);

	return S_ISREG(inode->i_mode) && inode->i_sb->s_magic == TMPFS_MAGIC;
}

/* Can the file be read? kernel_read() warns of one that can't. */
static bool readable(const struct file *file)
{
	const fmode_t needed = FMODE_READ | FMODE_CAN_READ;

	return (file->f_mode & needed) == needed;
}

static int add_table(unsigned long identity, struct file *file)
{
	struct st_symbol_table *n = &st_symbol_tables[st_nsymbol_tables];
	loff_t bytes = i_size_read(file_inode(file));
	void *t;
	int err;

	if (symbols_of(identity))
		return 0;
	if (!is_in_memory(file) || !readable(file) || bytes < 1 || bytes > ST_UTABLE_MOST)
		return st_fail(-EINVAL, "this is no table of names");
	if (st_nsymbol_tables == TABLES || bytes > TABLES_BYTES - st_symbols_bytes)
		return st_fail(-ENOSPC, "there are names of too many programs");
	t = read_in_table(file, bytes, &err);
	if (!t)
		return err;
	if (!st_code_names_check(&n->names, t, bytes)) {
		kvfree(t);
		return st_fail(-EINVAL, "this is no table of names");
	}
	n->table = t;
	n->file = identity;
	st_symbols_bytes += bytes;
	smp_store_release(&st_nsymbol_tables, st_nsymbol_tables + 1);
	return 0;
}

/* Takes the table that is open as a descriptor. */
static int take(int table, unsigned long identity)
{
	struct file *file = fget(table);
	int err;

	if (!file)
		return st_fail(-EBADF, "the loader has no descriptor %d", table);
	err = add_table(identity, file);
	fput(file);
	return err;
}

int st_symbols_take(int table, int file)
{
	struct file *program = fget(file);
	unsigned long identity;

	if (!program)
		return st_fail(-EBADF, "the loader has no descriptor %d", file);
	identity = st_space_identity(d_real_inode(program->f_path.dentry));
	fput(program);
	return take(table, identity);
}

int st_symbols_take_numbered(int table, unsigned int id)
{
	unsigned long identity = st_file_identity(id);

	return identity ? take(table, identity) : st_fail(-ENOENT, "there is no file %u", id);
}

void st_symbols_again(void)
{
	bitmap_zero(st_symbols_asked, ST_FILES_MOST + 1);
}

void st_symbols_free(void)
{
	unsigned int i;

	for (i = 0; i < st_nsymbol_tables; i++)
		kvfree(st_symbol_tables[i].table);
	st_nsymbol_tables = 0;
	st_symbols_bytes = 0;
}

/* ---- looking up ---- */

/*
 * Asks stapio for a file's table by an item of the output; once, or again if there was no room for
 * it.
 */
static void ask(struct st_ctx *c, unsigned long addr)
{
	const struct st_mapping *m = st_user_mapping(st_context_of(c), addr);
	u16 id;
	char *p;

	if (!m || !m->id || m->id > ST_FILES_MOST || test_and_set_bit(m->id, st_symbols_asked))
		return;
	id = m->id;
	p = st_emit(c, ST_FMT_SYMBOLS, 4 + sizeof(id));
	if (p)
		st_emit_str(p, (struct st_str){ (const char *)&id, sizeof(id) });
	else
		clear_bit(id, st_symbols_asked);
}

/* Finds the names of the file that is mapped at an address, and the code's offset in it. */
static const struct st_symbol_table *table_at(struct st_ctx *c, unsigned long addr, unsigned long *offset)
{
	const struct st_mapping *m = st_user_mapping(st_context_of(c), addr);
	const struct st_symbol_table *n;

	if (!m || !m->file)
		return NULL;
	n = symbols_of(m->file);
	*offset = (m->page << PAGE_SHIFT) + (addr - m->start);
	if (!n)
		ask(c, addr);
	return n;
}

bool st_symbols_find(struct st_ctx *c, unsigned long addr, struct st_user_name *out)
{
	unsigned long offset;
	const struct st_symbol_table *n = table_at(c, addr, &offset);
	const struct st_usymbol *s = n ? st_code_symbol(&n->names, offset) : NULL;

	if (s)
		*out = (struct st_user_name){ n->names.chars + s->name, offset - s->offset,
					      s->size };
	return s;
}

bool st_symbols_line(struct st_ctx *c, unsigned long addr, struct st_user_line *out)
{
	unsigned long offset;
	const struct st_symbol_table *n = table_at(c, addr, &offset);
	const struct st_uline *l = n ? st_code_line(&n->names, offset) : NULL;

	if (l)
		*out = (struct st_user_line){ n->names.chars + l->file, l->line };
	return l;
}
