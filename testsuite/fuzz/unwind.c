// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The unwinder of user stacks: the input is what a program has mapped, its code and call frame
 * information, and at the same time its stack.  Whatever it says, unwinding ends, and reads
 * nothing but what the program has.
 */
#include "fuzz.h"

#include <string.h>

#include "unwind/unwind.h"

#define IMAGE 0x10000ul		/* where the input is mapped, as a file */
#define STACK 0x7fff0000ul	/* and again, as the stack */

enum { PLACES = 64, FRAMES = 128 };

static const uint8_t *input;
static size_t bytes;

static const uint8_t *at(unsigned long addr, unsigned int n)
{
	unsigned long base = addr >= STACK ? STACK : IMAGE;

	if (addr < base || addr - base > bytes || n > bytes - (addr - base))
		return NULL;
	return input + (addr - base);
}

bool st_unwind_read(struct st_unwind *u, void *to, unsigned long addr, unsigned int n)
{
	const uint8_t *from = at(addr, n);

	(void)u;
	fuzz_must(n <= ST_UNWIND_WINDOW, "reads too much at once");
	if (from)
		memcpy(to, from, n);
	return from;
}

bool st_unwind_find(struct st_unwind *u, unsigned long addr, struct st_unwind_map *map)
{
	(void)u;
	*map = (struct st_unwind_map){ .start = IMAGE, .end = IMAGE + bytes, .image = IMAGE,
				       .file = 1, .executable = true };
	return addr - IMAGE < bytes;
}

bool st_unwind_image(struct st_unwind *u, struct st_unwind_map *map)
{
	(void)u;
	return map->image;
}

unsigned long st_unwind_real_return(unsigned long ip, unsigned long addr)
{
	(void)addr;
	return ip;
}

static void unwind_from(size_t place, unsigned int word)
{
	static struct st_unwind u;
	struct st_frame frames[2][FRAMES];
	unsigned int n[2];

	u = (struct st_unwind){ .word = word };
	for (int again = 0; again < 2; again++) {
		for (unsigned int reg = 0; reg < ST_UNWIND_REGS; reg++)
			u.regs[reg] = STACK + 8 * reg;
		u.regs[ST_UNWIND_IP] = IMAGE + place;
		n[again] = st_unwind(&u, frames[again], FRAMES);
		fuzz_must(n[again] && n[again] <= FRAMES, "as many frames as there is room for");
		fuzz_must(u.end != ST_UNWIND_GOES_ON, "an end without a reason");
	}
	/* Known rules take no steps, so the bound on these may be met later. */
	fuzz_must(n[1] >= n[0], "rules that are known lead less far");
	for (unsigned int i = 0; i < n[0]; i++)
		fuzz_must(frames[0][i].ip == frames[1][i].ip, "rules that are known lead elsewhere");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	input = data;
	bytes = size;
	for (size_t i = 0; i < PLACES; i++)
		unwind_from(size * i / PLACES, 8);
	unwind_from(0, 4);
	return 0;
}
