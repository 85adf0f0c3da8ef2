// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap -i: a script is written, changed and run in one place.
 *
 *	stap> global n
 *	stap> probe kernel.function("vfs_read") {
 *	    >     n[execname()]++
 *	    > }
 *	stap> run
 *
 * A line that begins with a command's name is a command.  Others are a part of the script, which
 * ends when its braces are closed, and is added if it can be parsed.  The script is a file in the
 * work directory, and "run" is another stap with this file and the options of this one: so an
 * error there, or ^C, leaves the script as it is, and messages have the numbers that "list" shows.
 */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/self.h"
#include "base/trust.h"
#include "cli/complete.h"
#include "cli/passes.h"
#include "session.h"

#define HISTORY_MOST 1000

struct editor {
	struct session *s;
	struct sbuf text;		/* the script */
	bool saved;			/* no change since "load" or "save" */
	text_list options;		/* of stap, for "run" */
	struct complete_source words;	/* for completion */
	bool terminal;
	bool over, failed;
};

/* ---- lines ---- */

static volatile sig_atomic_t cancelled;

static void cancel(int sig)
{
	(void)sig;
	cancelled = 1;
}

static sigset_t outside;		/* the signals blocked while no line is read */

/*
 * Reads a character of a line; ^C empties and ends the line, another signal the input.  Signals are
 * blocked except while this waits, so none can come unnoticed between two characters.
 */
static int read_character(FILE *from)
{
	struct pollfd in = { .fd = fileno(from), .events = POLLIN };
	unsigned char c;

	while (!cancelled && !session_interrupted() && ppoll(&in, 1, NULL, &outside) < 0 &&
	       errno == EINTR)
		continue;
	if (!cancelled && !session_interrupted())
		return read(in.fd, &c, 1) == 1 ? c : EOF;
	rl_replace_line("", 0);
	return cancelled ? '\n' : EOF;
}

static char *read_edited(const char *prompt)
{
	sigset_t signals;
	char *line;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, &outside);
	line = readline(prompt);
	sigprocmask(SIG_SETMASK, &outside, NULL);
	if (line && *line)
		add_history(line);
	return line;
}

/* Reads a line, without its end, to malloc'ed memory; NULL at the end of the input. */
static char *read_line(const struct editor *e, const char *prompt)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t n;

	cancelled = 0;
	if (e->terminal)
		return read_edited(prompt);
	n = getline(&line, &room, stdin);
	if (n < 0) {
		free(line);
		return NULL;
	}
	line[strcspn(line, "\n")] = '\0';
	return line;
}

/* ---- the script ---- */

/* Returns what follows a string literal or comment at S, or S if there is none. */
static const char *skip_quoted(const char *s)
{
	const char *end;

	if (*s == '"') {
		for (s++; *s && *s != '"'; s++)
			if (*s == '\\' && s[1])
				s++;
		return *s ? s + 1 : s;
	}
	if (*s == '#' || (s[0] == '/' && s[1] == '/'))
		return s + strcspn(s, "\n");
	if (s[0] != '/' || s[1] != '*')
		return s;
	end = strstr(s + 2, "*/");
	return end ? end + 2 : s + strlen(s);
}

/* Is TEXT a whole declaration?  Blocks must be closed, and probes and functions have one. */
static bool is_whole(const char *text)
{
	const char *word = text + strspn(text, " \t\n");
	bool has_block = false;
	int depth = 0;

	for (const char *s = text, *after; *s; s = after) {
		after = skip_quoted(s);
		if (after != s)
			continue;
		after = s + 1;
		has_block |= *s == '{';
		depth += strchr("{([", *s) != NULL;
		depth -= strchr("})]", *s) != NULL;
	}
	return depth <= 0 && (has_block || (strncmp(word, "probe", 5) && strncmp(word, "function", 8) &&
					    strncmp(word, "private function", 16)));
}

static const char *script_path(const struct editor *e)
{
	const char *dir = session_tmpdir(e->s);

	return dir ? arena_printf("%s/script.stp", dir) : NULL;
}

/* Runs a program, to which ^C is left, and returns its exit status. */
static int run_program(char *const argv[], bool quiet)
{
	pid_t pid;
	int status, null;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		null = open("/dev/null", O_RDWR);
		if (quiet)
			dup2(null, STDOUT_FILENO);
		if (!isatty(STDIN_FILENO))	/* commands come from there */
			dup2(null, STDIN_FILENO);
		session_end_guarded();
		execvp(argv[0], argv);
		fprintf(stderr, "ERROR: can't run %s: %s\n", argv[0], strerror(errno));
		_exit(127);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 1;
	if (pid < 0)
		diag(DIAG_ERROR, "can't start a process: %s", strerror(errno));
	return pid < 0 ? 1 : WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Runs stap with the options, further words and TEXT as the script.  Returns its exit status. */
static int run_stap(struct editor *e, const char *text, const text_list *more, bool quiet)
{
	const char *path = script_path(e);
	vec(char *) argv = { 0 };

	if (!path || file_write(path, text, strlen(text))) {
		diag(DIAG_ERROR, "can't write the script: %s", strerror(errno));
		return 1;
	}
	vec_push(&argv, (char *)SELF_EXE);
	for (size_t i = 0; i < e->options.n; i++)
		vec_push(&argv, (char *)e->options.v[i]);
	if (quiet)
		vec_push(&argv, (char *)"-p1");
	vec_push(&argv, (char *)"--");
	vec_push(&argv, (char *)path);
	for (size_t i = 0; more && i < more->n; i++)
		vec_push(&argv, (char *)more->v[i]);
	vec_push(&argv, NULL);
	return run_program(argv.v, quiet);
}

static void add_text(struct editor *e, const char *text)
{
	sbuf_puts(&e->text, text);
	if (*text && text[strlen(text) - 1] != '\n')
		sbuf_putc(&e->text, '\n');
	e->saved = false;
}

/* Adds the declaration that begins with LINE, having read the rest of it. */
static void enter(struct editor *e, const char *line)
{
	struct sbuf part = { 0 };

	sbuf_printf(&part, "%s\n", line);
	while (!is_whole(sbuf_str(&part))) {
		char *next;

		e->words.part = arena_strdup(sbuf_str(&part));
		next = read_line(e, "    > ");

		if (!next || cancelled) {
			if (!cancelled)
				diag(DIAG_ERROR, "the input ends before this part is complete: %s",
				     line);
			free(next);
			sbuf_free(&part);
			return;
		}
		sbuf_printf(&part, "%s\n", next);
		free(next);
	}
	if (run_stap(e, sbuf_str(&part), NULL, true))
		e->failed = true;
	else
		add_text(e, sbuf_str(&part));
	sbuf_free(&part);
}

/* ---- commands ---- */

/* Splits ARGUMENTS into words as a shell does; false after a message. */
static bool split(const char *arguments, text_list *words)
{
	*words = (text_list){ 0 };
	if (proc_shell_words(arguments, words))
		return true;
	diag(DIAG_ERROR, "a shell could not read this as words: %s", arguments);
	return false;
}

static void list_lines_of(struct editor *e, const char *arguments)
{
	const char *s = sbuf_str(&e->text);

	(void)arguments;
	for (unsigned n = 1; *s; n++) {
		size_t len = strcspn(s, "\n");

		printf("%4u  %.*s\n", n, (int)len, s);
		s += len + (s[len] == '\n');
	}
}

static void delete_lines(struct editor *e, const char *arguments)
{
	const char *s = sbuf_str(&e->text);
	struct sbuf rest = { 0 };
	unsigned first, last, n;
	char end;
	int got = sscanf(arguments, "%u-%u %c", &first, &last, &end);

	if (got == 1 && strspn(arguments, "0123456789") == strlen(arguments))
		last = first;
	else if (got != 2 && strcmp(arguments, "all")) {
		diag(DIAG_ERROR, "delete takes the number of a line, two of them (3-7), or all");
		return;
	} else if (got != 2) {
		first = 0;
		last = -1u;
	}
	for (n = 1; *s; n++) {
		size_t len = strcspn(s, "\n") + 1;

		if (n < first || n > last)
			sbuf_add(&rest, s, len);
		s += len;
	}
	sbuf_free(&e->text);
	e->text = rest;
	e->saved = false;
}

static bool load(struct editor *e, const char *path)
{
	struct sbuf text = { 0 };

	if (file_read(path, &text)) {
		diag(DIAG_ERROR, "can't read '%s': %s", path, strerror(errno));
		sbuf_free(&text);
		return false;
	}
	sbuf_free(&e->text);
	add_text(e, sbuf_str(&text));
	sbuf_free(&text);
	return true;
}

static void load_file(struct editor *e, const char *path)
{
	if (!*path)
		diag(DIAG_ERROR, "load takes the name of a file");
	else
		e->saved = load(e, path);
}

static void save_file(struct editor *e, const char *path)
{
	if (!*path)
		diag(DIAG_ERROR, "save takes the name of a file");
	else if (file_replace(path, sbuf_str(&e->text), e->text.len))
		diag(DIAG_ERROR, "can't write '%s': %s", path, strerror(errno));
	else
		e->saved = true;
}

static void edit(struct editor *e, const char *arguments)
{
	const char *editor = getenv("VISUAL"), *path = script_path(e);
	text_list words;
	vec(char *) argv = { 0 };

	(void)arguments;
	if (!editor || !*editor)
		editor = getenv("EDITOR");
	if (!path || !split(editor && *editor ? editor : "vi", &words))
		return;
	if (file_write(path, sbuf_str(&e->text), e->text.len)) {
		diag(DIAG_ERROR, "can't write '%s': %s", path, strerror(errno));
		return;
	}
	for (size_t i = 0; i < words.n; i++)
		vec_push(&argv, (char *)words.v[i]);
	vec_push(&argv, (char *)path);
	vec_push(&argv, NULL);
	if (!run_program(argv.v, false))
		load(e, path);
}

static void run_script(struct editor *e, const char *arguments)
{
	text_list words;
	int status;

	if (!e->text.len)
		diag(DIAG_ERROR, "there is no script yet");
	else if (split(arguments, &words) &&
		 (status = run_stap(e, sbuf_str(&e->text), &words, false))) {
		printf("exit status %d\n", status);
		e->failed = true;
	}
}

static void set_options(struct editor *e, const char *arguments)
{
	if (*arguments)
		split(arguments, &e->options);
	for (size_t i = 0; i < e->options.n; i++)
		printf("%s%s", i ? " " : "", e->options.v[i]);
	printf("\n");
}

static void quit(struct editor *e, const char *arguments)
{
	if (e->terminal && e->text.len && !e->saved && strcmp(arguments, "!")) {
		printf("The script is not saved: save FILE, or quit !\n");
		return;
	}
	e->over = true;
}

static void help(struct editor *e, const char *arguments);

static const struct command {
	const char *name, *takes, *what;
	void (*run)(struct editor *e, const char *arguments);
} commands[] = {
	{ "help", "", "this text", help },
	{ "list", "", "show the script, with the numbers of its lines", list_lines_of },
	{ "delete", "N[-N] | all", "delete lines", delete_lines },
	{ "edit", "", "change the script in $VISUAL, $EDITOR or vi", edit },
	{ "load", "FILE", "take the script from a file", load_file },
	{ "save", "FILE", "write it to a file", save_file },
	{ "run", "[ARGUMENT ...]", "run it, until ^C", run_script },
	{ "set", "[OPTION ...]", "show or replace the options that run gives to stap", set_options },
	{ "quit", "[!]", "leave; with ! without saving", quit },
};

enum { NCOMMANDS = sizeof(commands) / sizeof(commands[0]) };

static void help(struct editor *e, const char *arguments)
{
	(void)e, (void)arguments;
	for (size_t i = 0; i < NCOMMANDS; i++)
		printf("  %-7s %-15s %s\n", commands[i].name, commands[i].takes, commands[i].what);
	printf("Anything else is a part of the script: probe, function, global ...\n");
}

static const struct command *find_command(const char *line)
{
	size_t n = strcspn(line, " \t");

	for (size_t i = 0; i < NCOMMANDS; i++)
		if (strlen(commands[i].name) == n && !strncmp(commands[i].name, line, n))
			return &commands[i];
	return NULL;
}

static void follow(struct editor *e, const char *line)
{
	const char *text = line + strspn(line, " \t");
	const struct command *c = find_command(text);
	char *arguments;

	if (!c) {
		if (*text)
			enter(e, line);
		return;
	}
	text += strlen(c->name);
	arguments = arena_strdup(text + strspn(text, " \t"));
	for (size_t n = strlen(arguments); n && isspace((unsigned char)arguments[n - 1]);)
		arguments[--n] = '\0';
	c->run(e, arguments);
}

/* ---- the whole ---- */

static void begin(struct editor *e)
{
	struct sigaction sa = { .sa_handler = cancel };

	sigaction(SIGINT, &sa, NULL);
	if (!e->terminal)
		return;
	rl_readline_name = "stap";
	rl_catch_signals = 0;
	rl_getc_function = read_character;
	e->words.options = &e->options;
	for (size_t i = 0; i < NCOMMANDS; i++)
		vec_push(&e->words.commands, commands[i].name);
	complete_begin(&e->words);
	using_history();
	stifle_history(HISTORY_MOST);
	if (e->s->home)
		read_history(arena_printf("%s/history", e->s->home));
	printf("A script of probes, functions and globals; help shows the commands.\n");
}

/*
 * Keeps the history in a file that is the user's own and no link, because the line editor opens it
 * by name.
 */
static void keep_history(const char *home)
{
	const char *path = arena_printf("%s/history", home);
	struct problem why;
	int fd = trust_make_dir(home, &why) ? trust_open_entry(path, O_RDWR | O_CREAT) : -1;

	if (fd < 0)
		return;
	close(fd);
	write_history(path);
}

int interact(struct session *s)
{
	struct editor e = {
		.s = s, .saved = true, .terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO),
	};
	char *line;

	for (size_t i = 0; i < s->options.given.n; i++)
		vec_push(&e.options, s->options.given.v[i]);
	begin(&e);
	if (s->options.script_text)
		add_text(&e, s->options.script_text);
	else if (s->options.script_path)
		load_file(&e, s->options.script_path);
	while (!e.over && !session_interrupted()) {
		e.words.script = sbuf_str(&e.text);
		e.words.part = "";
		line = read_line(&e, "stap> ");
		if (!line)
			break;
		if (!cancelled)
			follow(&e, line);
		free(line);
		e.failed |= diag_errors > 0;
		diag_reset();
		fflush(stdout);
	}
	if (e.terminal && s->home)
		keep_history(s->home);
	sbuf_free(&e.text);
	if (session_interrupted())
		return 128 + session_interrupted();
	return e.failed && !e.terminal;
}
