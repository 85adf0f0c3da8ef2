/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the tracepoints that an ELF file defines, from its symbols and
 * initialised data.
 */
#ifndef STAP_TARGET_EVENTS_H
#define STAP_TARGET_EVENTS_H

#include <libelf.h>

#include "base/vec.h"

/* A tracepoint; the names are in the arena. */
struct event {
	const char *name;
	const char *system;		/* NULL: no trace event uses it */
};

typedef vec(struct event) event_list;

/*
 * Appends the file's tracepoints in the order of its symbol table.  Adds
 * nothing for a file that is damaged or has no symbols.
 */
void events_read(Elf *elf, event_list *out);

#endif
