// SPDX-License-Identifier: GPL-2.0-or-later
/* Makes BPF's system calls (system.h). */
#include "system.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/arena.h"
#include "common/say.h"

/*
 * Bytes of bpf()'s attributes up to FIELD, a command's last.  The kernel refuses attributes that aren't zero behind
 * it, and an initializer leaves them as they were (C11 6.7.9, and GCC from 15 on): all but the union's named member.
 */
#define UP_TO(field) (offsetof(union bpf_attr, field) + sizeof(((union bpf_attr *)NULL)->field))

static int bpf(int command, union bpf_attr *a, size_t bytes)
{
	return syscall(SYS_bpf, command, a, bytes);
}

int system_map(const struct bpf_map *m)
{
	union bpf_attr a = {
		.map_type = m->type, .key_size = m->key, .value_size = m->value, .max_entries = m->entries,
		.map_flags = m->flags,
	};

	return bpf(BPF_MAP_CREATE, &a, UP_TO(map_flags));
}

int system_types(const void *types, unsigned bytes)
{
	union bpf_attr a = { .btf = (uintptr_t)types, .btf_size = bytes };

	return bpf(BPF_BTF_LOAD, &a, UP_TO(btf_log_level));
}

/* Returns the instructions with the maps' descriptors in place of their numbers. */
static struct bpf_insn *with_maps(const struct bpf_program *p, const int *fds)
{
	struct bpf_insn *insns = arena_alloc(p->insns.n * sizeof(*insns));

	memcpy(insns, p->insns.v, p->insns.n * sizeof(*insns));
	for (size_t i = 0; i < p->insns.n; i++)
		if (insns[i].code == (BPF_LD | BPF_IMM | BPF_DW) &&
		    (insns[i].src_reg == BPF_PSEUDO_MAP_FD || insns[i].src_reg == BPF_PSEUDO_MAP_VALUE))
			insns[i].imm = fds[insns[i].imm];
	return insns;
}

static enum bpf_prog_type type_of(enum ir_attach attach, enum system_use use)
{
	if (use == FOR_TRACE_EVENT)
		return BPF_PROG_TYPE_TRACEPOINT;
	switch (attach) {
	case IR_AT_TRACEPOINT:
	case IR_OF_PROCESS:
		return BPF_PROG_TYPE_RAW_TRACEPOINT;
	case IR_AT_EVENT:
		return BPF_PROG_TYPE_PERF_EVENT;
	default:
		return BPF_PROG_TYPE_KPROBE;
	}
}

int system_load(const struct bpf_program *p, const int *fds, int types, const struct bpf_core_relo *references,
		enum system_use use, char *log, unsigned room)
{
	enum { ERRORS = 4 };		/* the verifier's messages without its steps */
	struct bpf_func_info *functions = arena_alloc(p->functions.n * sizeof(*functions));
	union bpf_attr a = {
		.prog_type = type_of(p->attach, use),
		.expected_attach_type = use == FOR_MANY ? BPF_TRACE_KPROBE_MULTI : 0,
		.log_buf = (uintptr_t)log, .log_size = room, .log_level = log ? ERRORS : 0,
		.insns = (uintptr_t)with_maps(p, fds), .insn_cnt = p->insns.n, .license = (uintptr_t)"GPL",
		.prog_btf_fd = types, .func_info = (uintptr_t)functions, .func_info_cnt = p->functions.n,
		.func_info_rec_size = sizeof(*functions), .prog_flags = bpf_may_wait(p) ? BPF_F_SLEEPABLE : 0,
		.core_relos = (uintptr_t)references, .core_relo_cnt = p->references.n,
		.core_relo_rec_size = p->references.n ? sizeof(*references) : 0,
	};

	for (size_t i = 0; i < p->functions.n; i++) {
		functions[i].insn_off = p->functions.v[i].at;
		functions[i].type_id = BPF_FUNCTION_TYPE + i;
	}
	return bpf(BPF_PROG_LOAD, &a, UP_TO(core_relo_rec_size));
}

/* Loads a program that does nothing. */
static int load_nothing(enum bpf_prog_type type, enum bpf_attach_type expected)
{
	static const struct bpf_insn insns[] = {
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K }, { .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr a = {
		.prog_type = type, .expected_attach_type = expected, .insns = (uintptr_t)insns, .insn_cnt = 2,
		.license = (uintptr_t)"GPL",
	};

	return bpf(BPF_PROG_LOAD, &a, UP_TO(expected_attach_type));
}

int system_try(enum ir_attach attach)
{
	int fd = load_nothing(type_of(attach, FOR_ITS_PLACES), 0);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

/* A kernel that has them finds fault with no places at all. */
bool system_has_many(void)
{
	int program = load_nothing(BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_MULTI), link;

	if (program < 0)
		return false;
	link = system_attach_many(program, NULL, NULL, 0, false);
	if (link >= 0)
		close(link);
	close(program);
	return link < 0 && errno == EINVAL;
}

int system_run(int program, const uint64_t *arguments, unsigned n, uint32_t *result)
{
	union bpf_attr a = { .test = {
		.prog_fd = program, .ctx_in = (uintptr_t)arguments, .ctx_size_in = n * sizeof(*arguments),
	} };

	if (bpf(BPF_PROG_TEST_RUN, &a, UP_TO(test.ctx_in)))
		return -1;
	*result = a.test.retval;
	return 0;
}

uint64_t system_misses(int program)
{
	struct bpf_prog_info info = { 0 };
	union bpf_attr a = { .info = {
		.bpf_fd = program, .info_len = sizeof(info), .info = (uintptr_t)&info,
	} };

	return bpf(BPF_OBJ_GET_INFO_BY_FD, &a, UP_TO(info.info)) ? 0 : info.recursion_misses;
}

int system_attach_trace(const char *name, int program)
{
	union bpf_attr a = { .raw_tracepoint = { .name = (uintptr_t)name, .prog_fd = program } };

	return bpf(BPF_RAW_TRACEPOINT_OPEN, &a, UP_TO(raw_tracepoint.prog_fd));
}

int system_attach_event(int event, int program, uint64_t cookie)
{
	union bpf_attr a = { .link_create = {
		.prog_fd = program, .target_fd = event, .attach_type = BPF_PERF_EVENT,
		.perf_event = { .bpf_cookie = cookie },
	} };

	return bpf(BPF_LINK_CREATE, &a, UP_TO(link_create.perf_event.bpf_cookie));
}

int system_attach_many(int program, const uint64_t *addresses, const uint64_t *cookies, unsigned n,
		       bool at_return)
{
	union bpf_attr a = { .link_create = {
		.prog_fd = program, .attach_type = BPF_TRACE_KPROBE_MULTI,
		.kprobe_multi = {
			.flags = at_return ? BPF_F_KPROBE_MULTI_RETURN : 0, .cnt = n,
			.addrs = (uintptr_t)addresses, .cookies = (uintptr_t)cookies,
		},
	} };

	return bpf(BPF_LINK_CREATE, &a, UP_TO(link_create.kprobe_multi.cookies));
}

/* With room for all, one call comes to the table's end, which is ENOENT. */
int system_elements(int map, void *keys, void *values, uint32_t *n, bool remove)
{
	uint32_t next;
	union bpf_attr a = { .batch = {
		.out_batch = (uintptr_t)&next, .keys = (uintptr_t)keys, .values = (uintptr_t)values, .count = *n,
		.map_fd = map,
	} };
	int err = bpf(remove ? BPF_MAP_LOOKUP_AND_DELETE_BATCH : BPF_MAP_LOOKUP_BATCH, &a, UP_TO(batch.flags));

	*n = a.batch.count;
	return err && errno != ENOENT ? -1 : 0;
}

int system_element(int map, const void *key, void *value)
{
	union bpf_attr a = { .map_fd = map, .key = (uintptr_t)key, .value = (uintptr_t)value };

	return bpf(BPF_MAP_LOOKUP_ELEM, &a, UP_TO(flags));
}

int system_update(int map, const void *key, const void *value)
{
	union bpf_attr a = { .map_fd = map, .key = (uintptr_t)key, .value = (uintptr_t)value, .flags = BPF_ANY };

	return bpf(BPF_MAP_UPDATE_ELEM, &a, UP_TO(flags));
}

int system_freeze(int map)
{
	union bpf_attr a = { .map_fd = map };

	return bpf(BPF_MAP_FREEZE, &a, UP_TO(map_fd));
}

int system_delete(int map, const void *key)
{
	union bpf_attr a = { .map_fd = map, .key = (uintptr_t)key };

	return bpf(BPF_MAP_DELETE_ELEM, &a, UP_TO(key));
}

/*
 * Waits by a change of a map that holds maps, after which the kernel waits for programs that may use the
 * old one, whatever its configuration.
 */
void system_wait(void)
{
	static int outer = -1, inner = -1, said;
	uint32_t zero = 0;

	if (outer < 0) {
		union bpf_attr a = { .map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1 };

		inner = bpf(BPF_MAP_CREATE, &a, UP_TO(inner_map_fd));
		a.map_type = BPF_MAP_TYPE_ARRAY_OF_MAPS;
		a.inner_map_fd = inner;
		outer = inner < 0 ? -1 : bpf(BPF_MAP_CREATE, &a, UP_TO(inner_map_fd));
	}
	if ((outer < 0 || system_update(outer, &zero, &inner)) && !said++)
		say_error("can't wait for BPF programs: %s; what they count and print last may be missing",
			  strerror(errno));
}

/* Loads a program that returns the word at the address that it is run with; or just 0 if that can be read. */
static int load_peek(bool just_try)
{
	const struct bpf_insn keep = { .code = BPF_ALU64 | BPF_MOV | BPF_X },	/* r0 = r0 */
		take = { .code = BPF_LDX | BPF_MEM | BPF_W, .dst_reg = BPF_REG_0, .src_reg = BPF_REG_10, .off = -8 };
	const struct bpf_insn insns[] = {
		{ .code = BPF_LDX | BPF_MEM | BPF_DW, .dst_reg = BPF_REG_3, .src_reg = BPF_REG_1 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = BPF_REG_1, .src_reg = BPF_REG_10 },
		{ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = BPF_REG_1, .imm = -8 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_2, .imm = 4 },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_probe_read_kernel },	/* zeroes what it can't read */
		just_try ? keep : take,
		{ .code = BPF_JMP | BPF_EXIT },
	};
	union bpf_attr a = {
		.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT, .insns = (uintptr_t)insns,
		.insn_cnt = sizeof(insns) / sizeof(*insns), .license = (uintptr_t)"GPL",
	};

	return bpf(BPF_PROG_LOAD, &a, UP_TO(expected_attach_type));
}

int system_peek(uint64_t address, uint32_t *word)
{
	static int program = -1;

	if (program < 0)
		program = load_peek(false);
	return program < 0 ? -1 : system_run(program, &address, 1, word);
}

bool system_is_mapped(uint64_t address)
{
	static int program = -1;
	uint32_t failed;

	if (program < 0)
		program = load_peek(true);
	return program >= 0 && !system_run(program, &address, 1, &failed) && !failed;
}
