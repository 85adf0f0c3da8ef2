/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formats recorded items (runtime/abi/transport.h).  A handler records a format's number and its
 * arguments; the text is made here.  The module's formats are parsed once.
 *
 *	.formats	"%s reads %d\n"
 *	item		format 0, "cat", 4096
 *	text		cat reads 4096
 */
#ifndef STAP_RENDER_H
#define STAP_RENDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jobs;
struct records_origin;
struct render;
struct sink;
struct usymbols;

/*
 * FORMATS is the contents of the module's .formats and must stay.  Text goes to SINK, which the
 * caller closes; warnings and errors go to standard error, once the text before them is written.
 * USYMBOLS, the caller's too, names the frames of user stacks.  JOBS, also the caller's, runs the
 * commands of system(); NULL: they are not run.  Returns NULL if there is no memory.
 */
struct render *render_new(const char *formats, size_t bytes, struct sink *sink,
			  struct usymbols *usymbols, struct jobs *jobs);
void render_free(struct render *r);

/* Formats the items of a piece's body (a records_emit).  Returns -1 if they are malformed. */
int render_items(void *render, const struct records_origin *from, const unsigned char *body,
		 size_t bytes);

/* Did an item report an error? */
bool render_saw_error(const struct render *r);

/* Returns how many speculations were dropped for lack of room. */
size_t render_dropped(const struct render *r);

#endif
