// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the unwind tables in files made of bytes: whole, damaged, and this program's own. */
#define _GNU_SOURCE
#include "../../loader/stapio/names/unwind_tables.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

/* An ELF file with two program headers and the head of .eh_frame_hdr. */
struct image {
	Elf64_Ehdr eh;
	Elf64_Phdr headers[2];
	char between[4096];
	uint8_t head[4];
	int32_t distance;
};

static struct image whole(int32_t distance)
{
	struct image image = {
		.eh = { .e_phoff = sizeof(Elf64_Ehdr), .e_phnum = 2, .e_phentsize = sizeof(Elf64_Phdr) },
		.headers = {
			{ .p_type = PT_LOAD },
			{ .p_type = PT_GNU_EH_FRAME, .p_offset = offsetof(struct image, head) },
		},
		.head = { 1, 0x1b, 0x03, 0x3b }, .distance = distance,
	};

	memcpy(image.eh.e_ident, ELFMAG, SELFMAG);
	image.eh.e_ident[EI_CLASS] = ELFCLASS64;
	return image;
}

static off_t begin_of(const struct image *image, size_t bytes)
{
	int fd = memfd_create("image", 0);
	off_t at;

	CHECK(write(fd, image, bytes) == (ssize_t)bytes);
	at = unwind_tables_begin(fd);
	unwind_tables_bring(fd);
	close(fd);
	return at;
}

static void damaged(void)
{
	struct image image = whole(20);
	const size_t sizes[] = { 0, 10, sizeof(image.eh), offsetof(struct image, headers[1]),
				 offsetof(struct image, distance) };

	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		CHECK(begin_of(&image, sizes[i]) == -1);
	image.eh.e_ident[EI_CLASS] = ELFCLASS32;
	CHECK(begin_of(&image, sizeof(image)) == -1);
	image = whole(20);
	image.eh.e_phnum = 65535;
	image.headers[1].p_type = PT_NOTE;
	CHECK(begin_of(&image, sizeof(image)) == -1);
	image = whole(20);
	image.headers[1].p_offset = UINT64_MAX;
	CHECK(begin_of(&image, sizeof(image)) == -1);
	image = whole(20);
	image.eh.e_phoff = UINT64_MAX - 10;
	CHECK(begin_of(&image, sizeof(image)) == -1);
	image = whole(20);
	image.head[0] = 2;
	CHECK(begin_of(&image, sizeof(image)) == -1);
}

int main(void)
{
	const off_t head = offsetof(struct image, head);
	struct image image = whole(20);

	CHECK(begin_of(&image, sizeof(image)) == head);
	image = whole(-1000);		/* .eh_frame comes first */
	CHECK(begin_of(&image, sizeof(image)) == head + 4 - 1000);
	image = whole(INT32_MIN);
	CHECK(begin_of(&image, sizeof(image)) == 0);
	image.head[1] = 0x03;		/* another encoding of the distance: not understood */
	CHECK(begin_of(&image, sizeof(image)) == head);
	damaged();
	return failures != 0;
}
