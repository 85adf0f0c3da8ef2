/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Commands to a loaded module, and its counters: /proc/systemtap/NAME/.control
 * (runtime/abi/transport.h). */
#ifndef STAP_CONTROL_H
#define STAP_CONTROL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/transport.h"

/* One of the module's files; a descriptor, closed on exec, or -errno. */
int control_open(const char *module, const char *file, int flags);

/* Sends one command.  0, or -errno with the module's (or errno's) words in why. */
int control_send(int fd, char *why, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Tells the local time zone, as the environment has it: where that fails, the module goes
 * by UTC. */
void control_send_zone(int fd);

/* All of a descriptor, NUL-ended, malloc'ed; *n its length; NULL with errno. */
char *control_read_all(int fd, size_t *n);

/* What reading control gives, after a failed command's message was taken. */
struct control_state {
	char *text;			/* malloc'ed: "state S\n" "NAME VALUE\n" … */
};

/* 0 or -errno. */
int control_state(int fd, struct control_state *st);
void control_state_free(struct control_state *st);

bool control_state_is(const struct control_state *st, const char *state);

/* A counter; 0 when the module has none of that name. */
uint64_t control_counter(const struct control_state *st, const char *name);

#endif
