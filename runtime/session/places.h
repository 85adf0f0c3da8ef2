/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file .places: which probes a session has, how often they were hit, and where they are. */
#ifndef STAP_PLACES_H
#define STAP_PLACES_H

#include <linux/proc_fs.h>

extern const struct proc_ops st_places_ops;

#endif
