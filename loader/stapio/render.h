/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formats recorded items (runtime/abi/transport.h): parses the module's formats once and
 * applies them to the arguments that a handler recorded.
 */
#ifndef STAP_RENDER_H
#define STAP_RENDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct jobs;
struct json;
struct output;
struct records_origin;
struct render;
struct usymbols;

/*
 * FORMATS is the contents of the module's .formats and must stay.  Text goes to OUT; warnings
 * and errors go to standard error, after the text before them is written.  USYMBOLS, which the
 * caller frees, names user stacks; JOBS, the caller's too, takes the commands of system(), and
 * is NULL if none are to be run.  Returns NULL if there is no memory.
 */
struct render *render_new(const char *formats, size_t bytes, struct output *out,
			  struct usymbols *usymbols, struct jobs *jobs);
/* The items become lines in JSON, which takes those that say what they are. */
void render_for_json(struct render *r, struct json *json);

void render_free(struct render *r);

/* Formats the items of a piece's body (a records_emit).  -1: they are malformed. */
int render_items(void *render, const struct records_origin *from, const unsigned char *body,
		 size_t bytes);

/* Did an item report an error? */
bool render_saw_error(const struct render *r);

/* How many speculations were dropped for lack of room? */
size_t render_dropped(const struct render *r);

#endif
