/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A loaded module's control file, /proc/systemtap/NAME/.control (runtime/abi/transport.h).  Writing to
 * it sends the module a command; reading it gives the module's state and counters:
 *
 *	control_send(fd, why, sizeof(why), "target %d", pid);
 *	control_state(fd, &st);
 *	control_counter(&st, "skipped");
 */
#ifndef STAP_CONTROL_H
#define STAP_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/transport.h"

/* Opens one of the module's files; returns a descriptor, closed on exec, or -errno. */
int control_open(const char *module, const char *file, int flags);

/* Calls WHAT with the name of each loaded module of ours, and ARG.  Returns the calls' results, or'ed. */
int control_each(int (*what)(const char *name, void *arg), void *arg);

/* Sends one command.  Returns 0; or -errno with the module's message, or errno's, in WHY. */
int control_send(int fd, char *why, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Sends this process' local time zone, in which the script prints times; if that fails, it prints UTC. */
void control_send_zone(int fd);

/* Reads all of a file into malloc'ed memory and adds a NUL; *N is the length without it.  Returns NULL
 * with errno. */
char *control_read_all(int fd, size_t *n);

/* Returns the string at *NEXT and moves *NEXT behind its NUL. */
char *control_next(char **next);

/* Is the module of this descriptor gone?  A later module of the same name doesn't count. */
bool control_is_dead(int fd);

/* A module's state and counters, when they were read. */
struct control_state {
	char *text;			/* malloc'ed: "state S\n" "NAME VALUE\n" … */
};

/* Reads the state.  Returns 0, or -errno with *ST empty.  control_state_free() frees it. */
int control_state(int fd, struct control_state *st);
void control_state_free(struct control_state *st);

/* Is the line "NAME VALUE" in the state?  control_is(&st, "state", "running") */
bool control_is(const struct control_state *st, const char *name, const char *value);

/* Returns a counter's value; 0 if the module has no counter of that name. */
uint64_t control_counter(const struct control_state *st, const char *name);

/* stapio's exit status if it failed before it began to relay output. */
#define STAPIO_TOOK_NOTHING 3

/* The exit status of stapio and staprun if only the command of -c has failed. */
#define COMMAND_FAILED 2

/* The exit status of stapio and staprun if the command of -c doesn't exist. */
#define COMMAND_NOT_FOUND 127

#endif
