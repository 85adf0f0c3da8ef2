// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Limits stack frames.  The kernel's stack is small, and a handler may run when
 * most of it is used.  The compiler reports the size of each function's frame
 * (-fstack-usage); a function whose frame is larger than the runtime allows for
 * (runtime/abi/bounds.h) is refused, under its name in the script.
 *
 * A line of WORK/stap_script.su:
 * "stap_script.c:63:13:st_handler_0<TAB>672<TAB>static".
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/bounds.h"
#include "base/arena.h"
#include "base/diag.h"
#include "base/printable.h"
#include "internal.h"
#include "session.h"

/* Finds a function of pass 3's.  The compiler may call st_handler_0 "st_handler_0.constprop.0". */
static const struct c_body *find_body(const struct session *s, const char *name)
{
	size_t len = strcspn(name, ".");

	for (size_t i = 0; i < s->bodies.n; i++)
		if (strlen(s->bodies.v[i].c_name) == len &&
		    !strncmp(s->bodies.v[i].c_name, name, len))
			return &s->bodies.v[i];
	return NULL;
}

static void refuse(const struct session *s, const char *name, unsigned long bytes,
		   unsigned long most)
{
	const struct c_body *b = find_body(s, name);

	if (b)
		diag_at(DIAG_SEMANTIC_ERROR, b->loc, "%s needs %lu bytes of the kernel's stack, of at "
			"most %lu", b->what, bytes, most);
	else
		diag(DIAG_ERROR, "the C function %s needs %lu bytes of the kernel's stack, of at most "
		     "%lu", printable(name, strlen(name), ""), bytes, most);
	diag_hint("move parts of it to functions, or nest loops and expressions less");
}

/* Returns 0, or -1 after a message. */
static int check_line(const struct session *s, char *line, unsigned long most)
{
	char *bytes = strchr(line, '\t'), *kind = bytes ? strchr(bytes + 1, '\t') : NULL, *name;
	unsigned long n;

	if (!kind)
		return 0;
	*bytes++ = *kind++ = '\0';
	name = strrchr(line, ':');
	n = strtoul(bytes, NULL, 10);
	if (n <= most && strcmp(kind, "dynamic"))
		return 0;
	refuse(s, name ? name + 1 : line, n, most);
	return -1;
}

int check_frames(struct session *s, const char *work)
{
	const char *path = arena_printf("%s/" KIT_SCRIPT ".su", work);
	struct sbuf text = { 0 };
	int failed = 0;

	if (file_read(path, &text)) {
		diag(DIAG_ERROR, "can't read the compiler's report of stack usage: %s: %s",
		     path, strerror(errno));
		return -1;
	}
	unsigned long most = kernel_config(s->kernel, "CONFIG_KASAN") ? ST_FRAME_MAX_KASAN
								       : ST_FRAME_MAX;
	char *rest = arena_strdup(sbuf_str(&text)), *line;

	while ((line = strsep(&rest, "\n")))
		failed |= check_line(s, line, most);
	sbuf_free(&text);
	return failed;
}
