// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens debug files: decompresses sections that were compressed by zstd, and refuses files whose
 * sections would take more memory than such files need (base/limits.h).
 *
 * libelf decompresses zlib, and since 0.189 zstd too.  To read the latter with
 * all versions, the file is copied into memory, and the decompressed sections
 * are put at its end.
 */
#include <endian.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include "base/guard.h"
#include "base/limits.h"
#include "base/regular.h"
#include "debuginfo/internal.h"

#define PACKED_BY_ZSTD 2		/* ELFCOMPRESS_ZSTD, missing in older headers */

static bool is_packed(Elf_Scn *scn, GElf_Chdr *ch)
{
	GElf_Shdr sh;

	return gelf_getshdr(scn, &sh) && (sh.sh_flags & SHF_COMPRESSED) &&
	       gelf_getchdr(scn, ch) && ch->ch_type == PACKED_BY_ZSTD;
}

/* Returns the decompressed size of a section, or 0 if it isn't compressed. */
static uint64_t unpacked_size(Elf_Scn *scn)
{
	GElf_Shdr sh;
	GElf_Chdr ch;

	if (!gelf_getshdr(scn, &sh))
		return 0;
	if (sh.sh_flags & SHF_COMPRESSED)
		return gelf_getchdr(scn, &ch) ? ch.ch_size : 0;
	if (sh.sh_type == SHT_NOBITS || (sh.sh_flags & SHF_ALLOC))
		return 0;

	/* GNU's older form: "ZLIB", and the size, most significant byte first */
	Elf_Data *d = elf_rawdata(scn, NULL);
	uint64_t size;

	if (!d || !d->d_buf || d->d_size < 12 || memcmp(d->d_buf, "ZLIB", 4))
		return 0;
	memcpy(&size, (const char *)d->d_buf + 4, sizeof(size));
	return be64toh(size);
}

static bool has_measure(Elf *elf)
{
	uint64_t left = 0;
	Elf_Scn *scn = NULL;
	size_t size;

	if (elf_rawfile(elf, &size))
		left = limit_unpacked(size);
	while ((scn = elf_nextscn(elf, scn))) {
		uint64_t unpacked = unpacked_size(scn);

		if (unpacked > left)
			return false;
		left -= unpacked;
	}
	return true;
}

static bool any_packed(Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Chdr ch;

	while ((scn = elf_nextscn(elf, scn)))
		if (is_packed(scn, &ch))
			return true;
	return false;
}

static bool write_at(int fd, const void *p, size_t n, uint64_t at)
{
	for (ssize_t done; n; n -= done, at += done, p = (const char *)p + done) {
		done = pwrite(fd, p, n, at);
		if (done <= 0)
			return false;
	}
	return true;
}

/* Writes a section's contents at offset AT of the copy, and updates its header. */
static bool unpack(Elf *elf, Elf_Scn *scn, const GElf_Chdr *ch, int fd, uint64_t at)
{
	Elf_Data *d = elf_rawdata(scn, NULL);
	const Elf64_Ehdr *eh = elf64_getehdr(elf);
	Elf64_Shdr sh = *elf64_getshdr(scn);
	void *to;
	size_t n;

	if (!d || d->d_size < sizeof(Elf64_Chdr) || ftruncate(fd, at + ch->ch_size + 1))
		return false;
	to = mmap(NULL, at % 4096 + ch->ch_size + 1, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
		  at - at % 4096);
	if (to == MAP_FAILED)
		return false;
	n = ZSTD_decompress((char *)to + at % 4096, ch->ch_size,
			    (const char *)d->d_buf + sizeof(Elf64_Chdr),
			    d->d_size - sizeof(Elf64_Chdr));
	munmap(to, at % 4096 + ch->ch_size + 1);
	sh.sh_offset = at;
	sh.sh_size = ch->ch_size;
	sh.sh_flags &= ~(Elf64_Xword)SHF_COMPRESSED;
	sh.sh_addralign = ch->ch_addralign;
	return !ZSTD_isError(n) && n == ch->ch_size &&
	       write_at(fd, &sh, sizeof(sh), eh->e_shoff + elf_ndxscn(scn) * sizeof(sh));
}

static int unpacked_copy(Elf *elf)
{
	Elf_Scn *scn = NULL;
	size_t size;
	char *raw = elf_rawfile(elf, &size);
	int fd = raw ? memfd_create("debug", MFD_CLOEXEC) : -1;
	uint64_t at = size;
	bool good = fd >= 0 && write_at(fd, raw, size, 0);
	GElf_Chdr ch;

	while (good && (scn = elf_nextscn(elf, scn))) {
		if (!is_packed(scn, &ch))
			continue;
		at = (at + 63) & ~63ull;
		good = unpack(elf, scn, &ch, fd, at);
		at += ch.ch_size;
	}
	if (good)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

int debug_file_open(const char *path)
{
	int fd = regular_open(path), copy = fd;
	Elf *elf;

	guard_reading(path);
	elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF) {
		if (!has_measure(elf))
			copy = -EFBIG;
		else if (gelf_getclass(elf) == ELFCLASS64 && any_packed(elf))
			copy = unpacked_copy(elf);
	}
	if (elf)
		elf_end(elf);
	if (copy == fd || copy == -1)
		return fd;
	close(fd);
	if (copy >= 0)
		return copy;
	errno = -copy;
	return -1;
}
