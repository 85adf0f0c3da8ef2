/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading the module's trace: it maps the rings and reads batches, which say where new records
 * are in them (runtime/abi/transport.h). */
#ifndef STAP_TRACE_H
#define STAP_TRACE_H

struct records;
struct trace;

/* FD is the module's .trace, which the caller closes.  NULL if there is no memory. */
struct trace *trace_new(int fd);
void trace_free(struct trace *t);

/* Waits for a batch and passes its records on.  Returns 1; 0 at the end of the trace; -1 with
 * *why. */
int trace_relay(struct trace *t, struct records *r, const char **why);

#endif
