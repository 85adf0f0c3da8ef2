/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The current process's user stack, as a handler sees it: from the registers of user space, those
 * at the probe or those with which the task entered the kernel.
 *
 * A handler's stack is unwound once; what asks again gets the same frames.
 */
#ifndef STAP_USER_STACK_H
#define STAP_USER_STACK_H

#include "abi/bounds.h"
#include "memory/space.h"
#include "unwind/unwind.h"

struct pt_regs;
struct st_context;

#define ST_USER_MAPPINGS 4		/* remembered while a handler runs */

/* A context's memory for it. */
struct st_user_stack {
	struct st_unwind unwind;
	struct st_mapping mappings[ST_USER_MAPPINGS];	/* the last of x->user_mappings */
	struct st_frame frames[ST_USER_DEPTH];	/* x->user_frames of them */
};

/* Unwinds the stack, unless that was done; returns how many frames X->user has.  0: there is no
 * user space here. */
unsigned int st_user_stack(struct st_context *x);

/* Unwinds from other registers; FP is the frame pointer. */
unsigned int st_user_stack_from(struct st_context *x, unsigned long ip, unsigned long sp,
				unsigned long fp);

/*
 * Does what st_space_find() does, but remembers what the handler has found, because many addresses
 * of a stack are in the same mappings.  Returns NULL if there is none; the result stays until the
 * next call.
 */
const struct st_mapping *st_user_mapping(struct st_context *x, unsigned long addr);

/* Forgets the stack, because X->user->frames gets addresses of another one. */
void st_user_stack_forget(struct st_context *x);

/* Returns the registers of user space; NULL if there are none. */
const struct pt_regs *st_user_regs(const struct st_context *x);

#endif
