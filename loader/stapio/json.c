// SPDX-License-Identifier: GPL-2.0-or-later
/* Lines in JSON (json.h), as RFC 8259 has it: in UTF-8, whatever bytes a script prints. */
#include "json.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/printable.h"
#include "output.h"
#include "records.h"
#include "render.h"

/* What stands for a byte at most: "\u001f". */
#define ESCAPE_MAX 6

/* Writes a character of ASCII; returns the end. */
static char *put_ascii(char *to, unsigned char c)
{
	static const char named[] = "\"\\\b\f\n\r\t", names[] = "\"\\bfnrt";
	const char *found = c ? strchr(named, c) : NULL;

	if (found)
		return to + sprintf(to, "\\%c", names[found - named]);
	if (c < 0x20 || c == 0x7f)
		return to + sprintf(to, "\\u%04x", c);
	*to = c;
	return to + 1;
}

/* Writes text as between the quotes of a string; U+FFFD stands for a byte of no character. */
static char *put_text(char *to, const unsigned char *p, size_t left)
{
	static const char unknown[] = "\xef\xbf\xbd";
	unsigned int n;

	while (left) {
		n = utf8_length((const char *)p, left);
		if (n == 1) {
			to = put_ascii(to, *p);
		} else if (n && utf8_is_control((const char *)p, n)) {
			to += sprintf(to, "\\u00%02x", p[1]);
		} else if (n) {
			memcpy(to, p, n);
			to += n;
		} else {
			memcpy(to, unknown, sizeof(unknown) - 1);
			to += sizeof(unknown) - 1;
			n = 1;
		}
		p += n;
		left -= n;
	}
	return to;
}

int json_items(void *json, const struct records_origin *from, const unsigned char *body,
	       size_t bytes)
{
	struct json *j = json;
	int bad = render_items(j->render, from, body, bytes);
	size_t used = j->text->used;
	char *line = used ? output_room(j->out, ESCAPE_MAX * used + 100) : NULL, *to = line;

	j->text->used = 0;
	if (j->text->error)
		j->out->error = j->text->error;
	if (!line)
		return bad;
	to += sprintf(to, "{\"time\":%" PRIu64 ",\"cpu\":%" PRIu32 ",\"text\":\"", from->time,
		      from->cpu);
	to = put_text(to, (const unsigned char *)j->text->buf, used);
	to += sprintf(to, "\"}\n");
	output_took(j->out, to - line);
	return bad;
}
