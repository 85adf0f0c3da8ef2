/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The commands of the control file (abi/transport.h) that drive the session.  All run in
 * process context and return 0, or -errno with st_message set.
 */
#ifndef STAP_SESSION_H
#define STAP_SESSION_H

#include <linux/types.h>

/* Allocates, runs the begin probes, arms. */
int st_session_start(void);

/* Disarms, runs the end or error probes, closes the trace; in a stopped session nothing. */
void st_session_stop(void);

/* Set, before the start, a global's value and a base's address. */
int st_session_set(const char *name, const char *value);
int st_session_base(unsigned int base, unsigned long address, bool kprobes_may);

/* Let the session go on without a loader; and make another process its loader. */
int st_session_detach(void);
int st_session_attach(void);

/*
 * Checks the script against the limits of abi/bounds.h (check.c).  Returns 0, or -EINVAL with
 * st_message set.
 */
int st_program_check(void);

#endif
