/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DWARF location descriptions as objects.
 */
#ifndef STAP_TARGET_LOCATION_H
#define STAP_TARGET_LOCATION_H

#include "object.h"

/*
 * Where the variable of a DIE is at the view's pc.  false with *why, a phrase
 * that follows the variable's name: "is optimised out", "is …".
 */
bool location_of(struct view *v, Dwarf_Die *variable, struct object *out, const char **why);

#endif
