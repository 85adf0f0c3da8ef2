/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds and opens BTF, the kernel's compact type information. */
#ifndef STAP_TARGET_BTF_H
#define STAP_TARGET_BTF_H

#include "debuginfo/internal.h"

struct hash;

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

/*
 * Adds to H what tells whether the kernel's BTF (NAME is "vmlinux"), or a module's, which is in the file at PATH
 * unless the kernel exports it, is the same as another time.  Returns the file that it is read from, or NULL if that
 * isn't known.  Only a file that turns out to have none makes another one be read.
 */
const char *btf_identify(struct session *s, const char *name, const char *path, struct hash *h);

#endif
