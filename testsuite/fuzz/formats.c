// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Formats from names: the input's lines are names of variables, as $$vars lists them.  The format
 * fits its values, gives each name as it is but for control characters, and its C is one line of a literal; and a format, which
 * the input is too, takes no value behind its last.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/printable.h"
#include "backend/module/codegen.h"
#include "debuginfo/values/pretty.h"
#include "fetch.h"
#include "text/format.h"

typedef vec(union st_arg) arg_list;

/* Adds the I-th variable to the list, its value to ARGS, and how it looks to WANT. */
static void add_name(struct pretty_text *list, arg_list *args, struct sbuf *want, const char *name,
		     unsigned i)
{
	static const char *const shown[] = { "?", "0x7", "100% %s" };
	const struct term *values[] = { NULL, term_number(7), term_text(shown[2]) };

	char *printed = printable(name, strlen(name), "");

	sbuf_puts(want, want->len ? " " : "");
	sbuf_puts(want, printed);
	free(printed);
	sbuf_puts(want, "=");
	sbuf_puts(want, shown[i % 3]);
	pretty_entry(list, name, values[i % 3]);
	if (i % 3 == 1)
		vec_push(args, ((union st_arg){ .i = 7 }));
	if (i % 3 == 2)
		vec_push(args, ((union st_arg){ .s = { shown[2], strlen(shown[2]) } }));
}

/* A copy of the arguments whose end a sanitizer sees. */
static union st_arg *exactly(const arg_list *args)
{
	size_t bytes = args->n * sizeof(*args->v);
	union st_arg *copy = malloc(bytes + !bytes);

	if (bytes)
		memcpy(copy, args->v, bytes);
	return copy;
}

static void check_list(char *text)
{
	struct pretty_text list = { 0 };
	struct sbuf want = { 0 };
	arg_list args = { 0 };
	unsigned i = 0;

	for (char *name; (name = strsep(&text, "\n")); i++)
		add_name(&list, &args, &want, name, i);

	const struct term *t = pretty_text_end(&list);
	const char *c = fetch_text(t);
	union st_arg *values = exactly(&args);
	char *out = malloc(want.len + 100);
	size_t n = st_format_all(out, want.len + 100, t->text, values, args.n);

	fuzz_must(!diag_errors, "a format that does not fit its values");
	fuzz_must(n == want.len && !memcmp(out, sbuf_str(&want), n), "a name that is shown as another");
	for (; *c; c++)
		fuzz_must(*c >= ' ' && *c <= '~', "C with a byte that is none of a literal's");
	free(out);
	free(values);
	sbuf_free(&want);
}

/* Formats with the values it asks for, and with one that is missing. */
static void check_format(const char *format)
{
	arg_list args = { 0 };
	struct st_directive d;
	char out[256];

	for (const char *at = format; st_format_next(&at, &d);)
		for (unsigned left = st_directive_args(&d); left; left--) {
			union st_arg string = { .s = { "text", 4 } }, number = { .i = -left };

			vec_push(&args, left == 1 && st_conversion_is_string(d.conversion)
					? string : number);
		}
	for (unsigned missing = 0; missing < 2 && missing <= args.n; missing++) {
		union st_arg *values;

		args.n -= missing;
		values = exactly(&args);
		st_format_all(out, sizeof(out), format, values, args.n);
		free(values);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	check_format(arena_strndup((const char *)data, size));
	check_list(arena_strndup((const char *)data, size));
	arena_free_all();
	diag_reset();
	return 0;
}
