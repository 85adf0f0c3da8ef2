// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tests stapio's way from records to text (loader/stapio/records/records.c, loader/stapio/records/render.c) on
 * records made by hand: order over CPUs and levels, outputs in pieces, bounds,
 * all kinds of arguments, and data that is cut short or damaged.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "../../loader/common/say.h"
#include "../../loader/stapio/sinks/sinks.h"
#include "../../loader/stapio/records/records.h"
#include "../../loader/stapio/records/render.h"
#include "../../loader/stapio/records/speculation.h"
#include "abi/stap_script.h"
#include "abi/transport.h"

static int failures;

static void check(int ok, const char *test, const char *what)
{
	if (ok)
		return;
	printf("FAIL: %s: %s\n", test, what);
	failures++;
}

/* ---- making records ---- */

/* What CPUs have written and nobody took yet; the last one is being written. */
static struct ring {
	uint32_t cpu;
	size_t used;
	unsigned char data[1 << 15];
} rings[4];
static size_t nrings, rec_at;
static struct ring *ring;

static void put(const void *p, size_t n)
{
	memcpy(ring->data + ring->used, p, n);
	ring->used += n;
}

/* What follows is that CPU's. */
static void chunk(uint32_t cpu)
{
	for (ring = rings; ring < rings + nrings; ring++)
		if (ring->cpu == cpu)
			return;
	*ring = (struct ring){ .cpu = cpu };
	nrings++;
}

static void rec(uint64_t time, unsigned int level, unsigned int flags)
{
	struct st_rec r = { .level = level, .flags = flags, .time = time };

	rec_at = ring->used;
	put(&r, sizeof(r));
}

/* The latest record says it is so many bytes longer. */
static void grew(uint32_t n)
{
	struct st_rec *r = (void *)(ring->data + rec_at);

	r->bytes += n;
}

/* Part of the record's body. */
static void body(const void *p, uint32_t n)
{
	const struct st_rec *r = (const void *)(ring->data + rec_at);

	/* Over the padding of what went before. */
	ring->used = rec_at + sizeof(*r) + r->bytes;
	put(p, n);
	grew(n);
	while (ring->used % 8)
		ring->data[ring->used++] = 0;
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

/* 0: plain, 1: "%d %s %d %d\n", 2: all the rest; each with its members in JSON, which 3 and 4 have */
static const char formats[] =
	"plain 100%%\n\0\0"
	"%d %s %d %d\n\0\0"
	"[%5d|%-5s|%05x|%*d|%.*s|%c|%2b|%M]\n\0\0"
	"%d=\"%s\"\n\0" "\"key\":[%d],\"value\":%s\0"
	"\0" "\"name\":%s";

struct fixture {
	struct sink *sink;
	struct render *render;
	struct records *records;
	const char *why;
	int fd;
	char got[1 << 16];
};

static void nothing(void)
{
	nrings = 0;
}

static void set_up_kind(struct fixture *f, const struct sink_kind *kind)
{
	struct sink_target target = { 0 };
	char path[64];

	f->why = "";
	f->fd = memfd_create("output", MFD_CLOEXEC);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", f->fd);
	target.path = path;
	f->sink = kind->open(&target);
	f->render = render_new(formats, sizeof(formats), f->sink, NULL, NULL);
	f->records = records_new(render_items, f->render);
}

static void set_up(struct fixture *f)
{
	set_up_kind(f, &text_sink);
}

/* A copy of its exact size, so that a sanitizer sees the first byte too many; it is
 * gone when the next is taken, as the room in a ring is. */
static int take(struct fixture *f, uint64_t bound)
{
	struct records_chunk chunks[4];
	unsigned char *copies[4];
	size_t n = nrings;
	int more;

	for (size_t i = 0; i < n; i++) {
		copies[i] = malloc(rings[i].used ? rings[i].used : 1);
		memcpy(copies[i], rings[i].data, rings[i].used);
		chunks[i] = (struct records_chunk){ rings[i].cpu, copies[i], rings[i].used };
	}
	do
		more = records_take(f->records, chunks, n, bound, &f->why);
	while (more > 0);
	for (size_t i = 0; i < n; i++) {
		size_t done = rings[i].used - chunks[i].bytes;

		memmove(rings[i].data, rings[i].data + done, chunks[i].bytes);
		rings[i].used = chunks[i].bytes;
		memset(copies[i], 0xee, done);
		free(copies[i]);
	}
	return more;
}

/* What has come out so far. */
static const char *got(struct fixture *f)
{
	sink_flush(f->sink);
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
	nothing();
	records_free(f->records);
	render_free(f->render);
	f->sink->kind->close(f->sink);
	close(f->fd);
}

/* ---- tests ---- */

static void order_over_cpus(void)
{
	struct fixture f;

	set_up(&f);
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
	check(!take(&f, 100), "order", f.why);
	expect(&f, "order", "abcdefg");
	tear_down(&f);
}

static void above_the_bound(void)
{
	struct fixture f;

	set_up(&f);
	chunk(0);
	text(10, 0, 0, "a");
	text(30, 0, 0, "c");
	text(40, 0, 0, "d");
	chunk(1);
	text(25, 0, 0, "b");
	check(!take(&f, 25), "bound", f.why);
	expect(&f, "bound: below", "a");
	chunk(1);
	text(35, 0, 0, "C");
	check(!take(&f, 36), "bound", f.why);
	expect(&f, "bound: raised", "abcC");
	check(!take(&f, 1000), "bound: an empty batch", f.why);
	expect(&f, "bound: an empty batch", "abcCd");
	tear_down(&f);
}

/* Pieces are joined over records of other levels and over batches; the last one's
 * time counts. */
static void pieces(void)
{
	struct fixture f;

	set_up(&f);
	chunk(0);
	text(10, 0, ST_REC_MORE, "1");
	text(11, 2, 0, "x");
	text(12, 0, ST_REC_MORE, "2");
	text(13, 3, ST_REC_MORE, "n");
	chunk(1);
	text(20, 0, 0, "y");
	check(!take(&f, 100), "pieces", f.why);
	expect(&f, "pieces: begun", "xy");
	chunk(0);
	text(113, 3, 0, "m");
	text(120, 0, 0, "3");
	text(121, 0, 0, "4");
	chunk(1);
	text(119, 0, 0, "z");
	check(!take(&f, 200), "pieces", f.why);
	expect(&f, "pieces: ended", "xynmz1234");
	chunk(0);
	text(210, 0, ST_REC_MORE, "5");
	chunk(1);
	text(211, 0, 0, "6");
	check(!take(&f, 300), "pieces", f.why);
	expect(&f, "pieces: begun again", "xynmz12346");
	/* How the runtime ends an output that found no room. */
	chunk(0);
	rec(310, 0, 0);
	check(!take(&f, 400), "pieces: cut", f.why);
	expect(&f, "pieces: cut", "xynmz123465");
	tear_down(&f);
}

static void the_end(void)
{
	struct fixture f;

	set_up(&f);
	chunk(0);
	text(30, 0, 0, "c");
	text(40, 0, ST_REC_MORE, "d");
	chunk(1);
	text(20, 0, 0, "b");
	check(!take(&f, 5), "end", f.why);
	expect(&f, "end: before", "");
	check(!take(&f, 100), "end", f.why);
	expect(&f, "end: taken", "bc");
	check(!records_end(f.records, &f.why), "end", f.why);
	expect(&f, "end: all, the unfinished too", "bcd");
	tear_down(&f);
}

/* Times equal, and running backwards on a CPU. */
static void odd_times(void)
{
	struct fixture f;

	set_up(&f);
	chunk(1);
	text(10, 0, 0, "b");
	chunk(0);
	text(10, 0, 0, "a");
	text(55, 0, 0, "c");
	text(51, 0, 0, "d");
	text(58, 0, 0, "f");
	chunk(1);
	text(56, 0, 0, "e");
	check(!take(&f, 60), "times", f.why);
	expect(&f, "times", "abcdef");
	tear_down(&f);
}

static void arguments(void)
{
	struct fixture f;

	set_up(&f);
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
	check(!take(&f, 100), "arguments", f.why);
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
	dup2(f.sink->text->fd, STDERR_FILENO);
	check(!take(&f, 100), "errors", f.why);
	chunk(0);
	rec(101, 0, 0);
	format(ST_FMT_ERROR);
	string("division by 0");
	check(!take(&f, 200), "errors", f.why);
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
		chunk(i % 3);
		text(i, 0, 0, line);
		total += strlen(line);
		check(!take(&f, i + 1), "much", f.why);
	}
	sink_flush(f.sink);
	check(lseek(f.fd, 0, SEEK_END) == (off_t)total, "much", "wrong length");
	tear_down(&f);
}

/* Output in pieces beyond all bounds comes out all the same, not held together. */
static void endless(void)
{
	struct fixture f;
	size_t total = 0;
	char piece[16384];

	memset(piece, 'x', sizeof(piece) - 1);
	say_no_warnings = true;
	piece[sizeof(piece) - 1] = '\0';
	set_up(&f);
	for (int i = 0; i < 2000; i++) {
		chunk(0);
		text(i, 0, i < 1999 ? ST_REC_MORE : 0, piece);
		total += strlen(piece);
		check(!take(&f, i + 1), "endless", f.why);
	}
	sink_flush(f.sink);
	check(lseek(f.fd, 0, SEEK_END) == (off_t)total, "endless", "wrong length");
	tear_down(&f);
}

/* More than is taken in one go: in order, and the room is given back in between. */
static void rounds(void)
{
	struct fixture f;
	struct records_chunk chunks[2];
	int more, n = 0;

	set_up(&f);
	for (int i = 0; i < 2; i++) {
		chunk(i);
		for (int t = 0; t < 400; t++)
			text(2 * t + i, 0, 0, i ? "b" : "a");
	}
	size_t size = rings[0].used;
	unsigned char *big = malloc(2 * 20 * size);

	for (int i = 0; i < 2; i++) {
		for (int k = 0; k < 20; k++)
			memcpy(big + (20 * i + k) * size, rings[i].data, size);
		chunks[i] = (struct records_chunk){ i, big + 20 * i * size, 20 * size };
	}
	do {
		more = records_take(f.records, chunks, 2, 10000, &f.why);
		n++;
	} while (more > 0);
	check(!more, "rounds", f.why);
	check(n > 2, "rounds", "all at once");
	check(!chunks[0].bytes && !chunks[1].bytes, "rounds", "something is left");
	sink_flush(f.sink);
	check(lseek(f.fd, 0, SEEK_END) == 2 * 20 * 400, "rounds", "wrong length");
	free(big);
	tear_down(&f);
}

static void refused(const char *what)
{
	struct fixture f;

	set_up(&f);
	check(take(&f, 10) < 0, "damaged", what);
	check(*f.why, "damaged: no reason given", what);
	tear_down(&f);
}

static void damaged(void)
{
	chunk(1u << 30);
	text(1, 0, 0, "x");
	refused("a CPU that can't be");

	chunk(0);
	text(1, 4, 0, "x");
	refused("a level that can't be");

	chunk(0);
	text(1, 0, 0x80, "x");
	refused("unknown flags");

	chunk(0);
	rec(1, 0, 0);
	format(99);
	refused("a format that isn't there");

	chunk(0);
	rec(1, 0, 0);
	format(1);
	integer(1);
	uint32_t huge = 0xfffffff0u;
	body(&huge, sizeof(huge));
	refused("a string longer than its record");

	chunk(0);
	rec(1, 0, 0);
	grew(0xffffff00u);
	refused("a record longer than its chunk");
}

static void sample(void)
{
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
	chunk(1);
	text(55, 2, 0, "z");
}

/* Every shorter chunk, and random damage: anything may come of it but a crash. */
static void hostile(void)
{
	struct fixture f;
	int quiet = open("/dev/null", O_WRONLY), old = dup(STDERR_FILENO);

	dup2(quiet, STDERR_FILENO);
	for (int round = 0; round < 20000; round++) {
		set_up(&f);
		sample();
		struct ring *victim = &rings[round % nrings];

		if (round < 600)
			victim->used = (round / nrings) % victim->used;
		else
			for (long flips = random() % 4 + 1; flips; flips--)
				victim->data[random() % victim->used] = random();
		if (!take(&f, 60))
			records_end(f.records, &f.why);
		tear_down(&f);
	}
	dup2(old, STDERR_FILENO);
	close(old);
	close(quiet);
}

static void speculation(uint64_t time, uint64_t id, uint32_t act, const char *s)
{
	struct st_speculation head = { .id = id, .act = act };
	uint32_t n = sizeof(head) + strlen(s);

	rec(time, 0, 0);
	format(ST_FMT_SPECULATION);
	body(&n, sizeof(n));
	body(&head, sizeof(head));
	body(s, strlen(s));
}

/* Text comes where it is committed, from whichever CPU, in the order of its times. */
static void speculative(void)
{
	struct fixture f;

	set_up(&f);
	chunk(1);
	speculation(10, 1, ST_SPECULATE, "one ");
	speculation(30, 1, ST_SPECULATE, "three ");
	speculation(50, 2, ST_COMMIT, "");
	text(55, 0, 0, "after\n");
	speculation(60, 1, ST_COMMIT, "");
	speculation(70, 1, ST_COMMIT, "");
	chunk(2);
	text(15, 0, 0, "before\n");
	speculation(20, 1, ST_SPECULATE, "two ");
	speculation(25, 2, ST_SPECULATE, "lost ");
	speculation(26, 2, ST_DISCARD, "");
	speculation(40, 1 + 4096, ST_SPECULATE, "of the same bucket\n");
	speculation(80, 1 + 4096, ST_COMMIT, "");
	take(&f, 100);
	expect(&f, "speculations", "before\nafter\none two three of the same bucket\n");
	tear_down(&f);
}

/* The oldest makes room: the one that began first, however much was added last. */
static void many_speculations(void)
{
	static char piece[1 << 12];
	struct fixture f;

	set_up(&f);
	memset(piece, 'x', sizeof(piece) - 1);
	for (unsigned int i = 0; i < 2 * (SPECULATIONS_BYTES >> 12); i++) {
		nothing();
		chunk(0);
		speculation(10 + i, i % 3 ? 7 : 1000 + i, ST_SPECULATE, piece);
		take(&f, 10 + i + 1);
	}
	nothing();
	chunk(0);
	speculation(1 << 20, 1000, ST_COMMIT, "");
	text((1 << 20) + 1, 0, 0, "end\n");
	take(&f, 1 << 21);
	expect(&f, "the oldest speculation", "end\n");
	check(render_dropped(f.render) > 0, "the oldest speculation", "none is counted");
	say_no_warnings = false;
	tear_down(&f);
}

/* Larger than what malloc() might have left from other tests. */
static unsigned char huge[256 << 20];

/* Two items: one of FORMAT, with a string of LEN bytes behind the HEAD, and "plain". */
static size_t huge_items(uint16_t format, const void *head, size_t n, uint32_t len)
{
	unsigned char *p = huge;

	memcpy(p, &format, sizeof(format));
	p += sizeof(format);
	memcpy(p, head, n);
	p += n;
	memcpy(p, &len, sizeof(len));
	p += sizeof(len) + len;
	p += format == 1 ? 2 * sizeof(int64_t) : 0;	/* its other integers: 0, as "plain" is */
	return p + sizeof(uint16_t) - huge;
}

static void expect_no_memory(const char *what, struct fixture *f, size_t bytes)
{
	const struct records_origin from = { 0, 1 };
	struct rlimit old, none;

	getrlimit(RLIMIT_AS, &old);
	none = (struct rlimit){ 0, old.rlim_max };
	setrlimit(RLIMIT_AS, &none);

	int bad = render_items(f->render, &from, huge, bytes);

	setrlimit(RLIMIT_AS, &old);
	check(!bad, "no memory: misread", what);
	check(f->sink->text->error == ENOMEM, "no memory: not told", what);
}

/* What finds no memory is an error of the output, and the items behind it are read as they are. */
static void without_memory(void)
{
	const struct st_speculation head = { .id = 1, .act = ST_SPECULATE };
	const int64_t one = 1;
	const uint32_t len = sizeof(huge) - 100;
	struct fixture f;
	size_t n = huge_items(1, &one, sizeof(one), len);

	set_up(&f);
	expect_no_memory("a format", &f, n);
	tear_down(&f);

	set_up_kind(&f, &json_sink);
	expect_no_memory("JSON", &f, n);
	tear_down(&f);

	set_up(&f);
	n = huge_items(ST_FMT_SPECULATION, "", 0, len);
	memcpy(huge + sizeof(uint16_t) + sizeof(len), &head, sizeof(head));
	expect_no_memory("a speculation", &f, n);
	tear_down(&f);
}

static void damaged_speculation(void)
{
	struct fixture f;

	set_up(&f);
	chunk(0);
	speculation(10, 1, 3, "");
	if (take(&f, 100) >= 0) {
		printf("FAIL: an act that there is not is accepted\n");
		failures++;
	}
	nothing();
	chunk(0);
	rec(20, 0, 0);
	format(ST_FMT_SPECULATION);
	string("short");
	if (take(&f, 100) >= 0) {
		printf("FAIL: a speculation without its head is accepted\n");
		failures++;
	}
	tear_down(&f);
}

/* ---- JSON ---- */

static void origin(uint32_t pid, const char *comm, const char *container, const char *point)
{
	struct st_origin o = { .pid = pid, .tid = pid + 1 };
	uint32_t n = sizeof(o) + strlen(point);

	memcpy(o.comm, comm, strnlen(comm, sizeof(o.comm)));
	memcpy(o.container, container, strlen(container));
	format(ST_FMT_ORIGIN);
	body(&n, sizeof(n));
	body(&o, sizeof(o));
	body(point, strlen(point));
}

/* The beginning of a logarithmic histogram with that name. */
static void histogram(const char *name)
{
	const struct st_hist_head head = { .hist = ST_HIST_LOG, .width = 5, .elision = 2 };
	const uint16_t named = 4;
	uint32_t n = strlen(name), all = sizeof(head) + sizeof(named) + sizeof(n) + n;

	format(ST_FMT_HIST);
	body(&all, sizeof(all));
	body(&head, sizeof(head));
	body(&named, sizeof(named));
	body(&n, sizeof(n));
	body(name, n);
}

static void bucket(uint32_t number, uint64_t count)
{
	const struct st_bucket b = { .number = number, .count = count };
	const uint32_t n = sizeof(b);

	format(ST_FMT_BUCKET);
	body(&n, sizeof(n));
	body(&b, sizeof(b));
}

static void last_bucket(void)
{
	format(ST_FMT_BUCKET);
	string("");
}

/* Does the output have LINES lines, and are these texts in it in this order? */
static void has(struct fixture *f, const char *test, unsigned int lines, const char *const *texts)
{
	const char *at = f->got;
	ssize_t n;

	sink_finish(f->sink);
	n = pread(f->fd, f->got, sizeof(f->got) - 1, 0);
	f->got[n < 0 ? 0 : n] = '\0';
	for (const char *s = f->got; (s = strchr(s, '\n')); s++)
		lines--;
	check(!lines, test, f->got);
	for (; *texts && at; texts++) {
		at = strstr(at, *texts);
		check(at != NULL, test, *texts);
	}
}

/* Objects amid text, in pieces, and a histogram whose end was lost; whoever is named like code. */
static void objects(void)
{
	struct fixture f;

	set_up_kind(&f, &json_sink);
	nothing();
	chunk(1);
	rec(10, 0, ST_REC_MORE);
	origin(7, "a\"\033\377", "8d2f", "kernel.function(\"f\")");
	format(0);
	histogram("h\"\n");
	bucket(64, 1);
	rec(20, 0, 0);
	origin(7, "sixteen letters.", "", "");
	bucket(67, 2);
	last_bucket();
	format(3);
	integer(-1);
	string("v\"");
	format(0);
	rec(30, 0, 0);
	histogram("cut");
	bucket(64, 1);
	say_no_warnings = true;
	text(40, 0, 0, "after");
	take(&f, 100);
	say_no_warnings = false;
	has(&f, "objects", 5, (const char *const []){
		"\"pid\":7,\"tid\":8,\"comm\":\"a\\\"\\u001b\xef\xbf\xbd\",\"container\":\"8d2f\","
		"\"probe\":\"kernel.function(\\\"f\\\")\","
		"\"text\":\"plain 100%\\n\"}\n",
		"\"comm\":\"sixteen letters.\",\"probe\":\"\",\"name\":\"h\\\"\\n\","
		"\"histogram\":[{\"min\":0,\"max\":0,\"count\":1},{\"min\":4,\"max\":7,\"count\":2}]}\n",
		"\"probe\":\"\",\"key\":[-1],\"value\":\"v\\\"\"}\n",
		"\"text\":\"plain 100%\\n\"}\n", "\"cpu\":1,\"text\":\"after\"}\n", NULL });
	tear_down(&f);
}

static void print_in(uint64_t time, const char *container, const char *printed)
{
	rec(time, 0, 0);
	origin(7, "cat", container, "");
	format(ST_FMT_TEXT);
	string(printed);
}

/* Each line begins with its container; a line is broken that another container goes on with. */
static void containers(void)
{
	struct fixture f;

	set_up_kind(&f, &containers_sink);
	nothing();
	chunk(1);
	print_in(10, "web", "a\n\nb");
	print_in(20, "web", "c\n");
	print_in(30, "", "d");
	print_in(40, "db", "");
	print_in(50, "db", "e\n");
	text(60, 0, 0, "f\n");
	take(&f, 100);
	expect(&f, "containers", "web: a\nweb: \nweb: bc\n-: d\ndb: e\n-: f\n");
	tear_down(&f);
}

/* As text nothing is named; what was cut is left out. */
static void drawn(void)
{
	struct fixture f;

	set_up(&f);
	nothing();
	chunk(1);
	rec(10, 0, ST_REC_MORE);
	format(0);
	histogram("name");
	bucket(64, 1);
	rec(20, 0, 0);
	bucket(65, 5);
	last_bucket();
	format(3);
	integer(-1);
	string("v");
	rec(30, 0, 0);
	histogram("cut");
	bucket(64, 1);
	say_no_warnings = true;
	rec(40, 0, 0);
	last_bucket();
	format(0);
	check(!take(&f, 100), "drawn", f.why);
	say_no_warnings = false;
	expect(&f, "drawn", "plain 100%\n"
	       "value |----- count\n"
	       "    0 |@     1\n"
	       "    1 |@@@@@ 5\n"
	       "    2 |      0\n"
	       "    4 |      0\n\n"
	       "-1=\"v\"\nplain 100%\n");
	nothing();
	chunk(1);
	rec(50, 0, 0);
	histogram("bad");
	bucket(128, 1);
	check(take(&f, 100) < 0, "drawn", "a bucket that there is not");
	tear_down(&f);
}

int main(void)
{
	objects();
	containers();
	drawn();
	speculative();
	many_speculations();
	damaged_speculation();
	without_memory();
	order_over_cpus();
	above_the_bound();
	pieces();
	the_end();
	odd_times();
	arguments();
	errors_and_warnings();
	much();
	endless();
	rounds();
	damaged();
	hostile();
	if (!failures)
		printf("records: all passed\n");
	return failures != 0;
}
