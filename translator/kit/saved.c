// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The commands that kbuild saves.
 *
 * Beside each target X kbuild writes .X.cmd, whose first line is a make
 * assignment of the command it ran:
 *
 *	cmd_PATH := gcc … -c -o PATH SOURCE ; objtool … PATH
 *	savedcmd_PATH := …				(since 6.3)
 *
 * The text is shell code with make's escapes ($$, $(pound)).  Nearly always it
 * is a list of plain programs, which are run one by one without a shell.
 * Anything else (a pipe, a redirection, a variable, a pattern) goes to the
 * shell unchanged: it comes from kbuild, and the only part of it that is ours,
 * the work directory, has no special character.
 */
#include <string.h>

#include "base/arena.h"
#include "internal.h"

static char *undo_make(const char *text, size_t len)
{
	static const char pound[] = "$(pound)";
	struct sbuf b = {};

	for (size_t i = 0; i < len; i++) {
		if (text[i] == '$' && i + 1 < len && text[i + 1] == '$') {
			sbuf_putc(&b, '$');
			i++;
		} else if (!strncmp(text + i, pound, sizeof(pound) - 1)) {
			sbuf_putc(&b, '#');
			i += sizeof(pound) - 2;
		} else {
			sbuf_putc(&b, text[i]);
		}
	}
	return sbuf_take(&b);
}

char *saved_command(const char *dir, const char *target)
{
	struct sbuf file = {};
	char *command = NULL;

	if (file_read(arena_printf("%s/.%s.cmd", dir, target), &file))
		return NULL;
	const char *text = sbuf_str(&file);
	const char *start = strstr(text, ":=");
	size_t line = strcspn(text, "\n");

	if ((!strncmp(text, "cmd_", 4) || !strncmp(text, "savedcmd_", 9)) &&
	    start && start < text + line) {
		start += 2;
		command = undo_make(start, text + line - start);
	}
	sbuf_free(&file);
	return command;
}

/*
 * Appends one shell word from *P to B.  Returns false if it is more than
 * characters and quotes.
 */
static bool word(const char **p, struct sbuf *b)
{
	char quote = 0;

	for (; **p; (*p)++) {
		char c = **p;

		if (quote == '\'') {
			if (c == quote)
				quote = 0;
			else
				sbuf_putc(b, c);
		} else if (c == '\\') {
			char next = (*p)[1];

			if (!next)
				return false;
			if (quote && !strchr("\\\"$`", next))
				sbuf_putc(b, c);
			sbuf_putc(b, next);
			(*p)++;
		} else if (c == quote) {
			quote = 0;
		} else if (c == '$' || c == '`') {
			return false;
		} else if (quote) {
			sbuf_putc(b, c);
		} else if (c == '\'' || c == '"') {
			quote = c;
		} else if (strchr(" \t;&", c)) {
			break;
		} else if (strchr("|<>(){}*?[]~#!\n", c)) {
			return false;
		} else {
			sbuf_putc(b, c);
		}
	}
	return !quote;
}

/*
 * Splits off one program.  Returns 1, with its words in TO and *P behind the
 * separator; 0 at the end; -1 if only a shell can tell.
 */
static int program(const char **p, words *to)
{
	to->n = 0;
	for (;;) {
		*p += strspn(*p, " \t");
		if (**p == ';') {
			(*p)++;
			if (**p == ';')
				return -1;
			break;
		}
		if (**p == '&') {
			if ((*p)[1] != '&')
				return -1;
			*p += 2;
			break;
		}
		if (!**p)
			break;
		struct sbuf b = {};

		if (!word(p, &b)) {
			sbuf_free(&b);
			return -1;
		}
		/* NAME=value before a program, shell keywords */
		if (!to->n && (strchr(sbuf_str(&b), '=') || !strcmp(sbuf_str(&b), "if") ||
			       !strcmp(sbuf_str(&b), "set"))) {
			sbuf_free(&b);
			return -1;
		}
		vec_push(to, sbuf_take(&b));
	}
	if (!to->n)
		return **p ? program(p, to) : 0;
	vec_push(to, NULL);
	return 1;
}

static bool plain(const char *command)
{
	words w = {};
	int r;

	while ((r = program(&command, &w)) > 0)
		;
	return r == 0;
}

words saved_first(const char *command)
{
	words w = {};

	if (program(&command, &w) <= 0) {
		w.n = 0;
		vec_push(&w, NULL);
	}
	return w;
}

/* Drops the options that write dependency files, which only make reads. */
static void drop_depfile(words *w)
{
	size_t n = 0;

	for (size_t i = 0; i < w->n; i++)
		if (!w->v[i] || (strncmp(w->v[i], "-Wp,-MD,", 8) &&
				 strncmp(w->v[i], "-Wp,-MMD,", 9)))
			w->v[n++] = w->v[i];
	w->n = n;
}

static int run_shell(const char *command, char *const *envp, const char *cwd,
		     struct sbuf *output)
{
	char *argv[] = { "sh", "-ec", (char *)command, NULL };
	struct proc p = { .argv = argv, .envp = envp, .cwd = cwd };

	return proc_run(&p, output);
}

static bool does_nothing(const char *program)
{
	return !strcmp(program, "true") || !strcmp(program, ":");
}

int saved_run(const char *command, char *const *envp, const char *cwd, struct sbuf *output)
{
	words w = {};

	if (!plain(command))
		return run_shell(command, envp, cwd, output);
	while (program(&command, &w) > 0) {
		if (does_nothing(w.v[0]))
			continue;
		drop_depfile(&w);
		struct proc p = { .argv = w.v, .envp = envp, .cwd = cwd };
		int status = proc_run(&p, output);

		if (status)
			return status;
	}
	return 0;
}
