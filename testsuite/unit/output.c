// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests the files that stapio writes (loader/stapio/sinks/output.c): none is larger than the limit, and
 * none ends within a line.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../loader/stapio/sinks/output.h"
#include "check.h"

#define MOST (4u << 20)			/* bytes of a test's output */

/* What was printed, and what the files had. */
static char printed[MOST], found[MOST];
static size_t nprinted, nfound;

static void begin(struct output *o, unsigned long limit, bool lines)
{
	struct output_files files = { .base = "output-test", .limit = limit, .lines = lines };

	CHECK(!output_init(o, output_open(&files)));
	o->files = files;
	nprinted = 0;
}

static void print(struct output *o, const char *p, size_t n)
{
	output_bytes(o, p, n);
	memcpy(printed + nprinted, p, n);
	nprinted += n;
}

/* Prints numbered lines of some LENGTH. */
static void print_lines(struct output *o, int from, int to, int length)
{
	static char text[MOST];
	size_t n = 0;

	for (int i = from; i < to; i++)
		n += sprintf(text + n, "%*d\n", 1 + i % length, i);
	print(o, text, n);
}

/* Takes a file away; returns its size. */
static size_t take_file(unsigned int number)
{
	char path[64];
	ssize_t n;

	snprintf(path, sizeof(path), "output-test.%u", number);
	int fd = open(path, O_RDONLY);

	n = fd < 0 ? 0 : read(fd, found + nfound, MOST - nfound);
	close(fd);
	unlink(path);
	nfound += n;
	return n;
}

/* The files have what was printed, in order; returns how many there are. */
static unsigned int end(struct output *o, unsigned int whole)
{
	unsigned int last = o->files.number;

	CHECK(!o->error);
	nfound = 0;
	for (unsigned int i = 0; i <= last; i++) {
		CHECK(take_file(i) <= o->files.limit);
		CHECK(i >= whole || (nfound && found[nfound - 1] == '\n'));
	}
	CHECK(nfound == nprinted && !memcmp(found, printed, nfound));
	free(o->buf);
	close(o->fd);
	return last + 1;
}

/* In pieces, each of which is flushed, wherever it ends. */
static void pieces(void)
{
	struct output o;
	char line[64];

	begin(&o, 1000, true);
	for (int i = 0; i < 2000; i++) {
		size_t n = sprintf(line, "%d is the line's number\n", i), cut = i % n;

		print(&o, line, cut);
		output_flush(&o);
		print(&o, line + cut, n - cut);
		if (i % 3)
			output_flush(&o);
	}
	output_flush_all(&o);
	CHECK(end(&o, -1u) > 40);
}

/* More at a time than the buffer, or a file, takes. */
static void large(void)
{
	struct output o;

	begin(&o, 100000, true);
	print(&o, "begun: ", 7);
	print_lines(&o, 0, 20000, 60);
	print_lines(&o, 20000, 20100, 60);
	output_flush_all(&o);
	CHECK(end(&o, -1u) > 5);
}

/* Lines larger than a file are cut; so are those that aren't known to end. */
static void endless(void)
{
	static char line[3000];
	struct output o;

	memset(line, 'x', sizeof(line));
	begin(&o, 1000, true);
	print(&o, "short\n", 6);
	print(&o, line, sizeof(line));
	print(&o, "\nshort\n", 7);
	output_flush(&o);
	CHECK(end(&o, 1) == 5);

	begin(&o, 100000, true);
	for (int i = 0; i < 200; i++) {
		print(&o, line, sizeof(line));
		output_flush(&o);
	}
	CHECK(o.written);
	output_flush_all(&o);
	CHECK(end(&o, 0) == 7);
}

/* A line's beginning waits, but not behind what others write, nor at the end. */
static void unfinished(void)
{
	struct output o;

	begin(&o, 1000, true);
	print(&o, "line\nbeginning", 14);
	output_flush(&o);
	CHECK(o.written == 5);
	output_flush_all(&o);
	CHECK(o.written == 14);
	end(&o, 0);
}

/* What has no lines is cut at flushes. */
static void packets(void)
{
	struct output o;

	begin(&o, 1000, false);
	for (int i = 0; i < 100; i++) {
		print(&o, "a\nb", 3);
		print(&o, printed, 297);
		output_flush(&o);
	}
	for (unsigned int i = 0; i < o.files.number; i++) {
		nfound = 0;
		CHECK(take_file(i) == 900);
	}
	CHECK(o.files.number == 33 && take_file(33) == 300);
	free(o.buf);
	close(o.fd);
}

int main(void)
{
	pieces();
	large();
	endless();
	unfinished();
	packets();
	return failures != 0;
}
