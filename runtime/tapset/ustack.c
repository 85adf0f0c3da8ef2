// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tapset functions about the user stack.
 *
 * stapio names the frames of a printed stack: the record has addresses and the numbers of the files
 * they lie in (abi/transport.h).  Frames in a string of the script are named here, by the tables
 * that stapio made (user/symbols.h), or by the file and the offset in it.
 */
#include <linux/ptrace.h>

#include "abi/transport.h"
#include "core/walk.h"
#include "handler/context.h"
#include "memory/space.h"
#include "user/image.h"
#include "user/seen.h"
#include "user/stack.h"
#include "user/symbols.h"
#include "stack_text.h"
#include "ustack.h"

/* ---- printed ---- */

/* Finds the mapping of an address, which often is M, the last address's. */
static const struct st_mapping *next_mapping(struct st_context *x, const struct st_mapping *m,
					     unsigned long addr)
{
	if (m && m->id && addr - m->start < m->end - m->start)
		return m;
	return st_user_mapping(x, addr);
}

/* Describes a frame of the current process; *M is the last one's mapping. */
static struct st_uframe describe_frame(struct st_context *x, const struct st_frame *f,
				       const struct st_mapping **m)
{
	struct st_uframe frame = { .address = f->ip, .called = f->called };
	unsigned long code = f->ip - f->called;

	*m = next_mapping(x, *m, code);
	if (*m) {
		frame.file = (*m)->id;
		frame.page = (*m)->page + ((code - (*m)->start) >> PAGE_SHIFT);
	}
	return frame;
}

/* Describes an address that the script kept, which may be another process's. */
static struct st_uframe describe_kept(struct st_context *x, const struct st_frame *f,
				      const struct st_mapping **m)
{
	struct st_uframe frame = { .address = f->ip, .called = f->called };
	unsigned long page;
	unsigned int file;

	if (!st_seen_find(f->ip - f->called, &file, &page))
		return describe_frame(x, f, m);
	frame.file = file;
	frame.page = page;
	return frame;
}

/* Records n frames, to be printed in a style.  KEPT: they come from a string of the script's. */
static void emit_frames(struct st_context *x, unsigned int n, unsigned int style, bool kept)
{
	struct st_ustack head = { .style = style };
	const struct st_mapping *m = NULL;
	struct st_uframe frame;
	unsigned int bytes = sizeof(head) + n * sizeof(frame), i;
	char *p;

	if (!n || x->c.error)
		return;
	p = st_emit(&x->c, ST_FMT_USTACK, 4 + bytes);
	if (!p)
		return;
	memcpy(p, &bytes, 4);
	memcpy(p + 4, &head, sizeof(head));
	p += 4 + sizeof(head);
	for (i = 0; i < n; i++, p += sizeof(frame)) {
		frame = kept ? describe_kept(x, &x->user->frames[i], &m)
			     : describe_frame(x, &x->user->frames[i], &m);
		memcpy(p, &frame, sizeof(frame));
	}
}

void st_print_user_stack(struct st_ctx *c, int style)
{
	struct st_context *x = st_context_of(c);

	if (!c->error)
		emit_frames(x, st_user_stack(x), style, false);
}

void st_fn_print_ubacktrace(struct st_ctx *c, int style)
{
	st_print_user_stack(c, style);
}

void st_fn_print_ubacktrace_from(struct st_ctx *c, int style, st_long pc, st_long sp, st_long fp)
{
	struct st_context *x = st_context_of(c);

	if (!c->error)
		emit_frames(x, st_user_stack_from(x, pc, sp, fp), style, false);
	st_user_stack_forget(x);
}

/* Takes the addresses in a string for the handler's frames; returns how many. */
static unsigned int take_addresses(struct st_context *x, struct st_str addresses)
{
	unsigned int n = 0;
	unsigned long addr;

	st_user_stack_forget(x);
	while (n < ST_USER_DEPTH && st_next_address(&x->c, &addresses, &addr)) {
		x->user->frames[n] = (struct st_frame){ addr, n > 0 };
		n++;
	}
	return n;
}

void st_fn_print_ustack(struct st_ctx *c, struct st_str addresses)
{
	struct st_context *x = st_context_of(c);

	if (!c->error)
		emit_frames(x, take_addresses(x, addresses), ST_STACK_FULL, true);
}

/* ---- as text ------------------------------------------------------------- */

/* Adds a name from a program's file, or what fits of it: no more is read, however long it is. */
static void text_name(struct st_lines_text *t, const char *name)
{
	unsigned int n = strnlen(name, t->room - t->n - 1);

	memcpy(t->p + t->n, name, n);
	t->n += n;
}

/* Adds " [libc.so.6]", or with the address' offset in the file; nothing if no file is mapped there. */
static void text_file(struct st_lines_text *t, unsigned long addr, bool offset)
{
	unsigned long image = st_space_image(addr);
	unsigned int name;

	if (t->room - t->n < 4 || !image)
		return;
	memcpy(t->p + t->n, " [", 2);
	name = st_space_name(addr, t->p + t->n + 2, t->room - t->n - 2);
	if (!name)
		return;
	t->n += 2 + name;
	t->n += offset ? scnprintf(t->p + t->n, t->room - t->n, "+%#lx]", addr - image)
		       : scnprintf(t->p + t->n, t->room - t->n, "]");
}

/* Adds "read+0x14/0x90 [libc.so.6]", without SIZE "read+0x14 [libc.so.6]"; where no name is known,
 * "0x7f12… [libc.so.6+0x2724a]". */
static void text_code(struct st_lines_text *t, const struct st_frame *f, bool size)
{
	struct st_user_name s;
	bool named;

	if (st_walk(t->c, ST_WALK_SYMBOL))
		return;
	named = st_symbols_find(t->c, f->ip - f->called, &s);
	if (named)
		text_name(t, s.name);
	t->n += named ? scnprintf(t->p + t->n, t->room - t->n, "+%#lx", s.offset + f->called)
		      : scnprintf(t->p + t->n, t->room - t->n, "0x%lx", f->ip);
	if (named && size)
		t->n += scnprintf(t->p + t->n, t->room - t->n, "/%#lx", s.size);
	text_file(t, f->ip, !named);
}

static void text_line(struct st_lines_text *t, const struct st_frame *f, bool size)
{
	text_code(t, f, size);
	t->n += scnprintf(t->p + t->n, t->room - t->n, "\n");
}

struct st_str st_fn_sprint_ubacktrace(struct st_ctx *c)
{
	struct st_context *x = st_context_of(c);
	unsigned int i, n;
	struct st_lines_text t;

	if (!st_text_begin(&t, c))
		return ST_LIT("");
	n = st_user_stack(x);
	for (i = 0; i < n && st_text_room(&t); i++)
		text_line(&t, &x->user->frames[i], false);
	return st_text_end(&t);
}

struct st_str st_fn_sprint_ustack(struct st_ctx *c, struct st_str addresses)
{
	struct st_frame f = { 0 };
	struct st_lines_text t;
	unsigned int i;

	if (!st_text_begin(&t, c))
		return ST_LIT("");
	for (i = 0; i < ST_USER_DEPTH && st_text_room(&t) &&
	     st_next_address(c, &addresses, &f.ip); i++) {
		f.called = i > 0;
		t.n += scnprintf(t.p + t.n, t.room - t.n, " 0x%lx : ", f.ip);
		text_line(&t, &f, true);
	}
	return st_text_end(&t);
}

struct st_str st_fn_ucallers(struct st_ctx *c, st_long n)
{
	struct st_context *x = st_context_of(c);
	unsigned long noted = 0;
	unsigned int i, frames;
	struct st_lines_text t;

	if (!st_text_begin(&t, c))
		return ST_LIT("");
	frames = st_user_stack(x);
	if (n >= 0 && n < frames)
		frames = n + 1;
	for (i = 0; i < frames; i++) {
		const struct st_frame *f = &x->user->frames[i];
		unsigned long code = f->ip - f->called;

		st_text_address(&t, f->ip);
		if (code >> PAGE_SHIFT != noted)
			st_seen_note(code);
		noted = code >> PAGE_SHIFT;
	}
	return st_text_end(&t);
}

struct st_str st_fn_ubacktrace(struct st_ctx *c)
{
	return st_fn_ucallers(c, -1);
}

st_long st_fn_ustack(struct st_ctx *c, st_long depth)
{
	struct st_context *x = st_context_of(c);
	unsigned int n = c->error ? 0 : st_user_stack(x);

	return depth >= 0 && depth < n ? x->user->frames[depth].ip : 0;
}

/* ---- one address ------------------------------------------------------------ */

st_long st_fn_uaddr(struct st_ctx *c)
{
	const struct pt_regs *regs = st_user_regs(st_context_of(c));

	return regs ? instruction_pointer((struct pt_regs *)regs) : 0;
}

/* Adds "libc.so.6+0x2724a", or the address if no file is mapped there. */
static void text_place(struct st_lines_text *t, unsigned long addr)
{
	unsigned long image = st_space_image(addr);

	if (image)
		t->n = st_space_name(addr, t->p, t->room);
	t->n += scnprintf(t->p + t->n, t->room - t->n, t->n ? "+%#lx" : "%#lx",
			  t->n ? addr - image : addr);
}

struct st_str st_fn_usymname(struct st_ctx *c, st_long addr)
{
	struct st_lines_text t;
	struct st_user_name s;

	if (!st_text_begin(&t, c) || st_walk(c, ST_WALK_SYMBOL))
		return ST_LIT("");
	if (st_symbols_find(c, addr, &s))
		text_name(&t, s.name);
	else
		text_place(&t, addr);
	return st_text_end(&t);
}

struct st_str st_fn_usymdata(struct st_ctx *c, st_long addr)
{
	struct st_frame f = { .ip = addr };
	struct st_lines_text t;

	if (!st_text_begin(&t, c))
		return ST_LIT("");
	text_code(&t, &f, true);
	return st_text_end(&t);
}

/*
 * Returns the source line of an address: its file, its number, or both; the address if none is
 * known.
 */
static struct st_str line_text(struct st_ctx *c, st_long addr, bool file, bool number)
{
	struct st_lines_text t;
	struct st_user_line l;

	if (!st_text_begin(&t, c) || st_walk(c, ST_WALK_SYMBOL))
		return ST_LIT("");
	if (!st_symbols_line(c, addr, &l)) {
		t.n = scnprintf(t.p, t.room, "%#llx", addr);
		return st_text_end(&t);
	}
	if (file)
		text_name(&t, l.file);
	if (number)
		t.n += scnprintf(t.p + t.n, t.room - t.n, file ? ":%u" : "%u", l.line);
	return st_text_end(&t);
}

struct st_str st_fn_usymfile(struct st_ctx *c, st_long addr)
{
	return line_text(c, addr, true, false);
}

struct st_str st_fn_usymline(struct st_ctx *c, st_long addr)
{
	return line_text(c, addr, false, true);
}

struct st_str st_fn_usymfileline(struct st_ctx *c, st_long addr)
{
	return line_text(c, addr, true, true);
}

struct st_str st_fn_umodname(struct st_ctx *c, st_long addr)
{
	struct st_lines_text t;

	if (!st_text_begin(&t, c) || st_walk(c, ST_WALK_SYMBOL))
		return ST_LIT("");
	t.n = st_space_name(addr, t.p, t.room);
	if (!t.n)
		st_error(c, "no user module known at 0x%llx", addr);
	return st_text_end(&t);
}

/* Reads the headers of the file that is mapped at an address; an error if there is none. */
static bool read_image(struct st_ctx *c, unsigned long addr, struct st_image *image)
{
	if (c->error || st_walk(c, ST_WALK_SYMBOL))
		return false;
	if (st_image_read(addr, image))
		return true;
	st_error(c, "no user module known at 0x%lx", addr);
	return false;
}

st_long st_fn_umodaddr(struct st_ctx *c, st_long addr)
{
	struct st_image image;

	return read_image(c, addr, &image) ? addr - image.bias : 0;
}

struct st_str st_fn_umodbuildid(struct st_ctx *c, st_long addr)
{
	struct st_lines_text t;
	struct st_image image;
	unsigned int i;

	if (!read_image(c, addr, &image) || !st_text_begin(&t, c))
		return ST_LIT("");
	if (!image.id_bytes)
		st_error(c, "no build-id known at 0x%llx", addr);
	for (i = 0; i < image.id_bytes; i++)
		t.n += scnprintf(t.p + t.n, t.room - t.n, "%02x", image.id[i]);
	return st_text_end(&t);
}
