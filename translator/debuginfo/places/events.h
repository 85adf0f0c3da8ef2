/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tracepoints an ELF file defines, from its symbols and initialised data.
 */
#ifndef STAP_TARGET_EVENTS_H
#define STAP_TARGET_EVENTS_H

#include <libelf.h>

#include "base/vec.h"

/* Both in the arena. */
struct event {
	const char *name;
	const char *system;		/* NULL: a tracepoint no trace event is made of */
};

typedef vec(struct event) event_list;

/* Appends them, in the order of the symbol table.  Nothing for a file that is
 * damaged or has no symbols. */
void events_read(Elf *elf, event_list *out);

#endif
