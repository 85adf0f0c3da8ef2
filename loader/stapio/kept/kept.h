/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kept sessions (--detach): they outlive the terminal that started them, and what they print is kept in files until
 * it is read (--attach).
 *
 *	~/.local/state/stap/reads/		0700; for root /var/lib/stap/sessions/reads/
 *		session		struct kept_record; its process holds a lock on it for as long as it lives
 *		output.3	the output: pieces with stamps (lib/stamp.h), of messages too, behind the number of
 *		output.4	bytes in all files before (uint64_t); -S says how large and how many files are
 *		read		struct kept_read: how far it was read; who reads holds a lock on it
 *
 * The session only writes files, so no reader can hold it up, whether it stands still or is hostile: where nobody
 * reads, the oldest file makes room for the newest, and the next reader is told how many bytes are gone.  The
 * directory is open to its owner and root only.  Locks are those of fcntl(2): the kernel says which process
 * holds one, and drops it when that process ends, however it does.
 *
 *	k = kept_new("reads", KEPT_FILES);		creates the directory
 *	files.base = kept_output(k);
 *	…
 *	kept_end(k, status, NULL);			or kept_drop(k): the script was not started
 */
#ifndef STAP_KEPT_H
#define STAP_KEPT_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define KEPT_SESSION "session"
#define KEPT_READ "read"
#define KEPT_OUTPUT "output"

/* What is kept unless -S says otherwise: four files of 16 MB. */
#define KEPT_FILE_BYTES (16ul << 20)
#define KEPT_FILES 4

/* The most files that -S may say: a reader searches the directory each time it goes to another file. */
#define KEPT_FILES_MOST 10000

/* The file "session". */
struct kept_record {
	char magic[8];			/* KEPT_MAGIC */
	int64_t started;		/* seconds since 1970 */
	int32_t ended;			/* the rest counts */
	int32_t status;			/* the exit status */
	uint32_t files;			/* how many are kept; a moment long there is one more */
	char why[228];			/* why the output is not whole, or "" */
};
#define KEPT_MAGIC "stapkep"

/* The file "read": the bytes of all files' pieces that were read, and the bytes of the next piece's text that were. */
struct kept_read {
	uint64_t bytes, partly;
};

struct kept;

/* Makes the directory of a new session that keeps so many files.  Returns NULL after a message. */
struct kept *kept_new(const char *name, unsigned int files);

/* Returns the first part of the names of its files, "…/output".  They are reached by a descriptor of the directory,
 * so it stays the same one, whatever becomes of its path. */
const char *kept_output(const struct kept *k);

/* Notes how the session has ended: its exit status, and in words why output is missing, or NULL. */
void kept_end(struct kept *k, int status, const char *why);

/* Removes the directory. */
void kept_drop(struct kept *k);

/* Opens the directory that has the user's sessions, and makes it if need be; PATH has PATH_MAX bytes, or is NULL.
 * One that another user could exchange (base/trust.h) is refused.  Returns -1 after a message. */
int kept_open_root(char *path);

/* Removes the directory NAME in ROOT, and its files, which are in DIR. */
void kept_remove(int root, const char *name, int dir);

/* Returns the process that holds the lock of a file; 0: none does; -1: one of another PID namespace. */
pid_t kept_holder(int fd);

/* Takes the lock.  Returns false if another process holds it. */
bool kept_lock(int fd);

#endif
