/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Printing user stacks (struct st_ustack, runtime/abi/transport.h). */
#ifndef STAP_USTACK_H
#define STAP_USTACK_H

#include <stdbool.h>
#include <stddef.h>

struct output;
struct usymbols;

/* Prints the stack in an item's bytes, a line for each frame; false: they are malformed. */
bool ustack_print(struct output *o, struct usymbols *u, const void *item, size_t bytes);

#endif
