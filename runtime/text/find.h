/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looks for a string in another. */
#ifndef STAP_TEXT_FIND_H
#define STAP_TEXT_FIND_H

#include "abi/stap_script.h"

/*
 * Returns where PART first is in S, or -1.  Takes as long as reading both a few times, whatever
 * they contain.
 */
st_long st_find(struct st_str s, struct st_str part);

#endif
