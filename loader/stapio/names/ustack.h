/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints user stacks (struct st_ustack, runtime/abi/transport.h). */
#ifndef STAP_USTACK_H
#define STAP_USTACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct output;
struct usymbols;

/* Prints the stack in the BYTES at ITEM, a line for each frame.  Returns false if it is malformed. */
bool ustack_print(struct output *o, struct usymbols *u, const void *item, size_t bytes);

/* Does the same with a stack that was recorded raw, at TIME. */
bool ustack_print_raw(struct output *o, struct usymbols *u, uint64_t time, const void *item, size_t bytes);

#endif
