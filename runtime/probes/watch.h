/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Watched memory of processes (process("PATH").data): a hardware breakpoint for each thread.
 *
 * Each thread arms its own before it runs (again) in user space, and they are taken back when it
 * ends or its process executes a program.
 */
#ifndef STAP_PROBES_WATCH_H
#define STAP_PROBES_WATCH_H

struct st_process;

/* Makes the current thread watch a place's memory, unless it does already.  Task work. */
void st_watch_begin(const struct st_process *place);

/* Ends the current thread's watches.  Task context. */
void st_watch_forget(void);

/* Ends all threads' watches, and lets no thread begin one any more.  Process context. */
void st_watches_end(void);

#endif
