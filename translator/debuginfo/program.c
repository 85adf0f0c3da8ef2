// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Programs and shared libraries.
 *
 * A program's DWARF, symbols and segments may be in two files: its own, and the
 * separate debug file of a stripped one.  Both have the same linked addresses.  The
 * kernel's uprobes take offsets in the program's own file:
 *
 *	segment		addr 0x1000, offset 0x1000, executable
 *	main()		linked at 0x1149: the uprobe is at offset 0x1149
 *
 * In a position-independent program all linked addresses are moved by one distance
 * when it is mapped, which the runtime finds for each process (TERM_PROGRAM).
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/regular.h"
#include "base/root.h"
#include "debuginfo/files/debugfiles.h"
#include "debuginfo/files/elf_file.h"
#include "debuginfo/files/payload.h"
#include "internal.h"
#include "session.h"

bool is_program(const char *path)
{
	Elf64_Ehdr eh;
	int fd = strchr(path, '/') ? regular_open(path) : -1;
	bool found;

	if (fd < 0)
		return false;
	found = read(fd, &eh, sizeof(eh)) == sizeof(eh) && !memcmp(eh.e_ident, ELFMAG, SELFMAG) &&
		(eh.e_type == ET_EXEC || eh.e_type == ET_DYN);
	close(fd);
	return found;
}

void read_segments(Elf *elf, segment_list *out)
{
	size_t n;
	GElf_Phdr ph;

	if (elf_getphdrnum(elf, &n))
		return;
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(elf, i, &ph) && ph.p_type == PT_LOAD && ph.p_filesz)
			vec_push(out, ((struct segment){ ph.p_vaddr, ph.p_offset, ph.p_filesz,
							 ph.p_flags & PF_X }));
}

bool program_offset(const struct dwfile *f, uint64_t addr, uint64_t *offset)
{
	for (size_t i = 0; i < f->segments.n; i++) {
		const struct segment *s = &f->segments.v[i];

		if (addr >= s->addr && addr - s->addr < s->size) {
			*offset = addr - s->addr + s->offset;
			return true;
		}
	}
	return false;
}

/* Opens the separate debug file of OWN, which has no DWARF; NULL if there is none. */
static struct dwfile *open_separate(struct target *t, const char *path, struct dwfile *own,
				    struct problem *why)
{
	const char *debug = separate_debug_file(path, why);
	struct dwfile *f = debug ? open_linked(t, path, debug, false, why) : NULL;

	if (!f)
		return NULL;
	f->own = own->elf;
	f->own_fd = own->fd;
	f->build_id = f->build_id ? f->build_id : own->build_id;
	return f;
}

struct dwfile *program_open(struct target *t, const char *path, struct problem *why)
{
	struct problem ignored = { 0 };
	struct dwfile *f, *own = open_linked(t, path, path, true, why);

	if (!own) {
		if (!why->text)
			why->text = arena_printf("no file '%s'", path);
		return NULL;
	}
	f = own->dw || t->session->options.debuginfo == DEBUGINFO_NONE ? own
		: open_separate(t, path, own, &ignored);
	f = f ? f : own;
	f->is_program = f->is_user = true;
	read_segments(own->elf, &f->segments);
	why->text = NULL;
	return f;
}

/*
 * Does PATH lead through a process: "/proc/PID/exe", given for a program whose file has no path, or
 * "/proc/PID/root/…"?  The process may execute another program, and its owner mount another file there.
 */
static bool is_of_process(const char *path)
{
	int end = 0;

	sscanf(path, "/proc/%*d/exe%n", &end);
	return root_length(path) || (end && !path[end]);
}

unsigned target_program_file(struct target *t, const char *path)
{
	const struct met_program *met = target_meet_program(t, path);
	const char *name = session_program_name(t->session, path);

	for (size_t i = 0; i < t->programs.n; i++)
		if (!strcmp(t->programs.v[i].path, name))
			return i;
	vec_push(&t->programs, ((struct program_file){
		.path = name, .owner = met->owner, .awaited = !met->identity,
		.identity = name == path && is_of_process(path) ? met->identity : NULL }));
	return t->programs.n - 1;
}

unsigned target_program(struct target *t, const char *path)
{
	unsigned number = target_program_file(t, path);
	struct program_file *p = &t->programs.v[number];
	struct problem ignored = { 0 };
	struct dwfile *f;

	if (p->read)
		return number;
	p->read = true;
	f = target_file(t, path, &ignored);
	for (size_t i = 0; f && i < f->segments.n; i++)
		if (f->segments.v[i].exec) {
			p->distance = f->segments.v[i].addr - f->segments.v[i].offset;
			break;
		}
	p->build_id = f ? f->build_id : NULL;
	p->size = p->build_id ? 0 : target_meet_program(t, path)->size;
	p->goid = f ? program_goid(f) : 0;
	return number;
}

program_file_list target_programs(const struct target *t)
{
	return t->programs;
}

bool target_program_native(struct target *t, const char *path)
{
	struct problem why = { 0 };
	struct elf_file f;
	bool native;

	if (!elf_file_open(path, t->arch, &f, &why))
		return false;
	native = f.word == t->arch->word;
	elf_file_close(&f);
	return native;
}
