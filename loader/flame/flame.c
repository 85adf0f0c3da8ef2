// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap-flame: draws a flame graph of the stacks in standard input.
 *
 *	stap profile.stp | stap-flame -o profile.svg
 *	stap-flame --diff before.folded after.folded -o difference.svg
 *
 * A line in folded form, "program;main;leaf 3", is a stack that was seen three times; stacks that begin
 * with the same functions share their rectangles.  All other lines of standard input are copied to
 * standard output.  stap --flamegraph starts this program.
 */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/say.h"
#include "svg.h"
#include "tree.h"

static void usage(FILE *f)
{
	fputs("usage: stap-flame [OPTIONS] -o FILE.svg\n"
	      "       stap-flame [OPTIONS] --diff BEFORE AFTER -o FILE.svg\n"
	      "  Reads stacks, a line each (\"program;main;leaf 3\"), and draws them as a flame\n"
	      "  graph; all other lines go to standard output.  With --diff it draws the stacks\n"
	      "  of the file AFTER, with colours for what differs from BEFORE.\n"
	      "  -t, --title TITLE    write this above the graph\n"
	      "  -u, --unit UNIT      what the numbers count, such as samples or bytes\n"
	      "      --icicle         draw callers above what they call\n", f);
}

static int no_memory(void)
{
	say_error("no memory left for the stacks");
	return 1;
}

/*
 * Copies a line to standard output. Returns false after a message. A closed pipe ("| head") is no error,
 * because the image is still wanted.
 */
static bool hand_on(const char *line, size_t len)
{
	if ((fwrite(line, 1, len, stdout) == len && !fflush(stdout)) || errno == EPIPE)
		return true;
	say_error("can't write the output: %s", strerror(errno));
	return false;
}

/* Reads standard input to its end. Returns 0, or 1 after a message. Sets *LOST if a line could not be
 * copied, but reads on. */
static int read_input(struct node *root, bool *lost)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t n;
	int bad = 0;

	while (bad >= 0 && (n = getline(&line, &room, stdin)) > 0) {
		bad = tree_add(root, line, n - (line[n - 1] == '\n'), false);
		if (bad > 0 && !*lost)
			*lost = !hand_on(line, n);
	}
	free(line);
	return bad < 0 ? no_memory() : 0;
}

/* Reads the stacks of a file and ignores its other lines. Returns 0, or 1 after a message. */
static int read_file(struct node *root, const char *path, bool before)
{
	FILE *f = fopen(path, "re");
	char *line = NULL;
	size_t room = 0;
	ssize_t n;
	int bad = 0, error;

	if (!f) {
		say_error("can't read '%s': %s", path, strerror(errno));
		return 1;
	}
	while (bad >= 0 && (n = getline(&line, &room, f)) > 0)
		bad = tree_add(root, line, n - (line[n - 1] == '\n'), before);
	error = ferror(f) ? errno : 0;
	free(line);
	fclose(f);
	if (bad < 0)
		return no_memory();
	if (error)
		say_error("can't read '%s': %s", path, strerror(error));
	else if (!(before ? root->before : root->value))
		say_warning("there are no stacks in '%s'; print_folded() prints them", path);
	return error != 0;
}

static int draw(struct node *root, const char *path, const struct picture *picture)
{
	FILE *f = fopen(path, "we");
	bool failed;

	if (!f) {
		say_error("can't write '%s': %s", path, strerror(errno));
		return 1;
	}
	tree_sort(root);
	svg_draw(f, root, picture);
	failed = ferror(f);
	if (fclose(f) || failed) {
		say_error("can't write '%s': %s", path, strerror(errno));
		return 1;
	}
	if (!root->value && !picture->difference)
		say_warning("there are no stacks to draw in '%s'; print_folded() prints them", path);
	return 0;
}

/* Ignores the signals that end a script. ^C reaches the whole pipeline; we go on until the script has
 * printed its last stacks and our input ends. */
static void ignore_signals(void)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT,
				       SIGPIPE, SIGXFSZ };	/* the write fails instead */

	for (size_t i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
		signal(ignored[i], SIG_IGN);
}

/* Reads the stacks from standard input, or for a difference from two files. Returns 0, or 1 after a
 * message. */
static int read_stacks(struct node *root, bool difference, char **files, bool *lost)
{
	if (!difference)
		return read_input(root, lost);
	return read_file(root, files[0], true) || read_file(root, files[1], false);
}

int main(int argc, char **argv)
{
	enum { DIFFERENCE = 256, ICICLE };
	static const struct option names[] = {
		{ "diff", no_argument, NULL, DIFFERENCE },
		{ "help", no_argument, NULL, 'h' },
		{ "icicle", no_argument, NULL, ICICLE },
		{ "title", required_argument, NULL, 't' },
		{ "unit", required_argument, NULL, 'u' },
		{ NULL, 0, NULL, 0 },
	};
	struct picture picture = { .title = "Flame graph", .unit = "" };
	const char *path = NULL;
	struct node *root;
	bool lost = false;
	int c, failed;

	while ((c = getopt_long(argc, argv, "o:t:u:h", names, NULL)) != -1) {
		switch (c) {
		case 'o':
			path = optarg;
			break;
		case 't':
			picture.title = optarg;
			break;
		case 'u':
			picture.unit = optarg;
			break;
		case ICICLE:
			picture.icicle = true;
			break;
		case DIFFERENCE:
			picture.difference = true;
			break;
		case 'h':
			usage(stdout);
			return 0;
		default:
			usage(stderr);
			return 1;
		}
	}
	if (!path || argc - optind != (picture.difference ? 2 : 0)) {
		usage(stderr);
		return 1;
	}
	ignore_signals();
	root = tree_new();
	failed = root ? read_stacks(root, picture.difference, argv + optind, &lost) ||
			draw(root, path, &picture) || lost : no_memory();
	tree_free(root);
	return failed;
}
