// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Colours of messages.  $SYSTEMTAP_COLORS, such as "error=01;31:warning=00;33",
 * overrides the defaults; its values are parameters of ECMA-48's SGR sequence.
 * An empty or malformed value turns colours off.
 */
#include "color.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "arena.h"

static const struct {
	const char *key, *sgr;
} colors[] = {
	[COLOR_ERROR] = { "error", "01;31" },
	[COLOR_WARNING] = { "warning", "00;33" },
	[COLOR_SOURCE] = { "source", "00;34" },
	[COLOR_CARET] = { "caret", "01" },
	[COLOR_TOKEN] = { "token", "01" },
};

enum { NCOLORS = sizeof(colors) / sizeof(colors[0]) };

static enum { AUTO, NEVER, ALWAYS } mode;
static const char *begin[NCOLORS];	/* escape sequences; NULL before the first use */
static bool wanted, decided;

bool color_mode(const char *when)
{
	if (!strcmp(when, "auto"))
		mode = AUTO;
	else if (!strcmp(when, "never"))
		mode = NEVER;
	else if (!strcmp(when, "always"))
		mode = ALWAYS;
	else
		return false;
	decided = false;
	return true;
}

/* Sets one colour from "KEY=SGR".  Returns false if KEY is unknown or SGR malformed. */
static bool set_one(const char *text, size_t len)
{
	for (int i = 0; i < NCOLORS; i++) {
		size_t n = strlen(colors[i].key);

		if (len <= n + 1 || memcmp(text, colors[i].key, n) || text[n] != '=')
			continue;
		text += n + 1;
		len -= n + 1;
		if (strspn(text, "0123456789;") < len)
			return false;
		begin[i] = arena_printf("\33[%.*sm", (int)len, text);
		return true;
	}
	return false;
}

static bool set_all(const char *text)
{
	while (*text) {
		size_t len = strcspn(text, ":");

		if (!set_one(text, len))
			return false;
		text += len + (text[len] == ':');
	}
	return true;
}

static void decide(void)
{
	const char *env = getenv("SYSTEMTAP_COLORS"), *term = getenv("TERM");

	decided = true;
	wanted = mode == ALWAYS || (mode == AUTO && isatty(STDERR_FILENO) && term &&
				    strcmp(term, "dumb"));
	for (int i = 0; i < NCOLORS; i++)
		begin[i] = arena_printf("\33[%sm", colors[i].sgr);
	if (env && (!*env || !set_all(env)))
		wanted = false;
}

const char *color_on(enum color c)
{
	if (!decided)
		decide();
	return wanted ? begin[c] : "";
}

const char *color_off(void)
{
	if (!decided)
		decide();
	return wanted ? "\33[m" : "";
}
