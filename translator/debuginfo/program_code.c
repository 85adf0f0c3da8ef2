// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The code at places in programs, which the runtime compares before it sets a breakpoint.
 *
 * A program is opened several times: for its debug information, its marks, its linkage table, its
 * code.  It must be the same file each time, or places in one would be compared with another's
 * code.  So the file's identity is noted when the path is found, and compared when the code is
 * read, which is the last step.  A file that was renamed or written in between has another ctime.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/path.h"
#include "base/regular.h"
#include "internal.h"

const struct met_program *target_meet_program(struct target *t, const char *path)
{
	uint32_t hash = table_hash_string(path);
	struct met_program met = { .path = path };
	char identity[REGULAR_IDENTITY];
	struct stat st;

	table_for_each(&t->met_table, hash, i)
		if (!strcmp(t->met.v[i].path, path))
			return &t->met.v[i];
	if (!path_stat(path, &st)) {
		met.identity = arena_strdup(regular_identity(&st, identity));
		met.size = st.st_size;
		met.owner = st.st_uid;
	}
	vec_push(&t->met, met);
	table_add(&t->met_table, hash, t->met.n - 1);
	return &t->met.v[t->met.n - 1];
}

void target_close_code(struct target *t)
{
	if (t->code.path)
		close(t->code.fd);
	t->code = (struct code_file){ 0 };
}

/* Opens the file at PATH for its code. */
static bool open_code(struct target *t, const char *path, struct problem *why)
{
	const char *met = target_meet_program(t, path)->identity;
	struct code_file *f = &t->code;
	char identity[REGULAR_IDENTITY];
	struct stat st;
	Elf *elf;

	target_close_code(t);
	f->fd = regular_open(path);
	if (f->fd < 0) {
		why->text = arena_printf("cannot open '%s': %s", path, strerror(errno));
		return false;
	}
	f->path = path;
	if (!met || fstat(f->fd, &st) || strcmp(met, regular_identity(&st, identity))) {
		why->text = arena_printf("'%s' was changed while the script was compiled: compile it again", path);
		target_close_code(t);
		return false;
	}
	elf = elf_begin(f->fd, ELF_C_READ_MMAP, NULL);
	read_segments(elf, &f->segments);
	elf_end(elf);
	return true;
}

/* Returns how many bytes of the file's code begin at OFFSET, where a segment's end limits that. */
static unsigned code_left(const struct code_file *f, uint64_t offset)
{
	unsigned most = ST_CODE_BYTES;

	for (size_t i = 0; i < f->segments.n; i++) {
		const struct segment *s = &f->segments.v[i];

		if (s->exec && offset >= s->offset && offset - s->offset < s->size &&
		    s->size - (offset - s->offset) < most)
			most = s->size - (offset - s->offset);
	}
	return most;
}

bool target_code(struct target *t, const char *path, uint64_t offset, struct code_bytes *out,
		 struct problem *why)
{
	ssize_t n;

	if ((!t->code.path || strcmp(t->code.path, path)) && !open_code(t, path, why))
		return false;
	n = pread(t->code.fd, out->p, code_left(&t->code, offset), offset);
	if (n <= 0) {
		why->text = arena_printf("'%s' has no code at offset 0x%" PRIx64, path, offset);
		return false;
	}
	out->n = n;
	return true;
}
