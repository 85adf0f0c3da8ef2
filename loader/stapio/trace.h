/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The module's trace as the loader sees it: rings that it maps, and batches that say
 * what is new in them (runtime/abi/transport.h). */
#ifndef STAP_TRACE_H
#define STAP_TRACE_H

struct records;
struct trace;

/* fd: the module's .trace, which stays the caller's.  NULL without memory. */
struct trace *trace_new(int fd);
void trace_free(struct trace *t);

/* Waits for a batch and relays what it has.  1; 0: the trace ended; -1 with *why. */
int trace_relay(struct trace *t, struct records *r, const char **why);

#endif
