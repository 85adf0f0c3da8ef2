/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Standard input for the probes input.char and input.line.
 *
 * They are files in /proc that only scripts with these probes have (tapsets/devices/input.stp).
 * If the module has one, what arrives on standard input is written to it:
 *
 *	"hi\n"	three writes to __stdin, "h", "i" and "\n"; after the third one to __stdin_line
 *
 * A terminal gives its characters as they are typed then, and the script decides what is shown:
 * line editing and echo are off until input_end(), unless the script only wants lines.
 */
#ifndef STAP_INPUT_H
#define STAP_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

#include "abi/bounds.h"

struct input {
	int chars, lines;		/* the module's files; -1: the script has no such probe */
	int fd;				/* standard input; -1: nothing is read from it */
	bool raw;			/* the terminal's settings have to be restored */
	struct termios settings;
	char line[ST_STRING_MOST];	/* what came since the last newline, as far as it fits */
	size_t used;
};

/* Begins to relay if MODULE has a file for it; else IN->fd is -1. */
void input_begin(struct input *in, const char *module);

/* Relays what there is.  To be called when IN->fd is readable; at the end of the input, or when
 * the module takes no more, IN->fd becomes -1. */
void input_relay(struct input *in);

/* Restores the terminal and closes the files. */
void input_end(struct input *in);

#endif
