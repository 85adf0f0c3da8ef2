/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builtins.  Each makes a call's result; what its last argument says is in the table of builtins (builtins.c). */
#ifndef STAP_BPF_BUILTINS_H
#define STAP_BPF_BUILTINS_H

#include "bpf/gen.h"

/* acts.c: builtins that act */
void put_warn(struct gen *g, const struct ir_op *op, int64_t unused);
void put_log(struct gen *g, const struct ir_op *op, int64_t unused);
void put_exit(struct gen *g, const struct ir_op *op, int64_t unused);
void put_system(struct gen *g, const struct ir_op *op, int64_t unused);
void put_signal(struct gen *g, const struct ir_op *op, int64_t unused);
void put_new_speculation(struct gen *g, const struct ir_op *op, int64_t unused);
void put_speculation(struct gen *g, const struct ir_op *op, int64_t act);

/* text.c: builtins that show strings and memory as text */
void put_text_of(struct gen *g, const struct ir_op *op, int64_t quoted);
void put_limited_text(struct gen *g, const struct ir_op *op, int64_t unused);
void put_quoted(struct gen *g, const struct ir_op *op, int64_t helper);
void put_quoted_buffer(struct gen *g, const struct ir_op *op, int64_t user);

/* session.c: builtins about the session; put_known_number() makes NUMBER the result */
void put_known_number(struct gen *g, const struct ir_op *op, int64_t number);
void put_target(struct gen *g, const struct ir_op *op, int64_t unused);
void put_own_pid(struct gen *g, const struct ir_op *op, int64_t unused);
void put_page_size(struct gen *g, const struct ir_op *op, int64_t unused);
void put_hz(struct gen *g, const struct ir_op *op, int64_t unused);
void put_load(struct gen *g, const struct ir_op *op, int64_t unused);	/* of the machine */
void put_session_name(struct gen *g, const struct ir_op *op, int64_t unused);
void put_maxstringlen(struct gen *g, const struct ir_op *op, int64_t unused);
void put_random(struct gen *g, const struct ir_op *op, int64_t unused);

/* times.c: builtins that tell and show the time */
void put_day(struct gen *g, const struct ir_op *op, int64_t unit);
void put_clock(struct gen *g, const struct ir_op *op, int64_t unit);
void put_cpu_clock(struct gen *g, const struct ir_op *op, int64_t unit);
void put_zone_west(struct gen *g, const struct ir_op *op, int64_t unused);
void put_zone_name(struct gen *g, const struct ir_op *op, int64_t unused);
void put_ctime(struct gen *g, const struct ir_op *op, int64_t unused);

/* strings.c: builtins that look at bytes */
void put_find(struct gen *g, const struct ir_op *op, int64_t only_whether);
void put_matched(struct gen *g, const struct ir_op *op, int64_t unused);
void put_ngroups(struct gen *g, const struct ir_op *op, int64_t unused);
void put_byte_at(struct gen *g, const struct ir_op *op, int64_t unused);
void put_number_of(struct gen *g, const struct ir_op *op, int64_t unused);
void put_replace(struct gen *g, const struct ir_op *op, int64_t unused);
void put_substr(struct gen *g, const struct ir_op *op, int64_t unused);
void put_token(struct gen *g, const struct ir_op *op, int64_t begin);

/*
 * registers.c: registers by their names, and whether there are some; builtins.c: register() of the instruction is addr()
 */
void put_named_register(struct gen *g, const struct ir_op *op, int64_t is_signed);
void put_has_registers(struct gen *g, const struct ir_op *op, int64_t unused);
void put_addr(struct gen *g, const struct ir_op *op, int64_t unused);

/*
 * tasks.c: builtins that read what the kernel knows of a task, that of the first argument or, without one, the
 * current
 */
void put_task_fact(struct gen *g, const struct ir_op *op, int64_t fact);
void put_task_name(struct gen *g, const struct ir_op *op, int64_t fact);
void put_task_limit(struct gen *g, const struct ir_op *op, int64_t unused);
void put_task_pages(struct gen *g, const struct ir_op *op, int64_t what);
void put_open_files(struct gen *g, const struct ir_op *op, int64_t unused);
void put_task_file(struct gen *g, const struct ir_op *op, int64_t unused);
enum { STACK_ALL, STACK_USED, STACK_UNUSED };
void put_stack_bytes(struct gen *g, const struct ir_op *op, int64_t part);

/* r0 = a fact (enum task_fact) of the current task; goes to NONE if it has none. */
void put_own_fact(struct gen *g, enum task_fact fact, unsigned none);

/* user_strings.c: an array of strings as a text */
void put_user_strings(struct gen *g, const struct ir_op *op, int64_t unused);

/* find_task.c: the task with a number */
void put_find_task(struct gen *g, const struct ir_op *op, int64_t unused);

/* cmdline.c: the current process's arguments as a text, and a variable of its environment */
void put_arguments(struct gen *g, const struct ir_op *op, int64_t unused);
void put_variable(struct gen *g, const struct ir_op *op, int64_t unused);

/* syscalls.c: arguments of system calls */
void put_low(struct gen *g, unsigned bits, bool is_signed);	/* r0 = its low BITS, with their sign if SIGNED */
void load_call_argument(struct gen *g, const struct ir_operand *number);	/* r0 = that argument */
void put_call_argument(struct gen *g, const struct ir_op *op, int64_t bits);
void put_call_long(struct gen *g, const struct ir_op *op, int64_t unused);
void put_call_wide(struct gen *g, const struct ir_op *op, int64_t unused);
void put_call_id(struct gen *g, const struct ir_op *op, int64_t unused);
void put_call_number(struct gen *g, const struct ir_op *op, int64_t unused);
void put_entry_registers(struct gen *g, const struct ir_op *op, int64_t unused);
void put_call_compat(struct gen *g, const struct ir_op *op, int64_t unused);
void put_is_narrow(struct gen *g, unsigned wide);	/* goes to WIDE in a 64-bit program */

/* arguments.c: arguments of the function that is probed, by their numbers */
void put_numbered_argument(struct gen *g, const struct ir_op *op, int64_t bits);

/* symbols.c: builtins that name the kernel's code */
void put_symbol_name(struct gen *g, const struct ir_op *op, int64_t unused);
void put_name_of_function(struct gen *g, const struct ir_op *op);	/* at r0 */
void put_symbol_text(struct gen *g, const struct ir_op *op, int64_t unused);
void put_symbol_module(struct gen *g, const struct ir_op *op, int64_t unused);

/* names.c: builtins that name numbers, by the runtime's tables */

/* Names by their numbers, some of which may have none: what they are made of, as one for all of its lists, and they. */
struct list {
	const void *of;
	const char *const *names;
	unsigned n;
};

/* Puts name r1 of the list at AT in the frame; goes to NONE if there is none.  Keeps r7. */
void put_listed(struct gen *g, unsigned at, unsigned room, const struct list *l, unsigned none);

bool has_names(int64_t which);	/* is the table here, and not made of the kernel's headers? */
void put_errno(struct gen *g, const struct ir_op *op, int64_t unused);
void put_call_name(struct gen *g, const struct ir_op *op, int64_t unused);
void put_constant(struct gen *g, const struct ir_op *op, int64_t which);
void put_constant_value(struct gen *g, const struct ir_op *op, int64_t which);
void put_flags(struct gen *g, const struct ir_op *op, int64_t which);

#endif
