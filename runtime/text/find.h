/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Looking for a string in another. */
#ifndef STAP_TEXT_FIND_H
#define STAP_TEXT_FIND_H

#include "abi/stap_script.h"

/* Returns where PART first is in S; -1: nowhere.  It takes as long as reading both a few times, whatever
 * they are. */
st_long st_find(struct st_str s, struct st_str part);

#endif
