/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DWARF location descriptions as objects: location.c.
 */
#ifndef STAP_TARGET_LOCATION_H
#define STAP_TARGET_LOCATION_H

#include "object.h"

/*
 * Finds where the variable of a DIE is at the view's pc.  Returns false with *WHY set to a
 * phrase that follows the variable's name: "is optimised out".
 */
bool location_of(struct view *v, Dwarf_Die *variable, struct object *out, struct problem *why);

#endif
