// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Decompresses kernels and modules.
 *
 * A vmlinuz is a small program that decompresses the kernel proper, an ELF file
 * without debug sections but with BTF.  The header of the boot protocol says
 * where that is (Documentation/arch/x86/boot.rst: setup_sects, HdrS,
 * payload_offset and payload_length); its first bytes tell the format.  The
 * last four bytes of a payload, behind the compressed data, are the size of the
 * decompressed file.  Modules lack these, so the buffer is doubled until it is
 * large enough.
 */
#include "payload.h"

#include <endian.h>
#include <errno.h>
#include <lz4.h>
#include <lzma.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/arena.h"
#include "base/guard.h"
#include "base/limits.h"
#include "base/regular.h"

enum {
	MAX_UNPACKED = 1 << 30,		/* larger files are no kernels */
	LZ4_BLOCK = 8 << 20,		/* block size of the legacy format that kernels use */
	SECTOR = 512,
};

/* Compressed bytes. */
struct packed {
	const unsigned char *p;
	size_t n;
};

static uint32_t word_at(const struct packed *in, size_t at)
{
	uint32_t word = 0;

	if (in->n >= 4 && at <= in->n - 4)
		memcpy(&word, in->p + at, 4);
	return le32toh(word);
}

/* ---- formats.  Each returns 0 and out->n; 1: needs more room; -1: damaged ---- */

static int from_gzip(const struct packed *in, struct bytes *out, size_t room)
{
	z_stream z = { .next_in = (unsigned char *)in->p, .avail_in = in->n,
		       .next_out = out->p, .avail_out = room };
	int rc;

	if (in->n > UINT32_MAX || inflateInit2(&z, 16 + MAX_WBITS) != Z_OK)
		return -1;
	rc = inflate(&z, Z_FINISH);
	out->n = z.total_out;
	inflateEnd(&z);
	if (rc == Z_STREAM_END)
		return 0;
	return (rc == Z_OK || rc == Z_BUF_ERROR) && !z.avail_out ? 1 : -1;
}

static int from_xz(const struct packed *in, struct bytes *out, size_t room)
{
	uint64_t memory = MAX_UNPACKED;
	size_t taken = 0;
	lzma_ret rc;

	out->n = 0;
	rc = lzma_stream_buffer_decode(&memory, 0, NULL, in->p, &taken, in->n, out->p, &out->n,
				       room);
	return rc == LZMA_OK ? 0 : rc == LZMA_BUF_ERROR && out->n == room ? 1 : -1;
}

static int from_zstd(const struct packed *in, struct bytes *out, size_t room)
{
	size_t frame = ZSTD_findFrameCompressedSize(in->p, in->n);

	if (ZSTD_isError(frame))
		return -1;
	out->n = ZSTD_decompress(out->p, room, in->p, frame);
	if (!ZSTD_isError(out->n))
		return 0;
	return ZSTD_getErrorCode(out->n) == ZSTD_error_dstSize_tooSmall ? 1 : -1;
}

/* Decompresses lz4's legacy format: a magic number, then blocks, each preceded by its size. */
static int from_lz4(const struct packed *in, struct bytes *out, size_t room)
{
	size_t at = 4;

	out->n = 0;
	while (in->n - at > 4) {
		uint32_t size = word_at(in, at);
		int want = room - out->n < LZ4_BLOCK ? room - out->n : LZ4_BLOCK, n;

		at += 4;
		if (size > in->n - at || size > INT32_MAX)
			return -1;
		n = LZ4_decompress_safe((const char *)in->p + at, (char *)out->p + out->n, size,
					want);
		if (n < 0)
			return want < LZ4_BLOCK ? 1 : -1;
		out->n += n;
		at += size;
	}
	return 0;
}

static const struct format {
	const char *magic;
	size_t len;
	int (*unpack)(const struct packed *in, struct bytes *out, size_t room);
} formats[] = {
	{ "\x1f\x8b", 2, from_gzip },
	{ "\xfd" "7zXZ", 6, from_xz },
	{ "\x28\xb5\x2f\xfd", 4, from_zstd },
	{ "\x02\x21\x4c\x18", 4, from_lz4 },
};

static const struct format *format_of(const struct packed *in)
{
	for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++)
		if (in->n > formats[i].len && !memcmp(in->p, formats[i].magic, formats[i].len))
			return &formats[i];
	return NULL;
}

/* ---- files ------------------------------------------------------------------------------ */

/*
 * Returns the payload of a boot image (p is NULL if damaged) and its
 * decompressed size; any other file is returned whole with size 0.
 */
static struct packed payload(struct packed file, size_t *size)
{
	uint64_t start, n;

	*size = 0;
	if (file.n < 0x250 || memcmp(file.p + 0x202, "HdrS", 4))
		return file;
	start = (uint64_t)((file.p[0x1f1] ? file.p[0x1f1] : 4) + 1) * SECTOR +
		word_at(&file, 0x248);
	n = word_at(&file, 0x24c);
	if (start > file.n || n > file.n - start || n <= 4)
		return (struct packed){ NULL, 0 };
	file = (struct packed){ file.p + start, n };
	*size = word_at(&file, n - 4);
	return file;
}

static bool unpack(const struct format *f, const struct packed *in, size_t size,
		   struct bytes *out)
{
	uint64_t most = limit_unpacked(in->n) < MAX_UNPACKED ? limit_unpacked(in->n) : MAX_UNPACKED;
	size_t room = size && size <= most ? size : in->n * 8;
	int rc = 1;

	for (; rc == 1 && room <= most; room *= 2) {
		free(out->p);
		out->p = malloc(room + 1);
		if (!out->p)
			return false;
		rc = f->unpack(in, out, room);
	}
	return rc == 0;
}

bool payload_unpack(const void *p, size_t n, struct bytes *out)
{
	struct packed in = { p, n };
	const struct format *f = format_of(&in);

	*out = (struct bytes){ NULL, 0 };
	if (f && unpack(f, &in, 0, out))
		return true;
	free(out->p);
	*out = (struct bytes){ NULL, 0 };
	return false;
}

static bool read_mapped(struct packed file, const char *path, struct bytes *out, struct problem *why)
{
	size_t size;
	struct packed in = payload(file, &size);
	const struct format *f = format_of(&in);

	*out = (struct bytes){ NULL, 0 };
	if (f && unpack(f, &in, size, out))
		return true;
	free(out->p);
	*out = (struct bytes){ NULL, 0 };
	if (f || in.p != file.p) {
		why->text = arena_printf("cannot unpack '%s': it is damaged, or packed in a way "
				    "other than gzip, xz, zstd or lz4", path);
		return false;
	}
	out->p = malloc(in.n + 1);
	if (out->p)
		memcpy(out->p, in.p, in.n);
	out->n = in.n;
	return out->p;
}

bool payload_read(const char *path, struct bytes *out, struct problem *why)
{
	int fd = regular_open(path);
	struct stat st;
	void *p = MAP_FAILED;
	bool good;

	guard_reading(path);
	why->text = NULL;
	if (fd < 0 && errno != EINVAL) {
		if (errno != ENOENT && errno != ENOTDIR)
			why->text = arena_printf("cannot open '%s': %s", path, strerror(errno));
		return false;
	}
	if (fd >= 0 && !fstat(fd, &st) && st.st_size > 0 && st.st_size <= MAX_UNPACKED)
		p = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (fd >= 0)
		close(fd);
	if (p == MAP_FAILED) {
		why->text = arena_printf("cannot read '%s': not a file, empty, or too large", path);
		return false;
	}
	good = read_mapped((struct packed){ p, st.st_size }, path, out, why);
	munmap(p, st.st_size);
	return good;
}
