/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The families, by name, and what they share. */
#ifndef STAP_FAMILIES_H
#define STAP_FAMILIES_H

#include "base/arena.h"
#include "family.h"

extern const struct probe_family family_begin, family_never, family_timer;
extern const struct probe_family family_code, family_kprobe, family_trace;
extern const struct probe_family family_perf, family_procfs;
extern const struct probe_family family_netfilter, family_data;

/* The initialiser of a descriptor's struct st_point. */
void emit_point(struct sbuf *out, const struct probe *p, const struct site *site);

/* A string, or a null pointer. */
void emit_string(struct sbuf *out, const char *s);

/* The runtime's table of places in code, for all families that share it. */
void code_emit(struct sbuf *out, struct session *s, struct probe *const *probes, size_t n);

/* The number a point ends with, .maxactive(N); false with *why. */
bool check_maxactive(const struct probe_point *point, int64_t *n, const char **why);

extern const char need_guru_for_address[];	/* says so */

/* A probe with one place that is no place in code. */
struct probe *single_site_probe(const struct probe_point *point);

#endif
