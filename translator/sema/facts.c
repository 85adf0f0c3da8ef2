// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Facts of tasks (enum task_fact): for BPF, which knows no structure of the kernel's, the paths to them become terms, by
 * the kernel's own types.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "bpf/bpf.h"
#include "fetch.h"
#include "probes/families.h"
#include "sema.h"

/*
 * The path to each from the structure at input 0; "[i]" is by input 1, "&" asks for the address.  Of several paths the
 * first counts that this kernel has.
 */
static const struct fact {
	enum task_fact fact;
	const char *type, *path;
} facts[] = {
	{ TASK_PROGRAM, "task_struct", "mm.exe_file.f_inode" },
	{ TASK_OPENED, "task_struct", "files.fdt.fd[i].f_inode" },
	{ TASK_LIVE, "task_struct", "signal.live.counter" },
	{ TASK_PROCESS, "task_struct", "tgid" },
	{ TASK_THREAD, "task_struct", "pid" },
	{ TASK_NUMBERS, "task_struct", "thread_pid" },
	{ TASK_PARENT, "task_struct", "real_parent" },
	{ TASK_PARENT_PROCESS, "task_struct", "real_parent.tgid" },
	{ TASK_PARENT_NAME, "task_struct", "real_parent.comm" },
	{ TASK_NAME, "task_struct", "comm" },
	{ TASK_UID, "task_struct", "cred.uid.val" },
	{ TASK_GID, "task_struct", "cred.gid.val" },
	{ TASK_EUID, "task_struct", "cred.euid.val" },
	{ TASK_EGID, "task_struct", "cred.egid.val" },
	{ TASK_STATE, "task_struct", "__state" },
	{ TASK_PRIORITY, "task_struct", "prio" },
	{ TASK_STATIC_PRIORITY, "task_struct", "static_prio" },
	{ TASK_CPU, "task_struct", "thread_info.cpu" },
	{ TASK_START, "task_struct", "start_time" },
	{ TASK_USER_TIME, "task_struct", "utime" },
	{ TASK_SYSTEM_TIME, "task_struct", "stime" },
	{ TASK_MEMORY, "task_struct", "mm" },
	{ TASK_EXE_FILE, "task_struct", "mm.exe_file" },
	{ TASK_ARGUMENTS, "task_struct", "mm.arg_start" },
	{ TASK_ARGUMENTS_END, "task_struct", "mm.arg_end" },
	{ TASK_ENVIRONMENT, "task_struct", "mm.env_start" },
	{ TASK_ENVIRONMENT_END, "task_struct", "mm.env_end" },
	{ TASK_PAGES, "task_struct", "mm.total_vm" },
	{ TASK_DATA_PAGES, "task_struct", "mm.data_vm" },
	{ TASK_STACK_PAGES, "task_struct", "mm.stack_vm" },
	{ TASK_RESIDENT, "task_struct", "mm.rss_stat[i].count" },	/* since Linux 6.2 */
	{ TASK_RESIDENT, "task_struct", "mm.rss_stat.count[i].counter" },
	{ TASK_CODE, "task_struct", "mm.start_code" },
	{ TASK_CODE_END, "task_struct", "mm.end_code" },
	{ TASK_FS, "task_struct", "fs" },
	{ TASK_ROOT, "task_struct", "&fs.root" },
	{ TASK_CWD, "task_struct", "&fs.pwd" },
	{ TASK_TREE, "task_struct", "thread_pid.numbers[0].ns.idr.idr_rt.xa_head" },
	{ TREE_SHIFT, "xa_node", "shift" },
	{ TREE_SLOT, "xa_node", "slots[i]" },
	{ TREE_FIRST_TASK, "pid", "tasks[0].first" },
	{ TASK_LINK, "task_struct", "&pid_links[0]" },
	{ TASK_SIGNAL, "task_struct", "signal" },
	{ TASK_LIMIT, "task_struct", "signal.rlim[i].rlim_cur" },
	{ TASK_GROUP, "task_struct", "signal.pids[2].numbers[0].nr" },
	{ TASK_SESSION, "task_struct", "signal.pids[3].numbers[0].nr" },
	{ TASK_STACK, "task_struct", "stack" },
	{ TASK_FILES, "task_struct", "files" },
	{ TASK_DESCRIPTORS, "task_struct", "files.fdt.max_fds" },
	{ TASK_DESCRIPTOR_BITS, "task_struct", "files.fdt.open_fds" },
	{ TASK_FILE, "task_struct", "files.fdt.fd[i]" },
	{ TASK_RETURNS, "task_struct", "utask.return_instances" },
	{ TASK_OUTER_RETURN, "return_instance", "next" },
	{ TASK_RETURN_AT, "return_instance", "stack" },
	{ TASK_RETURN_TO, "return_instance", "orig_ret_vaddr" },
};

enum { STEPS_MOST = 8 };

/* Takes the steps of PATH, a copy.  Returns how many there are. */
static size_t take_steps(char *path, struct step *steps)
{
	size_t n = 0;

	for (char *rest = path, *part; (part = strsep(&rest, ".[")) && n < STEPS_MOST; n++)
		if (!strcmp(part, "i]"))
			steps[n] = (struct step){ .kind = STEP_INDEX_VAR, .slot = 1 };
		else if (strchr(part, ']'))
			steps[n] = (struct step){ .kind = STEP_INDEX, .index = atoi(part) };
		else
			steps[n] = (struct step){ .kind = STEP_FIELD, .name = part };
	return n;
}

static const struct term *term_of(struct session *s, const struct fact *f)
{
	bool address = *f->path == '&';
	struct step steps[STEPS_MOST];
	size_t n = take_steps(arena_strdup(f->path + address), steps);
	struct problem why = { 0 };
	struct fetch got;

	return target_cast(s->target, f->type, "kernel", steps, n, address, &got, &why) ? NULL : got.load;
}

/* Returns load average I, input 0, which is in the kernel's variable. */
static const struct term *term_of_load(struct session *s)
{
	struct kernel_variable v = target_kernel_variable(s->target, "avenrun");
	const struct term *at = term_binary(WORD_MUL, term_input(0), term_number(sizeof(uint64_t)));

	return term_read(term_binary(WORD_ADD, term_image(v.base, v.address), at), sizeof(uint64_t), false);
}

static bool is_of_processes(const struct program *prog)
{
	for (size_t i = 0; i < prog->probes.n; i++)
		if (prog->probes.v[i]->family == &family_process)
			return true;
	return false;
}

static bool has_programs_return(const struct program *prog)
{
	for (size_t i = 0; i < prog->probes.n; i++)
		for (size_t j = 0; j < prog->probes.v[i]->sites.n; j++)
			if (prog->probes.v[i]->sites.v[j].attach == ST_URETPROBE)
				return true;
	return false;
}

static bool calls(const struct program *prog, bool (*is)(const char *name, size_t nargs))
{
	for (size_t i = 0; i < prog->functions.n; i++) {
		const struct function *f = prog->functions.v[i];

		if (f->builtin && is(f->name, f->params.n))
			return true;
	}
	return false;
}

void sema_note_tasks(struct session *s, struct program *prog)
{
	if (calls(prog, bpf_reads_load))
		prog->tasks[MACHINE_LOAD] = term_of_load(s);
	if (!is_of_processes(prog) && !calls(prog, bpf_reads_task) &&
	    !(has_programs_return(prog) && calls(prog, bpf_walks_programs)))
		return;
	if (target_stack_bytes(s->target))
		prog->tasks[TASK_STACK_BYTES] = term_number(target_stack_bytes(s->target));
	for (size_t i = 0; i < sizeof(facts) / sizeof(*facts); i++)
		if (!prog->tasks[facts[i].fact])
			prog->tasks[facts[i].fact] = term_of(s, &facts[i]);
}
