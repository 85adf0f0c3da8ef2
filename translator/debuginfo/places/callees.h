/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Callees of functions. */
#ifndef STAP_TARGET_CALLEES_H
#define STAP_TARGET_CALLEES_H

#include "places.h"

/*
 * Replaces the functions found, from number FIRST on, by their callees that
 * match the query, and by the callees of these as deep as the query says.  The
 * search's index must be of the whole file.
 */
void callees_replace(struct search *s, size_t first);

#endif
