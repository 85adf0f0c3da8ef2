// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Line tables, DWARF 2 to 5: a header that names directories and files, and a
 * program in byte code for a small state machine.  Each "copy" instruction and
 * each special opcode emits a row (address, file, line).
 */
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"

static bool push_dir(struct lines *l, const char *name)
{
	if (l->ndirs == l->dir_room) {
		size_t room = l->dir_room ? l->dir_room * 2 : 64;
		void *v = realloc(l->dirs, room * sizeof(*l->dirs));

		if (!v)
			return false;
		l->dirs = v;
		l->dir_room = room;
	}
	l->dirs[l->ndirs++] = name;
	return true;
}

static bool push_file(struct lines *l, const char *name, uint64_t dir)
{
	if (l->nfiles == l->file_room) {
		size_t room = l->file_room ? l->file_room * 2 : 256;
		void *v = realloc(l->files, room * sizeof(*l->files));

		if (!v)
			return false;
		l->files = v;
		l->file_room = room;
	}
	l->files[l->nfiles++] = (struct line_file){ name, dir };
	return true;
}

/*
 * Reads the tables of DWARF 2 to 4: lists of strings, numbered from 1; number 0 is the unit's own.
 */
static bool old_tables(struct lines *l, struct cursor *c)
{
	const char *name;

	if (!push_dir(l, l->cu->comp_dir) || !push_file(l, l->cu->name, 0))
		return false;
	while ((name = cur_string(c)) && *name) {
		if (!push_dir(l, name))
			return false;
	}
	while ((name = cur_string(c)) && *name) {
		uint64_t dir = cur_uleb(c);

		cur_uleb(c);
		cur_uleb(c);
		if (!push_file(l, name, dir))
			return false;
	}
	return !c->bad;
}

/* Reads one column of an entry of a DWARF 5 table. */
static void read_column(const struct lines *l, struct cursor *c, unsigned form,
			unsigned off_size, const char **str, uint64_t *u)
{
	switch (form) {
	case DW_FORM_string:
		*str = cur_string(c);
		break;
	case DW_FORM_line_strp:
		*str = sect_string(&l->cu->sects->line_str, cur_u(c, off_size));
		break;
	case DW_FORM_strp:
		*str = sect_string(&l->cu->sects->str, cur_u(c, off_size));
		break;
	case DW_FORM_udata:
		*u = cur_uleb(c);
		break;
	case DW_FORM_data1:
		*u = cur_u(c, 1);
		break;
	case DW_FORM_data2:
		*u = cur_u(c, 2);
		break;
	case DW_FORM_data4:
		*u = cur_u(c, 4);
		break;
	case DW_FORM_data8:
		*u = cur_u(c, 8);
		break;
	case DW_FORM_data16:
		cur_skip(c, 16);
		break;
	case DW_FORM_block:
		cur_skip(c, cur_uleb(c));
		break;
	default:
		c->bad = true;
	}
}

/*
 * Reads a table of DWARF 5, of directories or files: a description of its columns, then the
 * entries.
 */
static bool new_table(struct lines *l, struct cursor *c, unsigned off_size, bool of_files)
{
	struct { uint64_t type, form; } format[16];
	unsigned columns = cur_u(c, 1);
	uint64_t count;

	if (columns > 16)
		return false;
	for (unsigned i = 0; i < columns; i++) {
		format[i].type = cur_uleb(c);
		format[i].form = cur_uleb(c);
	}
	count = cur_uleb(c);
	if (c->bad || (count && !columns) || count > (uint64_t)(c->end - c->p))
		return false;
	for (uint64_t n = 0; n < count; n++) {
		const char *name = NULL;
		uint64_t dir = 0;

		for (unsigned i = 0; i < columns; i++) {
			const char *s = NULL;
			uint64_t u = 0;

			read_column(l, c, format[i].form, off_size, &s, &u);
			if (format[i].type == DW_LNCT_path)
				name = s;
			else if (format[i].type == DW_LNCT_directory_index)
				dir = u;
		}
		if (c->bad || !(of_files ? push_file(l, name, dir) : push_dir(l, name)))
			return false;
	}
	return true;
}

bool lines_open(struct lines *l, const struct cu *cu)
{
	struct cursor c = sect_at(&cu->sects->line, cu->stmt_list), header;
	unsigned off_size = 4;
	uint64_t length;

	l->cu = cu;
	l->ndirs = l->nfiles = 0;
	if (!cu->has_lines)
		return false;
	length = cur_u(&c, 4);
	if (length == 0xffffffff) {
		off_size = 8;
		length = cur_u(&c, 8);
	}
	if (c.bad || length > (uint64_t)(c.end - c.p))
		return false;
	c.end = c.p + length;
	l->version = cur_u(&c, 2);
	if (l->version < 2 || l->version > 5)
		return false;
	if (l->version >= 5)
		cur_skip(&c, 2);
	length = cur_u(&c, off_size);
	header = l->program = c;
	cur_skip(&l->program, length);
	header.end = l->program.p;

	l->min_length = cur_u(&header, 1);
	l->max_ops = l->version >= 4 ? cur_u(&header, 1) : 1;
	l->default_is_stmt = cur_u(&header, 1);
	l->line_base = (signed char)cur_u(&header, 1);
	l->line_range = cur_u(&header, 1);
	l->opcode_base = cur_u(&header, 1);
	if (!l->line_range || !l->opcode_base || !l->max_ops)
		return false;
	for (unsigned i = 1; i < l->opcode_base; i++)
		l->operands[i] = cur_u(&header, 1);
	if (l->program.bad || header.bad)
		return false;
	if (l->version >= 5)
		return new_table(l, &header, off_size, false) &&
		       new_table(l, &header, off_size, true);
	return old_tables(l, &header);
}

void lines_release(struct lines *l)
{
	free(l->dirs);
	free(l->files);
	memset(l, 0, sizeof(*l));
}

/* Removes a leading directory from PATH. */
static const char *strip_dir(const char *path, const char *dir)
{
	size_t n = dir ? strlen(dir) : 0;

	if (n && !strncmp(path, dir, n) && path[n] == '/')
		path += n + 1;
	while (path[0] == '.' && path[1] == '/')
		path += 2;
	return path;
}

/*
 * Returns the directory of compilation.  Partial units lack DW_AT_comp_dir:
 * then the line table's directory 0 is tried, then the file's default.
 */
static const char *compiled_in(const struct lines *l)
{
	if (l->cu->comp_dir)
		return l->cu->comp_dir;
	if (l->version >= 5 && l->ndirs && l->dirs[0] && l->dirs[0][0] == '/')
		return l->dirs[0];
	return l->cu->sects->comp_dir;
}

bool lines_path(const struct lines *l, unsigned file, struct sbuf *out)
{
	const struct line_file *f;
	const char *dir, *comp_dir = compiled_in(l);

	out->len = 0;
	if (file >= l->nfiles || !l->files[file].name)
		return false;
	f = &l->files[file];
	if (f->name[0] == '/' || !f->dir || f->dir >= l->ndirs || !l->dirs[f->dir]) {
		sbuf_puts(out, strip_dir(f->name, comp_dir));
		return true;
	}
	dir = l->dirs[f->dir];
	if (comp_dir && !strcmp(dir, comp_dir)) {
		sbuf_puts(out, f->name);
		return true;
	}
	dir = strip_dir(dir, comp_dir);
	if (*dir && strcmp(dir, "."))
		sbuf_printf(out, "%s/", dir);
	sbuf_puts(out, f->name);
	return true;
}

/* ---- the program ---------------------------------------------------------- */

struct machine {
	struct line_row row;
	unsigned op_index;
};

static void machine_reset(const struct lines *l, struct machine *m)
{
	*m = (struct machine){ .row = { .file = 1, .line = 1, .is_stmt = l->default_is_stmt } };
}

/* Advances by a number of operations (a VLIW instruction has several). */
static void advance(const struct lines *l, struct machine *m, uint64_t ops)
{
	uint64_t n = m->op_index + ops;

	m->row.addr += l->min_length * (n / l->max_ops);
	m->op_index = n % l->max_ops;
}

/* Executes an extended opcode.  Returns false if the walk must stop. */
static bool extended(const struct lines *l, struct machine *m, struct cursor *c,
		     bool (*fn)(void *, const struct line_row *), void *arg)
{
	uint64_t length = cur_uleb(c);
	struct cursor op = *c;

	cur_skip(c, length);
	if (c->bad || !length)
		return !c->bad;
	op.end = c->p;
	switch (cur_u(&op, 1)) {
	case DW_LNE_end_sequence: {
		bool more;

		m->row.end = true;
		more = fn(arg, &m->row);
		machine_reset(l, m);
		return more;
	}
	case DW_LNE_set_address:
		m->row.addr = cur_u(&op, length - 1 == 4 ? 4 : 8);
		m->op_index = 0;
		break;
	}
	return true;
}

/* Executes a standard opcode other than copy; skips an unknown one with its operands. */
static void standard(const struct lines *l, struct machine *m, struct cursor *c, unsigned op)
{
	switch (op) {
	case DW_LNS_advance_pc:
		advance(l, m, cur_uleb(c));
		break;
	case DW_LNS_advance_line:
		m->row.line += cur_sleb(c);
		break;
	case DW_LNS_set_file:
		m->row.file = cur_uleb(c);
		break;
	case DW_LNS_negate_stmt:
		m->row.is_stmt = !m->row.is_stmt;
		break;
	case DW_LNS_const_add_pc:
		advance(l, m, (255 - l->opcode_base) / l->line_range);
		break;
	case DW_LNS_fixed_advance_pc:
		m->row.addr += cur_u(c, 2);
		m->op_index = 0;
		break;
	default:
		for (unsigned i = 0; i < l->operands[op]; i++)
			cur_uleb(c);
	}
}

bool lines_walk(const struct lines *l, bool (*fn)(void *arg, const struct line_row *r),
		void *arg)
{
	struct cursor c = l->program;
	struct machine m;

	machine_reset(l, &m);
	while (c.p < c.end && !c.bad) {
		unsigned op = cur_u(&c, 1);

		if (op >= l->opcode_base) {
			op -= l->opcode_base;
			m.row.line += l->line_base + (int)(op % l->line_range);
			advance(l, &m, op / l->line_range);
			if (!fn(arg, &m.row))
				return true;
		} else if (op == 0) {
			if (!extended(l, &m, &c, fn, arg))
				return !c.bad;
		} else if (op == DW_LNS_copy) {
			if (!fn(arg, &m.row))
				return true;
		} else {
			standard(l, &m, &c, op);
		}
	}
	return !c.bad;
}
