// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Completion in stap -i.  Another stap, with the options of this one, says what there is to offer:
 * its lists of probe points, aliases and functions, each asked for once, and -l and -L for each
 * question.  So a faulty script or program does no harm here.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <readline/readline.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/self.h"
#include "cli/complete.h"

/* The characters between words.  '.' is part of a probe point, '$' and '@' of a variable. */
#define WORD_BREAKS " \t\n\"(){}[],;=!<>+-*/%&|^?:"

static const char *const declarations[] = { "function", "global", "private", "probe" };
static const char *const statements[] = {
	"break", "catch", "continue", "delete", "else", "for", "foreach", "if", "in", "limit", "next", "print",
	"printf", "println", "return", "sprint", "sprintf", "sprintln", "try", "while", "@avg(", "@cast(",
	"@count(", "@defined(", "@entry(", "@hist_linear(", "@hist_log(", "@max(", "@min(", "@sum(", "@var(",
	"@variance(",
};

static const struct complete_source *source;
static text_list offered;

/* ---- where the word stands ---- */

struct context {
	const char *point;		/* the probe point up to the word, or NULL: the word is in none */
	const char *probed;		/* in a probe's body, the probe's points; else NULL */
	bool in_string, in_body, in_comment;
};

/* Returns the end of the comment that begins at S, S if none does, NULL if it doesn't end. */
static const char *skip_comment(const char *s)
{
	const char *end = s;

	if (*s == '#' || (s[0] == '/' && s[1] == '/'))
		return strchr(s, '\n');
	if (s[0] == '/' && s[1] == '*') {
		end = strstr(s + 2, "*/");
		return end ? end + 2 : NULL;
	}
	return s;
}

/* Returns the end of the string that begins at S, S if none does, NULL if it doesn't end. */
static const char *skip_string(const char *s)
{
	const char *at = s;

	if (*at++ != '"')
		return s;
	for (; *at && *at != '"'; at++)
		if (*at == '\\' && at[1])
			at++;
	return *at ? at + 1 : NULL;
}

/* Reads the declaration up to the word. */
static struct context context_of(const char *text)
{
	const char *start = text + strspn(text, " \t\n"), *point = start, *body = NULL, *after;
	bool is_probe = !strncmp(start, "probe", 5) && isspace((unsigned char)start[5]);
	struct context x = { 0 };
	int depth = 0;

	if (is_probe)
		point = start + 5;
	for (const char *s = point; *s; s = after) {
		after = skip_comment(s);
		if (!after) {
			x.in_comment = true;
			break;
		}
		if (after == s)
			after = skip_string(s);
		if (!after) {
			x.in_string = true;
			break;
		}
		if (after != s)
			continue;
		after = s + 1;
		if (*s == '{' && !depth++)
			body = s;
		else if (*s == '}')
			depth--;
		else if (!depth && (*s == ',' || *s == '='))
			point = after;
	}
	x.in_body = depth > 0;
	if (is_probe && !body)
		x.point = point + strspn(point, " \t\n");
	if (is_probe && body)
		x.probed = arena_strndup(start + 5, body - start - 5);
	return x;
}

/* ---- what another stap says ---- */

static void keep_line(const char *line, void *arg)
{
	text_list *lines = arg;

	vec_push(lines, arena_strdup(line));
}

/* Runs stap with the options and WHAT.  Returns the lines that it prints, messages included. */
static text_list ask(const char *what, const char *argument)
{
	vec(char *) argv = { 0 };
	struct sbuf output = { 0 };
	text_list lines = { 0 };

	vec_push(&argv, (char *)SELF_EXE);
	for (size_t i = 0; i < source->options->n; i++)
		vec_push(&argv, (char *)source->options->v[i]);
	vec_push(&argv, (char *)what);
	if (argument)
		vec_push(&argv, (char *)argument);
	vec_push(&argv, NULL);
	proc_run(&(struct proc){ .argv = argv.v, .envp = environ, .line = keep_line, .arg = &lines },
		 &output);
	sbuf_free(&output);
	return lines;
}

/* Returns a list of stap's.  The lists don't change, so each is asked for once. */
static const text_list *list(const char *which)
{
	static struct {
		const char *which;
		text_list lines;
	} known[3];
	size_t i = 0;

	while (known[i].which && strcmp(known[i].which, which))
		i++;
	if (!known[i].which) {
		known[i].which = which;
		known[i].lines = ask(which, NULL);
	}
	return &known[i].lines;
}

/* ---- what is offered ---- */

static void offer(const char *word)
{
	for (size_t i = 0; i < offered.n; i++)
		if (!strcmp(offered.v[i], word))
			return;
	vec_push(&offered, word);
}

static void offer_all(const char *const *words, size_t n, const char *begin)
{
	for (size_t i = 0; i < n; i++)
		if (!strncmp(words[i], begin, strlen(begin)))
			offer(words[i]);
}

/*
 * Returns a point as the list of kinds has it: "kernel.function("vfs_*").ca" →
 * "kernel.function(string).ca".
 */
static const char *kind_of(const char *point)
{
	struct sbuf b = { 0 };

	while (*point) {
		const char *end = strchr(point, ')');

		if (*point == '(' && end) {
			sbuf_puts(&b, point[1] == '"' ? "(string)" : "(number)");
			point = end + 1;
		} else {
			sbuf_putc(&b, *point++);
		}
	}
	return sbuf_take(&b);
}

/* Offers what follows in LINE, which begins with the KIND whose end is WORD, up to an argument. */
static void offer_kind(const char *line, const char *kind, const char *word)
{
	size_t n = strlen(kind), done = n - strlen(word);
	const char *end = line + n + strcspn(line + n, "(");

	if (strncmp(line, kind, n))
		return;
	offer(arena_printf("%.*s%s", (int)(end - line - done), line + done,
			   !*end ? "" : !strncmp(end, "(string", 7) ? "(\"" : "("));
}

static void offer_points(const char *point, const char *word)
{
	const text_list *kinds = list("--dump-probe-types"), *aliases = list("--dump-probe-aliases");
	const char *kind = kind_of(point);

	for (size_t i = 0; i < kinds->n; i++)
		offer_kind(kinds->v[i], kind, word);
	for (size_t i = 0; i < aliases->n; i++) {
		const char *end = strstr(aliases->v[i], " = ");

		if (end)
			offer_kind(kind_of(arena_strndup(aliases->v[i], end - aliases->v[i])), kind, word);
	}
}

/* Returns what follows the first N quotes in LINE, NULL if it has fewer. */
static const char *behind_quotes(const char *line, unsigned n)
{
	for (; n && line; n--) {
		line = strchr(line, '"');
		line += line != NULL;
	}
	return line;
}

/* Offers names for the probe point's last string, of which WORD is the end: "vfs_re". */
static void offer_names(const char *point, const char *word)
{
	const char *begin = strrchr(point, '"') + 1;
	text_list lines = ask("-l", arena_printf("%s*\")", point));
	unsigned quotes = 0;

	for (const char *s = point; *s; s++)
		quotes += *s == '"';
	for (size_t i = 0; i < lines.n; i++) {
		const char *name = behind_quotes(lines.v[i], quotes);
		size_t n = name ? strcspn(name, strchr(begin, '@') ? "\"" : "\"@") : 0;

		/* "sched:sched_switch" may have been asked for by its second part. */
		if (n && strncmp(name, begin, strlen(begin)) && memchr(name, ':', n)) {
			const char *part = memchr(name, ':', n) + 1;

			n -= part - name;
			name = part;
		}
		if (n && !strncmp(name, begin, strlen(begin)))
			offer(arena_strndup(name + strlen(begin) - strlen(word),
					    n - strlen(begin) + strlen(word)));
	}
}

static void offer_functions(const char *word)
{
	const text_list *lines = list("--dump-functions");

	for (size_t i = 0; i < lines->n; i++) {
		size_t n = strcspn(lines->v[i], ": ");
		const char *rest = lines->v[i] + n;

		if ((!strncmp(rest, " (", 2) || !strncmp(rest, ":long (", 7) ||
		     !strncmp(rest, ":string (", 9)) && !strncmp(lines->v[i], word, strlen(word)))
			offer(arena_printf("%.*s(", (int)n, lines->v[i]));
	}
}

/* Offers variables of the probed code. */
static void offer_targets(const char *points, const char *word)
{
	text_list lines = ask("-L", points);

	for (size_t i = 0; i < lines.n; i++)
		for (const char *s = strstr(lines.v[i], " $"); s; s = strstr(s + 1, " $")) {
			size_t n = strcspn(s + 1, ": ");

			if (!strncmp(s + 1, word, strlen(word)))
				offer(arena_strndup(s + 1, n));
		}
}

static size_t name_length(const char *s)
{
	size_t n = 0;

	while (isalnum((unsigned char)s[n]) || s[n] == '_')
		n++;
	return n;
}

/*
 * Offers the names in TEXT, strings and comments aside: variables, and the script's own functions.
 */
static void offer_written(const char *text, const char *word)
{
	const char *after;

	for (const char *s = text; s && *s; s = after) {
		size_t n = name_length(s);
		const char *name = arena_strndup(s, n);

		after = skip_comment(s);
		if (after == s)
			after = skip_string(s);
		if (after != s)
			continue;
		after = s + (n ? n : 1);
		if (n && n > strlen(word) && !isdigit((unsigned char)*s) && !strncmp(name, word, strlen(word)))
			offer(name);
	}
}

static void offer_in_body(const struct context *x, const char *word, const char *before)
{
	if (*word == '$') {
		if (x->probed)
			offer_targets(x->probed, word);
		return;
	}
	offer_all(statements, sizeof(statements) / sizeof(*statements), word);
	offer_functions(word);
	offer_written(source->script, word);
	offer_written(before, word);
}

/* ---- readline ---- */

static char *next_offered(const char *word, int state)
{
	static size_t at;

	(void)word;
	if (!state)
		at = 0;
	return at < offered.n ? strdup(offered.v[at++]) : NULL;
}

/* Is the line a command whose arguments are files? */
static bool is_command(const char *line)
{
	size_t n = strcspn(line, " \t");

	for (size_t i = 0; i < source->commands.n; i++)
		if (strlen(source->commands.v[i]) == n && !strncmp(source->commands.v[i], line, n))
			return true;
	return false;
}

static char **complete(const char *word, int start, int end)
{
	const char *line = arena_strndup(rl_line_buffer, start);
	const char *first = line + strspn(line, " \t");
	const char *before = arena_printf("%s%s", source->part, line);
	struct context x = context_of(before);

	(void)end;
	if (!*source->part && is_command(first))
		return NULL;
	rl_attempted_completion_over = 1;
	offered.n = 0;
	if (!*source->part && !*first) {
		offer_all(source->commands.v, source->commands.n, word);
		offer_all(declarations, sizeof(declarations) / sizeof(*declarations), word);
	} else if (x.in_comment) {
		return NULL;
	} else if (x.point && x.in_string) {
		offer_names(arena_printf("%s%s", x.point, word), word);
	} else if (x.point) {
		offer_points(arena_printf("%s%s", x.point, word), word);
	} else if (x.in_body && !x.in_string) {
		offer_in_body(&x, word, before);
	}
	if (offered.n == 1 && strchr("(\"", offered.v[0][strlen(offered.v[0]) - 1]))
		rl_completion_append_character = '\0';
	return rl_completion_matches(word, next_offered);
}

void complete_begin(const struct complete_source *from)
{
	source = from;
	rl_attempted_completion_function = complete;
	rl_completer_word_break_characters = (char *)WORD_BREAKS;
	rl_basic_quote_characters = "";
}
