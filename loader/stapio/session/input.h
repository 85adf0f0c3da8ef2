/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Relays standard input to the probes input.char and input.line.
 *
 * The probes are procfs files (tapsets/devices/input.stp).  If the module has one of them, what
 * arrives on standard input is written to it:
 *
 *	"hi\n"	three writes to __stdin, "h", "i" and "\n"; after the third one to __stdin_line
 *
 * For input.char, a terminal passes on each character as it is typed and doesn't echo it: line
 * editing and echo are off until input_end().
 */
#ifndef STAP_INPUT_H
#define STAP_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#include "abi/bounds.h"

/* Standard input, and the probes that it is relayed to. */
struct input {
	int chars, lines;		/* the module's files; below 0: it has no such probe */
	bool answered;			/* each write to them is answered by a byte, when the handler
					   has run; else the write waits for that itself */
	int fd;				/* standard input; -1: nothing is read from it */
	bool raw;			/* the terminal's settings have to be restored */
	struct termios settings;	/* the settings to restore */
	char line[ST_STRING_MOST];	/* the line read so far; what exceeds it is dropped */
	size_t used;			/* bytes in line */
};

/* Relays to IN's CHARS and LINES, each write to which runs a handler.  If both are below 0, IN->fd becomes -1. */
void input_begin(struct input *in);

/* Relays the available input.  Call it when IN->fd is readable.  Sets IN->fd to -1 at the end of
 * the input, or when the module has stopped taking it. */
void input_relay(struct input *in);

/* Restores the terminal and closes the files. */
void input_end(struct input *in);

#endif
