/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The families, by name, and what they share. */
#ifndef STAP_FAMILIES_H
#define STAP_FAMILIES_H

#include "abi/families.h"
#include "base/arena.h"
#include "family.h"

#define DECLARE_FAMILY(name) extern const struct probe_family family_##name;
ST_FAMILIES(DECLARE_FAMILY, DECLARE_FAMILY)
#undef DECLARE_FAMILY

/* The record of type TYPE that a family made, by the probe that is its MEMBER. */
#define container_of(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

/* For emit(): the first member of a row, ".point = { … }". */
void emit_point(struct sbuf *out, const struct probe *p, const struct site *site);

/* The members of a place in code, for all families that share the table. */
void code_emit(struct sbuf *out, const struct probe *p, const struct site *site);

/* The number a point ends with, .maxactive(N); false with *why. */
bool check_maxactive(const struct probe_point *point, int64_t *n, const char **why);

extern const char need_guru_for_address[];	/* says so */

/* Gives a new probe its one place, named by the point. */
void add_named_site(struct probe *p, const struct probe_point *point);

#endif
