// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tapset functions about the user stack.
 *
 * What is printed is named by the loader's reader: the record has addresses and the numbers of
 * the files they lie in (abi/transport.h).  What becomes a string in the script is named here by
 * the file and the offset in it, "[libc.so.6+0x2724a]".
 */
#include <linux/ptrace.h>

#include "abi/transport.h"
#include "core/context.h"
#include "stack_text.h"
#include "user/image.h"
#include "user/seen.h"
#include "user/space.h"
#include "user/stack.h"

/* ---- printed ---- */

/* KEPT: the address comes from a string of the script's, maybe of another process. */
static void describe_frame(const struct st_frame *f, bool kept, struct st_uframe *to)
{
	unsigned long code = f->ip - f->called, page;
	struct st_mapping m;
	unsigned int file;

	*to = (struct st_uframe){ .address = f->ip, .called = f->called };
	if (kept && st_seen_find(code, &file, &page)) {
		to->file = file;
		to->page = page;
	} else if (st_space_find(code, true, &m)) {
		to->file = m.id;
		to->page = m.page + ((code - m.start) >> PAGE_SHIFT);
	}
}

/* Records n frames, to be printed in a style. */
static void emit_frames(struct st_context *x, unsigned int n, unsigned int style, bool kept)
{
	struct st_ustack head = { .style = style };
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
		describe_frame(&x->user->frames[i], kept, &frame);
		memcpy(p, &frame, sizeof(frame));
	}
}

void st_fn_print_ubacktrace(struct st_ctx *c, int style)
{
	struct st_context *x = st_context_of(c);

	if (!c->error)
		emit_frames(x, st_user_stack(x), style, false);
}

void st_fn_print_ubacktrace_from(struct st_ctx *c, st_long pc, st_long sp, st_long fp, int style)
{
	struct st_context *x = st_context_of(c);

	if (!c->error)
		emit_frames(x, st_user_stack_from(x, pc, sp, fp), style, false);
	x->user_frames = 0;
}

/* Takes the addresses in a string for the handler's frames; returns how many. */
static unsigned int take_addresses(struct st_context *x, struct st_str addresses)
{
	unsigned int n = 0;
	unsigned long addr;

	while (n < ST_USER_DEPTH && st_next_address(&addresses, &addr)) {
		x->user->frames[n] = (struct st_frame){ addr, n > 0 };
		n++;
	}
	x->user_frames = 0;
	return n;
}

void st_fn_print_ustack(struct st_ctx *c, struct st_str addresses)
{
	struct st_context *x = st_context_of(c);

	if (!c->error)
		emit_frames(x, take_addresses(x, addresses), ST_STACK_FULL, true);
}

/* ---- as text ------------------------------------------------------------- */

/* Adds "0x7f12… [libc.so.6+0x2724a]", or only the address if no file is mapped there. */
static void text_address(struct st_lines_text *t, unsigned long addr)
{
	struct st_mapping m;
	unsigned int name;

	t->n += scnprintf(t->p + t->n, t->room - t->n, "0x%lx", addr);
	if (t->room - t->n < 4 || !st_space_find(addr, false, &m) || !m.image)
		return;
	memcpy(t->p + t->n, " [", 2);
	name = st_space_name(addr, t->p + t->n + 2, t->room - t->n - 2);
	if (name) {
		t->n += 2 + name;
		t->n += scnprintf(t->p + t->n, t->room - t->n, "+%#lx]", addr - m.image);
	}
}

static void text_line(struct st_lines_text *t, unsigned long addr)
{
	text_address(t, addr);
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
	for (i = 0; i < n; i++)
		text_line(&t, x->user->frames[i].ip);
	return st_text_end(&t);
}

struct st_str st_fn_sprint_ustack(struct st_ctx *c, struct st_str addresses)
{
	unsigned long addr;
	struct st_lines_text t;

	if (!st_text_begin(&t, c))
		return ST_LIT("");
	while (st_next_address(&addresses, &addr))
		text_line(&t, addr);
	return st_text_end(&t);
}

struct st_str st_fn_ucallers(struct st_ctx *c, st_long n)
{
	struct st_context *x = st_context_of(c);
	unsigned int i, frames;
	struct st_lines_text t;

	if (!st_text_begin(&t, c))
		return ST_LIT("");
	frames = st_user_stack(x);
	if (n >= 0 && n < frames)
		frames = n;
	for (i = 0; i < frames; i++) {
		const struct st_frame *f = &x->user->frames[i];

		t.n += scnprintf(t.p + t.n, t.room - t.n, i ? " 0x%lx" : "0x%lx", f->ip);
		st_seen_note(f->ip - f->called);
	}
	return st_text_end(&t);
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

struct st_str st_fn_usymname(struct st_ctx *c, st_long addr)
{
	struct st_lines_text t;
	struct st_mapping m;

	if (!st_text_begin(&t, c))
		return ST_LIT("");
	if (st_space_find(addr, false, &m) && m.image)
		t.n = st_space_name(addr, t.p, t.room);
	t.n += scnprintf(t.p + t.n, t.room - t.n, t.n ? "+%#llx" : "%#llx",
			 t.n ? addr - m.image : addr);
	return st_text_end(&t);
}

struct st_str st_fn_usymdata(struct st_ctx *c, st_long addr)
{
	struct st_lines_text t;

	if (!st_text_begin(&t, c))
		return ST_LIT("");
	text_address(&t, addr);
	return st_text_end(&t);
}

struct st_str st_fn_umodname(struct st_ctx *c, st_long addr)
{
	struct st_lines_text t;

	if (!st_text_begin(&t, c))
		return ST_LIT("");
	t.n = st_space_name(addr, t.p, t.room);
	if (!t.n)
		st_error(c, "no user module known at 0x%llx", addr);
	return st_text_end(&t);
}

/* Reads the headers of the file that is mapped at an address; an error if there is none. */
static bool read_image(struct st_ctx *c, unsigned long addr, struct st_image *image)
{
	struct st_mapping m;

	if (c->error)
		return false;
	if (st_space_find(addr, false, &m) && st_image_read(&m, image))
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
