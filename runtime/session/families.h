/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All families of probes together (core/family.h says what each function does). */
#ifndef STAP_FAMILIES_H
#define STAP_FAMILIES_H

int st_families_prepare(void);
void st_families_release(void);

/* Arms all and makes the session running, unless it has ended meanwhile. */
int st_families_arm(void);
void st_families_disarm(void);

/* Refreshes all while the session runs. */
void st_families_refresh(void);

/* Adds the hits that the kernel could not deliver to st_counts.missed. */
void st_families_count_missed(void);

#endif
