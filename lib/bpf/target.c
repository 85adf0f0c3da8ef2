// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The target's threads: those of the process of -c or -x, and all that they create.
 *
 * A thread is known by the address of its task, which is all that the kernel's tracepoints tell of a new one
 * without type information.  Those that run already the loader finds in /proc, by their numbers in its PID
 * namespace:
 *
 *	threads		address of a task → 1
 *	numbers		number of a thread → 1
 *
 *	fork		the parent is in either: adds the child's task
 *	exit		removes the thread from both
 */
#include "gen.h"

/* The most threads that are followed at a time. */
enum { THREADS_MOST = 32768 };

/* The inode of the initial PID namespace (PROC_PID_INIT_INO of linux/proc_ns.h). */
enum { INITIAL_PIDS = 0xEFFFFFFC };

/* On the stack of a program, below THREAD_AT, where a task's address is, too: a map's value. */
enum { ONE_AT = THREAD_AT - 8 };

static unsigned add_set(struct bpf_plan *plan, unsigned key)
{
	const struct bpf_map m = {
		.type = BPF_MAP_TYPE_HASH, .key = key, .value = 4, .entries = THREADS_MOST,
	};

	vec_push(&plan->maps, m);
	return plan->maps.n - 1;
}

/* Adds the maps. */
void add_target(struct bpf_plan *plan)
{
	plan->threads = add_set(plan, 8);
	plan->numbers = add_set(plan, 4);
}

/* r1, r2 = a set and its key on the stack, for a helper */
static void pass_member(struct gen *g, unsigned set)
{
	code_map(g->c, R1, set);
	code_op_reg(g->c, BPF_MOV, R2, R10);
	code_op(g->c, BPF_ADD, R2, THREAD_AT);
}

static void put_task(struct gen *g)
{
	code_helper(g->c, BPF_FUNC_get_current_task);
	code_store(g->c, BPF_DW, R10, THREAD_AT, R0);
}

/*
 * Puts the current thread's number on the stack; goes to OTHER if its PID namespace is another one.  In the
 * initial one all have numbers.
 */
void put_number(struct gen *g, unsigned other)
{
	if (g->on->pids_inode == INITIAL_PIDS) {
		code_helper(g->c, BPF_FUNC_get_current_pid_tgid);
		code_store(g->c, BPF_W, R10, THREAD_AT, R0);
		code_op(g->c, BPF_RSH, R0, 32);
		code_store(g->c, BPF_W, R10, PROCESS_AT, R0);
		return;
	}
	code_number(g->c, R1, g->on->pids_device);
	code_number(g->c, R2, g->on->pids_inode);
	code_op_reg(g->c, BPF_MOV, R3, R10);
	code_op(g->c, BPF_ADD, R3, THREAD_AT);
	code_number(g->c, R4, sizeof(struct bpf_pidns_info));
	code_helper(g->c, BPF_FUNC_get_ns_current_pid_tgid);
	code_jump_if(g->c, BPF_JNE, R0, 0, other);
}

void put_is_process(struct gen *g, unsigned other)
{
	if (!g->place->pid)
		return;
	put_number(g, other);
	code_load(g->c, BPF_W, R1, R10, PROCESS_AT);
	code_number(g->c, R2, g->place->pid);
	code_jump_if_reg(g->c, BPF_JNE, R1, R2, other);
}

/* Adds the task whose address is at THREAD_AT; r0 = 0 if there was room. */
static void add_task(struct gen *g)
{
	code_store_number(g->c, BPF_W, R10, ONE_AT, 1);
	pass_member(g, g->plan->threads);
	code_op_reg(g->c, BPF_MOV, R3, R10);
	code_op(g->c, BPF_ADD, R3, ONE_AT);
	code_number(g->c, R4, BPF_ANY);
	code_helper(g->c, BPF_FUNC_map_update_elem);
}

/*
 * Goes to OTHER if the current thread is not the target's.  One that is known by its number is added by its
 * task's address, so that the next look finds it at once.
 */
void put_in_target(struct gen *g, unsigned other)
{
	unsigned is = code_label(g->c);

	put_task(g);
	pass_member(g, g->plan->threads);
	code_helper(g->c, BPF_FUNC_map_lookup_elem);
	code_jump_if(g->c, BPF_JNE, R0, 0, is);
	put_number(g, other);
	pass_member(g, g->plan->numbers);
	code_helper(g->c, BPF_FUNC_map_lookup_elem);
	code_jump_if(g->c, BPF_JEQ, R0, 0, other);
	put_task(g);
	add_task(g);
	code_here(g->c, is);
}

/* sched_process_fork(parent, child), in the parent */
static void put_fork(struct gen *g, unsigned end)
{
	code_op_reg(g->c, BPF_MOV, R6, R1);
	put_in_target(g, end);
	code_load(g->c, BPF_DW, R0, R6, 8);
	code_store(g->c, BPF_DW, R10, THREAD_AT, R0);
	add_task(g);
	code_jump_if(g->c, BPF_JEQ, R0, 0, end);
	count_skipped(g);
}

/* sched_process_exit(task), in the thread that ends */
static void put_thread_exit(struct gen *g, unsigned end)
{
	put_task(g);
	pass_member(g, g->plan->threads);
	code_helper(g->c, BPF_FUNC_map_delete_elem);
	put_number(g, end);
	pass_member(g, g->plan->numbers);
	code_helper(g->c, BPF_FUNC_map_delete_elem);
}

static const char *add_follower(struct bpf_plan *plan, const struct bpf_system *on, const char *tracepoint,
				void (*put)(struct gen *g, unsigned end))
{
	struct gen g = { .plan = plan, .ir = plan->ir, .on = on, .probe = &plan->ir->probes.v[0] };
	struct bpf_program p = { .role = BPF_FOLLOWS, .attach = IR_AT_TRACEPOINT, .tracepoint = tracepoint };
	struct function *outer;
	unsigned end;

	begin_function(&g, &outer);
	end = code_label(g.c);
	put(&g, end);
	code_here(g.c, end);
	end_function(&g, outer);
	return finish_program(&g, &p);
}

/* Adds the programs that follow them. */
const char *follow_target(struct bpf_plan *plan, const struct bpf_system *on)
{
	const char *why = add_follower(plan, on, "sched_process_fork", put_fork);

	return why ? why : add_follower(plan, on, "sched_process_exit", put_thread_exit);
}
