// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Chooses what runs the script: a kernel module, a process that interprets it, or that process with BPF.
 *
 * Without --runtime a module is made wherever one can be loaded, because it can do everything.  Elsewhere
 * the script must do the same another way, or it is refused: one that asks for a module, by an option or by
 * %( runtime %), gets no other.  A host of --remote may have the headers that a module lacks; it is asked for
 * them only if nothing else will do.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/problem.h"
#include "bpf/bpf.h"
#include "cli/passes.h"
#include "interpreter/run.h"
#include "kit/kit.h"
#include "program/program.h"
#include "run/run.h"
#include "sema/sema.h"
#include "session.h"

#define KPROBES "/sys/bus/event_source/devices/kprobe"

bool needs_kernel(const struct session *s)
{
	return s->program->embeds.n || run_refuses(s->ir, false);
}

/* Returns what the interpreter, with BPF beside it or not, can't do. */
static const char *refuses(const struct session *s, bool bpf)
{
	const char *why = run_refuses(s->ir, bpf);

	return !why && bpf ? bpf_refuses(s->ir) : why;
}

/* Returns why the script's kernel can't run BPF of ours, or NULL. */
static const char *too_old(const struct session *s)
{
	const char *release = kernel_release(s->kernel);

	return run_bpf_is_in(release) ? NULL : arena_printf("BPF needs Linux 6.1, and this is %s", release);
}

/* Refuses a program that the runtime of --runtime can't run. */
static int check_chosen(const struct session *s)
{
	const bool bpf = s->engine == ENGINE_BPF;
	const char *why = diag_errors ? NULL : refuses(s, bpf);

	if (!diag_errors && !why && bpf && needs_kernel(s))
		why = too_old(s);
	if (!why)
		return diag_errors ? -1 : 0;
	diag(DIAG_ERROR, "%s", why);
	if (bpf)
		diag_hint("a kernel module has it: --runtime=kernel");
	return -1;
}

static bool has_kprobes(const struct ir_program *ir)
{
	for (size_t i = 0; i < ir->probes.n; i++)
		for (size_t j = 0; j < ir->probes.v[i].places.n; j++)
			if (ir->probes.v[i].places.v[j].attach == IR_AT_ADDRESS ||
			    ir->probes.v[i].places.v[j].attach == IR_AT_RETURN)
				return true;
	return false;
}

/* Returns why the script can't run as BPF without being asked to; NULL: it can. */
static const char *no_bpf(struct session *s)
{
	struct problem why = { 0 };

	if (!s->options.remotes.n && has_kprobes(s->ir) && access(KPROBES, F_OK))
		return "this kernel has no events of kprobes (CONFIG_KPROBE_EVENTS)";

	if (!run_bpf_is_possible(s, &why))
		return why.text;
	if (s->options.guru || s->options.defines.n)
		return arena_printf("%s is for modules, unless --runtime=bpf says otherwise",
				    s->options.guru ? "-g" : "-D");
	sema_note_tasks(s, s->program);
	memcpy(s->ir->tasks, s->program->tasks, sizeof(s->ir->tasks));
	return refuses(s, true);
}

static const char *how_to_get_headers(void)
{
	struct problem why = { 0 };

	if (kit_can_confine(&why))
		return "-r takes a copy of that kernel's headers";
	return arena_printf("-r takes a copy of that kernel's headers; the host's are not taken, because %s",
			    why.text);
}

/* The script can't be a module, for this reason: chooses another engine.  Returns -1 after a message. */
static int choose_other(struct session *s, const struct problem *no_module)
{
	bool kernel = needs_kernel(s);
	const char *where = s->options.remotes.n ? "there" : "here";
	const char *why = s->asks_runtime ? "it asks for its runtime in %( %), and would be another script then" :
			  kernel ? no_bpf(s) : NULL;

	s->lacks_headers = why && s->may_ask_headers;
	if (s->lacks_headers)
		return 0;
	if (why) {
		diag(DIAG_ERROR, "nothing %s can run the script.  "
		     "A kernel module can't: %s.  BPF can't: %s", where, no_module->text, why);
		diag_hint("%s", s->options.remotes.n ? how_to_get_headers() : no_module->hint);
		return -1;
	}
	s->engine = kernel ? ENGINE_BPF : ENGINE_USER;
	if (s->verbose)
		fprintf(stderr, "Pass 3: the script %s, because %s.\n",
			kernel ? "runs as BPF" : "needs no kernel, and runs in user space",
			no_module->text);
	return 0;
}

int choose_engine(struct session *s)
{
	struct problem why = { 0 };

	if (s->engine != ENGINE_MODULE)
		return check_chosen(s);
	s->lacks_headers = s->may_ask_headers && s->options.runtime == RUNTIME_KERNEL && !kit_is_possible(s, &why);
	if (s->options.runtime != RUNTIME_ANY || diag_errors || run_module_is_possible(s, &why))
		return 0;
	return choose_other(s, &why);
}
