/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Points whose places are in code: in the kernel, in modules and in programs.
 *
 * kernel.function("f").return, module("m").function("f").return and
 * process("p").function("f").return end with the same parts.  Here those are called a
 * place's rest.
 */
#ifndef STAP_PROBES_CODE_H
#define STAP_PROBES_CODE_H

#include "debuginfo/debuginfo.h"
#include "family.h"

/* Variants of struct probe_pattern, which say what a rest means. */
enum {
	V_KIND = 0x7f,			/* an enum place_kind */
	V_RETURN = 1 << 7,
	V_ADDRESS = 1 << 8,
	V_ABSOLUTE = 1 << 9,
	V_LABEL = 1 << 10,
	V_NEAREST = 1 << 11,
	V_CALLEE = 1 << 12,
	V_CALLEES = 1 << 13,
	V_DEPTH = 1 << 14,
	V_CALLED = 1 << 15,
	V_FAMILY = 1 << 16,		/* the first bit for the family's own */
};

/* Calls ROW(rest, variant, documentation) for every rest. */
#define CODE_PLACES(ROW)							\
	ROW("function(s)", PLACE_FUNCTION, "entry of functions and inlined instances") \
	ROW("function(s).call", PLACE_CALL, "entry of functions that are not inlined") \
	ROW("function(s).inline", PLACE_INLINE, "inlined instances")		\
	ROW("function(s).exported", PLACE_EXPORTED, "entry of exported functions") \
	ROW("function(s).label(s)", PLACE_FUNCTION | V_LABEL, "labels in functions") \
	ROW("function(s).callee(s)", PLACE_FUNCTION | V_CALLEE, "what functions call") \
	ROW("function(s).callee(s).call", PLACE_FUNCTION | V_CALLEE | V_CALLED,	\
	    "what functions call that is not inlined")				\
	ROW("function(s).callees", PLACE_FUNCTION | V_CALLEES, "all that functions call") \
	ROW("function(s).callees(n)", PLACE_FUNCTION | V_CALLEES | V_DEPTH,	\
	    "what functions call, n deep")					\
	ROW("statement(s)", PLACE_STATEMENT, "a source line")			\
	ROW("statement(s).nearest", PLACE_STATEMENT | V_NEAREST,		\
	    "a source line, or the nearest one with code")			\
	ROW("statement(n)", PLACE_STATEMENT | V_ADDRESS, "an address")		\
	ROW("function(s).return", PLACE_CALL | V_RETURN, "return of functions")	\
	ROW("function(s).callee(s).return", PLACE_CALL | V_RETURN | V_CALLEE | V_CALLED, \
	    "return of what functions call, to them")

/*
 * Makes the query for the places of a point whose part number PART is function(…) or
 * statement(…).  The caller sets Q's module.  Returns false with *WHY set on failure.
 */
bool code_query(const struct session *s, const struct probe_point *point,
		const struct probe_pattern *pat, size_t part, struct place_query *q,
		struct problem *why);

/* Appends the point's parts from number PART on as they are for one place: function("f@a.c:1"). */
void code_put_place(struct sbuf *b, const struct probe_point *point,
		    const struct probe_pattern *pat, size_t part, const struct place *pl);

/* Does the query's function have wildcards? */
bool code_has_wildcard(const struct place_query *q);

/* Warns if N places of one point are so many that attaching to them takes long. */
void code_warn_many(const struct probe_point *point, size_t n);

/* struct probe_family's functions, for places with debug information. */
int code_variable(struct session *s, struct probe *p, const struct target_var *tv,
		  struct access *acc);
void code_list_variables(struct session *s, struct probe *p, text_list *out);

#endif
