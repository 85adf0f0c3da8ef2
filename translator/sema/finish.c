// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The last step of pass 2.  The script's probes and places are final now: numbers
 * them, assigns bases to addresses, and records the kernel's anchor and build-id.
 * Nothing asks debug information after this step.
 */
#include <string.h>

#include "bpf/bpf.h"
#include "base/arena.h"
#include "probes/families.h"
#include "sema.h"

/* ---- source lines ------------------------------------------------------ */

static void add_module(text_list *modules, const char *name)
{
	for (size_t i = modules->n; i--;)
		if (!strcmp(modules->v[i], name))
			return;
	vec_push(modules, name);
}

/*
 * Adds the tables of source lines of the kernel and of the probed modules, if a
 * function of the script looks up lines at run time.
 */
static void note_lines(struct session *s, struct program *prog)
{
	text_list modules = { 0 };
	struct problem why = { 0 };
	bool wanted = false;

	for (size_t i = 0; i < prog->functions.n; i++)
		wanted |= function_is(prog->functions.v[i], FN_LINES);
	if (!wanted)
		return;
	add_module(&modules, "kernel");
	for (size_t i = 0; i < prog->probes.n; i++)
		for (size_t n = 0; n < prog->probes.v[i]->sites.n; n++)
			if (*prog->probes.v[i]->sites.v[n].module &&
			    !st_attach_is_user(prog->probes.v[i]->sites.v[n].attach))
				add_module(&modules, prog->probes.v[i]->sites.v[n].module);
	for (size_t i = 0; i < modules.n; i++)
		if (!target_lines(s->target, modules.v[i], &prog->lines, &why))
			diag(DIAG_WARNING, "no source lines: %s", why.text);
}

/* ---- places ------------------------------------------------------------ */

static unsigned base_of(struct session *s, const struct site *site, const char *section)
{
	return target_base(s->target, site->module, section ? section : "");
}

/* Copies the instruction bytes at a place in a program to SITE; the runtime compares them. */
static bool read_code(struct session *s, struct site *site, struct problem *why)
{
	struct code_bytes *code = arena_alloc((2 + site->nreturns) * sizeof(*code));
	bool ok = target_code(s->target, site->module, site->offset, &code[0], why) &&
		  target_code(s->target, site->module, site->body, &code[1], why);

	for (size_t i = 0; ok && i < site->nreturns; i++)
		ok = target_code(s->target, site->module, site->returns[i], &code[2 + i], why);
	site->code = code;
	return ok;
}

static void set_bases(struct session *s, const struct probe *p, struct site *site)
{
	struct problem why = { 0 };


	if (site->runs)
		site->program = target_program_file(s->target, site->runs);
	if (site->attach == ST_NO_CODE || site->attach == ST_TRACEPOINT)
		return;
	if (st_attach_is_user(site->attach)) {
		site->program = target_program(s->target, site->module);
		if (!read_code(s, site, &why))
			diag_at(DIAG_ERROR, p->point->loc, "%s", why.text);
		return;
	}
	if (!site->absolute)
		site->base = base_of(s, site, site->section);
	if (site->caller)
		site->caller_base = base_of(s, site, site->caller_section);
}

static void number_places(struct session *s, struct program *prog)
{
	unsigned timed = 0;

	for (size_t i = 0; i < prog->probes.n; i++) {
		struct probe *p = prog->probes.v[i];

		p->index = i;
		for (size_t j = 0; j < p->sites.n; j++) {
			set_bases(s, p, &p->sites.v[j]);
			p->sites.v[j].number = s->options.timing ? timed++ : 0;
		}
	}
}

/*
 * Records what turns link addresses of places and variables (@var) in the kernel into
 * run-time addresses: the anchor and the build-id.  The exception table is for the
 * runtime, which can't probe instructions in it.
 */
static void note_kernel_places(struct session *s, struct program *prog)
{
	bool kernels = target_relocates(s->target), places = kernels;

	/* Places in programs alone run on any build, unless something of the kernel was read, such as a type. */
	prog->build_id = target_build_id(s->target);
	for (size_t i = 0; i < prog->probes.n; i++) {
		const struct probe *p = prog->probes.v[i];

		places |= is_in_kernel(p);
		kernels |= is_in_kernel(p) && !st_attach_is_user(p->sites.v[0].attach);
	}
	if (!places)
		return;
	prog->anchor = target_anchor(s->target);
	prog->ex_table = target_kernel_symbol(s->target, "__start___ex_table");
	prog->ex_table_end = target_kernel_symbol(s->target, "__stop___ex_table");
	prog->current_kprobe = target_kernel_variable(s->target, "current_kprobe");
	prog->kprobe_ctlblk = target_kernel_variable(s->target, "kprobe_ctlblk");
	prog->load_current_idt = target_kernel_variable(s->target, "load_current_idt");
	if (kernels)
		prog->build_id = target_build_id(s->target);
}

/* ---- tasks ------------------------------------------------------------- */

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
#define FIELD(text) { .kind = STEP_FIELD, .name = text }
	static const struct step program[] = { FIELD("mm"), FIELD("exe_file"), FIELD("f_inode") };
	static const struct step opened[] = { FIELD("files"), FIELD("fdt"), FIELD("fd"),
					      { .kind = STEP_INDEX_VAR, .slot = 1 }, FIELD("f_inode") };
	static const struct step live[] = { FIELD("signal"), FIELD("live"), FIELD("counter") };
	static const struct step process[] = { FIELD("tgid") }, thread[] = { FIELD("pid") };
	static const struct step numbers[] = { FIELD("thread_pid") }, name[] = { FIELD("comm") };
	static const struct step parent[] = { FIELD("real_parent") };
	static const struct step parent_process[] = { FIELD("real_parent"), FIELD("tgid") };
	static const struct step parent_name[] = { FIELD("real_parent"), FIELD("comm") };
	static const struct step uid[] = { FIELD("cred"), FIELD("uid"), FIELD("val") };
	static const struct step gid[] = { FIELD("cred"), FIELD("gid"), FIELD("val") };
	static const struct step euid[] = { FIELD("cred"), FIELD("euid"), FIELD("val") };
	static const struct step egid[] = { FIELD("cred"), FIELD("egid"), FIELD("val") };
	static const struct step state[] = { FIELD("__state") }, cpu[] = { FIELD("thread_info"), FIELD("cpu") };
	static const struct step priority[] = { FIELD("prio") }, static_priority[] = { FIELD("static_prio") };
	static const struct step start[] = { FIELD("start_time") };
	static const struct step returns[] = { FIELD("utask"), FIELD("return_instances") };
	static const struct step outer[] = { FIELD("next") }, at[] = { FIELD("stack") }, to[] = { FIELD("orig_ret_vaddr") };
	static const struct step user_time[] = { FIELD("utime") }, system_time[] = { FIELD("stime") };
	static const struct step memory[] = { FIELD("mm") }, exe_file[] = { FIELD("mm"), FIELD("exe_file") };
	static const struct step arguments[] = { FIELD("mm"), FIELD("arg_start") };
	static const struct step arguments_end[] = { FIELD("mm"), FIELD("arg_end") };
	static const struct step tree[] = { FIELD("thread_pid"), FIELD("numbers"), { .kind = STEP_INDEX }, FIELD("ns"),
					    FIELD("idr"), FIELD("idr_rt"), FIELD("xa_head") };
	static const struct step shift[] = { FIELD("shift") };
	static const struct step slot[] = { FIELD("slots"), { .kind = STEP_INDEX_VAR, .slot = 1 } };
	static const struct step first_task[] = { FIELD("tasks"), { .kind = STEP_INDEX }, FIELD("first") };
	static const struct step link[] = { FIELD("pid_links"), { .kind = STEP_INDEX } };
	static const struct step fs[] = { FIELD("fs") }, root[] = { FIELD("fs"), FIELD("root") };
	static const struct step cwd[] = { FIELD("fs"), FIELD("pwd") }, signal[] = { FIELD("signal") };
	static const struct step limit[] = { FIELD("signal"), FIELD("rlim"), { .kind = STEP_INDEX_VAR, .slot = 1 },
					     FIELD("rlim_cur") };
#undef FIELD
#define FACT_OF(type, path) { type, path, sizeof(path) / sizeof(*(path)) }
#define FACT(path) FACT_OF("task_struct", path)
#define ADDRESS(path) { "task_struct", path, sizeof(path) / sizeof(*(path)), true }
#define RETURN(path) FACT_OF("return_instance", path)
	static const struct { const char *type; const struct step *path; size_t n; bool address; } facts[TASK_FACTS] = {
		[TASK_PROGRAM] = FACT(program), [TASK_OPENED] = FACT(opened), [TASK_LIVE] = FACT(live),
		[TASK_PROCESS] = FACT(process), [TASK_THREAD] = FACT(thread), [TASK_NUMBERS] = FACT(numbers),
		[TASK_PARENT] = FACT(parent), [TASK_PARENT_PROCESS] = FACT(parent_process),
		[TASK_PARENT_NAME] = FACT(parent_name), [TASK_NAME] = FACT(name), [TASK_UID] = FACT(uid),
		[TASK_GID] = FACT(gid), [TASK_EUID] = FACT(euid), [TASK_EGID] = FACT(egid),
		[TASK_STATE] = FACT(state), [TASK_PRIORITY] = FACT(priority),
		[TASK_STATIC_PRIORITY] = FACT(static_priority), [TASK_CPU] = FACT(cpu), [TASK_START] = FACT(start),
		[TASK_USER_TIME] = FACT(user_time), [TASK_SYSTEM_TIME] = FACT(system_time),
		[TASK_MEMORY] = FACT(memory), [TASK_EXE_FILE] = FACT(exe_file), [TASK_ARGUMENTS] = FACT(arguments),
		[TASK_ARGUMENTS_END] = FACT(arguments_end), [TASK_FS] = FACT(fs), [TASK_ROOT] = ADDRESS(root),
		[TASK_CWD] = ADDRESS(cwd), [TASK_TREE] = FACT(tree), [TREE_SHIFT] = FACT_OF("xa_node", shift),
		[TREE_SLOT] = FACT_OF("xa_node", slot), [TREE_FIRST_TASK] = FACT_OF("pid", first_task),
		[TASK_LINK] = ADDRESS(link), [TASK_SIGNAL] = FACT(signal), [TASK_LIMIT] = FACT(limit),
		[TASK_RETURNS] = FACT(returns), [TASK_OUTER_RETURN] = RETURN(outer), [TASK_RETURN_AT] = RETURN(at),
		[TASK_RETURN_TO] = RETURN(to),
	};
#undef ADDRESS
#undef FACT
#undef RETURN
#undef FACT_OF

	if (!is_of_processes(prog) && !calls(prog, bpf_reads_task) &&
	    !(has_programs_return(prog) && calls(prog, bpf_walks_programs)))
		return;
	for (size_t i = 0; i < TASK_FACTS; i++) {
		struct problem why = { 0 };
		struct fetch got;

		if (!target_cast(s->target, facts[i].type, "kernel", facts[i].path, facts[i].n,
				 facts[i].address, &got, &why))
			prog->tasks[i] = got.load;
	}
}

void sema_finish(struct session *s, struct program *prog)
{
	if (s->engine == ENGINE_BPF)
		sema_note_tasks(s, prog);
	if (!prog->needs_kernel_headers)
		prog->needs_kernel_headers = !fold_constants(s, prog);
	note_lines(s, prog);
	note_kernel_places(s, prog);
	number_places(s, prog);
	prog->relocates = target_relocates(s->target);
	prog->bases = target_bases(s->target);
	prog->files = target_programs(s->target);
}
