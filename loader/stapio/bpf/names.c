// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Names the kernel's code for handlers in this process: a BPF program that is run for each address has the
 * kernel format it (%pS), so that the names are those of a module, whatever /proc/kallsyms leaves out.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "bpf/code.h"
#include "common/say.h"
#include "internal.h"
#include "port/user/engine.h"
#include "system.h"

enum { TEXT_BYTES = 4096 };

static int program;
static char *text;			/* the program's map, mapped */
static char name[TEXT_BYTES];

/* The program puts the text of the address, its argument, into the map. */
static struct bpf_program naming_program(void)
{
	enum { FORMAT, TEXT };
	struct bpf_program p = { .attach = IR_AT_TRACEPOINT };
	struct code c = { 0 };

	code_load(&c, BPF_DW, R1, R1, 0);
	code_store(&c, BPF_DW, R10, -8, R1);
	code_map_value(&c, R1, TEXT, 0);
	code_number(&c, R2, TEXT_BYTES);
	code_map_value(&c, R3, FORMAT, 0);
	code_op_reg(&c, BPF_MOV, R4, R10);
	code_op(&c, BPF_ADD, R4, -8);
	code_number(&c, R5, 8);
	code_helper(&c, BPF_FUNC_snprintf);
	code_exit(&c);
	for (size_t i = 0; i < c.insns.n; i++)
		vec_push(&p.insns, c.insns.v[i]);
	vec_push(&p.functions, ((struct bpf_function){ .at = 0 }));
	return p;
}

/* Returns what the kernel calls it, a hexadecimal number if it has no name. */
static char *symbol_of(unsigned long addr)
{
	const uint64_t argument = addr;
	uint32_t length;

	if (system_run(program, &argument, 1, &length) || !length || length > TEXT_BYTES)
		snprintf(name, sizeof(name), "0x%lx", addr);
	else
		memcpy(name, text, length);
	return name;
}

int name_kernel(void)
{
	static const struct bpf_map kinds[] = {
		{ .type = BPF_MAP_TYPE_ARRAY, .key = 4, .value = 4, .entries = 1, .flags = BPF_F_RDONLY_PROG },
		{ .type = BPF_MAP_TYPE_ARRAY, .key = 4, .value = TEXT_BYTES, .entries = 1, .flags = BPF_F_MMAPABLE },
	};
	static const char format[4] = "%pS";
	int maps[] = { system_map(&kinds[0]), system_map(&kinds[1]) };
	const struct handlers h = { .maps = maps };
	const struct bpf_program p = naming_program();
	const uint32_t first = 0;

	if (system_update(maps[0], &first, format) || system_freeze(maps[0])) {
		say_refused("the formats of BPF programs", errno);
		return -1;
	}
	text = mmap(NULL, TEXT_BYTES, PROT_READ, MAP_SHARED, maps[1], 0);
	if (text == MAP_FAILED) {
		say_error("can't map the memory of BPF programs: %s", strerror(errno));
		return -1;
	}
	program = load_program(&h, &p, false, NULL, 0);
	if (program < 0) {
		say_refused("a BPF program", errno);
		return -1;
	}
	st_engine_symbol = symbol_of;
	return 0;
}
