/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values as text for people: $var$, $var$$, $$parms, $$vars, $$return.
 */
#ifndef STAP_TARGET_PRETTY_H
#define STAP_TARGET_PRETTY_H

#include "base/sbuf.h"
#include "object.h"

/*
 * A string term: the value with its members ("$"), and the members' members
 * ("$$": deep), in SystemTap's form.  A read that fails when it runs gives
 * "ERROR".  NULL with *why: not a thing that can be shown.
 */
const struct term *pretty_value(struct view *v, const struct object *o, const struct ctype *t,
				bool deep, const char **why);

/* A format under construction, with a term for each directive. */
struct pretty_text {
	struct sbuf format;
	term_list args;
};

/* The term; frees the rest. */
const struct term *pretty_text_end(struct pretty_text *t);

/* "name=value name=value": adds an entry to a list; VALUE a word, a string, or NULL: "?". */
void pretty_entry(struct pretty_text *list, const char *name, const struct term *value);

#endif
