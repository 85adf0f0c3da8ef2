// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests stapio's way from batches to text (loader/records.c, loader/render.c) on
 * batches made by hand: order over CPUs and levels, outputs in pieces, bounds,
 * all kinds of arguments, and data that is cut short or damaged.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../loader/output.h"
#include "../../loader/records.h"
#include "../../loader/render.h"
#include "../../loader/say.h"
#include "../../runtime/stap_script.h"
#include "../../runtime/transport.h"

static int failures;

static void check(int ok, const char *test, const char *what)
{
	if (ok)
		return;
	printf("FAIL: %s: %s\n", test, what);
	failures++;
}

/* ---- making batches ---- */

static unsigned char data[1 << 16];
static size_t used, batch_at, chunk_at, rec_at;

static void put(const void *p, size_t n)
{
	memcpy(data + used, p, n);
	used += n;
}

/* Adds n to the size at an offset of data. */
static void add_size(size_t at, uint32_t n)
{
	uint32_t v;

	memcpy(&v, data + at, sizeof(v));
	v += n;
	memcpy(data + at, &v, sizeof(v));
}

static void batch(uint64_t bound)
{
	struct st_batch b = { .magic = ST_BATCH_MAGIC, .bound = bound };

	batch_at = used;
	put(&b, sizeof(b));
}

static void chunk(uint32_t cpu)
{
	struct st_chunk c = { .cpu = cpu };

	chunk_at = used;
	put(&c, sizeof(c));
	add_size(batch_at + offsetof(struct st_batch, bytes), sizeof(c));
}

static void grew(uint32_t n)
{
	add_size(batch_at + offsetof(struct st_batch, bytes), n);
	add_size(chunk_at + offsetof(struct st_chunk, bytes), n);
}

static void rec(uint64_t time, unsigned int level, unsigned int flags)
{
	struct st_rec r = { .level = level, .flags = flags, .time = time };

	rec_at = used;
	put(&r, sizeof(r));
	grew(sizeof(r));
}

/* Part of the record's body. */
static void body(const void *p, uint32_t n)
{
	uint32_t bytes;

	/* Over the padding of what went before. */
	memcpy(&bytes, data + rec_at, sizeof(bytes));
	uint32_t old = (bytes + 7) & ~7u, now = (bytes + n + 7) & ~7u;

	memset(data + rec_at + sizeof(struct st_rec) + old, 0, now - old);
	memcpy(data + rec_at + sizeof(struct st_rec) + bytes, p, n);
	add_size(rec_at, n);
	used = rec_at + sizeof(struct st_rec) + now;
	grew(now - old);
}

static void format(uint16_t f)
{
	body(&f, sizeof(f));
}

static void integer(int64_t v)
{
	body(&v, sizeof(v));
}

static void string(const char *s)
{
	uint32_t n = strlen(s);

	body(&n, sizeof(n));
	body(s, n);
}

static void text(uint64_t time, unsigned int level, unsigned int flags, const char *s)
{
	rec(time, level, flags);
	format(ST_FMT_TEXT);
	string(s);
}

/* ---- taking them ---- */

/* 0: plain, 1: "%d %s %d %d\n", 2: all the rest */
static const char formats[] =
	"plain 100%%\n\0"
	"%d %s %d %d\n\0"
	"[%5d|%-5s|%05x|%*d|%.*s|%c|%2b|%M]\n";

struct fixture {
	struct output out;
	struct render *render;
	struct records *records;
	const char *why;
	int fd;
	char got[1 << 16];
};

static void set_up(struct fixture *f)
{
	used = 0;
	f->why = "";
	f->fd = memfd_create("output", MFD_CLOEXEC);
	output_init(&f->out, f->fd);
	f->render = render_new(formats, sizeof(formats), &f->out);
	f->records = records_new(render_items, f->render);
}

/* A copy of its exact size, so that a sanitizer sees the first byte too many; it is
 * gone when the next is taken, as stapio's buffer is. */
static int take(struct fixture *f, size_t n)
{
	unsigned char *copy = malloc(n ? n : 1);

	memcpy(copy, data, n);
	int err = records_take(f->records, copy, n, &f->why);

	memset(copy, 0xee, n);
	free(copy);
	used = 0;
	return err;
}

/* What has come out so far. */
static const char *got(struct fixture *f)
{
	output_flush(&f->out);
	ssize_t n = pread(f->fd, f->got, sizeof(f->got) - 1, 0);

	f->got[n > 0 ? n : 0] = '\0';
	return f->got;
}

static void expect(struct fixture *f, const char *test, const char *want)
{
	if (!strcmp(got(f), want))
		return;
	printf("FAIL: %s: got \"%s\", not \"%s\"\n", test, f->got, want);
	failures++;
}

static void tear_down(struct fixture *f)
{
	records_free(f->records);
	render_free(f->render);
	free(f->out.buf);
	close(f->fd);
}

/* ---- tests ---- */

static void order_over_cpus(void)
{
	struct fixture f;

	set_up(&f);
	batch(100);
	chunk(0);
	text(10, 0, 0, "a");
	text(40, 0, 0, "d");
	text(50, 0, 0, "e");
	chunk(3);
	text(20, 0, 0, "b");
	text(60, 0, 0, "f");
	chunk(1);
	text(30, 0, 0, "c");
	text(70, 0, 0, "g");
	check(!take(&f, used), "order", f.why);
	expect(&f, "order", "abcdefg");
	tear_down(&f);
}

static void above_the_bound(void)
{
	struct fixture f;

	set_up(&f);
	batch(25);
	chunk(0);
	text(10, 0, 0, "a");
	text(30, 0, 0, "c");
	text(40, 0, 0, "d");
	chunk(1);
	text(25, 0, 0, "b");
	check(!take(&f, used), "bound", f.why);
	expect(&f, "bound: below", "a");
	batch(36);
	chunk(1);
	text(35, 0, 0, "C");
	check(!take(&f, used), "bound", f.why);
	expect(&f, "bound: raised", "abcC");
	batch(1000);
	check(!take(&f, used), "bound: an empty batch", f.why);
	expect(&f, "bound: an empty batch", "abcCd");
	tear_down(&f);
}

/* Pieces are joined over records of other levels and over batches; the last one's
 * time counts. */
static void pieces(void)
{
	struct fixture f;

	set_up(&f);
	batch(100);
	chunk(0);
	text(10, 0, ST_REC_MORE, "1");
	text(11, 2, 0, "x");
	text(12, 0, ST_REC_MORE, "2");
	text(13, 3, ST_REC_MORE, "n");
	chunk(1);
	text(20, 0, 0, "y");
	check(!take(&f, used), "pieces", f.why);
	expect(&f, "pieces: begun", "xy");
	batch(200);
	chunk(0);
	text(113, 3, 0, "m");
	text(120, 0, 0, "3");
	text(121, 0, 0, "4");
	chunk(1);
	text(119, 0, 0, "z");
	check(!take(&f, used), "pieces", f.why);
	expect(&f, "pieces: ended", "xynmz1234");
	batch(300);
	chunk(0);
	text(210, 0, ST_REC_MORE, "5");
	chunk(1);
	text(211, 0, 0, "6");
	check(!take(&f, used), "pieces", f.why);
	expect(&f, "pieces: begun again", "xynmz12346");
	/* How the runtime ends an output that found no room. */
	batch(400);
	chunk(0);
	rec(310, 0, 0);
	check(!take(&f, used), "pieces: cut", f.why);
	expect(&f, "pieces: cut", "xynmz123465");
	tear_down(&f);
}

static void the_end(void)
{
	struct fixture f;

	set_up(&f);
	batch(5);
	chunk(0);
	text(30, 0, 0, "c");
	text(40, 0, ST_REC_MORE, "d");
	chunk(1);
	text(20, 0, 0, "b");
	check(!take(&f, used), "end", f.why);
	expect(&f, "end: before", "");
	check(!records_end(f.records, &f.why), "end", f.why);
	expect(&f, "end: all, the unfinished too", "bcd");
	tear_down(&f);
}

/* Several batches in one read; times equal, and running backwards in a stream. */
static void odd_times(void)
{
	struct fixture f;

	set_up(&f);
	batch(50);
	chunk(1);
	text(10, 0, 0, "b");
	chunk(0);
	text(10, 0, 0, "a");
	batch(60);
	chunk(0);
	text(55, 0, 0, "c");
	text(51, 0, 0, "d");
	text(58, 0, 0, "f");
	chunk(1);
	text(56, 0, 0, "e");
	check(!take(&f, used), "times", f.why);
	expect(&f, "times", "abcdef");
	tear_down(&f);
}

static void arguments(void)
{
	struct fixture f;

	set_up(&f);
	batch(100);
	chunk(0);
	rec(10, 0, 0);
	format(0);
	format(1);
	integer(-9223372036854775807ll - 1);
	string("two");
	integer(0);
	integer(1234567890123ll);
	rec(11, 0, 0);
	format(2);
	integer(42);
	string("ab");
	integer(255);
	integer(4);
	integer(7);
	integer(2);
	string("xyz");
	integer('c');
	integer('A' + ('B' << 8));
	string("\x01\xff");
	check(!take(&f, used), "arguments", f.why);
	expect(&f, "arguments", "plain 100%\n-9223372036854775808 two 0 1234567890123\n"
	       "[   42|ab   |000ff|   7|xy|c|AB|01ff]\n");
	tear_down(&f);
}

static void errors_and_warnings(void)
{
	struct fixture f;
	int old = dup(STDERR_FILENO);
	const char *said;

	set_up(&f);
	batch(100);
	chunk(0);
	rec(1, 0, 0);
	format(ST_FMT_TEXT);
	string("a");
	format(ST_FMT_WARN);
	string("careful");
	format(ST_FMT_TEXT);
	string("b");
	check(!render_saw_error(f.render), "errors", "one seen too early");
	/* Both to one file: the order of the two is part of the test. */
	dup2(f.fd, STDERR_FILENO);
	check(!take(&f, used), "errors", f.why);
	batch(200);
	chunk(0);
	rec(101, 0, 0);
	format(ST_FMT_ERROR);
	string("division by 0");
	check(!take(&f, used), "errors", f.why);
	dup2(old, STDERR_FILENO);
	close(old);
	check(render_saw_error(f.render), "errors", "not seen");
	said = got(&f);
	check(!strcmp(said, "aWARNING: careful\nbERROR: division by 0\n"), "errors", said);
	tear_down(&f);
}

/* More than the output buffer holds, in one field and in many. */
static void much(void)
{
	struct fixture f;
	size_t total = 0;
	char line[1024];

	memset(line, 'x', sizeof(line) - 1);
	line[sizeof(line) - 1] = '\0';
	set_up(&f);
	for (int i = 0; i < 1000; i++) {
		batch(i + 1);
		chunk(i % 3);
		text(i, 0, 0, line);
		total += strlen(line);
		check(!take(&f, used), "much", f.why);
	}
	output_flush(&f.out);
	check(lseek(f.fd, 0, SEEK_END) == (off_t)total, "much", "wrong length");
	tear_down(&f);
}

static void refused(const char *what, size_t n)
{
	struct fixture f;
	size_t keep = used;

	set_up(&f);
	used = keep;
	check(take(&f, n) < 0, "damaged", what);
	check(*f.why, "damaged: no reason given", what);
	tear_down(&f);
}

static void damaged(void)
{
	used = 0;
	batch(10);
	chunk(1u << 30);
	refused("a CPU that can't be", used);

	used = 0;
	batch(10);
	chunk(0);
	text(1, 4, 0, "x");
	refused("a level that can't be", used);

	used = 0;
	batch(10);
	chunk(0);
	text(1, 0, 0x80, "x");
	refused("unknown flags", used);

	used = 0;
	batch(10);
	chunk(0);
	rec(1, 0, 0);
	format(99);
	refused("a format that isn't there", used);

	used = 0;
	batch(10);
	chunk(0);
	rec(1, 0, 0);
	format(1);
	integer(1);
	uint32_t huge = 0xfffffff0u;
	body(&huge, sizeof(huge));
	refused("a string longer than its record", used);

	used = 0;
	batch(10);
	chunk(0);
	rec(1, 0, 0);
	add_size(rec_at, 0xffffff00u);
	refused("a record longer than its chunk", used);

	used = 0;
	batch(10);
	chunk(0);
	text(1, 0, 0, "x");
	add_size(chunk_at + offsetof(struct st_chunk, bytes), 8);
	refused("a chunk longer than its batch", used);
}

static void sample(void)
{
	used = 0;
	batch(50);
	chunk(0);
	text(10, 0, ST_REC_MORE, "a");
	text(40, 1, 0, "d");
	rec(41, 0, 0);
	format(1);
	integer(1);
	string("s");
	integer(2);
	integer(3);
	chunk(3);
	rec(42, 0, 0);
	format(2);
	for (int i = 0; i < 9; i++)
		integer(i);
	batch(60);
	chunk(1);
	text(55, 2, 0, "z");
}

/* Every shorter read, and random damage: anything may come of it but a crash. */
static void hostile(void)
{
	struct fixture f;
	int quiet = open("/dev/null", O_WRONLY), old = dup(STDERR_FILENO);

	dup2(quiet, STDERR_FILENO);
	sample();
	for (size_t n = 0, all = used; n < all; n++) {
		set_up(&f);
		sample();
		if (!take(&f, n))
			records_end(f.records, &f.why);
		tear_down(&f);
	}
	srandom(1);
	for (int round = 0; round < 20000; round++) {
		set_up(&f);
		sample();
		for (long flips = random() % 4 + 1; flips; flips--)
			data[random() % used] = random();
		if (!take(&f, used))
			records_end(f.records, &f.why);
		tear_down(&f);
	}
	dup2(old, STDERR_FILENO);
	close(old);
	close(quiet);
}

int main(void)
{
	order_over_cpus();
	above_the_bound();
	pieces();
	the_end();
	odd_times();
	arguments();
	errors_and_warnings();
	much();
	damaged();
	hostile();
	if (!failures)
		printf("records: all passed\n");
	return failures != 0;
}
