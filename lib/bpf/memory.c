// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads memory, the kernel's or the process's: words, and the builtins for numbers and strings.
 *
 * A helper that reads the process's memory fails where the kernel would have to bring it.  A handler that
 * may wait has it brought then, and reads again.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "gen.h"

/*
 * Reads may be tried so often: at once, with the page of the first byte, with the last's, if that is
 * another.
 */
static int tries_most(const struct gen *g, bool user)
{
	return user && g->waits && !g->on->untyped ? 3 : 1;
}

/*
 * Waits for the page of the process's memory at r3; goes to FAILED if it is not there, if a program or another machine
 * would have to bring it, or if the handler may not wait.
 */
static void put_bring_page(struct gen *g, unsigned failed)
{
	code_load(g->c, BPF_DW, R0, R9, FRAME_MAY_WAIT);
	code_jump_if(g->c, BPF_JEQ, R0, 0, failed);
	put_comes(g, failed);
	pass_frame(g, R1, FRAME_TEMPORARY);
	code_number(g->c, R2, 1);
	code_load(g->c, BPF_DW, R3, R9, FRAME_BROUGHT);
	code_helper(g->c, BPF_FUNC_copy_from_user);
	code_jump_if(g->c, BPF_JNE, R0, 0, failed);
}

/*
 * Before a further try to read up to BYTES of the process's memory at r7, less than a page: waits for the
 * page of the first byte, then for that of the last, which a shorter string doesn't reach.
 */
static void put_bring(struct gen *g, int tries, unsigned bytes, unsigned failed)
{
	code_op_reg(g->c, BPF_MOV, R3, R7);
	if (tries > 1)
		code_op(g->c, BPF_ADD, R3, bytes - 1);
	put_bring_page(g, failed);
}

void put_try_read(struct gen *g, unsigned size, bool user, unsigned failed)
{
	static const unsigned sizes[] = { [1] = BPF_B, [2] = BPF_H, [4] = BPF_W, [8] = BPF_DW };
	unsigned fine = code_label(g->c);

	if (size > 8 || !(size & 15) || (size & (size - 1))) {
		refuse(g, "no reads of %u bytes", size);
		return;
	}
	code_op_reg(g->c, BPF_MOV, R7, R3);
	for (int tries = 0; tries < tries_most(g, user); tries++) {
		if (tries)
			put_bring(g, tries, size, failed);
		pass_frame(g, R1, FRAME_TEMPORARY);
		code_number(g->c, R2, size);
		code_op_reg(g->c, BPF_MOV, R3, R7);
		code_helper(g->c, user ? BPF_FUNC_probe_read_user : BPF_FUNC_probe_read_kernel);
		code_jump_if(g->c, BPF_JEQ, R0, 0, fine);
	}
	code_jump(g->c, failed);
	code_here(g->c, fine);
	code_load(g->c, sizes[size], R0, R9, FRAME_TEMPORARY);
}

/* r0 = SIZE bytes of memory at r3; on a fault, 0 with the error set, of fail_read(). */
void put_read(struct gen *g, unsigned size, bool user, const char *what)
{
	unsigned failed = code_label(g->c), done = code_label(g->c);

	put_try_read(g, size, user, failed);
	code_jump(g->c, done);
	code_here(g->c, failed);
	fail_read(g, what, R7);
	code_number(g->c, R0, 0);
	code_here(g->c, done);
}

void put_sized_read(struct gen *g, const struct ir_operand *size, bool user)
{
	unsigned done = code_label(g->c);

	if (size->kind == IR_NUMBER) {
		put_read(g, size->number, user, NULL);
		return;
	}
	for (unsigned bytes = 1; bytes <= 8; bytes *= 2) {
		unsigned other = code_label(g->c);

		load_word(g, R1, size);
		code_jump_if(g->c, BPF_JNE, R1, bytes, other);
		put_read(g, bytes, user, NULL);
		code_jump(g->c, done);
		code_here(g->c, other);
	}
	fail_number(g, "", R1, " is not a size of 1, 2, 4 or 8 bytes");
	code_number(g->c, R0, 0);
	code_here(g->c, done);
}

/* ---- strings ------------------------------------------------------------------ */

/*
 * r2 = the bytes of a string's room that may be used, its NUL included: LIMIT + 1 at most, unless that is
 * NULL.  Goes to NONE with r0 = 0 if the limit is none.
 */
static void load_limit(struct gen *g, const struct ir_operand *limit, unsigned room, unsigned none)
{
	unsigned fits = code_label(g->c);

	if (!limit) {
		code_number(g->c, R2, room);
		return;
	}
	code_number(g->c, R0, 0);
	load_word(g, R2, limit);
	code_jump_if(g->c, BPF_JSLE, R2, 0, none);
	code_jump_if(g->c, BPF_JLT, R2, room, fits);
	code_number(g->c, R2, room - 1);
	code_here(g->c, fits);
	code_op(g->c, BPF_ADD, R2, 1);
}

/*
 * Reads a string at r7 to AT in the frame: by HELPER, the kernel's or the process's.  Goes to FAILED on a fault.
 */
void put_string_read(struct gen *g, unsigned at, unsigned room, int helper, const struct ir_operand *limit,
		     unsigned failed)
{
	bool user = helper == BPF_FUNC_probe_read_user_str;
	unsigned fine = code_label(g->c), empty = code_label(g->c);

	clear_bytes(g, at, STRING_BYTES + room);	/* a helper that fails does it again */
	for (int tries = 0; tries < tries_most(g, user); tries++) {
		if (tries)
			put_bring(g, tries, room, failed);
		load_limit(g, limit, room, fine);
		pass_frame(g, R1, at + STRING_BYTES);
		code_op_reg(g->c, BPF_MOV, R3, R7);
		code_helper(g->c, helper);
		code_jump_if(g->c, BPF_JSGE, R0, 0, fine);
	}
	code_jump(g->c, failed);
	code_here(g->c, fine);
	/* The NUL counts, but older kernels (6.1) count none of an empty string of a process. */
	code_jump_if(g->c, BPF_JEQ, R0, 0, empty);
	code_op(g->c, BPF_SUB, R0, 1);
	code_here(g->c, empty);
	code_store(g->c, BPF_DW, R9, at, R0);
}

/* Reads a string at the first argument.  A fault is an error, or gives INSTEAD unless that is NULL. */
static void put_string_from(struct gen *g, const struct ir_op *op, int helper, const struct ir_operand *limit,
			    const struct ir_operand *instead)
{
	unsigned at = g->layout->values[op->result], room = g->layout->value_rooms[op->result];
	unsigned failed = code_label(g->c), done = code_label(g->c);

	load_word(g, R7, &op->args.v[0]);
	put_string_read(g, at, room, helper, limit, failed);
	code_jump(g->c, done);
	code_here(g->c, failed);
	if (instead)
		put_string(g, at, room, instead);
	else
		fail_read(g, helper == BPF_FUNC_probe_read_user_str ? "user string" : "kernel string", R7);
	code_here(g->c, done);
}

void put_string_at(struct gen *g, const struct ir_op *op, int64_t helper)
{
	put_string_from(g, op, helper, NULL, op->args.n > 1 ? &op->args.v[1] : NULL);
}

/* The second argument is the most bytes. */
void put_limited_string(struct gen *g, const struct ir_op *op, int64_t helper)
{
	put_string_from(g, op, helper, &op->args.v[1], op->args.n > 2 ? &op->args.v[2] : NULL);
}

void put_bytes_read(struct gen *g, unsigned at, unsigned most, unsigned bytes_at, bool user, unsigned failed)
{
	unsigned fine = code_label(g->c);

	for (int tries = 0; tries < tries_most(g, user); tries++) {
		if (tries) {
			code_op_reg(g->c, BPF_MOV, R3, R7);
			if (tries > 1) {
				code_load(g->c, BPF_DW, R1, R9, bytes_at);
				code_op_reg(g->c, BPF_ADD, R3, R1);
				code_op(g->c, BPF_SUB, R3, 1);
			}
			put_bring_page(g, failed);
		}
		code_load(g->c, BPF_DW, R2, R9, bytes_at);
		code_jump_if(g->c, BPF_JGT, R2, most, failed);
		pass_frame(g, R1, at);
		code_op_reg(g->c, BPF_MOV, R3, R7);
		code_helper(g->c, user ? BPF_FUNC_probe_read_user : BPF_FUNC_probe_read_kernel);
		code_jump_if(g->c, BPF_JEQ, R0, 0, fine);
	}
	code_jump(g->c, failed);
	code_here(g->c, fine);
}

/* The bytes of %m and %M, as a string: as many as the second argument says, NULs included. */
void put_raw_bytes(struct gen *g, const struct ir_op *op)
{
	unsigned at = g->layout->values[op->result], room = g->layout->value_rooms[op->result];
	unsigned fits = code_label(g->c), failed = code_label(g->c), done = code_label(g->c);

	clear_bytes(g, at, STRING_BYTES + room);
	load_word(g, R1, &op->args.v[1]);
	code_op(g->c, BPF_LSH, R1, 32);
	code_op(g->c, BPF_RSH, R1, 32);
	code_jump_if(g->c, BPF_JLT, R1, room, fits);
	code_number(g->c, R1, room - 1);
	code_here(g->c, fits);
	code_store(g->c, BPF_DW, R9, at, R1);
	load_word(g, R7, &op->args.v[0]);
	put_bytes_read(g, at + STRING_BYTES, room, at, op->code == IR_UBYTES, failed);
	code_jump(g->c, done);
	code_here(g->c, failed);
	code_store_number(g->c, BPF_DW, R9, at, 0);
	fail_read(g, NULL, R7);
	code_here(g->c, done);
}

/* r0 = its low bytes, as many as SIZE says: with a sign if that is negative */
static void put_sign(struct gen *g, int64_t size)
{
	unsigned bits = size < 0 ? 64 + 8 * size : 0;

	if (bits) {
		code_op(g->c, BPF_LSH, R0, bits);
		code_op(g->c, BPF_ARSH, R0, bits);
	}
}

/* Reads a number of so many bytes, negative: with a sign, at the first argument.  A fault is an error. */
void put_number_at(struct gen *g, const struct ir_op *op, int64_t size)
{
	const char *name = g->ir->functions.v[op->symbol].name;	/* "kernel_long", "user_long_error" */
	bool user = !strncmp(name, "user_", strlen("user_"));
	const char *type = strchr(name, '_') + 1;

	load_word(g, R3, &op->args.v[0]);
	put_read(g, labs(size), user,
		 arena_printf("%s %.*s", user ? "user" : "kernel", (int)strcspn(type, "_"), type));
	put_sign(g, size);
	store_word(g, op, R0);
}

/* Reads a number of the process's; a fault gives 0. */
void put_user_number(struct gen *g, const struct ir_op *op, int64_t size)
{
	unsigned failed = code_label(g->c), done = code_label(g->c);

	load_word(g, R3, &op->args.v[0]);
	put_try_read(g, labs(size), true, failed);
	put_sign(g, size);
	code_jump(g->c, done);
	code_here(g->c, failed);
	code_number(g->c, R0, 0);
	code_here(g->c, done);
	store_word(g, op, R0);
}
