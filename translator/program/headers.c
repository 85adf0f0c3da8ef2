// SPDX-License-Identifier: GPL-2.0-or-later
/* The kernel headers that embedded C may use without including them, as in SystemTap. */
#include "headers.h"

#include <string.h>

#include "session.h"

/* MAXSTRINGLEN is left out: the generated code defines it, after checking its range. */
static void put_defines(struct sbuf *out, const struct session *s)
{
	for (size_t i = 0; i < s->options.defines.n; i++) {
		const struct define *d = &s->options.defines.v[i];

		if (strcmp(d->name, "MAXSTRINGLEN"))
			sbuf_printf(out, "#undef %s\n#define %s %s\n", d->name, d->name,
				    *d->value ? d->value : "1");
	}
}

void headers_put_kernel(struct sbuf *out, const struct session *s)
{
	static const char *const headers[] = {
		"module", "kernel", "version", "sched", "string", "ctype", "uaccess", "mm", "fs",
		"fdtable", "slab", "delay", "random",
	};

	put_defines(out, s);
	for (size_t i = 0; i < sizeof(headers) / sizeof(headers[0]); i++)
		sbuf_printf(out, "#include <linux/%s.h>\n", headers[i]);
}
