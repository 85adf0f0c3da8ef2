// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What handlers print is collected as items in their context's output (abi/stap_script.h), and
 * delivered at the handler's end, or in several pieces if it exceeds the buffer.
 */
#include "report.h"
#include "supply.h"

/*
 * Copies a string.  Most are short, and for these moves of whole words are faster than memcpy(),
 * whose instruction takes long to begin.  Some bytes in the middle or before the end are copied
 * twice.
 */
void st_copy_text(char *to, const char *from, unsigned int n)
{
	unsigned int i;

	if (n > 256) {
		memcpy(to, from, n);
	} else if (n >= 8) {
#pragma GCC unroll 4
		for (i = 0; i < n - 8; i += 8)
			memcpy(to + i, from + i, 8);
		memcpy(to + n - 8, from + n - 8, 8);
	} else if (n >= 4) {
		memcpy(to, from, 4);
		memcpy(to + n - 4, from + n - 4, 4);
	} else {
		for (i = 0; i < n; i++)
			to[i] = from[i];
	}
}

char *st_emit_slow(struct st_ctx *c, unsigned long bytes)
{
	if (bytes > (unsigned long)(c->out_end - c->output)) {
		atomic_long_inc(&st_counts.unread);
		return NULL;
	}
	st_flush(c, true);
	return c->out;
}

void st_print_text(struct st_ctx *c, struct st_str s)
{
	unsigned int room = c->out_end - c->output - 2 - 4;

	for (; s.len > room; s.p += room, s.len -= room)
		st_emit_one(c, ST_FMT_TEXT, (struct st_str){ s.p, room });
	if (s.len)
		st_emit_one(c, ST_FMT_TEXT, s);
}

void st_warn(struct st_ctx *c, struct st_str s)
{
	st_emit_one(c, ST_FMT_WARN, s);
}
