/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions for the families' variable(), and for sema/'s @cast and @var. */
#ifndef STAP_PROBES_VARIABLES_H
#define STAP_PROBES_VARIABLES_H

#include "debuginfo/debuginfo.h"
#include "program/program.h"

/*
 * Converts TV's path to debuginfo/'s steps, and returns their number.  Indices
 * that aren't literals go to acc->indexes.  For $a->b[3][i] the steps are FIELD
 * "b", INDEX 3, INDEX_VAR 0, and acc->indexes.v[0] is i.
 */
size_t target_steps(const struct target_var *tv, struct access *acc, struct step **out);

/* Sets how ACC is fetched, and that it is defined. */
void access_set_fetch(struct access *acc, struct fetch f);

#endif
