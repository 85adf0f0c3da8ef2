/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a family's variable() is made of, and sema/'s answers to @cast and the like. */
#ifndef STAP_PROBES_VARIABLES_H
#define STAP_PROBES_VARIABLES_H

#include "debuginfo/debuginfo.h"
#include "program/program.h"

/* TV's path as debuginfo/ takes it; the expressions that are computed go to acc->indexes. */
size_t target_steps(const struct target_var *tv, struct access *acc, struct step **out);

/* Sets how ACC is fetched, which defines it. */
void set_fetch(struct access *acc, struct fetch f);

#endif
