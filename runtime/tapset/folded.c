// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Prints a line for a flame graph: program, user stack and kernel stack from the outermost function
 * to the innermost, and a number.
 *
 *	python3;_start;main;…;read;entry_SYSCALL_64_[k];…;vfs_read_[k] 1
 *
 * The reader names the user stack's frames, as in all printed stacks; the kernel's are named here.
 */
#include <linux/sched.h>

#include "handler/context.h"
#include "stack_text.h"
#include "symbol.h"
#include "ustack.h"

static void print_chars(struct st_ctx *c, const char *s)
{
	st_print_text(c, (struct st_str){ s, strlen(s) });
}

/* Prints the program's name, with another character for the line's separator. */
static void print_program(struct st_ctx *c)
{
	char copy[TASK_COMM_LEN], *p;

	memcpy(copy, current->comm, sizeof(copy));
	copy[sizeof(copy) - 1] = '\0';
	for (p = copy; *p; p++)
		if (*p == ';' || *p == '\n')
			*p = ':';
	print_chars(c, copy);
}

static void print_kernel(struct st_ctx *c)
{
	unsigned int n = st_stack_walk(c);
	struct st_symbol s;

	while (n-- && !c->error) {
		st_symbol(c, st_context_of(c)->stack[n], &s);
		print_chars(c, ";");
		print_chars(c, s.name ?: "unknown");
		print_chars(c, "_[k]");
	}
}

void st_fn_print_folded(struct st_ctx *c, st_long number)
{
	char end[24];

	if (c->error)
		return;
	print_program(c);
	st_print_user_stack(c, ST_STACK_FOLDED);
	print_kernel(c);
	scnprintf(end, sizeof(end), " %lld\n", number);
	print_chars(c, end);
}

void st_fn_print_folded_once(struct st_ctx *c)
{
	st_fn_print_folded(c, 1);
}
