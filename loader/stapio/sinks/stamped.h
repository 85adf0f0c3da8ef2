/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Standard output in stamped pieces (lib/stamp.h), for stap --remote.
 *
 * The commands of a script (-c, system()) write to standard output, too, and know nothing of stamps. So
 * standard output becomes a pipe here, and a thread stamps what comes out of it:
 *
 *	a sink, a piece each ----------------------+
 *	                                           +-- what was standard output
 *	commands --- standard output, a pipe ------+
 *
 * A session that is kept (--detach) has its output in files, and standard error is a pipe like that, too: what comes
 * out of it goes to the terminal until the session is started, and then is a stamped message.
 *
 * Any thread may call these functions.
 */
#ifndef STAP_STAMPED_H
#define STAP_STAMPED_H

#include <stdint.h>

#include "output.h"

struct stamped;

/* Takes standard output over.  Returns NULL after a message. */
struct stamped *stamped_open(void);

/* Takes standard output and error over, and writes to files.  Returns NULL after a message. */
struct stamped *stamped_keep(const struct output_files *files);

/* Messages go to the files from now on. */
void stamped_leave_terminal(struct stamped *s);

/* Stamps a piece, if it is not empty, and empties it. */
void stamped_put(struct stamped *s, uint64_t time, struct output *piece);

/* Writes what was put.  Returns 0, or the errno of what could not be written. */
int stamped_flush(struct stamped *s);

/* Writes all, and what commands have printed up to now.  What they print later is lost.  Returns 0, or the errno of
 * what could not be written, also if that comes late (output_settle()). */
int stamped_end(struct stamped *s);

/* The same, and frees S. */
int stamped_close(struct stamped *s);

#endif
