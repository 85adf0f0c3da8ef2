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

void sema_finish(struct session *s, struct program *prog)
{
	if (s->engine == ENGINE_BPF)
		sema_note_tasks(s, prog);
	if (!prog->needs_kernel_headers)
		prog->needs_kernel_headers = !fold_constants(s, prog);
	note_lines(s, prog);
	number_places(s, prog);
	prog->relocates = target_relocates(s->target);	/* what a module's runtime looks up besides, BPF has no use for */
	note_kernel_places(s, prog);
	prog->bases = target_bases(s->target);
	prog->files = target_programs(s->target);
}
