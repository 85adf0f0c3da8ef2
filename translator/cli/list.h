/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the places of the script's points, without handlers, for -l, -L and --lines. */
#ifndef STAP_LIST_H
#define STAP_LIST_H

#include "sema/sema.h"

/* Adds the probes of all of the script's own points.  Returns 0, or -1 after messages. */
int list_places(struct session *s, derived_list *out);

/* Removes the texts that OTHER lacks from a list of interned texts. */
void keep_common(text_list *list, const text_list *other);

#endif
