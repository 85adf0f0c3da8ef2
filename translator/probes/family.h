/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A family of probe points: begin, timer, kernel.function, …
 *
 * Each has a file here, which resolves its points and describes its places, and one
 * in runtime/probes/, which attaches them.  A new family is one of each, a line
 * in runtime/abi/families.h, and the struct that describes its places to the
 * runtime (runtime/abi/stap_script.h).
 */
#ifndef STAP_FAMILY_H
#define STAP_FAMILY_H

#include "program/program.h"
#include "row.h"

struct ir_place;
struct session;

/*
 * A kind of point that a family accepts: "kernel.function(s).call",
 * "timer.ms(n).randomize(n)", where s is a string argument and n a number.  A
 * script's point is matched part by part, and its parts may be wildcards.
 */
struct probe_pattern {
	const char *pattern;
	int variant;			/* tells the family which pattern matched */
	const char *doc;		/* one line of documentation; NULL if points are refused */
};

/* The result of resolving a point: probes without bodies. */
struct family_result {
	vec(struct probe *) probes;
	struct problem why;		/* on failure; the caller may set no_hint */
	bool optional;			/* set by the caller: the point may be left out */
};

/* A family.  Members that it doesn't need are NULL or false. */
struct probe_family {
	const char *name;		/* as in the runtime's table */
	const struct probe_pattern *patterns;	/* ends with a NULL pattern */

	/*
	 * Resolves a point whose parts have all matched PAT.  Each place
	 * becomes a probe with one site; sema/ merges those whose bodies are
	 * the same.  Returns 0, or -1 with out->why set.
	 */
	int (*resolve)(struct session *s, const struct probe_point *point,
		       const struct probe_pattern *pat, struct family_result *out);

	/*
	 * Resolves $name… in a handler of this family and fills ACC.  Returns 0,
	 * or -1 with acc->why_not set.  NULL if the family has no variables.
	 */
	int (*variable)(struct session *s, struct probe *p, const struct target_var *tv,
			struct access *acc);

	/*
	 * Checks all probes of the family together, once in pass 2.  Returns 0,
	 * or -1 after messages.
	 */
	int (*check)(struct session *s, struct probe *const *probes, size_t n);

	/* Adds the variables at the probe's site, "$name:type", for stap -L. */
	void (*list_variables)(struct session *s, struct probe *p, text_list *out);

	/*
	 * For engines in the kernel.  TABLE is the runtime's family that reads these places, which
	 * several families here may share; NULL if the probes never run.  row() adds what the
	 * runtime is told of a place besides its point: interval 1000000.
	 */
	const char *table;
	void (*row)(const struct probe *p, const struct site *site, struct row *out);

	/* The same as data of the intermediate program (ir/ir.h): when the place is hit, or which tracepoint
	 * it is.  NULL: only the kernel can tell, or it is a place in code. */
	void (*place)(const struct probe *p, const struct site *site, struct ir_place *out);

	bool serial;			/* its handlers never run concurrently with any other,
					   so they take no locks (begin, end) */
	bool solitary;			/* a handler with one place never runs concurrently with
					   itself (timers) */
	bool waits;			/* its handlers may sleep, to fault in user memory */
	bool has_return;		/* $return is an ordinary variable, no function's result */
	bool interruptible;		/* its handlers run in a process with interrupts enabled,
					   so MAXACTION_INTERRUPTIBLE is their limit */
};

extern const struct probe_family *const probe_families[];	/* NULL-terminated */

#endif
