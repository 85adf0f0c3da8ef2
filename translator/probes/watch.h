/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory that a processor watches with a hardware breakpoint, of which it has few: for
 * kernel.data and process.data.
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
	unsigned length;		/* in bytes; 0: no breakpoint */
	bool reads;			/* reads count too */
};

/* Variants of patterns, or'ed: what a point's components say. */
enum { WATCH_READS = 1, WATCH_ADDRESS = 2, WATCH_LENGTH = 4 };

/* The patterns of points that begin with HEAD, of variant V; DOC is whose the memory is. */
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

/* The processor's breakpoints: x86's debug registers; other architectures have no more. */
enum { WATCH_MOST = 4 };

/*
 * Sets what a point says: the kind of access, the length, and the address if it is a number.
 * Returns false with the reason.
 */
bool watch_parse(const struct probe_point *point, const struct probe_pattern *pat,
		 struct watch *w, struct problem *why);

/* Is the address one that the processor can watch? */
bool watch_check(const struct watch *w, struct problem *why);

/* Returns the point's text without its head: data("jiffies").length(1).write. */
const char *watch_text(const struct probe_point *point, const struct watch *w);

/* Warns of more watches than a processor has. */
void watch_warn_many(struct probe *const *probes, size_t n);

/* Emits the member .watch of a row. */
void watch_emit(struct sbuf *out, const struct watch *w);

#endif
