// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The stacks of programs.  What is printed is recorded as it lies in memory, because BPF can't read the
 * tables by which most programs are unwound:
 *
 *	struct bpf_ustack	the process, and its registers in user space
 *	7,680 bytes at most	of the stack, in pieces; the first one begins up to 511 bytes below the stack pointer
 *
 * stapio unwinds it (loader/stapio/bpf/ustacks.c).  A stack that the script has as a value is walked here, by
 * frame pointers.
 *
 * The registers are those with which the thread has entered the kernel, whatever it does there: so they are
 * found alike in all programs.  At a place in a program they are the place's.
 */
#include <stddef.h>

#include "abi/bounds.h"
#include "abi/stap_script.h"
#include "abi/transport.h"
#include "fetch.h"
#include "gen.h"

/* Words of struct pt_regs. */
enum { FRAME_POINTER = 4, REGISTERS_BYTES = sizeof(((struct bpf_ustack *)0)->registers) };

/* The code segment's low bits tell the CPU's ring; and all of it, a 64-bit program. */
enum { RING = 3, CODE_64 = 0x33 };

/* Rooms of a thread's name, and of a blank, a number and a newline. */
enum { NAME_ROOM = 16, NUMBER_ROOM = 24 };

/* What this file uses of the frame, behind one another. */
enum {
	REGISTERS,
	RETURNS = REGISTERS + REGISTERS_BYTES,
	RETURNS_BYTES = sizeof(((struct bpf_ustack *)0)->returns),
	RETURN = RETURNS + RETURNS_BYTES,	/* the address of one, of which facts are read; */
	RETURNS_USED = RETURN + 8,		/* bytes that they have so far */
	READ = RETURNS_USED + 8,		/* two words of the process: a frame pointer, a return address */
	BYTES = READ + 16,
};

static unsigned ustack_at(struct gen *g)
{
	if (!g->ustack)
		g->ustack = take(g, BYTES);
	return g->ustack;
}

/* ---- registers --------------------------------------------------------------------- */

/* Goes to NONE if the thread has no user space. */
static void put_registers(struct gen *g, unsigned none)
{
	unsigned at = ustack_at(g) + REGISTERS;

	code_helper(g->c, BPF_FUNC_get_current_task_btf);
	code_op_reg(g->c, BPF_MOV, R1, R0);
	code_helper(g->c, BPF_FUNC_task_pt_regs);
	code_op_reg(g->c, BPF_MOV, R3, R0);
	pass_frame(g, R1, at);
	code_number(g->c, R2, REGISTERS_BYTES);
	code_helper(g->c, BPF_FUNC_probe_read_kernel);
	code_jump_if(g->c, BPF_JNE, R0, 0, none);
	code_load(g->c, BPF_DW, R0, R9, at + 8 * CODE_SEGMENT);
	code_op(g->c, BPF_AND, R0, RING);
	code_jump_if(g->c, BPF_JNE, R0, RING, none);
	if (g->attach != IR_AT_RETURNING)
		return;
	for (unsigned n = INSTRUCTION_POINTER; n <= STACK_POINTER; n += STACK_POINTER - INSTRUCTION_POINTER) {
		put_register(g, n);		/* as it will be behind the return */
		code_store(g->c, BPF_DW, R9, at + 8 * n, R0);
	}
}

/* ---- replaced return addresses --------------------------------------------------------- */

/* Makes the function that takes one of the kernel's return probes, a round of a loop. */
static unsigned put_return_function(struct gen *g)
{
	static const struct { enum task_fact fact; unsigned at; } words[] = {
		{ TASK_RETURN_AT, offsetof(struct bpf_return, at) }, { TASK_RETURN_TO, offsetof(struct bpf_return, to) },
	};
	unsigned at = ustack_at(g), over;
	struct function *outer;
	unsigned number = begin_function(g, &outer);

	over = code_label(g->c);
	code_load(g->c, BPF_DW, R0, R9, at + RETURN);
	code_jump_if(g->c, BPF_JEQ, R0, 0, over);
	for (unsigned i = 0; i < 2; i++) {
		put_fact(g, words[i].fact, at + RETURN);
		code_load(g->c, BPF_DW, R1, R9, at + RETURNS_USED);
		code_jump_if(g->c, BPF_JGE, R1, RETURNS_BYTES, over);
		code_op_reg(g->c, BPF_ADD, R1, R9);
		code_store(g->c, BPF_DW, R1, at + RETURNS + words[i].at, R0);
	}
	code_load(g->c, BPF_DW, R1, R9, at + RETURNS_USED);
	code_op(g->c, BPF_ADD, R1, sizeof(struct bpf_return));
	code_store(g->c, BPF_DW, R9, at + RETURNS_USED, R1);
	put_fact(g, TASK_OUTER_RETURN, at + RETURN);
	code_store(g->c, BPF_DW, R9, at + RETURN, R0);
	code_number(g->c, R0, 0);
	code_exit(g->c);
	code_here(g->c, over);
	code_number(g->c, R0, 1);
	code_exit(g->c);
	end_function(g, outer);
	return number;
}

/* Takes those that the thread is in.  An error that is on its way is not lost: then nothing is taken. */
static void put_returns(struct gen *g)
{
	const struct ir_op *op = g->op;
	unsigned at = ustack_at(g), done = code_label(g->c);

	clear_bytes(g, at + RETURNS, RETURNS_BYTES);
	if (!g->plan->returns)
		return;
	code_load(g->c, BPF_DW, R0, R9, FRAME_SITE);
	code_jump_if(g->c, BPF_JNE, R0, 0, done);
	code_helper(g->c, BPF_FUNC_get_current_task);
	code_store(g->c, BPF_DW, R9, at + RETURN, R0);
	code_store_number(g->c, BPF_DW, R9, at + RETURNS_USED, 0);
	put_fact(g, TASK_RETURNS, at + RETURN);
	code_store(g->c, BPF_DW, R9, at + RETURN, R0);
	if (!g->returns)
		g->returns = put_return_function(g);
	else
		note_call(g, 1);
	put_rounds(g, g->returns, BPF_RETURNS);
	code_here(g->c, done);
	g->op = op;
}

/* r1 = the return address that lay at r0 before the kernel replaced it, or r1 */
static void put_real_return(struct gen *g)
{
	unsigned done = code_label(g->c);

	for (unsigned i = 0; g->plan->returns && i < BPF_RETURNS; i++) {
		unsigned at = ustack_at(g) + RETURNS + i * sizeof(struct bpf_return), other = code_label(g->c);

		code_load(g->c, BPF_DW, R2, R9, at);
		code_jump_if(g->c, BPF_JEQ, R2, 0, done);
		code_jump_if_reg(g->c, BPF_JNE, R2, R0, other);
		code_load(g->c, BPF_DW, R1, R9, at + offsetof(struct bpf_return, to));
		code_jump(g->c, done);
		code_here(g->c, other);
	}
	code_here(g->c, done);
}

/* ---- where ---------------------------------------------------------------------------- */

/* r0 = word N of the process's registers, as it is or as it entered the kernel; goes to NONE if it is the kernel's own. */
void put_user_register(struct gen *g, unsigned n, unsigned none)
{
	if (g->waits || g->attach == IR_OF_PROCESS) {
		put_register(g, n);
	} else {
		put_registers(g, none);
		code_load(g->c, BPF_DW, R0, R9, ustack_at(g) + REGISTERS + 8 * n);
	}
}

/* uaddr(): where the process is, or was when it entered the kernel; 0 if it is the kernel's own */
void put_user_address(struct gen *g, const struct ir_op *op, int64_t unused)
{
	unsigned none = code_label(g->c), done = code_label(g->c);

	(void)unused;
	put_user_register(g, INSTRUCTION_POINTER, none);
	code_jump(g->c, done);
	code_here(g->c, none);
	code_number(g->c, R0, 0);
	code_here(g->c, done);
	store_word(g, op, R0);
}

/* ---- recorded ---------------------------------------------------------------------- */

/* Offsets in the item. */
enum {
	LENGTH = sizeof(uint16_t),
	HEAD = LENGTH + sizeof(uint32_t),
	PIECES = HEAD + sizeof(struct bpf_ustack),
	MOST = PIECES + BPF_PIECES * BPF_PIECE,
};

/* Puts the head of the item at r7: all but the length. */
static void put_head(struct gen *g, unsigned style)
{
	unsigned other = code_label(g->c);

	code_store_number(g->c, BPF_H, R7, 0, ST_FMT_RAW_USTACK);
	code_store_number(g->c, BPF_W, R7, HEAD + offsetof(struct bpf_ustack, style), style);
	code_store_number(g->c, BPF_W, R10, PROCESS_AT, 0);
	put_number(g, other);
	code_here(g->c, other);
	code_load(g->c, BPF_W, R0, R10, PROCESS_AT);
	code_store(g->c, BPF_W, R7, HEAD + offsetof(struct bpf_ustack, process), R0);
	code_op_reg(g->c, BPF_MOV, R1, R7);
	code_op(g->c, BPF_ADD, R1, HEAD + offsetof(struct bpf_ustack, registers));
	code_number(g->c, R2, REGISTERS_BYTES + RETURNS_BYTES);
	pass_frame(g, R3, ustack_at(g) + REGISTERS);
	code_helper(g->c, BPF_FUNC_probe_read_kernel);
}

/* Puts pieces of the stack behind the head, as many as are in memory; r2 = their bytes. */
static void put_pieces(struct gen *g)
{
	unsigned done = code_label(g->c);

	for (unsigned at = 0; at < BPF_PIECES * BPF_PIECE; at += BPF_PIECE) {
		code_op_reg(g->c, BPF_MOV, R1, R7);
		code_op(g->c, BPF_ADD, R1, PIECES + at);
		code_number(g->c, R2, BPF_PIECE);
		code_load(g->c, BPF_DW, R3, R9, ustack_at(g) + REGISTERS + 8 * STACK_POINTER);
		code_op(g->c, BPF_AND, R3, -BPF_PIECE);
		code_op(g->c, BPF_ADD, R3, at);
		code_helper(g->c, BPF_FUNC_probe_read_user);
		code_number(g->c, R2, at);
		code_jump_if(g->c, BPF_JNE, R0, 0, done);
	}
	code_number(g->c, R2, BPF_PIECES * BPF_PIECE);
	code_here(g->c, done);
}

/* Records the stack, from the registers that are arguments of OP, unless that is NULL or has none. */
static void record_stack(struct gen *g, const struct ir_op *op, int64_t style)
{
	static const unsigned given[] = { INSTRUCTION_POINTER, STACK_POINTER, FRAME_POINTER };
	unsigned none = code_label(g->c);

	put_registers(g, none);
	for (size_t i = 0; op && i < op->args.n; i++) {
		load_word(g, R0, &op->args.v[i]);
		code_store(g->c, BPF_DW, R9, ustack_at(g) + REGISTERS + 8 * given[i], R0);
	}
	put_returns(g);
	g->tells = true;
	make_room(g, MOST);
	put_head(g, style);
	put_pieces(g);
	code_op_reg(g->c, BPF_MOV, R0, R2);
	code_op(g->c, BPF_ADD, R0, sizeof(struct bpf_ustack));
	code_store(g->c, BPF_W, R7, LENGTH, R0);
	code_op_reg(g->c, BPF_ADD, R7, R2);
	end_item(g, PIECES);
	code_here(g->c, none);
}

/* print_ubacktrace() and its like */
void put_print_ubacktrace(struct gen *g, const struct ir_op *op, int64_t style)
{
	record_stack(g, op, style);
}

/* Prints the name of the current thread, with another character for what separates a folded line's parts. */
static void print_program(struct gen *g)
{
	unsigned name = piece_at(g), bytes = name + STRING_BYTES;

	pass_frame(g, R1, bytes);
	code_number(g->c, R2, NAME_ROOM);
	code_helper(g->c, BPF_FUNC_get_current_comm);
	for (unsigned i = 0; i < NAME_ROOM; i++) {
		unsigned separates = code_label(g->c), fine = code_label(g->c);

		code_load(g->c, BPF_B, R0, R9, bytes + i);
		code_jump_if(g->c, BPF_JEQ, R0, ';', separates);
		code_jump_if(g->c, BPF_JNE, R0, '\n', fine);
		code_here(g->c, separates);
		code_store_number(g->c, BPF_B, R9, bytes + i, ':');
		code_here(g->c, fine);
	}
	put_short_length(g, name);
	put_item(g, ST_FMT_TEXT, name, NAME_ROOM);
}

/* print_folded(), with the number 1 if none is given */
void put_print_folded(struct gen *g, const struct ir_op *op, int64_t unused)
{
	unsigned piece = piece_at(g);

	(void)unused;
	print_program(g);
	record_stack(g, NULL, ST_STACK_FOLDED);
	put_print_folded_kernel(g);
	if (op->args.n)
		load_word(g, R0, &op->args.v[0]);
	else
		code_number(g->c, R0, 1);
	code_store(g->c, BPF_DW, R9, ustack_at(g) + READ, R0);
	clear_bytes(g, piece, STRING_BYTES + NUMBER_ROOM);
	put_kernels_text(g, piece, NUMBER_ROOM, " %lld\n", ustack_at(g) + READ);
	skip_unless_made(g);
	code_store(g->c, BPF_DW, R9, piece, R0);
	put_item(g, ST_FMT_TEXT, piece, NUMBER_ROOM);
}

/* ---- walked by frame pointers -------------------------------------------------------- */

/* Reads words of the process at r3; goes to NONE if they are not in memory. */
static void put_words(struct gen *g, unsigned bytes, unsigned none)
{
	pass_frame(g, R1, ustack_at(g) + READ);
	code_number(g->c, R2, bytes);
	code_helper(g->c, BPF_FUNC_probe_read_user);
	code_jump_if(g->c, BPF_JNE, R0, 0, none);
}

/* Appends the address r1 to the frames; goes to OVER if it can't be one, or there is no room. */
static void append_frame(struct gen *g, unsigned count, unsigned frames, unsigned over)
{
	code_op_reg(g->c, BPF_MOV, R2, R1);
	code_op(g->c, BPF_SUB, R2, 4096);
	code_op(g->c, BPF_RSH, R2, 47);
	code_jump_if(g->c, BPF_JNE, R2, 0, over);
	code_load(g->c, BPF_DW, R2, R9, count);
	code_jump_if(g->c, BPF_JGE, R2, ST_USER_DEPTH, over);
	code_op_reg(g->c, BPF_MOV, R3, R2);
	code_op(g->c, BPF_ADD, R3, 1);
	code_store(g->c, BPF_DW, R9, count, R3);
	code_op(g->c, BPF_LSH, R2, 3);
	code_op_reg(g->c, BPF_ADD, R2, R9);
	code_store(g->c, BPF_DW, R2, frames, R1);
}

/*
 * Adds the caller where the function has not yet set up its frame: the return address is on top of the
 * stack.  That is so where the code begins with endbr64, or with push %rbp and mov %rsp,%rbp, of which the
 * first byte may be a probe's; and where a call of this very instruction is before the address on top.
 */
static void put_entry_caller(struct gen *g, unsigned count, unsigned frames)
{
	enum { ENDBR64 = 0xfa1e0f, MOVE = 0xe58948, CALL = 0xe8, CALL_BYTES = 5 };
	unsigned registers = ustack_at(g) + REGISTERS, read = ustack_at(g) + READ;
	unsigned begins = code_label(g->c), done = code_label(g->c);

	code_load(g->c, BPF_DW, R3, R9, registers + 8 * STACK_POINTER);
	put_words(g, 8, done);
	code_load(g->c, BPF_DW, R1, R9, read);
	code_load(g->c, BPF_DW, R0, R9, registers + 8 * STACK_POINTER);
	put_real_return(g);
	code_op_reg(g->c, BPF_MOV, R7, R1);
	code_load(g->c, BPF_DW, R3, R9, registers + 8 * INSTRUCTION_POINTER);
	put_words(g, 4, done);
	code_load(g->c, BPF_W, R0, R9, read);
	code_op(g->c, BPF_RSH, R0, 8);
	code_jump_if(g->c, BPF_JEQ, R0, ENDBR64, begins);
	code_jump_if(g->c, BPF_JEQ, R0, MOVE, begins);
	code_op_reg(g->c, BPF_MOV, R3, R7);
	code_op(g->c, BPF_SUB, R3, CALL_BYTES);
	put_words(g, CALL_BYTES, done);
	code_load(g->c, BPF_B, R0, R9, read);
	code_jump_if(g->c, BPF_JNE, R0, CALL, done);
	code_load(g->c, BPF_W, R0, R9, read + 1);
	code_op(g->c, BPF_LSH, R0, 32);
	code_op(g->c, BPF_ARSH, R0, 32);
	code_op_reg(g->c, BPF_ADD, R0, R7);
	code_load(g->c, BPF_DW, R1, R9, registers + 8 * INSTRUCTION_POINTER);
	code_jump_if_reg(g->c, BPF_JNE, R0, R1, done);
	code_here(g->c, begins);
	code_op_reg(g->c, BPF_MOV, R1, R7);
	append_frame(g, count, frames, done);
	code_here(g->c, done);
}

/* Makes the function that goes from a frame to its caller's, a round of a loop. */
static unsigned put_step_function(struct gen *g, unsigned count, unsigned frames)
{
	unsigned pointer = ustack_at(g) + REGISTERS + 8 * FRAME_POINTER, over, goes_up;
	struct function *outer;
	unsigned number = begin_function(g, &outer);

	over = code_label(g->c);
	goes_up = code_label(g->c);
	code_load(g->c, BPF_DW, R3, R9, pointer);
	code_op_reg(g->c, BPF_MOV, R1, R3);
	code_op(g->c, BPF_AND, R1, 7);
	code_jump_if(g->c, BPF_JNE, R1, 0, over);
	put_words(g, 16, over);
	code_load(g->c, BPF_DW, R1, R9, ustack_at(g) + READ + 8);
	code_load(g->c, BPF_DW, R0, R9, pointer);
	code_op(g->c, BPF_ADD, R0, 8);
	put_real_return(g);
	append_frame(g, count, frames, over);
	code_load(g->c, BPF_DW, R0, R9, ustack_at(g) + READ);
	code_load(g->c, BPF_DW, R1, R9, pointer);
	code_store(g->c, BPF_DW, R9, pointer, R0);
	code_jump_if_reg(g->c, BPF_JGT, R0, R1, goes_up);
	code_here(g->c, over);
	code_number(g->c, R0, 1);
	code_exit(g->c);
	code_here(g->c, goes_up);
	end_function(g, outer);
	return number;
}

/* The most processes that are noted; then those are forgotten that were not walked for longest. */
enum { WALKED_MOST = 4096, NOW_AT = THREAD_AT - 8 };

void add_walked(struct bpf_plan *plan)
{
	const struct bpf_map m = {
		.type = BPF_MAP_TYPE_LRU_HASH, .key = 4, .value = 8, .entries = WALKED_MOST,
	};

	vec_push(&plan->maps, m);
	plan->walked = plan->maps.n - 1;
}

/* Notes the process, whose code is at these addresses, while others may have other code there. */
static void put_note_process(struct gen *g)
{
	unsigned done = code_label(g->c);

	if (g->plan->walked) {
		put_number(g, done);
		code_helper(g->c, BPF_FUNC_ktime_get_ns);
		code_store(g->c, BPF_DW, R10, NOW_AT, R0);
		code_map(g->c, R1, g->plan->walked);
		code_op_reg(g->c, BPF_MOV, R2, R10);
		code_op(g->c, BPF_ADD, R2, PROCESS_AT);
		code_op_reg(g->c, BPF_MOV, R3, R10);
		code_op(g->c, BPF_ADD, R3, NOW_AT);
		code_number(g->c, R4, BPF_ANY);
		code_helper(g->c, BPF_FUNC_map_update_elem);
	}
	code_here(g->c, done);
}

/* Makes the function that walks the stack.  Of a 32-bit program, it takes the first frame. */
static unsigned put_walk_function(struct gen *g, unsigned count, unsigned frames)
{
	unsigned registers = ustack_at(g) + REGISTERS, none, step;
	struct function *outer;
	unsigned number = begin_function(g, &outer);

	none = code_label(g->c);
	code_store_number(g->c, BPF_DW, R9, count, 0);
	put_registers(g, none);
	code_load(g->c, BPF_DW, R1, R9, registers + 8 * INSTRUCTION_POINTER);
	append_frame(g, count, frames, none);
	put_returns(g);
	put_note_process(g);
	code_load(g->c, BPF_DW, R0, R9, registers + 8 * CODE_SEGMENT);
	code_jump_if(g->c, BPF_JNE, R0, CODE_64, none);
	put_entry_caller(g, count, frames);
	step = put_step_function(g, count, frames);
	put_rounds(g, step, ST_USER_DEPTH);
	code_here(g->c, none);
	end_function(g, outer);
	return number;
}

void put_walk_user(struct gen *g, unsigned count, unsigned frames)
{
	if (!g->uwalks)
		g->uwalks = put_walk_function(g, count, frames);
	else
		note_call(g, 2);
	pass_registers(g, R2);
	code_number(g->c, R1, 0);
	code_call(g->c, g->uwalks);
}
