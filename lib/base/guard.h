/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last line of defence against files that other people wrote.
 *
 * The limits of limits.h are checked where files are read.  What they miss, in libelf and libdw too,
 * must neither crash stap nor take the machine's time and memory: a stack that overflows, a file
 * that is cut short while it is mapped, a product of two sizes.  Then a message names the file, the
 * work directory is removed, and stap ends with status 1:
 *
 *	guard_begin();
 *	guard_directory(path);		which is to be removed
 *	guard_reading("/usr/bin/x");	before each file
 *
 * A crash before any file was read is stap's own: it ends as crashes do.
 */
#ifndef STAP_BASE_GUARD_H
#define STAP_BASE_GUARD_H

/*
 * Begins to handle the signals of crashes, to end the process after LIMIT_SECONDS of CPU time, and
 * to refuse memory beyond three quarters of what the machine has free.
 */
void guard_begin(void);

/*
 * Set the file that is read from now on, and the work directory, either of which may be NULL.  The
 * texts are not copied.
 */
void guard_reading(const char *path);
void guard_directory(const char *path);

/*
 * Begins anew in a child process that reads files itself: it has the CPU time that guard_begin() gives, and the work
 * directory stays its parent's.
 */
void guard_child(void);

/* Gives a child process back the memory that it may use, before it executes another program. */
void guard_end(void);

#endif
