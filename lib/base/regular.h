/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens regular files, and never anything else: where other users choose a file (the program that
 * is probed, the debug file that it names), a path may lead to a device or a FIFO.  Opening a
 * watchdog starts it, opening a tape rewinds it, opening a FIFO waits for a writer.
 *
 * "/proc/PID/root/…" is resolved as that process would (root.h).
 *
 * The loader's programs use this too: it needs only root.c of this room.
 */
#ifndef STAP_BASE_REGULAR_H
#define STAP_BASE_REGULAR_H

struct stat;

/* Opens a regular file to read it, and closes it on exec.  Returns the descriptor; or -1 with errno
 * set, EINVAL if PATH is something else, whose driver has not been called. */
int regular_open(const char *path);

/*
 * Writes down which file it is, and in which state: "DEVICE:INODE:SIZE:CTIME", without blanks.
 * While any process has the file open, no other file has the same text, nor has the file itself
 * after it was written, renamed or linked.  Returns TEXT.
 */
#define REGULAR_IDENTITY 96
const char *regular_identity(const struct stat *st, char text[REGULAR_IDENTITY]);

#endif
