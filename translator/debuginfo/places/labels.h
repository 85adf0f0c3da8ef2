/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Labels in functions. */
#ifndef STAP_TARGET_LABELS_H
#define STAP_TARGET_LABELS_H

#include "places.h"

/*
 * Replaces the functions found, from number FIRST on, by the labels in them
 * that match the query.
 */
void labels_replace(struct search *s, size_t first);

#endif
