/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs an intermediate program (lib/ir/file.h) in this process, where otherwise a module's output is
 * relayed.  The rest of stapio sees no difference: the program takes a module's commands, has its counters,
 * and prints through the same reader thread, which runs the handlers instead of reading a trace.
 *
 *	p = interpreted_open("hits.stpi", &asked);
 *	reader_open(&r, …);
 *	reader_start(&r, interpret, p);
 *	interpreted_tell(p, "start", 0);	returns when the begin probes have run
 *	…
 *	interpreted_tell(p, "stop", 0);		the thread runs the end probes, and ends
 *
 * There is one interpreter, so one program.  It lives until the process ends.
 */
#ifndef STAP_INTERPRET_H
#define STAP_INTERPRET_H

#include <stdbool.h>
#include <stddef.h>

struct control_state;
struct interpreted;
struct reader;
struct relayed;

/* Is NAME a program's file, no module?  Modules' names have no '.'. */
bool interpreted_is(const char *name);

/* Reads the file.  NULL after a message: it can't be read, it means nothing, it needs the kernel, or its handlers
 * have no time limit and that was not ASKED. */
struct interpreted *interpreted_open(const char *path, const struct relayed *asked);

/*
 * Returns the program's formats, in the form of a module's .formats (runtime/abi/transport.h);
 * malloc'ed.
 */
char *interpreted_formats(const struct interpreted *p, size_t *bytes);

/* Does the program's output have names of programs' code (stapio/names/usymbols.h)? */
bool interpreted_names(const struct interpreted *p);

/*
 * Takes a command that would go to a module's .control: "notify FD", "target PID", "start", "stop".
 * Returns 0, or -1 after a message.
 */
int interpreted_tell(struct interpreted *p, const char *command, long value);

/* Reads the program's state and counters, as control_state() reads a module's. */
int interpreted_state(struct control_state *st);

/*
 * Gives the descriptors to which standard input is written: a write is a character, or a line, and
 * a byte comes back when the handlers have run.  -1: the program has no such probe.
 */
void interpreted_input(const struct interpreted *p, int *chars, int *lines);

/* Runs the program; the reader's thread calls it.  Returns 0. */
int interpret(void *interpreted, struct reader *r, const char **why);

#endif
