/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reports the progress of long work by a line on the terminal, which is erased afterwards.  Without
 * a terminal on standard error nothing is printed, and other output is the same with and without
 * it.
 *
 *	for each unit of N
 *		progress("Indexing the names of %s: %zu of %zu units", file, i, n);
 *	progress_end();
 *
 * Work that is done within a moment shows nothing.  Messages (diag.h) erase the line first.
 */
#ifndef STAP_PROGRESS_H
#define STAP_PROGRESS_H

void progress(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void progress_end(void);

#endif
