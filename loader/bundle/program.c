// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A bundle of an intermediate program, which needs no module, no root and no staprun: this process
 * becomes stapio, with the program as a file in memory.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/problem.h"
#include "bundle.h"
#include "common/say.h"
#include "parts.h"
#include "relayed.h"
#include "stapio/stapio.h"

static _Noreturn void usage(FILE *out, int status)
{
	fputs("usage: BUNDLE [OPTIONS]\n"
	      "  This program runs a script in a process: it needs no module, and nothing else.\n", out);
	relayed_summary(out, FOR_STAPIO);
	exit(status);
}

static void take_options(struct relayed *asked, int argc, char **argv)
{
	struct option names[2 + RELAYED_WORDS] = { { "help", no_argument, NULL, 'h' } };
	char letters[2 + 2 * RELAYED_WORDS] = "h";
	struct problem why = { 0 };
	int c;

	relayed_letters(letters, sizeof(letters), FOR_STAPIO);
	relayed_names(names + 1, FOR_STAPIO);
	while ((c = getopt_long(argc, argv, letters, names, NULL)) != -1)
		if (c == 'h')
			usage(stdout, 0);
		else if (!relayed_take(asked, FOR_STAPIO, c, optarg, &why))
			usage(stderr, 1);
		else if (why.text)
			break;
	if (why.text) {
		say_error("%s", why.text);
		exit(1);
	}
	if (optind < argc) {
		say_error("'%s': a script that runs in a process takes no values of global variables here; "
			  "give stap -G when the bundle is made", argv[optind]);
		exit(1);
	}
}

int become_program(const struct bundle *b, int argc, char **argv)
{
	struct bundle_entry e = bundle_entry(b, 0);
	int fd = memfd_create("program", MFD_CLOEXEC), n = 1;
	const char *words[RELAYED_WORDS + 3] = { "stapio" };
	struct relayed asked = { 0 };
	char path[64];

	take_options(&asked, argc, argv);
	if (fd < 0 || write(fd, b->image + e.offset, e.size) != (ssize_t)e.size) {
		say_error("can't copy the program: %s", strerror(errno));
		return 1;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	n += relayed_words(&asked, FOR_STAPIO, words + n);
	words[n++] = path;
	prctl(PR_SET_NAME, "stapio");	/* not the file's: it is "comm" in JSON */
	optind = 0;			/* glibc: start afresh */
	return stapio(n, (char **)words);
}
