/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads in pages that were missing.  A handler can't wait for a page of a program's file, so its
 * stack ends there and is counted.  But the page, and what follows it, is read soon after, so that
 * the next stacks through this file are whole.
 */
#ifndef STAP_USER_COLD_H
#define STAP_USER_COLD_H

struct file;

/*
 * Requests that a page of a mapped file is read in, with the pages behind it, unless that may take
 * for ever.  Any context in which the mapping can't go away.
 */
void st_cold_note(struct file *file, unsigned long page);

/* Counts a stack that ended because memory could not be read. */
void st_cold_count(void);

/* Waits until nothing is read any more, saying for which file if that takes seconds, and warns if
 * stacks were cut.  Process context, after the last handler. */
void st_cold_stop(void);

#endif
