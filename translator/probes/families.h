/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The families, and functions they share. */
#ifndef STAP_FAMILIES_H
#define STAP_FAMILIES_H

#include "abi/families.h"
#include "base/arena.h"
#include "family.h"

#define DECLARE_FAMILY(name) extern const struct probe_family family_##name;
ST_FAMILIES(DECLARE_FAMILY, DECLARE_FAMILY)
#undef DECLARE_FAMILY

/* Returns the record of type TYPE whose MEMBER is the probe P. */
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

/* Fills the row of a place in kernel code: the row() of all families in the table "code". */
void code_row(const struct probe *p, const struct site *site, struct row *out);

/*
 * Reads the N of .maxactive(N), the point's last part.  Returns false with *WHY
 * if it is out of range.
 */
bool check_maxactive(const struct probe_point *point, int64_t *n, struct problem *why);

extern const char need_guru_for_address[];	/* the message for absolute addresses without -g */

/* Gives a new probe its one place, which is not in code and is named after the point. */
void add_named_site(struct probe *p, const struct probe_point *point);

#endif
