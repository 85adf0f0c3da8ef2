// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The readers of debug information: any file may lie under the kernel's name.
 * What is asked of it is answered, or refused with a reason.
 */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "backend/module/codegen.h"
#include "debuginfo/debuginfo.h"
#include "session.h"

enum { PLACES = 40 };		/* whose variables are asked for */

static const struct step path[] = {
	{ .kind = STEP_FIELD, .name = "next" }, { .kind = STEP_FIELD, .name = "in" },
	{ .kind = STEP_FIELD, .name = "colour" },
}, pretty[] = { { .kind = STEP_PRETTY, .name = "$$" } };

/* Reasons, as the functions asked leave them. */
static struct problem why;

static void answered(int rc)
{
	fuzz_must(rc >= 0 || (why.text && *why.text), "refused without a reason");
	why = (struct problem){ 0 };
}

/* The same of what is fetched, which becomes C whose formats fit their values. */
static void fetched(int rc, const struct fetch *f)
{
	answered(rc);
	if (rc >= 0 && f->load)
		fetch_text(f->load);
	fuzz_must(!diag_errors, "a format that does not fit its values");
}

static void ask_variables(struct place *p, bool at_return)
{
	static const char *const names[] = {
		"file", "in", "loop", "result", "h", "$vars", "$parms", "return", "nope",
	};

	text_list list = { 0 };

	target_list_variables(p, at_return, &list);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct fetch f = { .load = NULL };

		fetched(target_variable(p, at_return, names[i], NULL, 0, false, &f, &why), &f);
		fetched(target_variable(p, at_return, names[i], path, 3, false, &f, &why), &f);
		fetched(target_variable(p, at_return, names[i], pretty, 1, false, &f, &why), &f);
	}
}

static void ask_places(struct target *t, enum place_kind kind, const char *function,
		       const char *file, int line_kind)
{
	struct place_query q = { .kind = kind, .module = "kernel", .function = function,
				 .file = file, .line_kind = line_kind };
	struct place *places;
	unsigned forbidden;
	size_t n = 0;
	int rc = target_places(t, &q, &places, &n, &forbidden, &why);

	answered(rc);
	for (size_t i = 0; rc >= 0 && i < n && i < PLACES; i++)
		ask_variables(&places[i], kind == PLACE_CALL);
}

static void ask_types(struct target *t)
{
	static const char *const types[] = {
		"struct file", "file", "loop", "inner", "loff_ptr", "enum colour", "union nope",
	};

	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++) {
		struct fetch f = { .load = NULL };

		fetched(target_cast(t, types[i], NULL, path, 3, false, &f, &why), &f);
		fetched(target_cast(t, types[i], NULL, pretty, 1, false, &f, &why), &f);
	}
}

static void ask_the_rest(struct target *t)
{
	struct fetch f = { .load = NULL };
	struct tracepoint *points;
	size_t n;

	fetched(target_global(t, "files@kernel.c", NULL, pretty, 1, false, &f, &why), &f);
	fetched(target_global(t, "jiffies", NULL, NULL, 0, false, &f, &why), &f);
	answered(target_tracepoints(t, NULL, NULL, "*", &points, &n, &why));
	target_anchor(t);
	target_build_id(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum debuginfo kinds[] = { DEBUGINFO_DWARF, DEBUGINFO_BTF };

	for (size_t i = 0; i < 2; i++) {
		struct session *s = fuzz_session((const uint8_t *)"", 0);
		FILE *f = fopen(arena_printf("%s/vmlinux", s->tmpdir), "w");

		fuzz_must(f && fwrite(data, 1, size, f) == size && !fclose(f), "can't write");
		s->kernel->build = s->tmpdir;
		s->options.debuginfo = kinds[i];
		s->target = target_open(s);
		ask_places(s->target, PLACE_FUNCTION, "vfs_read", NULL, 0);
		ask_places(s->target, PLACE_FUNCTION, "*", NULL, 0);
		ask_places(s->target, PLACE_CALL, "*", NULL, 0);
		ask_places(s->target, PLACE_STATEMENT, "*", "*", LINE_WILD);
		ask_types(s->target);
		ask_the_rest(s->target);
		fuzz_end(s);
	}
	return 0;
}
