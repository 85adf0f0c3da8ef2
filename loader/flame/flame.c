// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap-flame: draws a flame graph of the stacks in standard input.
 *
 *	stap profile.stp | stap-flame -o profile.svg
 *
 * Lines in folded form, "program;main;leaf 3", are stacks; equal beginnings are drawn together.  All
 * other lines go on to standard output.  stap --flamegraph starts it.
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
	fputs("usage: stap-flame [-t TITLE] -o FILE.svg\n"
	      "  Reads stacks, a line each (\"program;main;leaf 3\"), and draws them as a flame\n"
	      "  graph; all other lines go to standard output.\n", f);
}

static int no_memory(void)
{
	say_error("no memory left for the stacks");
	return 1;
}

/* Reads to the end: 0, or 1 after a message. */
static int read_stacks(struct node *root)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t n;
	int bad = 0;

	while (bad >= 0 && (n = getline(&line, &room, stdin)) > 0) {
		bad = tree_add(root, line, n - (line[n - 1] == '\n'));
		if (bad <= 0)
			continue;
		fwrite(line, 1, n, stdout);
		fflush(stdout);
	}
	free(line);
	return bad < 0 ? no_memory() : 0;
}

static int draw(const struct node *root, const char *path, const char *title)
{
	FILE *f = fopen(path, "we");
	bool failed;

	if (!f) {
		say_error("can't write '%s': %s", path, strerror(errno));
		return 1;
	}
	svg_draw(f, root, title);
	failed = ferror(f);
	if (fclose(f) || failed) {
		say_error("can't write '%s': %s", path, strerror(errno));
		return 1;
	}
	if (!root->value)
		say_warning("there are no stacks to draw in '%s'; print_folded() prints them", path);
	return 0;
}

int main(int argc, char **argv)
{
	const char *path = NULL, *title = "Flame graph";
	struct node *root;
	int c, failed;

	while ((c = getopt(argc, argv, "o:t:h")) != -1) {
		switch (c) {
		case 'o':
			path = optarg;
			break;
		case 't':
			title = optarg;
			break;
		case 'h':
			usage(stdout);
			return 0;
		default:
			usage(stderr);
			return 1;
		}
	}
	if (!path || optind < argc) {
		usage(stderr);
		return 1;
	}
	signal(SIGINT, SIG_IGN);	/* ends the script, whose output ends then */
	signal(SIGTERM, SIG_IGN);
	signal(SIGPIPE, SIG_IGN);
	root = tree_new();
	failed = root ? read_stacks(root) || draw(root, path, title) : no_memory();
	tree_free(root);
	return failed;
}
