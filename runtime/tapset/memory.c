// SPDX-License-Identifier: GPL-2.0-or-later
/* Tapset functions that read and write memory at an address. */
#include <linux/memory_hotplug.h>
#include <linux/mm.h>
#include <linux/topology.h>

#include "memory/access.h"
#include "memory/missing.h"
#include "memory/space.h"

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

static const struct {
	const char *name;
	unsigned int size;
	bool is_signed;
} numbers[] = {
	[ST_NUM_CHAR] = { "char", 1, true }, [ST_NUM_SHORT] = { "short", 2, true },
	[ST_NUM_USHORT] = { "ushort", 2, false }, [ST_NUM_INT] = { "int", 4, true },
	[ST_NUM_UINT] = { "uint", 4, false }, [ST_NUM_LONG] = { "long", 8, true },
	[ST_NUM_ULONG] = { "ulong", 8, false }, [ST_NUM_POINTER] = { "pointer", 8, false },
	[ST_NUM_INT8] = { "int8", 1, true }, [ST_NUM_UINT8] = { "uint8", 1, false },
	[ST_NUM_INT16] = { "int16", 2, true }, [ST_NUM_UINT16] = { "uint16", 2, false },
	[ST_NUM_INT32] = { "int32", 4, true }, [ST_NUM_UINT32] = { "uint32", 4, false },
	[ST_NUM_INT64] = { "int64", 8, true }, [ST_NUM_UINT64] = { "uint64", 8, false },
};

/* Reads a number of a kind. Returns true if it can't be read. */
static bool read_number(enum st_space from, int which, st_long addr, st_long *value)
{
	bool is_signed = numbers[which].is_signed;
	union {
		u8 u8;
		u16 u16;
		u32 u32;
		u64 u64;
	} raw;

	if (copy_from(from)(&raw, addr, numbers[which].size))
		return true;
	switch (numbers[which].size) {
	case 1:
		*value = is_signed ? (s8)raw.u8 : (st_long)raw.u8;
		break;
	case 2:
		*value = is_signed ? (s16)raw.u16 : (st_long)raw.u16;
		break;
	case 4:
		*value = is_signed ? (s32)raw.u32 : (st_long)raw.u32;
		break;
	default:
		*value = raw.u64;
	}
	return false;
}

static st_long number_or_error(struct st_ctx *c, enum st_space from, int which, st_long addr)
{
	st_long value = 0;

	if (!c->error && read_number(from, which, addr, &value))
		copy_fault(c, from, numbers[which].name, addr);
	return value;
}

st_long st_fn_kernel_number(struct st_ctx *c, int which, st_long addr)
{
	return number_or_error(c, ST_KERNEL, which, addr);
}

st_long st_fn_user_number_error(struct st_ctx *c, int which, st_long addr)
{
	return number_or_error(c, ST_USER, which, addr);
}

st_long st_fn_user_number(struct st_ctx *c, int which, st_long addr)
{
	st_long value = 0;

	if (!c->error && read_number(ST_USER, which, addr, &value))
		st_missing(ST_USER, addr);
	return value;
}

st_long st_fn_missing(struct st_ctx *c, st_long addr)
{
	st_missing(ST_USER, addr);
	return 0;
}

void st_fn_kernel_store(struct st_ctx *c, int size, st_long addr, st_long v)
{
	st_kwrite(c, addr, size, v);
}

void st_fn_user_store(struct st_ctx *c, int size, st_long addr, st_long v)
{
	st_uwrite(c, addr, size, v);
}

/* Writes n bytes of a string and its NUL, byte by byte: up to a page that can't be written. */
static void store_bytes(struct st_ctx *c, int to, st_long addr, struct st_str s, unsigned int n)
{
	unsigned int i;

	if (st_walk(c, n / 4))
		return;
	for (i = 0; i < n && !c->error; i++) {
		char byte = i < s.len ? s.p[i] : '\0';

		if (to == ST_USER)
			st_uwrite(c, addr + i, 1, byte);
		else
			st_kwrite(c, addr + i, 1, byte);
	}
}

void st_fn_store_string(struct st_ctx *c, int to, st_long addr, struct st_str s)
{
	store_bytes(c, to, addr, s, s.len + 1);
}

void st_fn_store_string_or_warn(struct st_ctx *c, int to, st_long addr, struct st_str s)
{
	st_fn_store_string(c, to, addr, s);
	st_warn_instead(c);
}

/* Stores the first n characters, and a NUL behind them. */
void st_fn_store_first(struct st_ctx *c, int to, st_long addr, st_long n, struct st_str s)
{
	s.len = clamp_t(st_long, n, 0, s.len);
	st_fn_store_string(c, to, addr, s);
}

/* Stores n bytes at most; without a NUL if the string has that many. */
void st_fn_store_most(struct st_ctx *c, int to, st_long addr, st_long n, struct st_str s)
{
	if (n > 0)
		store_bytes(c, to, addr, s, min_t(st_long, s.len + 1, n));
}

struct st_str st_string_at(struct st_ctx *c, int from, st_long addr, st_long max,
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

/* A length that no string exceeds. */
#define WHOLE 0x7fffffff

struct st_str st_fn_string(struct st_ctx *c, int from, st_long addr)
{
	return st_string_at(c, from, addr, WHOLE, NULL);
}

struct st_str st_fn_string_or(struct st_ctx *c, int from, st_long addr, struct st_str instead)
{
	return st_string_at(c, from, addr, WHOLE, &instead);
}

struct st_str st_fn_string_n(struct st_ctx *c, int from, st_long addr, st_long n)
{
	return st_string_at(c, from, addr, n, NULL);
}

struct st_str st_fn_string_n_or(struct st_ctx *c, int from, st_long addr, st_long n,
				struct st_str instead)
{
	return st_string_at(c, from, addr, n, &instead);
}

static struct st_str address_text(struct st_ctx *c, enum st_space from, st_long addr)
{
	union st_arg a = { .i = addr };

	st_missing(from, addr);
	return st_format(c, "%p", &a, 1);
}

struct st_str st_fn_quoted_cut(struct st_ctx *c, int from, st_long addr, st_long n, st_long out)
{
	static const struct st_str none = { NULL, 0 };
	struct st_str s = st_string_at(c, from, addr, n, &none);

	return s.p ? st_fn_text(c, s, out, 1) : address_text(c, from, addr);
}

struct st_str st_quoted_at(struct st_ctx *c, unsigned long addr, unsigned int max)
{
	static const struct st_str none = { NULL, 0 };
	char *mark = c->sp;
	struct st_str s = st_string_at(c, ST_KERNEL, addr, max, &none);

	s = s.p ? st_fn_text(c, s, 0, 1) : st_fn_quoted_n(c, ST_USER, addr, max);
	return st_keep(c, mark, s);
}

struct st_str st_fn_quoted_n(struct st_ctx *c, int from, st_long addr, st_long n)
{
	return st_fn_quoted_cut(c, from, addr, n, 0);
}

struct st_str st_fn_quoted(struct st_ctx *c, int from, st_long addr)
{
	return st_fn_quoted_n(c, from, addr, WHOLE);
}

/* Quotes the contents of a buffer. Returns false if it can't be read. */
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

struct st_str st_fn_buffer_cut(struct st_ctx *c, int from, st_long addr, st_long len,
			       st_long out)
{
	struct st_str text;

	return quote_buffer(c, from, addr, len, out, &text) ? text : address_text(c, from, addr);
}

struct st_str st_fn_buffer(struct st_ctx *c, int from, st_long addr, st_long len)
{
	return st_fn_buffer_cut(c, from, addr, len, 0);
}

struct st_str st_fn_buffer_error(struct st_ctx *c, int from, st_long addr, st_long len,
				 st_long out)
{
	struct st_str text;

	if (!quote_buffer(c, from, addr, len, out, &text))
		copy_fault(c, from, "buffer", addr);
	return text;
}

/*
 * Returns the node of kernel memory. Offline memory has addresses, but its struct page isn't filled
 * in.
 */
static int kernel_node(const void *addr)
{
	struct page *page = virt_addr_valid(addr) ? pfn_to_online_page(PHYS_PFN(__pa(addr))) : NULL;

	return page ? page_to_nid(page) : -1;
}

st_long st_fn_addr_to_node(struct st_ctx *c, st_long addr)
{
	int node;

	if ((unsigned long)addr < TASK_SIZE_MAX)
		node = st_space_node(addr);
	else
		node = kernel_node((const void *)(unsigned long)addr);
	return node < 0 ? numa_node_id() : node;
}
