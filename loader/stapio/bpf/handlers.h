/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The handlers of an intermediate program that run in the kernel, as BPF (lib/bpf/bpf.h): loads and
 * attaches them, reads what they print, and shares variables with the handlers that run in this process.
 *
 *	h = handlers_load(ir, target, origins);		before the program is opened (interpreter/run.h)
 *	…						begin probes run
 *	handlers_attach(h);
 *	for (;;) {
 *		poll(handlers_event(h) …);		readable when a handler has failed or called exit()
 *		handlers_read(h, take, arg);
 *	}
 *	handlers_detach(h);
 *	…						end probes run
 *
 * All is held by descriptors of this process, so the kernel detaches and frees it however the process ends.
 */
#ifndef STAP_HANDLERS_H
#define STAP_HANDLERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bpf_record;
struct handlers;
struct ir_program;
struct usymbols_source;

/* Takes a handler's output: the head of its last record, the probe point, and BYTES of items. */
typedef void handlers_take(void *arg, const struct bpf_record *from, const char *point, const char *items, size_t bytes);

/* Returns NULL after a message, or without one if the session is to end already.  TARGET is target()'s process;
 * ORIGINS: records say which process was hit. */
struct handlers *handlers_load(const struct ir_program *ir, long target, bool origins);

/* Attaches the handlers, with the variables as the begin probes have left them.  Returns 0, or -1 after a
 * message. */
int handlers_attach(struct handlers *h);

/* Detaches them, and takes over their variables; what they have printed can still be read. */
void handlers_detach(struct handlers *h);

int handlers_event(const struct handlers *h);

/* Hands on what handlers have printed, in order; ends the session as they ask. */
void handlers_read(struct handlers *h, handlers_take *take, void *arg);

/* Returns what names and unwinds the stacks of programs; NULL if the script has none. */
const struct usymbols_source *handlers_names(const struct handlers *h);

/* What handlers have lost: hits that they skipped, hits that the kernel left out (system_misses()), and outputs. */
struct handlers_losses {
	uint64_t skipped, busy, lost;
};
struct handlers_losses handlers_losses(const struct handlers *h);

#endif
