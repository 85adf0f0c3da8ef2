// SPDX-License-Identifier: GPL-2.0-or-later
/* Tells where a program's instructions begin: see instruction.h. */
#include "instruction.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/arena.h"
#include "debuginfo/symbols/symbols.h"

enum { FUNCTION_MAX = 16 << 20 };	/* bytes */

/* A program's code from an address on, as it is in its file. */
struct code {
	const unsigned char *p;
	size_t n;
};

/* Finds the last address up to ADDR where an instruction is known to begin. */
static bool known_before(struct dwfile *f, uint64_t addr, uint64_t *at)
{
	Dwarf_Frame *frame = dwfile_frame(f, addr);
	struct func_symbol sym;
	bool found = frame && dwarf_frame_info(frame, at, NULL, NULL) >= 0;

	free(frame);
	if (!found && symbol_at(f, addr, &sym) && sym.size) {
		*at = sym.addr;
		found = true;
	}
	return found && addr - *at < FUNCTION_MAX;
}

static bool code_at(struct dwfile *f, uint64_t addr, struct code *code)
{
	uint64_t offset;
	size_t size;
	const char *file = elf_rawfile(f->own ? f->own : f->elf, &size);

	if (!file || !program_offset(f, addr, &offset) || offset >= size)
		return false;
	*code = (struct code){ (const unsigned char *)file + offset, size - offset };
	return true;
}

const char *no_instruction(struct dwfile *f, uint64_t addr, uint64_t shown)
{
	struct code code;
	struct insn insn;
	uint64_t at;

	if (!known_before(f, addr, &at) || !code_at(f, at, &code))
		return arena_printf("no symbol or call frame information tells where instructions "
				    "begin near address 0x%" PRIx64 ": need stap -g", shown);
	for (; at < addr; at += insn.size, code.p += insn.size, code.n -= insn.size) {
		if (!f->arch->decode(code.p, code.n, &insn))
			return arena_printf("the code before address 0x%" PRIx64 " can't be decoded: "
					    "need stap -g", shown);
		if (at + insn.size > addr)
			return arena_printf("address 0x%" PRIx64 " is inside an instruction, which "
					    "begins at 0x%" PRIx64, shown, shown - (addr - at));
	}
	return NULL;
}

static bool linked_address(const struct dwfile *f, uint64_t offset, uint64_t *addr)
{
	for (size_t i = 0; i < f->segments.n; i++) {
		const struct segment *s = &f->segments.v[i];

		if (s->exec && offset >= s->offset && offset - s->offset < s->size) {
			*addr = offset - s->offset + s->addr;
			return true;
		}
	}
	return false;
}

bool target_begins_instruction(struct target *t, const char *path, uint64_t offset,
			       uint64_t address, struct problem *why)
{
	struct dwfile *f = target_file(t, path, why);
	uint64_t addr;

	if (!f) {		/* a 32-bit program, for example */
		why->text = arena_printf("where instructions begin is unknown (%s): need stap -g",
					 why->text);
		return false;
	}
	why->text = linked_address(f, offset, &addr) ? no_instruction(f, addr, address)
		: arena_printf("'%s' has no code at address 0x%" PRIx64, path, address);
	return !why->text;
}
