// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What processes do: process.begin, .end, .thread.begin, .thread.end, .syscall, .syscall.return.
 *
 * A process is met when it comes back from a system call for the first time, or executes another program,
 * and is kept in a map until it ends:
 *
 *	processes	number of a process → its program's inode, who begins it, who ends it, what is done
 *	begun		address of a thread's task that has begun → 1
 *	inodes		of each file of the script's, and of this loader's program
 *
 * Handlers are attached to tracepoints, or to their events, between two programs of ours.  The first meets the process and
 * decides which thread begins or ends it, since two may come at once; a handler runs if it is in that
 * thread; the last notes that it was done.
 *
 *	sys_exit	meet, claim the begin; .syscall.return, .begin, .thread.begin; note
 *	sys_enter	the same, if there is a .syscall, which the begins come before
 *	sched_process_exec	claim the end; .begin if it has not begun, .end; forget
 *	sched_process_exit	the same in the last thread, and in each .thread.end; note
 */
#include <string.h>

#include "gen.h"

enum { PROCESSES_MOST = 32768 };

/* The members of what is kept of a process. */
enum { PROGRAM, BEGINNER = 8, ENDER = 16, DONE = 24, STATE_BYTES = 32 };
enum { BEGUN = 1, ENDED = 2, HAS_THREADS = 4 };

/* In the frame: a task's address and a descriptor, the inputs of facts; a key; a new state. */
enum { TASK = FRAME_OF_PROCESS, DESCRIPTOR = TASK + 8, KEY = TASK + 16, STATE = TASK + 24 };

void add_processes(struct bpf_plan *plan)
{
	const struct bpf_map processes = {
		.type = BPF_MAP_TYPE_LRU_HASH, .key = 4, .value = STATE_BYTES, .entries = PROCESSES_MOST,
	};
	const struct bpf_map begun = {
		.type = BPF_MAP_TYPE_LRU_HASH, .key = 8, .value = 4, .entries = PROCESSES_MOST,
	};
	const struct bpf_map inodes = {
		.type = BPF_MAP_TYPE_ARRAY, .key = 4, .value = 8 * (plan->ir->files.n + 1), .entries = 1,
	};

	plan->processes = plan->maps.n;
	vec_push(&plan->maps, processes);
	plan->begun = plan->maps.n;
	vec_push(&plan->maps, begun);
	plan->inodes = plan->maps.n;
	vec_push(&plan->maps, inodes);
}

/* ---- what is kept ------------------------------------------------------------ */

/* r1, r2 = a map and the key at AT */
static void pass_entry(struct gen *g, unsigned map, unsigned at)
{
	code_map(g->c, R1, map);
	pass_frame(g, R2, at);
}

/* r7 = what is kept of the current process; goes to NONE if nothing is. */
static void find_state(struct gen *g, unsigned none)
{
	code_helper(g->c, BPF_FUNC_get_current_pid_tgid);
	code_op(g->c, BPF_RSH, R0, 32);
	code_store(g->c, BPF_DW, R9, KEY, R0);
	pass_entry(g, g->plan->processes, KEY);
	code_helper(g->c, BPF_FUNC_map_lookup_elem);
	code_jump_if(g->c, BPF_JEQ, R0, 0, none);
	code_op_reg(g->c, BPF_MOV, R7, R0);
}

/* Puts the current task into the frame. */
static void note_task(struct gen *g)
{
	code_helper(g->c, BPF_FUNC_get_current_task);
	code_store(g->c, BPF_DW, R9, TASK, R0);
}

/* Makes the current task the beginner or ender, unless there is one. */
static void claim(struct gen *g, int member)
{
	code_number(g->c, R0, 0);
	code_load(g->c, BPF_DW, R1, R9, TASK);
	code_op_reg(g->c, BPF_MOV, R2, R7);
	code_op(g->c, BPF_ADD, R2, member);
	code_atomic(g->c, BPF_CMPXCHG, R2, 0, R1);
}

/* Goes to OTHER unless the current task is the beginner or ender of the process in r7. */
static void put_is_task(struct gen *g, int member, unsigned other)
{
	code_load(g->c, BPF_DW, R1, R9, TASK);
	code_load(g->c, BPF_DW, R2, R7, member);
	code_jump_if_reg(g->c, BPF_JNE, R1, R2, other);
}

/* Goes to OTHER if the process in r7 has done any of this. */
static void put_has_not(struct gen *g, int done, unsigned other)
{
	code_load(g->c, BPF_DW, R1, R7, DONE);
	code_op(g->c, BPF_AND, R1, done);
	code_jump_if(g->c, BPF_JNE, R1, 0, other);
}

/* Goes to OTHER in the first thread of a process. */
static void put_is_thread(struct gen *g, unsigned other)
{
	code_helper(g->c, BPF_FUNC_get_current_pid_tgid);
	code_op_reg(g->c, BPF_MOV, R1, R0);
	code_op(g->c, BPF_LSH, R1, 32);
	code_op(g->c, BPF_RSH, R1, 32);
	code_op(g->c, BPF_RSH, R0, 32);
	code_jump_if_reg(g->c, BPF_JEQ, R0, R1, other);
}

/* ---- before handlers ------------------------------------------------------------ */

/*
 * Begins to keep the current process.  The command of -c runs our own program until it executes the
 * command, and doesn't count.
 */
static void put_meet(struct gen *g, unsigned free)
{
	unsigned absent = code_label(g->c), known = code_label(g->c), added = code_label(g->c);

	note_task(g);
	find_state(g, absent);
	code_load(g->c, BPF_DW, R1, R7, DONE);
	code_op(g->c, BPF_AND, R1, ENDED);	/* another process had the number */
	code_jump_if(g->c, BPF_JEQ, R1, 0, known);
	code_here(g->c, absent);
	if (g->plan->threads)
		put_in_target(g, free);
	put_fact(g, TASK_PROGRAM, TASK);
	code_jump_if(g->c, BPF_JEQ, R0, 0, free);
	if (g->plan->threads) {
		code_map_value(g->c, R1, g->plan->inodes, 8 * g->ir->files.n);
		code_load(g->c, BPF_DW, R1, R1, 0);
		code_jump_if_reg(g->c, BPF_JEQ, R0, R1, free);
	}
	clear_bytes(g, STATE, STATE_BYTES);
	code_store(g->c, BPF_DW, R9, STATE + PROGRAM, R0);
	pass_entry(g, g->plan->processes, KEY);
	pass_frame(g, R3, STATE);
	code_number(g->c, R4, BPF_ANY);
	code_helper(g->c, BPF_FUNC_map_update_elem);
	code_jump_if(g->c, BPF_JEQ, R0, 0, added);
	count_skipped(g);
	code_here(g->c, added);
	find_state(g, free);
	code_here(g->c, known);
	claim(g, BEGINNER);
}

/* Lets the last thread of a process end it; at an exec the only one does. */
static void put_ending(struct gen *g, unsigned free)
{
	note_task(g);
	if (!strcmp(g->tracepoint, "sched_process_exit")) {
		put_fact(g, TASK_LIVE, TASK);
		code_jump_if(g->c, BPF_JNE, R0, 0, free);
	}
	find_state(g, free);
	claim(g, ENDER);
}

/* ---- around a handler --------------------------------------------------------------- */

/* Goes to OTHER unless the process in r7 is one that the place is for. */
static void put_is_whose(struct gen *g, unsigned other)
{
	if (g->place->file != IR_ANY_FILE) {
		code_map_value(g->c, R1, g->plan->inodes, 8 * g->place->file);
		code_load(g->c, BPF_DW, R1, R1, 0);
		code_load(g->c, BPF_DW, R2, R7, PROGRAM);
		code_jump_if_reg(g->c, BPF_JNE, R1, R2, other);
	}
	put_is_process(g, other);
}

/* Goes to OTHER unless it happens here and now, in this thread. */
static void put_happens(struct gen *g, unsigned other)
{
	switch (g->place->process) {
	case IR_PROCESS_BEGIN:
		put_is_task(g, is_at_call(g) ? BEGINNER : ENDER, other);
		put_has_not(g, BEGUN | ENDED, other);
		break;
	case IR_PROCESS_END:
		put_is_task(g, ENDER, other);
		put_has_not(g, ENDED, other);
		break;
	case IR_THREAD_BEGIN:
		put_is_thread(g, other);
		pass_entry(g, g->plan->begun, TASK);
		code_helper(g->c, BPF_FUNC_map_lookup_elem);
		code_jump_if(g->c, BPF_JNE, R0, 0, other);
		break;
	case IR_THREAD_END:
		put_is_thread(g, other);
		break;
	default:
		break;
	}
}

/* ---- after handlers -------------------------------------------------------------- */

/* Adds MORE to what r7's process has done. */
static void add_done(struct gen *g, int more)
{
	code_number(g->c, R1, more);
	code_atomic(g->c, BPF_OR, R7, DONE, R1);
}

/* r7's process has done MORE, if the current task was to do it. */
static void put_done(struct gen *g, int member, int more, unsigned free)
{
	find_state(g, free);
	put_is_task(g, member, free);
	add_done(g, more);
}

static void put_leave(struct gen *g, unsigned free)
{
	unsigned first = code_label(g->c);

	note_task(g);
	if (is_at_call(g)) {
		put_is_thread(g, first);
		pass_entry(g, g->plan->begun, TASK);
		code_store_number(g->c, BPF_DW, R9, STATE, 1);
		pass_frame(g, R3, STATE);
		code_number(g->c, R4, BPF_ANY);
		code_helper(g->c, BPF_FUNC_map_update_elem);
		find_state(g, free);
		add_done(g, HAS_THREADS);
		code_here(g->c, first);
		put_done(g, BEGINNER, BEGUN, free);
		return;
	}
	pass_entry(g, g->plan->begun, TASK);
	code_helper(g->c, BPF_FUNC_map_delete_elem);
	put_done(g, ENDER, BEGUN | ENDED, free);
	if (!strcmp(g->tracepoint, "sched_process_exit")) {
		/* The ends of other threads may come after the process's: the map drops it when it needs the room. */
		put_has_not(g, HAS_THREADS, free);
		pass_entry(g, g->plan->processes, KEY);
		code_helper(g->c, BPF_FUNC_map_delete_elem);
	}
}

/* ---- programs -------------------------------------------------------------------- */

/*
 * Tells the inode of a file: sched_process_exec's first two arguments are the descriptor, and the file's
 * number.
 */
static void put_tell(struct gen *g, unsigned free)
{
	unsigned own = code_label(g->c), stored = code_label(g->c);

	note_task(g);
	code_load(g->c, BPF_DW, R1, R6, 0);
	code_store(g->c, BPF_DW, R9, DESCRIPTOR, R1);
	code_load(g->c, BPF_DW, R1, R6, 8);
	code_jump_if(g->c, BPF_JEQ, R1, g->ir->files.n, own);
	put_fact(g, TASK_OPENED, TASK);
	code_jump(g->c, stored);
	code_here(g->c, own);
	put_fact(g, TASK_PROGRAM, TASK);
	code_here(g->c, stored);
	code_load(g->c, BPF_DW, R1, R6, 8);
	code_jump_if(g->c, BPF_JGT, R1, g->ir->files.n, free);
	code_op(g->c, BPF_MUL, R1, 8);
	code_map_value(g->c, R2, g->plan->inodes, 0);
	code_op_reg(g->c, BPF_ADD, R2, R1);
	code_store(g->c, BPF_DW, R2, 0, R0);
}

/* Makes the code around a handler of a place of processes, or that of our own programs. */
void put_process(struct gen *g, const struct bpf_program *p, unsigned free)
{
	for (size_t i = 0; i <= TASK_LIVE; i++)
		if (!g->ir->tasks[i]) {
			refuse(g, "no places of processes without the kernel's types");
			return;
		}
	if (g->place && g->place->file != IR_ANY_FILE && g->ir->files.v[g->place->file].awaited)
		refuse(g, "no program that is not there yet");
	switch (p->role) {
	case BPF_TELLS:
		put_tell(g, free);
		break;
	case BPF_LEAVES:
		put_leave(g, free);
		break;
	case BPF_FOLLOWS:
		if (is_at_call(g))
			put_meet(g, free);
		else
			put_ending(g, free);
		break;
	default:
		note_task(g);
		find_state(g, free);
		put_is_whose(g, free);
		put_happens(g, free);
	}
}

static const char *add_own(struct bpf_plan *plan, const struct bpf_system *on, enum bpf_role role,
			   const char *tracepoint)
{
	return add_program(plan, on, (struct bpf_program){
		.role = role, .attach = IR_OF_PROCESS, .tracepoint = tracepoint,
	});
}

static bool has_event(const struct ir_program *ir, enum ir_process_event event)
{
	for (size_t i = 0; i < ir->probes.n; i++)
		for (size_t j = 0; j < ir->probes.v[i].places.n; j++)
			if (ir->probes.v[i].places.v[j].attach == IR_OF_PROCESS &&
			    ir->probes.v[i].places.v[j].process == event)
				return true;
	return false;
}

/* Entries of system calls cost all processes time, so they are followed only for probes of them. */
static bool is_followed(const struct bpf_plan *plan, const char *tracepoint)
{
	return strcmp(tracepoint, "sys_enter") || has_event(plan->ir, IR_SYSCALL);
}

/* Adds our own programs, which run before handlers or after them. */
static const char *add_own_programs(struct bpf_plan *plan, const struct bpf_system *on, enum bpf_role role)
{
	static const char *const at[] = { "sys_enter", "sys_exit", "sched_process_exec", "sched_process_exit" };
	const char *why = NULL;

	for (size_t i = 0; i < sizeof(at) / sizeof(*at) && !why; i++)
		if (is_followed(plan, at[i]))
			why = add_own(plan, on, role, at[i]);
	return why;
}

const char *follow_processes(struct bpf_plan *plan, const struct bpf_system *on)
{
	const char *why = add_own(plan, on, BPF_TELLS, "sched_process_exec");

	return why ? why : add_own_programs(plan, on, BPF_FOLLOWS);
}

/* Adds the programs of places for which a tracepoint is an event. */
static const char *add_handlers(struct bpf_plan *plan, const struct bpf_system *on,
				enum ir_process_event event, const char *tracepoint)
{
	unsigned point = 0;
	const char *why = NULL;

	for (size_t i = 0; i < plan->ir->probes.n; i++) {
		const struct ir_probe *p = &plan->ir->probes.v[i];

		for (size_t j = 0; j < p->places.n && !why; j++)
			if (p->places.v[j].attach == IR_OF_PROCESS && p->places.v[j].process == event)
				why = add_program(plan, on, (struct bpf_program){
					.probe = i, .point = point + j, .first = j, .n = 1,
					.attach = IR_OF_PROCESS, .tracepoint = tracepoint,
				});
		point += p->places.n;
	}
	return why;
}

/*
 * Adds the programs of places, in the order in which they run at a tracepoint, and those that run after
 * them.
 */
const char *add_process_programs(struct bpf_plan *plan, const struct bpf_system *on)
{
	static const struct { enum ir_process_event event; const char *at; } order[] = {
		{ IR_PROCESS_BEGIN, "sys_enter" },
		{ IR_THREAD_BEGIN, "sys_enter" },
		{ IR_SYSCALL, "sys_enter" },
		{ IR_SYSCALL_RETURN, "sys_exit" },
		{ IR_PROCESS_BEGIN, "sys_exit" },
		{ IR_THREAD_BEGIN, "sys_exit" },
		{ IR_PROCESS_BEGIN, "sched_process_exec" },
		{ IR_PROCESS_END, "sched_process_exec" },
		{ IR_THREAD_END, "sched_process_exit" },
		{ IR_PROCESS_BEGIN, "sched_process_exit" },
		{ IR_PROCESS_END, "sched_process_exit" },
	};
	const char *why = NULL;

	for (size_t i = 0; i < sizeof(order) / sizeof(*order) && !why; i++)
		if (is_followed(plan, order[i].at))
			why = add_handlers(plan, on, order[i].event, order[i].at);
	return why ? why : add_own_programs(plan, on, BPF_LEAVES);
}
