// SPDX-License-Identifier: GPL-2.0-or-later
/* Opens program files and reads their build-ids (probed.h): ELF, which may be damaged or hostile. */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/regular.h"
#include "base/root.h"
#include "module.h"
#include "probed.h"
#include "say.h"

/* Headers looked at; notes are small, and larger ones are not read whole. */
#define HEADERS_MAX 1024
#define NOTES_MAX 65536

/* Looks for the build-id in BYTES of notes at OFFSET; "" if it isn't there. */
static void find_build_id(int fd, uint64_t offset, uint64_t bytes, char *hex, size_t size)
{
	static char notes[NOTES_MAX];
	ssize_t n = pread(fd, notes, bytes < sizeof(notes) ? bytes : sizeof(notes), offset);

	notes_find_build_id(notes, n > 0 ? n : 0, hex, size);
}

static void segments_build_id(int fd, const Elf64_Ehdr *eh, char *hex, size_t size)
{
	Elf64_Phdr ph;

	for (int i = 0; i < eh->e_phnum && i < HEADERS_MAX && !*hex; i++) {
		if (pread(fd, &ph, sizeof(ph), eh->e_phoff + i * sizeof(ph)) != sizeof(ph))
			break;
		if (ph.p_type == PT_NOTE)
			find_build_id(fd, ph.p_offset, ph.p_filesz, hex, size);
	}
}

static void sections_build_id(int fd, const Elf64_Ehdr *eh, char *hex, size_t size)
{
	Elf64_Shdr sh;

	for (int i = 0; i < eh->e_shnum && i < HEADERS_MAX && !*hex; i++) {
		if (pread(fd, &sh, sizeof(sh), eh->e_shoff + i * sizeof(sh)) != sizeof(sh))
			break;
		if (sh.sh_type == SHT_NOTE)
			find_build_id(fd, sh.sh_offset, sh.sh_size, hex, size);
	}
}

/*
 * Returns the build-id of an ELF file, in hex; "" if it has none.  Go's linker, since 1.24, has a
 * section for it that is in no segment of notes.
 */
static const char *elf_build_id(int fd, char *hex, size_t size)
{
	Elf64_Ehdr eh;

	hex[0] = '\0';
	if (pread(fd, &eh, sizeof(eh), 0) != sizeof(eh) || memcmp(eh.e_ident, ELFMAG, SELFMAG))
		return hex;
	if (eh.e_phentsize == sizeof(Elf64_Phdr))
		segments_build_id(fd, &eh, hex, size);
	if (eh.e_shentsize == sizeof(Elf64_Shdr))
		sections_build_id(fd, &eh, hex, size);
	return hex;
}

/* Was the file opened without following a link? */
static bool is_at(int fd, const char *path)
{
	char real[PATH_MAX];

	return root_path(fd, path, real) && !strcmp(real, path);
}

static bool is_build(int fd, const struct stat *st, const struct probed_file *e)
{
	char id[129];

	if (strcmp(e->build_id, "-"))
		return !strcmp(e->build_id, elf_build_id(fd, id, sizeof(id)));
	return !e->size || e->size == (unsigned long long)st->st_size;
}

/*
 * Returns what is wrong with an opened file; NULL if nothing is.  The module will check that it has
 * the code that the script's places expect.  But a file's owner can arrange that, and forge the
 * build-id too: the program that they show the translator may have libc's code at one place, or be
 * a copy of libc with debug information of their own.  Then the path must not lead to the real one
 * when a breakpoint is set.  It would by a link, of which the translator has resolved all, by
 * another name of the same file (a hard link), because it is /proc/PID/exe and the process has
 * executed another program, or because it is below /proc/PID/root and another file was mounted there.
 */
static const char *what_is_wrong(int fd, const struct probed_file *e)
{
	char identity[REGULAR_IDENTITY];
	struct stat st;

	if (fstat(fd, &st))
		return strerror(errno);
	if (e->awaited)
		return NULL;
	if (e->identity)
		return strcmp(e->identity, regular_identity(&st, identity))
			? "is another program than the one the script was compiled for" : NULL;
	if (!is_at(fd, e->path))
		return "leads through a link now, which it did not when the script was compiled";
	if (st.st_nlink > 1 && st.st_uid != e->owner)
		return "is a file of another user than when the script was compiled";
	if (!is_build(fd, &st, e))
		return "is another build than the one the script was made for";
	return NULL;
}

int probed_open(const struct probed_file *e)
{
	int fd = regular_open(e->path);
	const char *wrong;

	if (fd < 0 && errno == ENOENT && e->awaited) {
		say_if(1, "staprun: '%s' is not there yet: it will be followed when it is executed", e->path);
		return -1;
	}
	if (fd < 0) {
		say_warning("can't open '%s': %s; its probes are left out", e->path,
			    errno == EINVAL ? "it is not a file" : strerror(errno));
		return -1;
	}
	wrong = what_is_wrong(fd, e);
	if (!wrong)
		return fd;
	say_warning("'%s' %s: its probes are left out [man warning::buildid]", e->path, wrong);
	close(fd);
	return -1;
}
