// SPDX-License-Identifier: GPL-2.0-or-later
/* This machine: staprun writes the output files, and looks whether stap is still there. */
#include <unistd.h>

#include "base/arena.h"
#include "run/command.h"
#include "run/machine.h"
#include "session.h"

static void output(struct command *c, const struct session *s)
{
	if (s->options.flight)
		command_add(c, s->options.relayed.output ? "-D" : "-L");
	else if (!s->options.relayed.detach)
		command_option(c, "-P", arena_printf("%d", getpid()));
}

const struct machine this_machine = { .output = output, .files = true };
