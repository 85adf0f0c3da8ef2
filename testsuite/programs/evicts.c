// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Has the kernel drop the page of this program's file that stacks are unwound by, which it finds
 * first: PT_GNU_EH_FRAME.  The file is mapped by nobody else.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>

#define PAGE 4096ul

struct part {
	unsigned long address, offset;
};

/* The first object is the program. */
static int find_part(struct dl_phdr_info *info, size_t size, void *data)
{
	struct part *part = data;

	for (int i = 0; i < info->dlpi_phnum; i++)
		if (info->dlpi_phdr[i].p_type == PT_GNU_EH_FRAME) {
			part->address = (info->dlpi_addr + info->dlpi_phdr[i].p_vaddr) & -PAGE;
			part->offset = info->dlpi_phdr[i].p_offset & -PAGE;
		}
	return 1;
}

int main(void)
{
	struct part part = { 0 };
	int self = open("/proc/self/exe", O_RDONLY);

	dl_iterate_phdr(find_part, &part);
	if (!part.address || madvise((void *)part.address, PAGE, MADV_DONTNEED) ||
	    posix_fadvise(self, part.offset, PAGE, POSIX_FADV_DONTNEED))
		return 1;
	return 0;
}
