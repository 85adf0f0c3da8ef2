/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A loaded module's control file, /proc/systemtap/NAME/.control: sending commands and reading
 * the module's state and counters (runtime/abi/transport.h). */
#ifndef STAP_CONTROL_H
#define STAP_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/transport.h"

/* Opens one of the module's files; returns a descriptor, closed on exec, or -errno. */
int control_open(const char *module, const char *file, int flags);

/* Calls a function for each loaded module of ours.  Returns what the calls do, or'ed. */
int control_each(int (*what)(const char *name, void *arg), void *arg);

/* Sends one command.  Returns 0; or -errno with the module's message, or errno's, in why. */
int control_send(int fd, char *why, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Sends the local time zone of the environment; if that fails, the module uses UTC. */
void control_send_zone(int fd);

/* Reads all of a descriptor into malloc'ed memory, adding a NUL; *n is the length.  NULL with
 * errno. */
char *control_read_all(int fd, size_t *n);

/* Takes the next text off texts that end with a NUL each; *next may be written to. */
char *control_next(char **next);

/* Is the descriptor's module gone?  Another of its name may have come since. */
bool control_is_dead(int fd);

/* The module's state and counters. */
struct control_state {
	char *text;			/* malloc'ed: "state S\n" "NAME VALUE\n" … */
};

/* Reads the state: 0 or -errno.  control_state_free() frees it. */
int control_state(int fd, struct control_state *st);
void control_state_free(struct control_state *st);

bool control_state_is(const struct control_state *st, const char *state);

/* A counter; 0 if the module has none of that name. */
uint64_t control_counter(const struct control_state *st, const char *name);

/* stapio's exit status where it could not begin to relay the output. */
#define STAPIO_TOOK_NOTHING 3

/* stapio's exit status, and staprun's, where nothing but the command of -c has failed. */
#define COMMAND_FAILED 2

/* The same where there is no such command. */
#define COMMAND_NOT_FOUND 127

#endif
