/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds and opens BTF, the kernel's compact type information. */
#ifndef STAP_TARGET_BTF_H
#define STAP_TARGET_BTF_H

#include "debuginfo/internal.h"

/* BTF that was found. */
struct btf_found {
	struct btf *btf;		/* btf__free() it */
	const char *path;
	const char *build_id;		/* of the kernel or module, or NULL */
};

/* Finds the kernel's BTF.  Returns false with *WHY, which says where it was looked for. */
bool btf_of_kernel(struct session *s, struct btf_found *out, struct problem *why);

/*
 * Finds a module's BTF, which extends the kernel's, BASE: of the running kernel's
 * module, or in the file at PATH, unless that is NULL.  Returns false with *WHY,
 * which is NULL if there is neither.
 */
bool btf_of_module(struct session *s, const char *module, const char *path, struct btf *base,
		   struct btf_found *out, struct problem *why);

#endif
