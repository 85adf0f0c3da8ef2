// SPDX-License-Identifier: GPL-2.0-or-later
/* The exporter's own metrics (own.h). */
#include "own.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "metrics.h"

/* In the order of values_of(). */
static const struct { const char *name, *type, *unit, *help; } own[] = {
	{ "script_up", "gauge", NULL, "Whether the script runs and its page was read." },
	{ "script_starts_total", "counter", NULL, "How often the script was started." },
	{ "script_ends_total", "counter", NULL, "How often the script ended by itself." },
	{ "script_series", "gauge", NULL, "Series in the script's page." },
	{ "script_left_out", "gauge", NULL, "Lines of the script's page, or exemplars in them, that were left out." },
	{ "script_bytes", "gauge", "bytes", "Size of the script's page." },
	{ "script_read_seconds", "gauge", "seconds", "How long reading the script's page took." },
};

enum { OWN = sizeof(own) / sizeof(*own) };

static void values_of(const struct own_script *s, double values[OWN])
{
	const double v[OWN] = { s->up, s->starts, s->ends, s->series, s->left_out, s->bytes, s->seconds };

	memcpy(values, v, sizeof(v));
}

char *own_page(const struct own_script *scripts, size_t n, size_t *len)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, len);
	double values[OWN];

	if (!f)
		return NULL;
	fprintf(f, "# HELP " METRICS_OWN "info The exporter.\n# TYPE " METRICS_OWN "info gauge\n"
		   METRICS_OWN "info{version=\"%s\"} 1\n", PACKAGE_VERSION);
	for (size_t i = 0; i < OWN; i++) {
		fprintf(f, "# HELP " METRICS_OWN "%s %s\n", own[i].name, own[i].help);
		fprintf(f, "# TYPE " METRICS_OWN "%s %s\n", own[i].name, own[i].type);
		if (own[i].unit)
			fprintf(f, "# UNIT " METRICS_OWN "%s %s\n", own[i].name, own[i].unit);
		for (const struct own_script *s = scripts; s < scripts + n; s++) {
			fprintf(f, METRICS_OWN "%s{script=\"", own[i].name);
			metrics_write_value(f, s->name);
			values_of(s, values);
			fprintf(f, "\"} %.9g\n", values[i]);
		}
	}
	if (!fclose(f))
		return text;
	free(text);
	return NULL;
}
