// SPDX-License-Identifier: GPL-2.0-or-later
/* Unwinds recorded stacks (ustacks.h). */
#include "ustacks.h"

#include <string.h>

#include "abi/bounds.h"
#include "abi/transport.h"
#include "bpf/bpf.h"
#include "mappings.h"
#include "port/user/engine.h"
#include "stapio/names/usymbols.h"
#include "system.h"
#include "unwind/unwind.h"

enum { PAGE = 4096, IMAGES_MOST = 16, CODE_32 = 0x23 };

/* Which word of struct pt_regs is each of the unwinder's registers. */
static const unsigned char word_of[ST_UNWIND_REGS] = {
	10, 12, 11, 5, 13, 14, 4, 19, 9, 8, 7, 6, 3, 2, 1, 0, 16,
};

enum { STACK_WORD = 19, CODE_SEGMENT_WORD = 17 };

/* What surrounds the unwinder: the stack that it is at. */
static struct {
	struct mappings *mappings;
	int walked;			/* a map (struct bpf_plan) */
	uint32_t process;
	const char *stack;		/* a copy of the memory from this address on */
	uint64_t at, bytes;
	struct bpf_return returns[BPF_RETURNS];
	struct image {
		uint64_t at;
		unsigned file;
	} images[IMAGES_MOST];		/* the last of those that it has met, */
	unsigned nimages;		/* so many */
} now;

static struct st_unwind unwinder;	/* kept, because it remembers rules */

static unsigned nimages(void)
{
	return now.nimages < IMAGES_MOST ? now.nimages : IMAGES_MOST;
}

bool st_unwind_read(struct st_unwind *u, void *to, unsigned long addr, unsigned int n)
{
	(void)u;
	if (addr - now.at < now.bytes) {
		if (n > now.bytes - (addr - now.at))
			return false;
		memcpy(to, now.stack + (addr - now.at), n);
		return true;
	}
	for (unsigned i = 0; i < nimages(); i++)
		if (mapped_read(now.images[i].file, now.images[i].at, addr, to, n))
			return true;
	return false;
}

bool st_unwind_find(struct st_unwind *u, unsigned long addr, struct st_unwind_map *map)
{
	const struct mapping *m = mappings_find(now.mappings, now.process, addr);

	(void)u;
	if (!m)
		return false;
	*map = (struct st_unwind_map){
		.start = m->start, .end = m->end, .offset = m->offset, .file = m->file, .executable = true,
	};
	return true;
}

bool st_unwind_image(struct st_unwind *u, struct st_unwind_map *map)
{
	const struct mapping m = { map->start, map->end, map->offset, map->file };

	(void)u;
	map->image = mapped_open(&m, now.process) < 0 ? 0 : mapped_image(&m);
	if (!map->image)
		return false;
	for (unsigned i = 0; i < nimages(); i++)
		if (now.images[i].at == map->image && now.images[i].file == m.file)
			return true;
	now.images[now.nimages++ % IMAGES_MOST] = (struct image){ map->image, m.file };
	return true;
}

unsigned long st_unwind_real_return(unsigned long ip, unsigned long at)
{
	for (unsigned i = 0; i < BPF_RETURNS && now.returns[i].at; i++)
		if (now.returns[i].at == at)
			return now.returns[i].to;
	return ip;
}

static struct st_uframe describe(const struct st_frame *f)
{
	struct st_uframe frame = { .address = f->ip, .called = f->called };
	uint64_t code = f->ip - f->called;
	const struct mapping *m = mappings_find(now.mappings, now.process, code);

	if (m && mapped_open(m, now.process) >= 0) {
		frame.file = m->file;
		frame.page = (m->offset + code - m->start) / PAGE;
	}
	return frame;
}

static unsigned int unwind(void *arg, const void *raw, size_t bytes, uint64_t time, struct st_uframe *frames)
{
	struct st_frame found[ST_USER_DEPTH];
	struct bpf_ustack head;
	unsigned int n;

	if (bytes < sizeof(head))
		return 0;
	memcpy(&head, raw, sizeof(head));
	mappings_follow(arg, time);
	now.process = head.process;
	now.stack = (const char *)raw + sizeof(head);
	now.at = head.registers[STACK_WORD] & -(uint64_t)BPF_PIECE;
	now.bytes = bytes - sizeof(head);
	now.nimages = 0;
	memcpy(now.returns, head.returns, sizeof(now.returns));
	unwinder.replaced = now.returns[0].at;
	for (unsigned i = 0; i < ST_UNWIND_REGS; i++)
		unwinder.regs[i] = head.registers[word_of[i]];
	unwinder.word = head.registers[CODE_SEGMENT_WORD] == CODE_32 ? 4 : 8;
	n = st_unwind(&unwinder, found, ST_USER_DEPTH);
	for (unsigned i = 0; i < n; i++)
		frames[i] = describe(&found[i]);
	return n;
}

static int open_number(void *arg, unsigned int number)
{
	(void)arg;
	return mapped_copy(number);
}

/* When was the stack of a process last walked for the script? */
static uint64_t last_walked(void *arg, uint32_t process)
{
	uint64_t time = 0;

	(void)arg;
	return system_element(now.walked, &process, &time) ? 0 : time;
}

/* Finds the file of code that some process has had at an address. */
static void find_code(unsigned long address, struct st_uframe *frame)
{
	uint32_t process = 0;
	const struct mapping *m = mappings_find_any(now.mappings, address, last_walked, NULL, &process);

	if (!m || mapped_open(m, process) < 0)
		return;
	frame->file = m->file;
	frame->page = (m->offset + address - m->start) / PAGE;
}

const struct usymbols_source *ustacks_from(struct mappings *m, int walked)
{
	static struct usymbols_source s = { .open = open_number, .unwind = unwind };

	s.arg = now.mappings = m;
	now.walked = walked;
	st_engine_code = find_code;
	return &s;
}
