/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values as text for people: $var$, $var$$, $$parms, $$vars, $$return.
 */
#ifndef STAP_TARGET_PRETTY_H
#define STAP_TARGET_PRETTY_H

#include "base/sbuf.h"
#include "object.h"

/*
 * An expression of type struct st_str: the value with its members ("$"), and
 * the members' members ("$$": deep), in SystemTap's form.  A read that fails
 * when it runs gives "ERROR".  NULL with *why: not a thing that can be shown.
 */
const char *pretty_value(struct view *v, const struct object *o, const struct ctype *t,
			 bool deep, const char **why);

/* "name=value name=value": a list under construction, then its expression. */
struct pretty_list {
	struct sbuf format, args;
	unsigned n;		/* entries */
	unsigned nargs;
};

void pretty_number(struct pretty_list *l, const char *name, const char *load);
void pretty_string(struct pretty_list *l, struct view *v, const char *name, const char *text);
void pretty_unknown(struct pretty_list *l, const char *name);	/* name=? */
const char *pretty_list_end(struct pretty_list *l, struct view *v);

#endif
