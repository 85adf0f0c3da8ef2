/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs, as users name them in process("NAME") and process(PID): found on the
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
 * A name of 16 hexadecimal digits or more that is no file's is a build-id: of a program
 * that runs or is in $PATH.
 *
 * A program is an ELF file.  Libraries are too, and need not be executable.
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
 * order; $PATH is not searched, and scripts and other files are passed over.  Returns 0, or
 * -1 if there is none.
 */
int program_find_all(struct session *s, const char *name, text_list *out, struct problem *why);

/*
 * Returns the absolute path of a program that does not exist, and may come to; NULL if NAME is no
 * path, or a pattern, or something is there.
 */
const char *program_awaited(const char *name);

/*
 * Returns the first of these programs that is for the kernel's own architecture; NAME itself if
 * it has no wildcards, or there is none.
 */
const char *program_find_first(struct session *s, const char *name);

/* Returns the program of -c, which must begin with its name; NULL without -c. */
const char *program_of_command(struct session *s, struct problem *why);

/* Is there a process PID? */
bool process_exists(int64_t pid, struct problem *why);

/*
 * Returns the program that process PID runs.  Where its file was deleted or replaced, or is
 * in another mount namespace, that is /proc/PID/exe.
 */
const char *program_of_pid(int64_t pid, struct problem *why);

/*
 * Returns the path of the file that process PID has mapped, to be executed, at an address, and
 * the address's offset in the file.  NULL with *WHY if there is none, or another file has the path.
 */
const char *program_mapped_at(int64_t pid, uint64_t address, uint64_t *offset,
			      struct problem *why);

#endif
