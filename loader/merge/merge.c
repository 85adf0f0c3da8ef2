// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * stap-merge: merges the files of bulk mode (stapio/sinks/bulk.c) by the numbers of their packets.  The
 * files may come from a run that was killed or still goes on, so a packet that is cut short ends its
 * file with a warning.
 */
#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/packet.h"
#include "config.h"

/* The most bytes of a packet.  A file with a larger one was not written by stap -b. */
#define PACKET_MOST (64u << 20)

/* A file to merge. */
struct input {
	const char *path;
	FILE *file;
	struct bulk_packet next;	/* the head of the next packet; its text comes next in the file */
	bool over;			/* there is no next packet */
};

static bool verbose, failed;
static char *text;
static size_t room;

static void complain(const struct input *in, const char *what)
{
	fprintf(stderr, "ERROR: %s: %s\n", in->path, what);
	failed = true;
}

/* Reads the head of the file's next packet, with or without the magic word. */
static void read_head(struct input *in)
{
	struct bulk_packet *next = &in->next;
	size_t n = fread(&next->magic, 1, sizeof(next->magic), in->file);

	next->number = next->magic;
	if (n == sizeof(next->magic) && next->magic == BULK_MAGIC)
		n = fread(&next->number, 1, sizeof(next->number), in->file) ?: 1;
	if (n == sizeof(next->number))
		n += fread(&next->bytes, 1, sizeof(next->bytes), in->file);
	in->over = n < sizeof(next->number) + sizeof(next->bytes);
	if (ferror(in->file))
		complain(in, strerror(errno));
	else if (n && in->over)
		fprintf(stderr, "WARNING: %s: the last packet is cut short\n", in->path);
	else if (n && in->next.bytes > PACKET_MOST) {
		complain(in, "this is not a file that stap -b wrote");
		in->over = true;
	}
}

/* Copies the file's next packet to the output. */
static void copy(struct input *in, int index, FILE *out)
{
	size_t n;

	if (in->next.bytes > room) {
		text = realloc(text, room = in->next.bytes);
		if (!text) {
			fprintf(stderr, "ERROR: there is no memory for a packet of %zu bytes\n", room);
			exit(1);
		}
	}
	n = fread(text, 1, in->next.bytes, in->file);
	if (verbose)
		fprintf(out, "[CPU:%d, seq=%u, length=%u]\n", index, in->next.number,
			in->next.bytes);
	fwrite(text, 1, n, out);
	if (n < in->next.bytes)
		fprintf(stderr, "WARNING: %s: the last packet is cut short\n", in->path);
	read_head(in);
}

/* Does packet number A come before B?  In a long run the numbers wrap around to 0. */
static bool before(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b) < 0;
}

static void merge(struct input *in, int n, FILE *out)
{
	for (;;) {
		int first = -1;

		for (int i = 0; i < n; i++)
			if (!in[i].over &&
			    (first < 0 || before(in[i].next.number, in[first].next.number)))
				first = i;
		if (first < 0 || ferror(out))
			return;
		copy(&in[first], first, out);
	}
}

static void usage(FILE *to, int status)
{
	fputs("usage: stap-merge [-v] [-o FILE] FILE ...\n"
	      "  -v       print each packet's CPU, number and length before it\n"
	      "  -o FILE  output to FILE\n"
	      "  -V, --version, -h, --help  version, this text\n", to);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option names[] = {
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ NULL, 0, NULL, 0 },
	};
	const char *output = NULL;
	int c;

	while ((c = getopt_long(argc, argv, "vo:Vh", names, NULL)) != -1) {
		switch (c) {
		case 'v':
			verbose = true;
			break;
		case 'o':
			output = optarg;
			break;
		case 'V':
			puts("stap-merge (version " VERSIONS ")");
			return 0;
		case 'h':
			usage(stdout, 0);
			break;
		default:
			usage(stderr, 1);
		}
	}
	if (optind == argc)
		usage(stderr, 1);

	int n = argc - optind;
	struct input *in = calloc(n, sizeof(*in));

	for (int i = 0; in && i < n; i++) {
		in[i].path = argv[optind + i];
		in[i].file = fopen(in[i].path, "r");
		in[i].over = true;
		if (in[i].file)
			read_head(&in[i]);
		else
			complain(&in[i], strerror(errno));
	}

	FILE *out = output && !failed ? fopen(output, "w") : stdout;

	if (!in || !out) {
		fprintf(stderr, "ERROR: %s: %s\n", output ? output : "stap-merge", strerror(errno));
		return 1;
	}
	if (!failed)
		merge(in, n, out);
	if (ferror(out) | fclose(out)) {
		fprintf(stderr, "ERROR: can't write the output: %s\n", strerror(errno));
		failed = true;
	}
	free(in);
	free(text);
	return failed;
}
