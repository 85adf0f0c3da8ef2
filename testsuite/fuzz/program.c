// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The readers of programs' ELF files: any file may lie under a program's name.  What
 * is asked of it is answered, or refused with a reason.
 */
#include "fuzz.h"

#include <stdio.h>

#include "base/arena.h"
#include "debuginfo/debuginfo.h"
#include "session.h"

static void ask_marks(struct target *t, const char *path)
{
	struct problem why = { 0 };
	mark_list marks = { 0 };

	fuzz_must(target_marks(t, path, &marks, &why) || why.text, "refused without a reason");
	for (size_t i = 0; i < marks.n; i++)
		for (unsigned n = 1; n <= marks.v[i].operands.n; n++)
			fuzz_must(target_mark_argument(t, &marks.v[i], n, &why) || why.text,
				  "an argument neither found nor refused");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct session *s = fuzz_session((const uint8_t *)"", 0);
	const char *path = arena_printf("%s/vmlinux", s->tmpdir);
	FILE *f = fopen(path, "w");
	struct problem why = { 0 };
	plt_list plt = { 0 };

	fuzz_must(f && fwrite(data, 1, size, f) == size && !fclose(f), "can't write");
	s->target = target_open(s);
	ask_marks(s->target, path);
	fuzz_must(target_plt(s->target, path, &plt, &why) || why.text, "refused without a reason");
	fuzz_end(s);
	return 0;
}
