/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names that Linux has changed: functions, tracepoints and members that scripts and books know by
 * a name that the kernel no longer has.
 *
 *	renamed(s, RENAMED_MEMBER, "task_struct.state")	"__state, its name since Linux 5.14"
 */
#ifndef STAP_DEBUGINFO_RENAMED_H
#define STAP_DEBUGINFO_RENAMED_H

#include "session.h"

/* The kind of thing that a name belongs to. */
enum renamed_kind { RENAMED_FUNCTION, RENAMED_TRACEPOINT, RENAMED_MEMBER };

/*
 * Returns a hint's text about NAME, which the session's kernel doesn't have; NULL if it wasn't
 * renamed before that kernel.  A member is named by its struct's name, a dot, and its own.  In the
 * arena.
 */
const char *renamed(const struct session *s, enum renamed_kind kind, const char *name);

#endif
