// SPDX-License-Identifier: GPL-2.0-or-later
/* Prometheus' formats: what scripts write, and what is made of it (loader/exporter/metrics.h). */
#define _GNU_SOURCE
#include "exporter/metrics.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

/* Adds pages, each with its script's name in front unless that is NULL; returns what is written. */
static char *served(size_t n, struct metrics_page *pages, enum metrics_format format)
{
	struct metrics m = { 0 };
	char *text = NULL;
	size_t len;
	FILE *f = open_memstream(&text, &len);

	for (size_t i = 0; i < n; i++) {
		/* A copy without a NUL, so that a sanitizer sees a read behind it. */
		char *copy = malloc(pages[i].len ?: 1);

		memcpy(copy, pages[i].text, pages[i].len);
		pages[i].text = copy;
		CHECK(metrics_add(&m, &pages[i]));
	}
	metrics_write(&m, f, format);
	fclose(f);
	metrics_free(&m);
	for (size_t i = 0; i < n; i++)
		free((char *)pages[i].text);
	return text;
}

static void expect_bytes(const char *page, size_t len, enum metrics_format format, const char *expected,
			 const char *why)
{
	struct metrics_page p = { .text = page, .len = len };
	char *text = served(1, &p, format);

	if (strcmp(text, expected) || !p.why != !why || (why && strcmp(p.why, why))) {
		fprintf(stderr, "page:\n%s\nserved as:\n%s\nnot:\n%s\nbecause: %s, not: %s\n", page, text, expected,
			p.why ?: "-", why ?: "-");
		failures++;
	}
	free(text);
}

static void expect(const char *page, const char *expected, const char *why)
{
	expect_bytes(page, strlen(page), METRICS_TEXT, expected, why);
}

/* The same in OpenMetrics, but for its end. */
static void expect_open(const char *page, const char *expected)
{
	char *whole = NULL;

	CHECK(asprintf(&whole, "%s# EOF\n", expected) > 0);
	expect_bytes(page, strlen(page), METRICS_OPEN, whole, NULL);
	free(whole);
}

static void good(void)
{
	expect("", "", NULL);
	expect("reads 7\n", "reads 7\n", NULL);
	expect("\n# a comment\n#\nreads 7\n", "reads 7\n", NULL);
	expect("reads{} 7\n", "reads 7\n", NULL);
	expect("a:b_1{x=\"1\",y=\"\"} 1.5e-3 1700000000000\n", "a:b_1{x=\"1\",y=\"\"} 1.5e-3 1700000000000\n", NULL);
	expect(" a { x = \"1\" , } \t-7 \r\n", "a{x=\"1\"} -7\n", NULL);
	expect("a nan\nb +Inf\nc inf\nd -INF\n", "a NaN\nb +Inf\nc +Inf\nd -Inf\n", NULL);
	expect("a 1e308\nb 1e-999\n", "a 1e308\nb 1e-999\n", NULL);
	expect("a{script=\"1\",exported_script=\"2\"} 1\n", "a{script=\"1\",exported_script=\"2\"} 1\n", NULL);
	expect("a{x=\"}, \\\" \\\\ \\n\"} 1\n", "a{x=\"}, \\\" \\\\ \\n\"} 1\n", NULL);
	/* A name of a process, as a script quotes it, and as it is. */
	expect("a{x=\"\\t\\377\"} 1\n", "a{x=\"\\\\t\\\\377\"} 1\n", NULL);
	expect("a{x=\"\xff\xc3\xa4\"} 1\n", "a{x=\"\xef\xbf\xbd\xc3\xa4\"} 1\n", NULL);
	expect("# HELP a one\\two \"3\" \\n\\\\\na 1\n", "# HELP a one\\\\two \"3\" \\n\\\\\na 1\n", NULL);
	/* Lines of a metric stand together, below what was said first. */
	expect("# TYPE a counter\na{x=\"1\"} 1\nb 2\n# TYPE a gauge\n# TYPE b gauge\na{x=\"2\"} 3\n",
	       "# TYPE a counter\na{x=\"1\"} 1\na{x=\"2\"} 3\nb 2\n", NULL);
	expect("# TYPE nothing counter\n# TYPE a stopwatch\na 1\n", "a 1\n", NULL);
	/* The limit of a bucket is no whole number. */
	expect("# TYPE t histogram\nt_bucket{le=\"1\"} 1\nn 1\nt_bucket{le=\"+Inf\"} 1\nt_sum 1\nt_count 1\n"
	       "n_count 1\n",
	       "# TYPE t histogram\nt_bucket{le=\"1.0\"} 1\nt_bucket{le=\"+Inf\"} 1\nt_sum 1\nt_count 1\nn 1\n"
	       "n_count 1\n", NULL);
}

static void bad(void)
{
	expect("a 1\nb 1", "a 1\n", "the page ends within the line");
	expect("7 1\na 1\n", "a 1\n", "no metric's name");
	expect("a{x=1} 1\na 1\n", "a 1\n", "a label without quotes");
	expect("a{x=\"1\n\"} 1\na 1\n", "a 1\n", "a label without quotes");
	expect("a{x=\"1\\", "", "the page ends within the line");
	expect("a{x=\"1\\\n", "", "a label without quotes");
	expect("a{x=\"1\"\n", "", "labels without an end");
	expect("a{x=\"1\" y=\"2\"} 1\n", "", "no comma between labels");
	expect("a{,} 1\n", "", "no label where one should be");
	expect("a{x=\"1\",x=\"2\"} 1\n", "", "two labels of one name");
	expect("a{x:y=\"1\"} 1\n", "", "no label where one should be");
	expect("a\n", "", "no number");
	expect("a 0x10\n", "", "no number");
	expect("a 1-2\n", "", "no number");
	expect("a 1e999\nb -1e999\nc 1\n", "c 1\n", "no number");
	expect("a .\n", "", "no number");
	expect_bytes("a 1\0x\na 1\n", 10, METRICS_TEXT, "a 1\n", "no number");
	expect_bytes("a 1\0\na 1\n", 9, METRICS_TEXT, "a 1\n", "no number");
	expect_bytes("a{x=\"\0\"} 1\n", 11, METRICS_TEXT, "a{x=\"\xef\xbf\xbd\"} 1\n", NULL);
	expect("a 1 2 3\n", "", "more behind the number than a time");
	expect("a 1 x\n", "", "more behind the number than a time");
	expect("a 1 -\n", "", "more behind the number than a time");
	expect("stap_exporter_info 1\n", "", "the name is one of stap-exporter's own");
	expect("text of a script that prints\na 1\n", "a 1\n", "no number");
}

/* A page may describe as many metrics as it may have series. */
static void described(void)
{
	char *text = NULL;
	size_t len = 0;
	FILE *f = open_memstream(&text, &len);
	struct metrics_page page = { 0 };
	struct metrics m = { 0 };

	for (int i = 0; i < METRICS_SERIES + 5; i++)
		fprintf(f, "# HELP m%d x\n", i);
	fprintf(f, "# TYPE m0 counter\n");
	fclose(f);
	page.text = text;
	page.len = len;
	CHECK(metrics_add(&m, &page));
	CHECK(m.nfamilies == METRICS_SERIES && page.left_out == 5 && !strcmp(page.why, "too many metrics"));
	metrics_free(&m);
	free(text);
}

#define HEAD "# TYPE a_seconds_total counter\n"
#define OPEN "# TYPE a_seconds counter\n"
#define TWENTY "é1234567890123456789"
#define SIXTY TWENTY TWENTY TWENTY

static void open_metrics(void)
{
	expect_open("", "");
	expect_open("a 1 -1700000000123\nb 1 7\n", "a 1 -1700000000.123\nb 1 0.007\n");
	expect_open("# HELP a \"one\" \\two\\n\n# TYPE a untyped\na 1\n",
		    "# HELP a \\\"one\\\" \\\\two\\n\n# TYPE a unknown\na 1\n");
	/* Counters: lines keep their names. */
	expect_open("# HELP a_total x\n# TYPE a_total counter\na_total 1\n",
		    "# HELP a x\n# TYPE a counter\na_total 1\n");
	expect_open("# TYPE a counter\na 1\n", "# TYPE a unknown\na 1\n");
	expect_open("# TYPE _total counter\n_total 1\n", "# TYPE _total unknown\n_total 1\n");
	expect_open("# TYPE a_total gauge\na_total 1\n", "# TYPE a_total gauge\na_total 1\n");
	expect_open("# TYPE a gauge\na 1\n# TYPE a_total counter\na_total 1\n",
		    "# TYPE a gauge\na 1\n# TYPE a_total unknown\na_total 1\n");
	expect_open("# TYPE a gauge\n# TYPE a_total counter\na_total 1\n", "# TYPE a counter\na_total 1\n");
	/* Units. */
	expect_open(HEAD "# UNIT a_seconds_total seconds\na_seconds_total 1\n",
		    OPEN "# UNIT a_seconds seconds\na_seconds_total 1\n");
	expect_open("# UNIT a_seconds_total seconds\na_seconds_total 1\n", "a_seconds_total 1\n");
	expect("# UNIT a_seconds seconds\na_seconds 1\n", "a_seconds 1\n", NULL);
	expect("# UNIT a seconds\n# UNIT aseconds seconds\n# UNIT seconds seconds\n# UNIT a_seconds\n"
	       "a_seconds 1\n", "a_seconds 1\n", "a unit in which the metric's name doesn't end");
	/* Exemplars: of counters and of buckets. */
	expect_open(HEAD "a_seconds_total{x=\"1\"} 7 # {pid=\"17\",script=\"\\t\"} 0.5\n",
		    OPEN "a_seconds_total{x=\"1\"} 7 # {pid=\"17\",script=\"\\\\t\"} 0.5\n");
	expect_open("# TYPE t histogram\nt_bucket{le=\"-1\"} 1 7 #{ pid = \"17\" } -3\n"
		    "t_sum 1 # {pid=\"17\"} 1\n",
		    "# TYPE t histogram\nt_bucket{le=\"-1.0\"} 1 0.007 # {pid=\"17\"} -3\nt_sum 1\n");
	expect_open("# TYPE a gauge\na 1 # {pid=\"17\"} 1\n", "# TYPE a gauge\na 1\n");
	expect(HEAD "a_seconds_total 7 # {pid=\"17\"} 0.5\n", HEAD "a_seconds_total 7\n", NULL);
	expect_open(HEAD "a_seconds_total 7 # {x=\"a\"} 1 1700000000.5\n",
		    OPEN "a_seconds_total 7 # {x=\"a\"} 1 1700000000.5\n");
	expect_open(HEAD "a_seconds_total 7 # {x=\"" SIXTY "\",y=\"" SIXTY "123456\"} 1\n",
		    OPEN "a_seconds_total 7 # {x=\"" SIXTY "\",y=\"" SIXTY "123456\"} 1\n");
	/* One that is wrong is left out, and what was counted is not. */
	expect(HEAD "a_seconds_total 7 # {x=\"" SIXTY "\",y=\"" SIXTY "1234567\"} 1\n",
	       HEAD "a_seconds_total 7\n", "an exemplar with long labels");
	expect("a 1 # {x=\"" SIXTY SIXTY SIXTY "\"} 1\n", "a 1\n", "an exemplar with long labels");
	expect("a 1 # {} 1\n", "a 1\n", "an exemplar without labels");
	expect("a 1 # { } 1\n", "a 1\n", "an exemplar without labels");
	expect("a 1 # 1\n", "a 1\n", "an exemplar without labels");
	expect("a 1 # {x=1} 1\n", "a 1\n", "a label without quotes");
	expect("a 1 # {x=\"1\"}\n", "a 1\n", "an exemplar without a number");
	expect("a 1 # {x=\"1\"} 1 1 1\n", "a 1\n", "more behind an exemplar than a time");
	expect("a{__name__=\"b\"} 1\n", "", "the label __name__, which is the metric's name");
	expect("# TYPE t histogram\nt 1\nt_sum 1\n", "# TYPE t histogram\nt_sum 1\n",
	       "a histogram's line that is not its _bucket, _sum or _count");
}

static void accepted(void)
{
	static const char *const open[] = {
		"application/openmetrics-text",
		"Application/OpenMetrics-Text ; Version=1.0.0 ; charset=utf-8",
		"application/openmetrics-text;version=1.0.0,"
		"application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
		"text/plain;q=0.5, application/openmetrics-text; q=0.5",
	};
	static const char *const text[] = {
		"", "*/*", ",;,=;q", "text/plain", "text/html, application/json",
		"application/openmetrics-text;version=0.0.1", "application/openmetrics-text;q=0",
		"application/openmetrics-text;q=", "application/openmetrics-text;q=nan",
		"application/openmetrics-text;q=0.2,text/plain", "application/openmetrics-texts",
	};

	CHECK(metrics_accepted(NULL) == METRICS_TEXT);
	for (size_t i = 0; i < sizeof(open) / sizeof(*open); i++)
		if (metrics_accepted(open[i]) != METRICS_OPEN)
			failures += fprintf(stderr, "not OpenMetrics: %s\n", open[i]) > 0;
	for (size_t i = 0; i < sizeof(text) / sizeof(*text); i++)
		if (metrics_accepted(text[i]) != METRICS_TEXT)
			failures += fprintf(stderr, "not the text format: %s\n", text[i]) > 0;
}

static void scripts(void)
{
	static const char one[] = "# HELP a is one\n# TYPE a counter\na{x=\"1\"} 1\nb 1\n";
	static const char two[] = "# HELP a is two\n# TYPE a gauge\na{script=\"mine\"} 2\na 3\n";
	struct metrics_page pages[] = {
		{ .script = "one.stp", .text = one, .len = strlen(one) },
		{ .script = "t\"wo.stp", .text = two, .len = strlen(two) },
	};
	char *text = served(2, pages, METRICS_TEXT);

	CHECK(!strcmp(text, "# HELP a is one\n# TYPE a counter\na{script=\"one.stp\",x=\"1\"} 1\n"
		      "a{script=\"t\\\"wo.stp\",exported_script=\"mine\"} 2\na{script=\"t\\\"wo.stp\"} 3\n"
		      "b{script=\"one.stp\"} 1\n"));
	CHECK(pages[0].series == 2 && pages[1].series == 2);
	free(text);
}

/* A label that the script calls "script" is renamed, unless the new name is taken. */
static void renamed(void)
{
	static const char lines[] = "a{exported_script=\"1\"} 1\na{script=\"1\",x=\"2\",exported_script=\"3\"} 1\n"
		"a{exported_script=\"1\",script=\"2\"} 1\n";
	struct metrics_page page = { .script = "one.stp", .text = lines, .len = strlen(lines) };
	char *text = served(1, &page, METRICS_TEXT);

	CHECK(!strcmp(text, "a{script=\"one.stp\",exported_script=\"1\"} 1\n"));
	CHECK(page.left_out == 2 && page.line == 2 && !strcmp(page.why, "the labels script and exported_script"));
	free(text);
}

/* One series more than there may be, each of its own metric. */
static void many(void)
{
	struct metrics_page page = { 0 };
	char *text = NULL, *written;
	FILE *f = open_memstream(&text, &page.len);

	for (int i = 0; i <= METRICS_SERIES; i++)
		fprintf(f, "metric%d{x=\"%d\"} %d\n", i, i, i);
	fclose(f);
	page.text = text;
	written = served(1, &page, METRICS_TEXT);
	CHECK(page.series == METRICS_SERIES && page.left_out == 1 && page.line == METRICS_SERIES + 1);
	CHECK(strstr(written, "metric9999{x=\"9999\"} 9999\n") && !strstr(written, "metric10000"));
	free(written);
	free(text);
}

int main(void)
{
	good();
	bad();
	described();
	open_metrics();
	accepted();
	scripts();
	renamed();
	many();
	return failures != 0;
}
