// SPDX-License-Identifier: GPL-2.0-or-later
/* This machine: staprun writes the output files, and looks whether stap is still there. */
#include <unistd.h>

#include "base/arena.h"
#include "run/command.h"
#include "run/machine.h"
#include "session.h"

static void output(struct command *c, const struct session *s)
{
	command_option(c, "-o", s->options.output_file);
	command_option(c, "-S", s->options.output_size);
	if (s->options.flight)
		command_add(c, s->options.output_file ? "-D" : "-L");
	else
		command_option(c, "-P", arena_printf("%d", getpid()));
}

const struct machine this_machine = { .output = output };
