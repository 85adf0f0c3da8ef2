/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From recorded items (runtime/abi/transport.h) to text: the module's formats, taken
 * apart once, applied to the arguments a handler left.
 */
#ifndef STAP_RENDER_H
#define STAP_RENDER_H

#include <stdbool.h>
#include <stddef.h>

struct output;
struct render;

/*
 * formats: the module's, each ended by a NUL; kept a pointer to.  Standard
 * output's text goes to out, warnings and errors to standard error after what
 * was printed before them.  NULL without memory.
 */
struct render *render_new(const char *formats, size_t bytes, struct output *out);
void render_free(struct render *r);

/* The items of a piece's body: a records_emit.  -1: they make no sense. */
int render_items(void *render, const unsigned char *body, size_t bytes);

/* Did the module report an error? */
bool render_saw_error(const struct render *r);

#endif
