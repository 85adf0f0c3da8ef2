/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values as text for people: $var$, $var$$, $$parms, $$vars, $$return.
 */
#ifndef STAP_TARGET_PRETTY_H
#define STAP_TARGET_PRETTY_H

#include "base/sbuf.h"
#include "object.h"

/*
 * Makes a string term: the value with its members ("$"), or with the members' members too
 * (DEEP, "$$"), in SystemTap's form.  A read that fails when the probe is hit shows
 * "ERROR".  Returns NULL with *WHY set if the value can't be shown.
 */
const struct term *pretty_value(struct view *v, const struct object *o, const struct ctype *t,
				bool deep, struct problem *why);

/* Makes a string term of a double's bits. */
const struct term *pretty_float(const struct term *bits);

/* A format under construction, with a term for each directive. */
struct pretty_text {
	struct sbuf format;
	term_list args;
};

/* Returns the term and frees the rest. */
const struct term *pretty_text_end(struct pretty_text *t);

/* Adds "name=value" to a list.  VALUE is a word, a string, or NULL for "?". */
void pretty_entry(struct pretty_text *list, const char *name, const struct term *value);

#endif
