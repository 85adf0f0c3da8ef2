// SPDX-License-Identifier: GPL-2.0-or-later
/* Pass 4 for the interpreter: the intermediate program as a file, which pass 5 and stapio run. */
#include <errno.h>
#include <string.h>

#include "abi/transport.h"
#include "base/arena.h"
#include "base/file.h"
#include "base/hash.h"
#include "ir/file.h"
#include "run/run.h"
#include "session.h"

static int write_to(const char *path, const struct sbuf *file)
{
	if (!file_write(path, file->s, file->len))
		return 0;
	diag(DIAG_ERROR, "can't write '%s': %s", path, strerror(errno));
	return -1;
}

/*
 * Writes the file: to the current directory for -m NAME, and for -p4, after which the work
 * directory is removed; for pass 5, and for a bundle, to the work directory, where no other user
 * can replace it.
 */
static int write_files(struct session *s, const struct sbuf *file)
{
	const char *suffix = s->engine == ENGINE_BPF ? ST_BPF_SUFFIX : ST_PROGRAM_SUFFIX;
	const char *name = arena_printf("%s%s", s->module_name, suffix), *dir;
	bool for_user = s->options.last_pass == 4 && !s->options.bundle;

	s->program_file = name;
	if ((for_user || s->options.module_name) && write_to(name, file))
		return -1;
	if (for_user)
		return 0;
	dir = session_tmpdir(s);
	s->program_file = arena_printf("%s/%s", dir, name);
	return dir ? write_to(s->program_file, file) : -1;
}

int run_write_program(struct session *s)
{
	struct sbuf file = { 0 };
	const char *why = ir_write(&file, s->ir);
	struct hash *h = hash_new();
	int status = -1;

	hash_bytes(h, file.s, file.len);
	if (!s->module_name)
		s->module_name = arena_printf("stap_%.26s", hash_hex(h));
	if (why)
		diag(DIAG_ERROR, "can't write the intermediate program to a file: %s", why);
	else
		status = write_files(s, &file);
	sbuf_free(&file);
	return status;
}
