/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions for variable() of the families, and for sema/'s @cast and the like. */
#ifndef STAP_PROBES_VARIABLES_H
#define STAP_PROBES_VARIABLES_H

#include "debuginfo/debuginfo.h"
#include "program/program.h"

/*
 * Converts TV's path to debuginfo/'s steps, and returns their number.  Indices
 * that are no literals go to acc->indexes.  For $a->b[3][i] the steps are FIELD
 * "b", INDEX 3, INDEX_VAR 0, and acc->indexes.v[0] is i.
 */
size_t target_steps(const struct target_var *tv, struct access *acc, struct step **out);

/* Sets how ACC is fetched; @defined is 1 for it from then on. */
void access_set_fetch(struct access *acc, struct fetch f);

#endif
