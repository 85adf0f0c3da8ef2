/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A family of probe points: begin, timer, kernel.function …
 *
 * One file a family here, one in runtime/probes/ for what it does in the
 * kernel.  Adding a family is one of each, a line in runtime/abi/families.h, and
 * the struct that describes its places to the runtime (runtime/abi/stap_script.h).
 */
#ifndef STAP_FAMILY_H
#define STAP_FAMILY_H

#include "base/sbuf.h"
#include "program/program.h"

struct session;

/*
 * A probe point a family accepts, written as "kernel.function(s).call",
 * "timer.ms(n).randomize(n)": s a string argument, n a number.  A script's
 * point is matched part by part; its parts may be wildcards.
 */
struct probe_pattern {
	const char *pattern;
	int variant;			/* handed back to the family */
	const char *doc;		/* one line, for --dump-probe-types */
};

/* What a family makes of a matched point: probes without bodies. */
struct family_result {
	vec(struct probe *) probes;
	const char *why, *hint;		/* on failure */
	bool unasked;			/* given: nobody will be told, spare the hint */
};

struct probe_family {
	const char *name;		/* as in the runtime's table */
	const struct probe_pattern *patterns;	/* ends with a NULL pattern */

	/*
	 * Resolves a point all of whose parts have matched 'pat'.  Each place
	 * becomes a probe with one site (sema merges those whose bodies come
	 * out the same).  Returns 0, or -1 with why (and hint).
	 */
	int (*resolve)(struct session *s, const struct probe_point *point,
		       const struct probe_pattern *pat, struct family_result *out);

	/*
	 * $name… in a handler of this family.  NULL: the family has none.
	 * Returns 0, or -1 with acc->why_not and *hint.
	 */
	int (*variable)(struct session *s, struct probe *p, const struct target_var *tv,
			struct access *acc, const char **hint);

	/* Pass 2, once: do all the probes of the family go together?  0, or -1 after
	 * messages.  May be NULL. */
	int (*check)(struct session *s, struct probe *const *probes, size_t n);

	/* -L: the variables a handler at its site sees, "$name:type"; may be NULL. */
	void (*list_variables)(struct session *s, struct probe *p, text_list *out);

	/*
	 * Pass 3: which of the runtime's families has its places (several may share
	 * one; NULL: never run), what struct describes them there, and the members
	 * of that struct for one of them: ".point = { … }, .interval = 1000000".
	 */
	const char *table, *row;
	void (*emit)(struct sbuf *out, const struct probe *p, const struct site *site);

	bool serial;			/* handlers of it never run at the same time as any
					   other: no locks needed (begin, end) */
	bool solitary;			/* a handler of one place never runs beside itself
					   (timers) */
	bool interruptible;		/* handlers of it run in a process, interrupts on:
					   they may take longer, MAXACTION_INTERRUPTIBLE */
};

extern const struct probe_family *const probe_families[];	/* NULL-terminated */

#endif
