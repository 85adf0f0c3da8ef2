/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What functions call. */
#ifndef STAP_TARGET_CALLEES_H
#define STAP_TARGET_CALLEES_H

#include "places.h"

/*
 * Puts in place of the functions found, from number FIRST on, what they call and
 * matches the query's callee; and, as deep as it says, what that calls.  The
 * search's index must be the whole one.
 */
void callees_replace(struct search *s, size_t first);

#endif
