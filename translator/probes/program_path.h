/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds programs, as users name them in process("NAME") and process(PID), on the
 * machine that stap runs on.
 *
 * A name without '/' is searched in $PATH, any other is relative to the current
 * directory, as in a shell.  Symbolic links are followed.  A script stands for the
 * interpreter that its first line names, because that is the program that runs.
 * So in
 *
 *	process("ls")		/usr/bin/ls
 *	process("./a.out")	/home/me/a.out
 *	process("zcat")		/usr/bin/dash, if zcat begins with "#!/bin/sh"
 *
 * A name of 16 hexadecimal digits or more is a build-id, if there is no such file.  It
 * is looked for among the programs that run and in the directories of $PATH.
 *
 * A program is an ELF file.  Libraries are too, and need not be executable.
 *
 * With --container these are files of the container (program_root.h).
 *
 * Results are absolute paths in the arena.  Functions that fail fill *WHY.
 */
#ifndef STAP_PROBES_PROGRAM_PATH_H
#define STAP_PROBES_PROGRAM_PATH_H

#include <stdint.h>

#include "base/problem.h"
#include "base/vec.h"

struct session;

/* Returns the path of the program NAME; or NULL, with the nearest names as the hint. */
const char *program_find(struct session *s, const char *name, struct problem *why);

/*
 * Adds the paths of all programs that NAME means.  If it has wildcards (*, ?, [) and is no
 * file's name, these are all ELF files whose paths match, each once and in alphabetical
 * order; $PATH is not searched, and scripts and other files are skipped.  Returns 0, or
 * -1 if there is none.
 */
int program_find_all(struct session *s, const char *name, text_list *out, struct problem *why);

/*
 * Returns the absolute path of a program that doesn't exist yet.  Returns NULL if NAME is not a
 * path, is a pattern, or exists; and NULL in a container.
 */
const char *program_awaited(const struct session *s, const char *name);

/*
 * Returns the first program that matches NAME and is for the kernel's architecture.  Returns
 * NAME itself if it has no wildcards or nothing matches.
 */
const char *program_find_first(struct session *s, const char *name);

/* Returns the program that -c's command begins with; NULL without -c. */
const char *program_of_command(struct session *s, struct problem *why);

/* Is there a process PID? */
bool process_exists(int64_t pid, struct problem *why);

/*
 * Returns the path of the program that process PID runs, or /proc/PID/exe if the file was
 * deleted or replaced or is in another mount namespace.
 */
const char *program_of_pid(struct session *s, int64_t pid, struct problem *why);

/*
 * Returns the path of the executable mapping at an address in process PID, and the address's
 * offset in the file.  Returns NULL with *WHY set if there is none, or if another file now
 * has the path.
 */
const char *program_mapped_at(struct session *s, int64_t pid, uint64_t address, uint64_t *offset,
			      struct problem *why);

#endif
