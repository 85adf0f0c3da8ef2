// SPDX-License-Identifier: GPL-2.0-or-later
#include "run/command.h"

#include "base/arena.h"
#include "base/self.h"

void command_add(struct command *c, const char *word)
{
	vec_push(&c->words, arena_strdup(word));
}

void command_option(struct command *c, const char *option, const char *value)
{
	if (!value)
		return;
	command_add(c, option);
	command_add(c, value);
}

char *const *command_argv(struct command *c)
{
	vec_push(&c->words, NULL);
	return c->words.v;
}

static const char *find(const char *name, const char *dir)
{
	char path[PATH_MAX];

	return self_beside(name, path) ? arena_strdup(path) : arena_printf("%s/%s", dir, name);
}

const char *command_program(const char *name, const char *given)
{
	return given && *given ? given : find(name, STAP_BINDIR);
}

const char *command_helper(const char *name)
{
	return find(name, PKGLIBEXECDIR);
}
