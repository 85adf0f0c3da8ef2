/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hardware breakpoints, by which a CPU watches memory; kernel.data and process.data use
 * them.  A CPU has few of them.
 *
 *	kernel.data("jiffies").write		1 byte at the symbol
 *	kernel.data(0xffff…).length(8).rw	8 bytes at an address
 */
#ifndef STAP_PROBES_WATCH_H
#define STAP_PROBES_WATCH_H

#include "family.h"

/* The memory that a point names, as a hardware breakpoint watches it. */
struct watch {
	uint64_t address;
	bool linked;			/* address is a link address */
	bool percpu;			/* each CPU has its own */
	unsigned length;		/* in bytes; 0 if there is no breakpoint */
	bool reads;			/* watch reads too */
};

/* Variants of patterns, or'ed: what a point's components say. */
enum { WATCH_READS = 1, WATCH_ADDRESS = 2, WATCH_LENGTH = 4 };

/* The patterns of points that begin with HEAD, of variant V; DOC names the owner of the memory. */
#define WATCH_PATTERNS(head, v, doc)					\
	{ head "data(s).write", v, "a variable of " doc " is written" }, \
	{ head "data(s).rw", (v) | WATCH_READS, "a variable of " doc " is written or read" }, \
	{ head "data(s).length(n).write", (v) | WATCH_LENGTH, "bytes of a variable are written" }, \
	{ head "data(s).length(n).rw", (v) | WATCH_LENGTH | WATCH_READS, \
	  "bytes of a variable are written or read" },			\
	{ head "data(n).write", (v) | WATCH_ADDRESS, "an address is written" }, \
	{ head "data(n).rw", (v) | WATCH_ADDRESS | WATCH_READS, "an address is written or read" }, \
	{ head "data(n).length(n).write", (v) | WATCH_ADDRESS | WATCH_LENGTH, \
	  "some bytes are written" },					\
	{ head "data(n).length(n).rw", (v) | WATCH_ADDRESS | WATCH_LENGTH | WATCH_READS, \
	  "some bytes are written or read" }

/* The most breakpoints of a CPU: x86 has four debug registers, other architectures no more. */
enum { WATCH_MOST = 4 };

/*
 * Sets the kind of access and the length that a point says, and the address if it is a number.
 * Returns false with the reason set.
 */
bool watch_parse(const struct probe_point *point, const struct probe_pattern *pat,
		 struct watch *w, struct problem *why);

/* Can a CPU watch this address?  Returns false with *WHY set if it is not aligned to the length. */
bool watch_check(const struct watch *w, struct problem *why);

/* Returns the point's text without its head: data("jiffies").length(1).write. */
const char *watch_text(const struct probe_point *point, const struct watch *w);

/* Warns if there are more watches than a CPU has breakpoints. */
void watch_warn_many(struct probe *const *probes, size_t n);

/* Emits the member .watch of a row. */
void watch_row(struct row *out, const struct watch *w);

#endif
