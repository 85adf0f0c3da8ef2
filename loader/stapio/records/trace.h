/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the module's trace: maps the CPUs' ring buffers, and reads batches from .trace, which say
 * where in the rings the new records are (runtime/abi/transport.h). */
#ifndef STAP_TRACE_H
#define STAP_TRACE_H

struct records;
struct trace;

/* FD is the module's .trace, which the caller closes.  Returns NULL if there is no memory. */
struct trace *trace_new(int fd);
void trace_free(struct trace *t);

/* Waits for a batch and passes its records to R.  Returns 1; 0 at the end of the trace; or -1 with
 * *WHY set. */
int trace_relay(struct trace *t, struct records *r, const char **why);

/* Makes room for the handlers while what trace_relay() called waits for something else: takes records out of
 * the rings and keeps them, up to some hundred megabytes, for the next calls of trace_relay().  Never blocks.
 * Call it often; TRACE is a struct trace. */
void trace_keep(void *trace);

#endif
