// SPDX-License-Identifier: GPL-2.0-or-later
/* The builtins (runtime/abi/builtins.def) that BPF has, a row each: what r0 is, or which string is made. */
#include <stddef.h>
#include <string.h>

#include "abi/stap_script.h"
#include "abi/transport.h"
#include "fetch.h"
#include "builtins.h"

struct row {
	const char *name;
	unsigned nargs;
	void (*put)(struct gen *g, const struct ir_op *op, int64_t number);
	int64_t number;
};

/* ---- the process ------------------------------------------------------------- */

/* r0 = the high or low half of what a helper returns */
static void put_half(struct gen *g, int helper, bool high)
{
	code_helper(g->c, helper);
	if (!high)
		code_op(g->c, BPF_LSH, R0, 32);
	code_op(g->c, BPF_RSH, R0, 32);
}

static void put_pid(struct gen *g, const struct ir_op *op, int64_t high)
{
	put_half(g, BPF_FUNC_get_current_pid_tgid, high);
	store_word(g, op, R0);
}

static void put_uid(struct gen *g, const struct ir_op *op, int64_t high)
{
	put_half(g, BPF_FUNC_get_current_uid_gid, high);
	store_word(g, op, R0);
}

static void put_helper(struct gen *g, const struct ir_op *op, int64_t helper)
{
	code_helper(g->c, helper);
	store_word(g, op, R0);
}

/* A thread's name, with its NUL. */
enum { NAME_BYTES = 16 };

/*
 * Stores the length of a string that ends with a NUL, of at most 16 bytes: the bytes before the first zero
 * one.
 */
void put_short_length(struct gen *g, unsigned at)
{
	unsigned done = code_label(g->c);

	for (unsigned i = 0; i < NAME_BYTES; i++) {
		code_number(g->c, R2, i);
		code_load(g->c, BPF_B, R0, R9, at + STRING_BYTES + i);
		code_jump_if(g->c, BPF_JEQ, R0, 0, done);
	}
	code_here(g->c, done);
	code_store(g->c, BPF_DW, R9, at, R2);
}

/*
 * Clears the bytes of REG behind its first NUL, or goes to ALL if it has none.  Of the bytes that are 0, and some above the
 * first of these, r4 has the highest bit; what is below the lowest bit of r4 is kept:
 *
 *	REG = 'd' 'd' 0 'x' …	r4 = 0x…800000	r4 = 0x010000 - 1
 */
static void put_cut_word(struct gen *g, unsigned reg, unsigned all)
{
	code_number(g->c, R0, 0x0101010101010101);
	code_op_reg(g->c, BPF_MOV, R4, reg);
	code_op_reg(g->c, BPF_SUB, R4, R0);
	code_op_reg(g->c, BPF_MOV, R5, reg);
	code_op(g->c, BPF_XOR, R5, -1);
	code_op_reg(g->c, BPF_AND, R4, R5);
	code_op(g->c, BPF_LSH, R0, 7);
	code_op_reg(g->c, BPF_AND, R4, R0);
	code_jump_if(g->c, BPF_JEQ, R4, 0, all);
	code_op_reg(g->c, BPF_MOV, R5, R4);
	code_op(g->c, BPF_NEG, R5, 0);
	code_op_reg(g->c, BPF_AND, R4, R5);
	code_op(g->c, BPF_RSH, R4, 7);
	code_op(g->c, BPF_SUB, R4, 1);
	code_op_reg(g->c, BPF_AND, reg, R4);
}

/* The current thread's name, with NULs behind it, from its task.  Another thread may be changing it at the time. */
static void put_name_of_task(struct gen *g, unsigned at)
{
	unsigned longer = code_label(g->c), cut = code_label(g->c);

	code_helper(g->c, BPF_FUNC_get_current_task_btf);
	code_member_address(g->c, R3, R0, TASK_COMM);
	code_load(g->c, BPF_DW, R1, R3, 0);
	code_load(g->c, BPF_DW, R2, R3, 8);
	put_cut_word(g, R1, longer);
	code_number(g->c, R2, 0);
	code_jump(g->c, cut);
	code_here(g->c, longer);
	put_cut_word(g, R2, cut);
	code_here(g->c, cut);
	code_store(g->c, BPF_DW, R9, at, R1);
	code_store(g->c, BPF_DW, R9, at + 8, R2);
}

/* The same by the kernel's function, which takes longer, and before Linux 6.2 leaves what is behind the name. */
static void put_name_by_helper(struct gen *g, unsigned at)
{
	clear_bytes(g, at, NAME_BYTES);
	pass_frame(g, R1, at);
	code_number(g->c, R2, NAME_BYTES);
	code_helper(g->c, BPF_FUNC_get_current_comm);
}

static void put_execname(struct gen *g, const struct ir_op *op, int64_t unused)
{
	unsigned at = g->layout->values[op->result];

	(void)unused;
	if (g->on->untyped)
		put_name_by_helper(g, at + STRING_BYTES);
	else
		put_name_of_task(g, at + STRING_BYTES);
	if (g->layout->measured[op->result])
		put_short_length(g, at);
}

/* ---- the place --------------------------------------------------------------------- */

/* Makes one of the texts of struct ir_place, at this offset in it. */
static void put_place(struct gen *g, const struct ir_op *op, int64_t offset)
{
	const char *text = *(const char *const *)((const char *)g->place + offset);

	put_text(g, g->layout->values[op->result], g->layout->value_rooms[op->result], text);
}

/* As put_place(), where a module would look the name up by the address if the place has none. */
static void put_known_place(struct gen *g, const struct ir_op *op, int64_t offset)
{
	if (!**(const char *const *)((const char *)g->place + offset))
		refuse(g, "no names of addresses");
	put_place(g, op, offset);
}

/* The function's name: where an event is, it is looked up. */
static void put_probed_function(struct gen *g, const struct ir_op *op, int64_t unused)
{
	(void)unused;
	if (g->attach == IR_AT_EVENT && !*g->place->func) {
		put_register(g, INSTRUCTION_POINTER);
		put_name_of_function(g, op);
	} else {
		put_known_place(g, op, offsetof(struct ir_place, func));
	}
}

void put_place_address(struct gen *g)
{
	const struct ir_place *p = g->place;
	bool code = p->attach == IR_AT_ADDRESS || p->attach == IR_AT_RETURN;

	if (code && p->base != IR_ABSOLUTE)
		code_number(g->c, R0, (g->on->bases ? g->on->bases[p->base] : 0) + p->offset);
	else
		refuse(g, "no addr() but of a place in code");
}

void put_addr(struct gen *g, const struct ir_op *op, int64_t unused)
{
	const struct ir_place *p = g->place;

	(void)unused;
	if (p->attach == IR_AT_RETURN) {
		put_frame_address(g, op, 0);
		return;
	}
	if (p->attach == IR_AT_TRACEPOINT)
		code_number(g->c, R0, 0);
	else if (g->waits || p->attach == IR_OF_PROCESS || p->attach == IR_AT_EVENT)
		put_register(g, INSTRUCTION_POINTER);
	else
		put_place_address(g);
	store_word(g, op, R0);
}

static void put_is_return(struct gen *g, const struct ir_op *op, int64_t unused)
{
	(void)unused;
	enum ir_attach attach = g->probe->places.v[0].attach;

	code_number(g->c, R0, attach == IR_AT_RETURN || attach == IR_AT_PROGRAMS_RETURN ||
			      attach == IR_AT_RETURNING);
	store_word(g, op, R0);
}

/* The register of functions' values, wherever the probe is. */
static void put_return_value(struct gen *g, const struct ir_op *op, int64_t unused)
{
	enum { AX = 10 };

	(void)unused;
	if (g->attach == IR_AT_TRACEPOINT)
		refuse(g, "no registers here");
	else
		put_register(g, AX);
	store_word(g, op, R0);
}

/* The low bits of a code segment tell the CPU's ring. */
void put_in_user_mode(struct gen *g)
{
	enum { RING = 3 };

	put_register(g, CODE_SEGMENT);
	code_op(g->c, BPF_AND, R0, RING);
}

/* Was user code running? */
static void put_user_mode(struct gen *g, const struct ir_op *op, int64_t unused)
{
	unsigned kernels = code_label(g->c);

	(void)unused;
	if (g->attach == IR_AT_EVENT) {
		put_in_user_mode(g);
		code_jump_if(g->c, BPF_JEQ, R0, 0, kernels);
	} else if (!g->waits && g->attach != IR_OF_PROCESS) {
		refuse(g, "no builtin 'user_mode' in a probe of the kernel");
	}
	code_number(g->c, R0, 1);
	code_here(g->c, kernels);
	store_word(g, op, R0);
}

/* ---- numbers ------------------------------------------------------------------------ */

/* A number of so many bits from or to the network's order. */
static void put_network(struct gen *g, const struct ir_op *op, int64_t bits)
{
	load_word(g, R0, &op->args.v[0]);
	code_op(g->c, BPF_LSH, R0, 64 - bits);
	code_big_endian(g->c, R0);
	store_word(g, op, R0);
}

/* Calling conventions that change nothing here. */
static void put_nothing(struct gen *g, const struct ir_op *op, int64_t unused)
{
	(void)g, (void)op, (void)unused;
}

/* ---- strings ------------------------------------------------------------------------ */

static void put_strlen(struct gen *g, const struct ir_op *op, int64_t unused)
{
	(void)unused;
	code_load(g->c, BPF_DW, R0, R9, string_at(g, &op->args.v[0]));
	store_word(g, op, R0);
}

/* ---- all ------------------------------------------------------------------------------ */

static const struct row rows[] = {
	{ "pid", 0, put_pid, true },
	{ "tid", 0, put_pid, false },
	{ "uid", 0, put_uid, false },
	{ "gid", 0, put_uid, true },
	{ "execname", 0, put_execname, 0 },
	{ "task_current", 0, put_helper, BPF_FUNC_get_current_task },
	{ "ppid", 0, put_task_fact, TASK_PARENT_PROCESS },
	{ "pgrp", 0, put_task_fact, TASK_GROUP },
	{ "sid", 0, put_task_fact, TASK_SESSION },
	{ "euid", 0, put_task_fact, TASK_EUID },
	{ "egid", 0, put_task_fact, TASK_EGID },
	{ "pexecname", 0, put_task_name, TASK_PARENT_NAME },
	{ "task_parent", 0, put_task_fact, TASK_PARENT },
	{ "task_parent", 1, put_task_fact, TASK_PARENT },
	{ "task_pid", 1, put_task_fact, TASK_PROCESS },
	{ "task_tid", 1, put_task_fact, TASK_THREAD },
	{ "task_uid", 1, put_task_fact, TASK_UID },
	{ "task_gid", 1, put_task_fact, TASK_GID },
	{ "task_euid", 1, put_task_fact, TASK_EUID },
	{ "task_egid", 1, put_task_fact, TASK_EGID },
	{ "task_execname", 1, put_task_name, TASK_NAME },
	{ "task_state", 1, put_task_fact, TASK_STATE },
	{ "task_prio", 1, put_task_fact, TASK_PRIORITY },
	{ "task_nice", 1, put_task_fact, TASK_STATIC_PRIORITY },
	{ "task_cpu", 1, put_task_fact, TASK_CPU },
	{ "__task_utime", 1, put_task_fact, TASK_USER_TIME },
	{ "__task_stime", 1, put_task_fact, TASK_SYSTEM_TIME },
	{ "__task_start", 1, put_task_fact, TASK_START },
	{ "__task_rlimit", 2, put_task_limit, 0 },
	{ "__mem_size", 1, put_task_pages, ST_MEM_SIZE },
	{ "__mem_rss", 1, put_task_pages, ST_MEM_RSS },
	{ "__mem_shr", 1, put_task_pages, ST_MEM_SHARED },
	{ "__mem_txt", 1, put_task_pages, ST_MEM_TEXT },
	{ "__mem_data", 1, put_task_pages, ST_MEM_DATA },
	{ "task_open_file_handles", 1, put_open_files, 0 },
	{ "task_max_file_handles", 1, put_task_fact, TASK_DESCRIPTORS },
	{ "task_fd_lookup", 2, put_task_file, 0 },
	{ "stack_size", 0, put_stack_bytes, STACK_ALL },
	{ "stack_used", 0, put_stack_bytes, STACK_USED },
	{ "stack_unused", 0, put_stack_bytes, STACK_UNUSED },
	{ "module_name", 0, put_session_name, 0 },
	{ "__loadavg", 1, put_load, 0 },
	{ "task_exe_file", 1, put_task_fact, TASK_EXE_FILE },
	{ "current_exe_file", 0, put_task_fact, TASK_EXE_FILE },
	{ "task_cwd_path", 1, put_task_fact, TASK_CWD },
	{ "__task_root", 1, put_task_fact, TASK_ROOT },
	{ "__user_strings", 1, put_user_strings, 0 },
	{ "pid2task", 1, put_find_task, 0 },
	{ "cmdline_str", 0, put_arguments, 0 },
	{ "cmdline_arg", 1, put_arguments, 0 },
	{ "cmdline_args", 3, put_arguments, 0 },
	{ "env_var", 1, put_variable, 0 },
	{ "cpu", 0, put_helper, BPF_FUNC_get_smp_processor_id },
	{ "target", 0, put_target, 0 },
	{ "stp_pid", 0, put_own_pid, 0 },
	{ "gettimeofday_ns", 0, put_day, 1 },
	{ "gettimeofday_us", 0, put_day, 1000 },
	{ "gettimeofday_ms", 0, put_day, 1000000 },
	{ "gettimeofday_s", 0, put_day, 1000000000 },
	{ "ctime", 0, put_ctime, 0 },
	{ "ctime", 1, put_ctime, 0 },
	{ "ktime_get_ns", 0, put_clock, 1 },
	{ "cpu_clock_ns", 1, put_cpu_clock, 1 },
	{ "cpu_clock_us", 1, put_cpu_clock, 1000 },
	{ "cpu_clock_ms", 1, put_cpu_clock, 1000000 },
	{ "cpu_clock_s", 1, put_cpu_clock, 1000000000 },
	{ "tz_gmtoff", 0, put_zone_west, 0 },
	{ "tz_name", 0, put_zone_name, 0 },
	{ "local_clock_ns", 0, put_clock, 1 },
	{ "local_clock_us", 0, put_clock, 1000 },
	{ "local_clock_ms", 0, put_clock, 1000000 },
	{ "local_clock_s", 0, put_clock, 1000000000 },
	{ "exit", 0, put_exit, 0 },
	{ "error", 1, put_error, 0 },
	{ "log", 1, put_log, 0 },
	{ "warn", 1, put_warn, 0 },
	{ "system", 1, put_system, 0 },
	{ "raise", 1, put_signal, 0 },
	{ "speculation", 0, put_new_speculation, 0 },
	{ "speculate", 2, put_speculation, ST_SPECULATE },
	{ "commit", 1, put_speculation, ST_COMMIT },
	{ "discard", 1, put_speculation, ST_DISCARD },
	{ "__maxstringlen", 0, put_maxstringlen, 0 },
	{ "randint", 1, put_random, 0 },
	{ "pp", 0, put_place, offsetof(struct ir_place, pp) },
	{ "pn", 0, put_place, offsetof(struct ir_place, pn) },
	{ "ppfunc", 0, put_place, offsetof(struct ir_place, func) },
	{ "probefunc", 0, put_probed_function, 0 },
	{ "probemod", 0, put_known_place, offsetof(struct ir_place, module) },
	{ "addr", 0, put_addr, 0 },
	{ "symname", 1, put_symbol_name, 0 },
	{ "symdata", 1, put_symbol_text, 0 },
	{ "modname", 1, put_symbol_module, 0 },
	{ "print_backtrace", 0, put_print_backtrace, 0 },
	{ "sprint_backtrace", 0, put_sprint_backtrace, 0 },
	{ "backtrace", 0, put_callers, 0 },
	{ "callers", 1, put_callers, 0 },
	{ "stack", 1, put_frame_address, 0 },
	{ "caller_addr", 0, put_frame_address, 1 },
	{ "print_stack", 1, put_print_stack, 0 },
	{ "print_syms", 1, put_print_stack, 0 },
	{ "sprint_stack", 1, put_sprint_stack, 0 },
	{ "sprint_syms", 1, put_sprint_stack, 0 },
	{ "print_ubacktrace", 0, put_print_ubacktrace, ST_STACK_FULL },
	{ "print_ubacktrace", 3, put_print_ubacktrace, ST_STACK_FULL },
	{ "print_ubacktrace_fileline", 0, put_print_ubacktrace, ST_STACK_LINES },
	{ "print_ubacktrace_fileline", 3, put_print_ubacktrace, ST_STACK_LINES },
	{ "print_ubacktrace_brief", 0, put_print_ubacktrace, ST_STACK_BRIEF },
	{ "print_folded", 0, put_print_folded, 0 },
	{ "print_folded", 1, put_print_folded, 0 },
	{ "ubacktrace", 0, put_user_callers, 0 },
	{ "ucallers", 1, put_user_callers, 0 },
	{ "ustack", 1, put_user_frame_address, 0 },
	{ "is_return", 0, put_is_return, 0 },
	{ "uaddr", 0, put_user_address, 0 },
	{ "returnval", 0, put_return_value, 0 },
	{ "register", 1, put_named_register, true },
	{ "u_register", 1, put_named_register, false },
	{ "registers_valid", 0, put_has_registers, 0 },
	{ "asmlinkage", 0, put_nothing, 0 },
	{ "fastcall", 0, put_nothing, 0 },
	{ "regparm", 1, put_nothing, 0 },
	{ "int_arg", 1, put_numbered_argument, -32 },
	{ "uint_arg", 1, put_numbered_argument, 32 },
	{ "long_arg", 1, put_numbered_argument, 0 },
	{ "__sys_arg", 1, put_call_argument, 0 },
	{ "__sys_int", 1, put_call_argument, -32 },
	{ "__sys_uint", 1, put_call_argument, 32 },
	{ "__sys_long", 1, put_call_long, 0 },
	{ "__sys_wide", 1, put_call_wide, 0 },
	{ "__sys_id", 1, put_call_id, 0 },
	{ "__sys_number", 0, put_call_number, 0 },
	{ "__user_regs", 0, put_entry_registers, 0 },
	{ "__compat", 0, put_call_compat, 0 },
	{ "probing_32bit_app", 0, put_call_compat, 0 },
	{ "__missing", 1, put_known_number, 0 },	/* it is not counted */
	{ "arch_bytes", 0, put_known_number, 8 },
	{ "mem_page_size", 0, put_page_size, 0 },
	{ "HZ", 0, put_hz, 0 },
	{ "jiffies", 0, put_helper, BPF_FUNC_jiffies64 },
	{ "user_mode", 0, put_user_mode, 0 },
	{ "errno_str", 1, put_errno, 0 },
	{ "syscall_name", 1, put_call_name, 0 },
	{ "ntohs", 1, put_network, 16 },
	{ "ntohl", 1, put_network, 32 },
	{ "ntohll", 1, put_network, 64 },
	{ "htons", 1, put_network, 16 },
	{ "htonl", 1, put_network, 32 },
	{ "htonll", 1, put_network, 64 },
	{ "isinstr", 2, put_find, true },
	{ "strpos", 2, put_find, false },
	{ "substr", 3, put_substr, 0 },
	{ "__token_begin", 3, put_token, true },
	{ "__token_end", 3, put_token, false },
	{ "strlen", 1, put_strlen, 0 },
	{ "matched", 1, put_matched, 0 },
	{ "ngroups", 0, put_ngroups, 0 },
	{ "stringat", 2, put_byte_at, 0 },
	{ "strtol", 2, put_number_of, 0 },
	{ "str_replace", 3, put_replace, 0 },
	{ "kernel_string", 1, put_string_at, BPF_FUNC_probe_read_kernel_str },
	{ "kernel_string", 2, put_string_at, BPF_FUNC_probe_read_kernel_str },
	{ "user_string", 1, put_string_at, BPF_FUNC_probe_read_user_str },
	{ "user_string", 2, put_string_at, BPF_FUNC_probe_read_user_str },
	{ "kernel_string_n", 2, put_limited_string, BPF_FUNC_probe_read_kernel_str },
	{ "kernel_string_n", 3, put_limited_string, BPF_FUNC_probe_read_kernel_str },
	{ "user_string_n", 2, put_limited_string, BPF_FUNC_probe_read_user_str },
	{ "user_string_n", 3, put_limited_string, BPF_FUNC_probe_read_user_str },
	{ "kernel_string_quoted", 1, put_quoted, BPF_FUNC_probe_read_kernel_str },
	{ "user_string_quoted", 1, put_quoted, BPF_FUNC_probe_read_user_str },
	{ "user_string_n_quoted", 2, put_quoted, BPF_FUNC_probe_read_user_str },
	{ "user_string_n_quoted", 3, put_quoted, BPF_FUNC_probe_read_user_str },
	{ "kernel_buffer_quoted", 2, put_quoted_buffer, false },
	{ "kernel_buffer_quoted", 3, put_quoted_buffer, false },
	{ "user_buffer_quoted", 3, put_quoted_buffer, true },
	{ "text_str", 1, put_text_of, false },
	{ "text_strn", 3, put_limited_text, 0 },
	{ "string_quoted", 1, put_text_of, true },
	{ "kernel_char", 1, put_number_at, -1 },
	{ "kernel_short", 1, put_number_at, -2 },
	{ "kernel_int", 1, put_number_at, -4 },
	{ "kernel_long", 1, put_number_at, 8 },
	{ "kernel_pointer", 1, put_number_at, 8 },
	{ "kernel_int8", 1, put_number_at, -1 },
	{ "kernel_int16", 1, put_number_at, -2 },
	{ "kernel_int32", 1, put_number_at, -4 },
	{ "kernel_int64", 1, put_number_at, 8 },
	{ "kernel_uint8", 1, put_number_at, 1 },
	{ "kernel_uint16", 1, put_number_at, 2 },
	{ "kernel_uint32", 1, put_number_at, 4 },
	{ "kernel_uint64", 1, put_number_at, 8 },
#define USER_NUMBER(type, size)						\
	{ "user_" type, 1, put_user_number, size },			\
	{ "user_" type "_error", 1, put_number_at, size },
	USER_NUMBER("char", -1)
	USER_NUMBER("short", -2)
	USER_NUMBER("ushort", 2)
	USER_NUMBER("int", -4)
	USER_NUMBER("uint", 4)
	USER_NUMBER("long", 8)
	USER_NUMBER("ulong", 8)
	USER_NUMBER("pointer", 8)
	USER_NUMBER("int8", -1)
	USER_NUMBER("uint8", 1)
	USER_NUMBER("int16", -2)
	USER_NUMBER("uint16", 2)
	USER_NUMBER("int32", -4)
	USER_NUMBER("uint32", 4)
	USER_NUMBER("int64", 8)
	USER_NUMBER("uint64", 8)
};

/* Names of constants, as the table of builtins has them. */
static const struct {
	const char *name, *function;
	int which;
} constants[] = {
#define BUILTIN(...)
#define BUILTIN_OF(name, result, params, function, which, ...) { #name, #function, which },
#include "abi/builtins.def"
#undef BUILTIN
#undef BUILTIN_OF
};

/* Finds a builtin.  The row is valid until the next call. */
static const struct row *find(const char *name, size_t nargs)
{
	static struct row constant = { .nargs = 1 };

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (!strcmp(rows[i].name, name) && rows[i].nargs == nargs)
			return &rows[i];
	for (size_t i = 0; nargs == 1 && i < sizeof(constants) / sizeof(*constants); i++) {
		constant.name = constants[i].name;
		constant.number = constants[i].which;
		constant.put = !strcmp(constants[i].function, "st_fn_constant") ? put_constant :
			       !strcmp(constants[i].function, "st_fn_constant_value") ? put_constant_value :
			       !strcmp(constants[i].function, "st_fn_flags") ? put_flags : NULL;
		if (!strcmp(constant.name, name) && constant.put && has_names(constant.number))
			return &constant;
	}
	return NULL;
}

bool bpf_has_builtin(const char *name, size_t nargs)
{
	return find(name, nargs);
}

bool bpf_reads_task(const char *name, size_t nargs)
{
	const struct row *r = find(name, nargs);

	return r && (r->put == put_task_fact || r->put == put_task_name || r->put == put_task_limit ||
		     r->put == put_task_pages || r->put == put_open_files || r->put == put_task_file ||
		     r->put == put_stack_bytes || r->put == put_arguments || r->put == put_variable ||
		     r->put == put_find_task);
}

bool bpf_reads_load(const char *name, size_t nargs)
{
	const struct row *r = find(name, nargs);

	return r && r->put == put_load;
}

static bool walks(const struct row *r)
{
	return r->put == put_print_backtrace || r->put == put_sprint_backtrace || r->put == put_callers ||
	       r->put == put_frame_address || r->put == put_print_folded;
}

bool walks_stack(const struct ir_function *f)
{
	const struct row *r = f->written_in == IR_BUILTIN ? find(f->name, f->params.n) : NULL;

	return r && walks(r);
}

bool bpf_walks_programs(const char *name, size_t nargs)
{
	const struct row *r = find(name, nargs);

	return r && (r->put == put_print_ubacktrace || r->put == put_print_folded || r->put == put_user_callers ||
		     r->put == put_user_frame_address);
}

static bool calls(const struct ir_program *ir, bool (*is)(const struct ir_function *f))
{
	for (size_t i = 0; i < ir->functions.n; i++)
		if (ir->functions.v[i].written_in == IR_BUILTIN && is(&ir->functions.v[i]))
			return true;
	return false;
}

static bool records_stack(const struct ir_function *f)
{
	const struct row *r = find(f->name, f->params.n);

	return r && (r->put == put_print_ubacktrace || r->put == put_print_folded);
}

static bool names_kept_code(const struct ir_function *f)
{
	return !strcmp(f->name, "print_ustack") || !strcmp(f->name, "print_usyms");
}

bool bpf_names_programs(const struct ir_program *ir)
{
	return calls(ir, records_stack) || bpf_names_kept_code(ir);
}

bool bpf_names_kept_code(const struct ir_program *ir)
{
	return calls(ir, names_kept_code);
}

bool names_place(const struct ir_function *f)
{
	const struct row *r = f->written_in == IR_BUILTIN ? find(f->name, f->params.n) : NULL;

	return r && (r->put == put_place || r->put == put_known_place || r->put == put_probed_function ||
		     r->put == put_addr ||
		     r->put == put_named_register || walks(r));
}

void put_builtin(struct gen *g, const struct ir_op *op)
{
	const struct ir_function *f = &g->ir->functions.v[op->symbol];
	const struct row *r = f->written_in == IR_BUILTIN ? find(f->name, f->params.n) : NULL;

	if (f->written_in == IR_USERS_C)
		refuse(g, "no embedded C");
	else if (!r)
		refuse(g, "no builtin '%s' in a probe of the kernel", f->name);
	else if (op->result != IR_NO_VALUE || f->type == IR_VOID)
		r->put(g, op, r->number);
}
