/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the families of places in programs share: functions and statements (uprobe.c),
 * marks.  All their places are in the table "uprobe".
 */
#ifndef STAP_PROBES_UPROBE_H
#define STAP_PROBES_UPROBE_H

#include "family.h"

/* The programs that a point's process, process("PATH") or process(PID) means. */
struct programs {
	const struct point_part *head;
	text_list paths;		/* absolute, without symbolic links */
	int64_t pid;			/* process(PID): only in this process; else 0 */
};

/* Finds them.  Returns false with *WHY. */
bool uprobe_programs(struct session *s, const struct probe_point *point, struct programs *out,
		     struct problem *why);

/* Appends 'process("PROGRAM").', and 'library("LIBRARY").' unless that is NULL. */
void uprobe_put_head(struct sbuf *b, const char *program, const char *library);

/* struct probe_family's emit() */
void uprobe_emit(struct sbuf *out, const struct probe *p, const struct site *site);

#endif
