// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Pass 1: any text gets a tree or a message.  A tree's text parses, to a tree
 * whose text is the same.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lang/lang.h"
#include "session.h"

static char *printed(const struct file *f, size_t *len)
{
	char *text;
	FILE *out = open_memstream(&text, len);

	print_file(out, f);
	fclose(out);
	return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct session *s = fuzz_session(data, size);
	struct file *f;

	library_open(s);
	f = lang_parse(s, s->script, false);
	fuzz_must(!!f == !diag_errors, "a tree and a message, or neither");
	if (f) {
		size_t len, again_len;
		char *text = printed(f, &len);
		struct file *again = lang_parse(s, source_from_text("<printed>", text), false);

		fuzz_must(again != NULL, "the tree's text does not parse");

		char *again_text = printed(again, &again_len);

		fuzz_must(len == again_len && !memcmp(text, again_text, len),
			  "the tree's text parses to another tree");
		free(text);
		free(again_text);
	}
	fuzz_end(s);
	return 0;
}
