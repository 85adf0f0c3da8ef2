/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The part of libbpf's BTF reader that stap uses, for releases since 0.3.
 *
 * Newer kinds of types came with the releases that can read them.  An older
 * release can't read BTF that contains such a kind at all, so there the
 * predicates below are never true.
 */
#ifndef STAP_TARGET_LIBBPF_H
#define STAP_TARGET_LIBBPF_H

#include <bpf/btf.h>
#include <bpf/libbpf.h>
#include <stdbool.h>
#include <stdint.h>

#include "config.h"

/*
 * Reads a file's BTF, which extends BASE if that is not NULL.  Returns NULL if
 * it can't be read.
 */
static inline struct btf *btf_parse(const char *path, struct btf *base)
{
	struct btf *btf = btf__parse_split(path, base);

	return libbpf_get_error(btf) ? NULL : btf;	/* before 1.0 an error is not NULL */
}

#if !HAVE_DECL_BTF__TYPE_CNT
static inline unsigned btf__type_cnt(const struct btf *btf)
{
	return btf__get_nr_types(btf) + 1;
}
#endif

#if !HAVE_DECL_BTF_IS_FLOAT
#define BTF_KIND_FLOAT 16

static inline bool btf_is_float(const struct btf_type *t)
{
	return btf_kind(t) == BTF_KIND_FLOAT;
}
#endif

#if !HAVE_DECL_BTF_IS_TYPE_TAG
#define BTF_KIND_TYPE_TAG 18

static inline bool btf_is_type_tag(const struct btf_type *t)
{
	return btf_kind(t) == BTF_KIND_TYPE_TAG;
}
#endif

#if !HAVE_DECL_BTF_IS_ENUM64
#define BTF_KIND_ENUM64 19

struct btf_enum64 {
	uint32_t name_off, val_lo32, val_hi32;
};

static inline bool btf_is_enum64(const struct btf_type *t)
{
	return btf_kind(t) == BTF_KIND_ENUM64;
}

static inline bool btf_is_any_enum(const struct btf_type *t)
{
	return btf_is_enum(t) || btf_is_enum64(t);
}

static inline struct btf_enum64 *btf_enum64(const struct btf_type *t)
{
	return (struct btf_enum64 *)(t + 1);
}

static inline uint64_t btf_enum64_value(const struct btf_enum64 *e)
{
	return (uint64_t)e->val_hi32 << 32 | e->val_lo32;
}
#endif

#endif
