// SPDX-License-Identifier: GPL-2.0-or-later
/* stap --remote prints the lines of all hosts in the order of time, and lets none wait too long. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "options.h"
#include "remote/host.h"

#define MS INT64_C(1000000)

struct host *hosts;
size_t nhosts;
static int64_t now;

int64_t now_ns(void)
{
	return now;
}

static int refused;

/* Lines that are no JSON become messages. */
void print_message(struct host *h, const char *text, size_t n)
{
	(void)h, (void)text, (void)n;
	refused++;
}

static struct host three[3] = { { .name = "a" }, { .name = "b" }, { .name = "c" } };
static char *printed;
static size_t size;

static void begin_with(size_t n, const struct options *o)
{
	hosts = three;
	nhosts = n;
	CHECK(merge_begin(o));
	for (size_t i = 0; i < n; i++) {
		hosts[i].file = i ? hosts[0].file : open_memstream(&printed, &size);
		hosts[i].step = RUNNING;
	}
}

static void begin(size_t n)
{
	static const struct options none;

	begin_with(n, &none);
}

static void take(int host, int64_t time, const char *text)
{
	merge_take(&hosts[host], time, text, strlen(text));
}

/* Is that all that was printed? */
static bool prints(const char *want)
{
	merge_flush();
	if (strcmp(printed, want))
		fprintf(stderr, "printed: %s\n", printed);
	return !strcmp(printed, want);
}

static void finish(void)
{
	fclose(hosts[0].file);
	free(printed);
}

/* Lines wait for the hosts that have shown none, and pieces for the rest of their line. */
static void check_order(void)
{
	now = MS;
	begin(3);
	take(0, 10, "one\nthr");
	take(0, 30, "ee\nfi");
	take(1, 20, "two\n");
	CHECK(merge_print(now) == now + 300 * MS);
	CHECK(prints(""));
	take(2, 40, "four\n");
	merge_print(now);
	CHECK(prints("a: one\na: three\n"));
	take(0, 50, "ve\n");
	merge_print(now);
	CHECK(prints("a: one\na: three\nb: two\n"));
	hosts[1].step = ENDED;		/* nobody waits for it any more */
	merge_print(now);
	CHECK(prints("a: one\na: three\nb: two\na: five\n"));
	hosts[0].step = hosts[2].step = ENDED;
	CHECK(merge_print(now) == INT64_MAX);
	CHECK(prints("a: one\na: three\nb: two\na: five\nc: four\n"));
	CHECK(merge_late() == 0);
	finish();
}

/* A host that is silent holds the others up for a while only; what it prints later is counted. */
static void check_bound(void)
{
	begin(2);
	take(0, 1000, "early\n");
	now += 299 * MS;
	CHECK(merge_print(now) == now + MS);
	take(0, 1001, "next\n");
	now += MS;
	CHECK(merge_print(now) == now + 299 * MS);
	CHECK(prints("a: early\n"));
	take(1, 999, "late\n");
	merge_print(now);
	CHECK(prints("a: early\nb: late\n"));
	CHECK(merge_late() == 1);
	hosts[0].step = hosts[1].step = ENDED;
	merge_print(now);
	CHECK(prints("a: early\nb: late\na: next\n"));
	finish();
}

/* A flood is printed without the wait, and a line without an end in parts. */
static void check_flood(void)
{
	char *line = malloc(1 << 20);
	size_t n = 0;

	memset(line, 'x', 1 << 20);
	begin(2);
	for (int i = 0; i < 8; i++) {
		merge_take(&hosts[0], 2000 + i, line, 1 << 20);
		merge_print(now);
		n = hosts[0].waiting > n ? hosts[0].waiting : n;
	}
	CHECK(n && n <= 4 << 20);
	hosts[0].step = hosts[1].step = ENDED;
	merge_print(now);
	CHECK(merge_flush() && size == 8 * ((1 << 20) + strlen("a: \n")));
	free(line);
	finish();
}

/* With --json the name is put in by us, and no host can write under another's. */
static void check_names(void)
{
	static const struct options json = { .json = true };
	static const char *const forged[] = {
		"{\"host\":\"b\",\"text\":\"x\"}\n", " {\"host\":\"b\"}\n", "{\"text\":\"x\"} {\"host\":\"b\"}\n",
		"{\"text\":\"x\",\"host\":\"b\"}\n", "{\"h\\u006fst\":\"b\"}\n", "{\"text\":\"x\", \"host\":\"b\"}\n",
		"{\"text\":\"x\"}}\n", "{\"text\":\"x\n", "text\n", "\n", "{\"host\" :\"b\"}\n", "{}{\"host\":\"b\"}\n",
		"{\"a\":\"\\\\\",\"host\":\"b\"}\n",
	};

	begin_with(2, &json);
	refused = 0;
	for (size_t i = 0; i < sizeof(forged) / sizeof(*forged); i++)
		take(0, 3000, forged[i]);
	take(0, 3001, "{\"text\":\"the host: \\\"host\\\":}{[\",\"key\":[\"host\",1],\"value\":{\"host\":1}}\n");
	hosts[0].step = hosts[1].step = ENDED;
	merge_print(now);
	CHECK(refused == sizeof(forged) / sizeof(*forged));
	CHECK(prints("{\"host\":\"a\",\"text\":\"the host: \\\"host\\\":}{[\",\"key\":[\"host\",1],"
		     "\"value\":{\"host\":1}}\n"));
	finish();
}

/* A host says that its line is from the far future: it is as late as it came, and no later one is late. */
static void check_future(void)
{
	uint64_t late = merge_late();

	now = 100000 * MS;
	begin(3);
	take(0, INT64_MAX / 4, "far\n");
	now += MS;
	take(1, now - 2, "b\n");
	take(2, now - 1, "c\n");
	merge_print(now);
	CHECK(prints("a: far\n"));
	now += MS;
	take(0, now - 3, "a\n");
	take(1, now - 2, "b2\n");
	merge_print(now);
	now += 400 * MS;
	merge_print(now);
	CHECK(prints("a: far\nb: b\nc: c\na: a\nb: b2\n"));
	CHECK(merge_late() == late);
	finish();
}

int main(void)
{
	check_order();
	check_bound();
	check_flood();
	check_names();
	check_future();
	return failures != 0;
}
