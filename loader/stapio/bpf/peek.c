// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the kernel's memory for handlers in this process, and tells which task they run in: a BPF program that is run for
 * each read puts the bytes into a map.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "common/say.h"
#include "internal.h"
#include "interpreter/run.h"
#include "port/user/engine.h"
#include "system.h"

enum { WORD_BYTES = 8 };

static int program = -1;
static const uint64_t *word;		/* the program's map, mapped */

/* The program's arguments are an address and how many bytes it reads there; none: it takes the task's address. */
static struct bpf_program peeking_program(void)
{
	struct bpf_program p = { .attach = IR_AT_TRACEPOINT };
	struct code c = { 0 };
	unsigned task = code_label(&c);

	code_load(&c, BPF_DW, R3, R1, 0);
	code_load(&c, BPF_DW, R2, R1, 8);
	code_jump_if(&c, BPF_JEQ, R2, 0, task);
	code_op(&c, BPF_AND, R2, 2 * WORD_BYTES - 1);
	code_map_value(&c, R1, 0, 0);
	code_helper(&c, BPF_FUNC_probe_read_kernel);
	code_exit(&c);
	code_here(&c, task);
	code_helper(&c, BPF_FUNC_get_current_task);
	code_map_value(&c, R1, 0, 0);
	code_store(&c, BPF_DW, R1, 0, R0);
	code_number(&c, R0, 0);
	code_exit(&c);
	code_finish(&c);
	for (size_t i = 0; i < c.insns.n; i++)
		vec_push(&p.insns, c.insns.v[i]);
	vec_push(&p.functions, ((struct bpf_function){ .at = 0 }));
	return p;
}

static int run(uint64_t address, uint64_t n)
{
	const uint64_t arguments[] = { address, n };
	uint32_t failed;

	return program < 0 || system_run(program, arguments, 2, &failed) || failed ? -1 : 0;
}

static int read_kernel(unsigned long address, void *to, unsigned int n)
{
	if (n > WORD_BYTES || run(address, n))
		return -1;
	memcpy(to, word, n);
	return 0;
}

static unsigned long current_task(void)
{
	return run(0, 0) ? 0 : *word;
}

int peek_kernel(const uint64_t *bases)
{
	static const struct bpf_map kind = {
		.type = BPF_MAP_TYPE_ARRAY, .key = 4, .value = 2 * WORD_BYTES, .entries = 1, .flags = BPF_F_MMAPABLE,
	};
	int map = system_map(&kind);
	const struct handlers h = { .maps = &map };
	const struct bpf_program p = peeking_program();

	word = map < 0 ? MAP_FAILED : mmap(NULL, kind.value, PROT_READ, MAP_SHARED, map, 0);
	program = word == MAP_FAILED ? -1 : load_program(&h, &p, false, NULL, 0);
	if (program < 0) {
		say_refused("a BPF program", errno);
		return -1;
	}
	run_bases = bases;
	st_engine_read = read_kernel;
	st_engine_task = current_task;
	return 0;
}
