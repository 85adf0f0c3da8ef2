// SPDX-License-Identifier: GPL-2.0-or-later
/* stap --merge adds up the objects of hosts, and takes none that isn't whole. */
#include <stdlib.h>
#include <string.h>

#include "base/sbuf.h"
#include "check.h"
#include "remote/host.h"
#include "remote/sums.h"
#include "remote/text.h"

static const struct host web[3];

static bool take(int host, const char *rest)
{
	char line[1024];

	snprintf(line, sizeof(line), "{\"time\":1,\"comm\":\"a,\\\"name\\\":\\\"\",%s}\n", rest);
	return sums_take(&web[host], line);
}

static sums_printer *printer = sums_json;

static bool sums_are(const char *want)
{
	char *text;
	size_t n;
	FILE *f = open_memstream(&text, &n);
	bool same;

	sums_print(f, printer);
	fclose(f);
	same = !strcmp(text, want);
	if (!same)
		fprintf(stderr, "sums: %s\n", text);
	free(text);
	return same;
}

static void check_values(void)
{
	CHECK(take(0, "\"name\":\"n\",\"value\":12"));
	CHECK(take(1, "\"name\":\"n\",\"value\":-30"));
	CHECK(take(1, "\"name\":\"n\",\"key\":[\"a\\\"]\",1],\"value\":1"));
	CHECK(take(2, "\"name\":\"n\",\"key\":[\"a\\\"]\",1],\"value\":9223372036854775807"));
	CHECK(take(2, "\"name\":\"n\",\"key\":[\"a\\\"]\",2],\"value\":5"));
	CHECK(take(2, "\"name\":\"n\",\"key\":[\"a\\\"]\",2],\"value\":6"));	/* the latest counts */
	CHECK(sums_are("{\"hosts\":2,\"name\":\"n\",\"value\":-18}\n"
		       "{\"hosts\":2,\"name\":\"n\",\"key\":[\"a\\\"]\",1],\"value\":-9223372036854775808}\n"
		       "{\"hosts\":1,\"name\":\"n\",\"key\":[\"a\\\"]\",2],\"value\":6}\n"));
	CHECK(sums_are(""));
}

static void check_statistics(void)
{
	CHECK(take(0, "\"name\":\"least\",\"value\":{\"count\":-1,\"sum\":-9223372036854775808}"));
	CHECK(sums_are("{\"hosts\":1,\"name\":\"least\",\"value\":{\"count\":-1,\"sum\":-9223372036854775808,"
		       "\"avg\":-9223372036854775808}}\n"));
	CHECK(take(0, "\"name\":\"s\",\"value\":{\"count\":2,\"min\":2,\"max\":4,\"sum\":6,\"avg\":3}"));
	CHECK(take(1, "\"name\":\"s\",\"value\":{\"count\":0}"));
	CHECK(take(2, "\"name\":\"s\",\"value\":{\"count\":1,\"min\":-9,\"max\":-9,\"sum\":-9,\"avg\":-9}"));
	CHECK(take(1, "\"name\":\"none\",\"value\":{\"count\":0}"));
	CHECK(sums_are("{\"hosts\":3,\"name\":\"s\",\"value\":{\"count\":3,\"min\":-9,\"max\":4,\"sum\":-3,\"avg\":-1}}\n"
		       "{\"hosts\":1,\"name\":\"none\",\"value\":{\"count\":0}}\n"));
}

static void check_histograms(void)
{
	CHECK(take(0, "\"name\":\"h\",\"histogram\":[{\"min\":0,\"max\":24,\"count\":1},{\"min\":125,\"count\":1}]"));
	CHECK(take(1, "\"name\":\"h\",\"histogram\":[{\"max\":-1,\"count\":5},{\"min\":0,\"max\":24,\"count\":2}]"));
	CHECK(take(2, "\"name\":\"h\",\"histogram\":[]"));
	CHECK(take(2, "\"name\":\"h\",\"value\":1"));
	CHECK(sums_are("{\"hosts\":3,\"name\":\"h\",\"histogram\":[{\"max\":-1,\"count\":5},{\"min\":0,\"max\":24,\"count\":3},"
		       "{\"min\":125,\"count\":1}]}\n{\"hosts\":1,\"name\":\"h\",\"value\":1}\n"));
}

static void check_others(void)
{
	static const char *const others[] = {
		"\"text\":\"x\"", "\"name\":\"s\",\"value\":\"text\"", "\"name\":\"n\"", "\"name\":\"n\",\"value\":",
		"\"name\":\"n\",\"value\":1,\"more\":1", "\"name\":\"n\",\"key\":[],\"value\":1",
		"\"name\":\"n\",\"key\":[1,\"value\":1", "\"name\":\"n\",\"value\":99999999999999999999",
		"\"name\":\"n\\", "\"name\":\"n\",\"value\":{}", "\"name\":\"n\",\"value\":{\"count\":}",
		"\"name\":\"n\",\"histogram\":[{\"count\":1},]", "\"name\":\"n\",\"histogram\":[1]",
		"\"name\":\"n\",\"value\": 1", "\"name\":\"n\",\"value\":+1",
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		if (take(0, others[i])) {
			fprintf(stderr, "taken: %s\n", others[i]);
			failures++;
		}
	CHECK(!take(0, "\"name\":\"n\033]0;title\007\",\"value\":1"));
	CHECK(!sums_take(&web[0], ""));
	CHECK(sums_are(""));
}

/* More buckets than a histogram can have are refused, however many. */
static void check_buckets(void)
{
	static const char bucket[] = "{\"count\":1}";
	char *line = malloc(1 << 20);

	for (size_t n = 4096; n < 20000; n = 2 * n + 1) {
		size_t at = sprintf(line, "{\"time\":1,\"name\":\"h\",\"histogram\":[%s", bucket);

		for (size_t i = 1; i < n; i++)
			at += sprintf(line + at, ",%s", bucket);
		strcpy(line + at, "]}\n");
		CHECK(sums_take(&web[0], line) == (n == 4096));
	}
	free(line);
}

static bool text_is(const char *line, const char *want)
{
	struct sbuf b = { 0 };
	bool same = text_of_object(line, &b) && !strcmp(sbuf_str(&b), want);

	if (!same)
		fprintf(stderr, "text: %s\n", sbuf_str(&b));
	sbuf_free(&b);
	return same;
}

static void check_objects(void)
{
	static const char *const none[] = {
		"", "{}\n", "{\"time\":1,\"name\":\"n\",\"value\":1}\n", "{\"time\":1,\"text\":\"x", "{\"time\":1,\"text\":\"x\\",
		"{\"time\":1,\"text\":\"\\u12\"}\n", "{\"time\":1,\"text\":\"\\x\"}\n", "{\"time\":1,\"text\":\"x\",\"y\":1}\n",
		"{,\"name\":\",\"value\":\"", "{,\"name\":\"\",\"value\":\"",
	};

	CHECK(text_is("{\"time\":1,\"text\":\"a\\t\\\"b\\\"\\\\\\u001b\\u0085\\u20ac\\n\"}\n", "a\t\"b\"\\\033\302\205\342\202\254\n"));
	CHECK(text_is("{\"time\":1,\"name\":\"w\",\"value\":\"x\"}\n", "w=\"x\"\n"));
	CHECK(text_is("{\"time\":1,\"name\":\"w\",\"key\":[\"a\",1],\"value\":\"x\"}\n", "w[\"a\",1]=\"x\"\n"));
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		struct sbuf b = { 0 };

		CHECK(!text_of_object(none[i], &b));
		sbuf_free(&b);
	}
}

static void check_text(void)
{
	printer = text_sum;
	CHECK(take(0, "\"name\":\"n\",\"key\":[\"a\",1],\"value\":12"));
	CHECK(take(1, "\"name\":\"n\",\"key\":[\"a\",1],\"value\":30"));
	CHECK(take(1, "\"name\":\"s\",\"value\":{\"count\":2,\"min\":2,\"max\":4,\"sum\":6,\"avg\":3}"));
	CHECK(take(1, "\"name\":\"z\",\"value\":{\"count\":0}"));
	CHECK(sums_are("n[\"a\",1]=42\ns @count=2 @min=2 @max=4 @sum=6 @avg=3\nz @count=0\n"));
	CHECK(take(0, "\"name\":\"h\",\"histogram\":[{\"min\":1,\"max\":1,\"count\":1}]"));
	CHECK(take(1, "\"name\":\"h\",\"histogram\":[{\"min\":2,\"max\":3,\"count\":2}]"));
	CHECK(sums_are("h\nvalue |-------------------------------------------------- count\n"
		       "    0 |                                                   0\n"
		       "    1 |@                                                  1\n"
		       "    2 |@@                                                 2\n"
		       "    4 |                                                   0\n"
		       "    8 |                                                   0\n\n"));
	CHECK(take(0, "\"name\":\"l\",\"histogram\":[{\"max\":-1,\"count\":1},{\"min\":0,\"max\":9,\"count\":1}]"));
	CHECK(take(1, "\"name\":\"l\",\"histogram\":[{\"min\":10,\"max\":19,\"count\":1},{\"min\":30,\"count\":2}]"));
	CHECK(sums_are("l\nvalue |-------------------------------------------------- count\n"
		       "   <0 |@                                                  1\n"
		       "    0 |@                                                  1\n"
		       "   10 |@                                                  1\n"
		       "   20 |                                                   0\n"
		       "  >20 |@@                                                 2\n\n"));
	/* No bar has a negative length, which only a forged count would give. */
	CHECK(take(0, "\"name\":\"o\",\"histogram\":[{\"min\":1,\"max\":1,\"count\":-5},{\"min\":2,\"max\":3,\"count\":7}]"));
	CHECK(sums_are("o\n{\"hosts\":1,\"name\":\"o\",\"histogram\":[{\"min\":1,\"max\":1,\"count\":-5},{\"min\":2,\"max\":3,\"count\":7}]}\n"));
	/* Buckets of no histogram; and bounds that overflow. */
	CHECK(take(0, "\"name\":\"o\",\"histogram\":[{\"min\":1,\"max\":5,\"count\":1},{\"min\":4,\"max\":9,\"count\":1}]"));
	CHECK(sums_are("o\n{\"hosts\":1,\"name\":\"o\",\"histogram\":[{\"min\":1,\"max\":5,\"count\":1},{\"min\":4,\"max\":9,\"count\":1}]}\n"));
	CHECK(take(0, "\"name\":\"o\",\"histogram\":[{\"max\":9223372036854775807,\"count\":1},{\"min\":-9223372036854775808,"
			"\"max\":9223372036854775807,\"count\":1},{\"min\":-9223372036854775808,\"count\":1}]"));
	CHECK(!sums_are(""));
	printer = sums_json;
}

int main(void)
{
	check_objects();
	check_text();
	check_buckets();
	CHECK(!sums_are(""));
	check_values();
	check_statistics();
	check_histograms();
	check_others();
	return failures != 0;
}
