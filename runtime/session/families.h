/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All families of probes together (probes/family.h says what each function does). */
#ifndef STAP_FAMILIES_H
#define STAP_FAMILIES_H

#include <linux/types.h>

struct seq_file;

/* Returns for how many places the script has probes. */
unsigned int st_families_places(void);

int st_families_prepare(void);
void st_families_release(void);

/* Arms all and makes the session running, unless it has ended meanwhile. */
int st_families_arm(void);
void st_families_disarm(void);

/* Refreshes all while the session runs. */
void st_families_refresh(void);

/*
 * Holds up arming, disarming and refreshing.  False if one of them is under way and may take
 * minutes, as in a session that begins or ends.
 */
bool st_families_lock(void);
void st_families_unlock(void);

/*
 * Under that lock: return how many families are armed; and write the line of the n-th place of one
 * of them (st_show_place()), or return false if it has fewer.
 */
unsigned int st_families_armed(void);
bool st_families_show(struct seq_file *m, unsigned int family, unsigned int n);

/* Adds the hits that the kernel could not deliver to st_counts.missed. */
void st_families_count_missed(void);

#endif
