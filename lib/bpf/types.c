// SPDX-License-Identifier: GPL-2.0-or-later
/* Writes the type information of a program's functions: all are "static int fN(void)". */
#include <linux/btf.h>
#include <string.h>

#include "base/arena.h"
#include "bpf/bpf.h"

enum { INT_TYPE = 1, PROTOTYPE = 2 };

static void put(struct sbuf *out, const void *p, size_t n)
{
	sbuf_add(out, p, n);
}

static void put_type(struct sbuf *out, uint32_t name, unsigned kind, uint32_t type_or_size)
{
	const struct btf_type t = { .name_off = name, .info = kind << 24, .size = type_or_size };

	put(out, &t, sizeof(t));
}

void bpf_types(struct sbuf *out, const struct bpf_program *p)
{
	const uint32_t int_format = BTF_INT_SIGNED << 24 | 32;
	struct sbuf types = { 0 }, names = { 0 };
	struct btf_header h = { .magic = BTF_MAGIC, .version = BTF_VERSION, .hdr_len = sizeof(h) };

	sbuf_putc(&names, '\0');
	put_type(&types, names.len, BTF_KIND_INT, 4);
	put(&types, &int_format, sizeof(int_format));
	sbuf_add(&names, "int", 4);
	put_type(&types, 0, BTF_KIND_FUNC_PROTO, INT_TYPE);
	for (size_t i = 0; i < p->functions.n; i++) {
		const char *name = arena_printf("f%zu", i);

		put_type(&types, names.len, BTF_KIND_FUNC, PROTOTYPE);
		sbuf_add(&names, name, strlen(name) + 1);
	}
	h.type_len = types.len;
	h.str_off = types.len;
	h.str_len = names.len;
	put(out, &h, sizeof(h));
	put(out, types.s, types.len);
	put(out, names.s, names.len);
	sbuf_free(&types);
	sbuf_free(&names);
}
