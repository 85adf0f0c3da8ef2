// SPDX-License-Identifier: GPL-2.0-or-later
/* Tapset functions that read and write memory at an address. */
#include <linux/memory_hotplug.h>
#include <linux/mm.h>
#include <linux/topology.h>

#include "core/access.h"
#include "core/missing.h"
#include "user/space.h"

static st_copy_fn copy_from(enum st_space from)
{
	return from == ST_USER ? st_copy_user : st_copy_kernel;
}

static const char *name_of(enum st_space space)
{
	return space == ST_USER ? "user" : "kernel";
}

static void copy_fault(struct st_ctx *c, enum st_space space, const char *what, st_long addr)
{
	st_error(c, "%s %s copy fault at 0x%llx [man error::fault]", name_of(space), what,
		 (unsigned long long)addr);
}

st_long st_fn_number(struct st_ctx *c, enum st_space from, st_long addr, unsigned int size,
		     int has_sign, const char *what)
{
	union {
		u8 u8;
		u16 u16;
		u32 u32;
		u64 u64;
	} raw;

	if (c->error)
		return 0;
	if (copy_from(from)(&raw, addr, size)) {
		if (what)
			copy_fault(c, from, what, addr);
		else
			st_missing(from, addr);
		return 0;
	}
	switch (size) {
	case 1:
		return has_sign ? (s8)raw.u8 : (st_long)raw.u8;
	case 2:
		return has_sign ? (s16)raw.u16 : (st_long)raw.u16;
	case 4:
		return has_sign ? (s32)raw.u32 : (st_long)raw.u32;
	default:
		return raw.u64;
	}
}

st_long st_fn_missing(st_long addr)
{
	st_missing(ST_USER, addr);
	return 0;
}

void st_fn_store(struct st_ctx *c, enum st_space to, st_long addr, unsigned int size, st_long v)
{
	if (to == ST_USER)
		st_uwrite(c, addr, size, v);
	else
		st_kwrite(c, addr, size, v);
}

/* Writes byte by byte: up to a page that can't be written. */
void st_fn_store_string(struct st_ctx *c, enum st_space to, st_long addr, struct st_str s,
			st_long max)
{
	unsigned int i, n = max < 0 ? s.len + 1 : min_t(st_long, s.len + 1, max);

	if (st_walk(c, n / 4))
		return;
	for (i = 0; i < n && !c->error; i++)
		st_fn_store(c, to, addr + i, 1, i < s.len ? s.p[i] : '\0');
}

struct st_str st_fn_string(struct st_ctx *c, enum st_space from, st_long addr, st_long max,
			   const struct st_str *instead)
{
	unsigned int room = st_program.maxstringlen - 1;
	char *p;
	long n;

	if (max < room)
		room = max > 0 ? max : 0;
	p = st_scratch(c, room);
	if (!p)
		return ST_LIT("");
	n = st_copy_string(p, addr, room, copy_from(from));
	if (st_walk_text(c, n < 0 ? room : n))
		return ST_LIT("");
	if (n < 0) {
		c->sp = p;
		if (!instead)
			copy_fault(c, from, "string", addr);
		else if (instead->p)
			st_missing(from, addr);
		return instead ? *instead : ST_LIT("");
	}
	p[n] = '\0';
	c->sp = p + n + 1;
	return (struct st_str){ p, n };
}

static struct st_str address_text(struct st_ctx *c, enum st_space from, st_long addr)
{
	union st_arg a = { .i = addr };

	st_missing(from, addr);
	return st_format(c, "%p", &a, 1);
}

struct st_str st_fn_quoted(struct st_ctx *c, enum st_space from, st_long addr, st_long max,
			   st_long out)
{
	static const struct st_str none = { NULL, 0 };
	struct st_str s = st_fn_string(c, from, addr, max, &none);

	return s.p ? st_fn_text(c, s, out, 1) : address_text(c, from, addr);
}

struct st_str st_quoted_at(struct st_ctx *c, unsigned long addr, unsigned int max)
{
	static const struct st_str none = { NULL, 0 };
	char *mark = c->sp;
	struct st_str s = st_fn_string(c, ST_KERNEL, addr, max, &none);

	s = s.p ? st_fn_text(c, s, 0, 1) : st_fn_quoted(c, ST_USER, addr, max, 0);
	return st_keep(c, mark, s);
}

/* Returns false if the buffer can't be read. */
static bool quote_buffer(struct st_ctx *c, enum st_space from, st_long addr, st_long len,
			 st_long out, struct st_str *result)
{
	struct st_str s;
	char *p;

	*result = ST_LIT("");
	s.len = clamp_t(st_long, len, 0, st_program.maxstringlen - 1);
	p = st_scratch(c, s.len);
	if (!p || st_walk_text(c, s.len))
		return true;
	if (copy_from(from)(p, addr, s.len))
		return false;
	p[s.len] = '\0';
	s.p = p;
	*result = st_fn_text(c, s, out, 1);
	return true;
}

struct st_str st_fn_quoted_buffer(struct st_ctx *c, enum st_space from, st_long addr,
				  st_long len, st_long out)
{
	struct st_str text;

	return quote_buffer(c, from, addr, len, out, &text) ? text : address_text(c, from, addr);
}

struct st_str st_fn_quoted_buffer_error(struct st_ctx *c, enum st_space from, st_long addr,
					st_long len, st_long out)
{
	struct st_str text;

	if (!quote_buffer(c, from, addr, len, out, &text))
		copy_fault(c, from, "buffer", addr);
	return text;
}

/* Memory that is offline has addresses, but nothing has filled its struct page. */
static int kernel_node(const void *addr)
{
	struct page *page = virt_addr_valid(addr) ? pfn_to_online_page(PHYS_PFN(__pa(addr))) : NULL;

	return page ? page_to_nid(page) : -1;
}

st_long st_fn_addr_to_node(st_long addr)
{
	int node;

	if ((unsigned long)addr < TASK_SIZE_MAX)
		node = st_space_node(addr);
	else
		node = kernel_node((const void *)(unsigned long)addr);
	return node < 0 ? numa_node_id() : node;
}
