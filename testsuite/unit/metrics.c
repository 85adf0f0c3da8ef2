// SPDX-License-Identifier: GPL-2.0-or-later
/* Prometheus' text format: what scripts write, and what is made of it (loader/exporter/metrics.h). */
#include "exporter/metrics.h"

#include <stdlib.h>
#include <string.h>

#include "check.h"

/* Adds pages, each with its script's name in front unless that is NULL; returns what is written. */
static char *served(size_t n, struct metrics_page *pages)
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
	metrics_write(&m, f);
	fclose(f);
	metrics_free(&m);
	for (size_t i = 0; i < n; i++)
		free((char *)pages[i].text);
	return text;
}

static void expect_bytes(const char *page, size_t len, const char *expected, const char *why)
{
	struct metrics_page p = { .text = page, .len = len };
	char *text = served(1, &p);

	if (strcmp(text, expected) || !p.why != !why || (why && strcmp(p.why, why))) {
		fprintf(stderr, "page:\n%s\nserved as:\n%s\nnot:\n%s\nbecause: %s, not: %s\n", page, text, expected,
			p.why ?: "-", why ?: "-");
		failures++;
	}
	free(text);
}

static void expect(const char *page, const char *expected, const char *why)
{
	expect_bytes(page, strlen(page), expected, why);
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
	expect("# TYPE t histogram\nt_bucket{le=\"1\"} 1\nn 1\nt_bucket{le=\"+Inf\"} 1\nt_sum 1\nt_count 1\n"
	       "n_count 1\n",
	       "# TYPE t histogram\nt_bucket{le=\"1\"} 1\nt_bucket{le=\"+Inf\"} 1\nt_sum 1\nt_count 1\nn 1\n"
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
	expect_bytes("a 1\0x\na 1\n", 10, "a 1\n", "no number");
	expect_bytes("a 1\0\na 1\n", 9, "a 1\n", "no number");
	expect("a 1 2 3\n", "", "more behind the number than a time");
	expect("a 1 x\n", "", "more behind the number than a time");
	expect("a 1 -\n", "", "more behind the number than a time");
	expect("stap_exporter_info 1\n", "", "the name is one of stap-exporter's own");
	expect("text of a script that prints\na 1\n", "a 1\n", "no number");
}

static void scripts(void)
{
	static const char one[] = "# HELP a is one\n# TYPE a counter\na{x=\"1\"} 1\nb 1\n";
	static const char two[] = "# HELP a is two\n# TYPE a gauge\na{script=\"mine\"} 2\na 3\n";
	struct metrics_page pages[] = {
		{ "one.stp", one, strlen(one), 0, 0, 0, NULL },
		{ "t\"wo.stp", two, strlen(two), 0, 0, 0, NULL },
	};
	char *text = served(2, pages);

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
	char *text = served(1, &page);

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
	written = served(1, &page);
	CHECK(page.series == METRICS_SERIES && page.left_out == 1 && page.line == METRICS_SERIES + 1);
	CHECK(strstr(written, "metric9999{x=\"9999\"} 9999\n") && !strstr(written, "metric10000"));
	free(written);
	free(text);
}

int main(void)
{
	good();
	bad();
	scripts();
	renamed();
	many();
	return failures != 0;
}
