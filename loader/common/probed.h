/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The program files that a module probes, as its .files lists them (runtime/abi/transport.h), and where they
 * are looked for:
 *
 *	for (next = text; next < text + bytes;)
 *		if (probed_next(&next, root, &f))
 *			fd = probed_open(&f);	/usr/bin/sh; /proc/4711/root/usr/bin/sh with --container
 */
#ifndef STAP_PROBED_H
#define STAP_PROBED_H

#include <limits.h>
#include <stdbool.h>

struct probed_file {
	const char *number;		/* in st_program.files */
	const char *build_id;		/* in hex, or "-": any */
	unsigned long long size;	/* bytes, of a file without a build-id; 0: any */
	unsigned owner;			/* user */
	const char *identity;		/* of the only file that will do (base/regular.h); NULL: any at the path */
	bool awaited;			/* it was missing when the script was compiled: no place is in its code */
	char path[PATH_MAX + 64];
};

/*
 * Takes the record at *NEXT apart, which it changes, and moves *NEXT behind it.  ROOT is the root directory of
 * the files, "/proc/PID/root" of a container (base/root.h), or "".  The texts are the record's.  Returns false
 * if it isn't a file's.
 */
bool probed_next(char **next, const char *root, struct probed_file *f);

/* Opens the file if it is the one that the script was compiled for.  Returns -1 after a warning. */
int probed_open(const struct probed_file *f);

#endif
