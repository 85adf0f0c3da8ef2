// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds the addresses of the running kernel from which a program's places are counted. */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "common/module.h"
#include "common/say.h"
#include "common/symbols.h"
#include "internal.h"

/* Is the kernel the one from which the addresses are? */
static bool is_its_kernel(const struct ir_program *ir)
{
	char id[129];

	if (!ir->build_id || !*notes_build_id("/sys/kernel/notes", id, sizeof(id)) || !strcmp(id, ir->build_id))
		return true;
	say_error("this kernel is another build than the one the script was made for: translate it again");
	return false;
}

static int find_symbols(struct symbol *v, size_t n)
{
	int err = n ? symbols_find(v, n) : 0;

	if (err == -EPERM)
		say_error("the kernel hides its addresses from this user, and functions can't be found by name: "
			  "be root, or have CAP_SYSLOG, with kernel.kptr_restrict at most 1");
	else if (err)
		say_error("can't read /proc/kallsyms: %s", strerror(-err));
	return err;
}

bool is_loaded(const char *module)
{
	char *name = arena_strdup(module);

	for (char *c = name; *c; c++)
		if (*c == '-')
			*c = '_';
	return !strcmp(name, "kernel") || !access(arena_printf("/sys/module/%s/initstate", name), F_OK);
}

static bool waits(const struct ir_program *ir, const struct ir_place *p, const uint64_t *addresses)
{
	bool in_code = p->attach == IR_AT_ADDRESS || p->attach == IR_AT_RETURN;

	return in_code && !p->optional && p->base < ir->bases.n && !addresses[p->base] &&
	       !is_loaded(ir->bases.v[p->base].module);
}

/*
 * A module of ours would wait for a module that isn't loaded; a process is too late for its first instructions.  Says so if
 * all places of a probe are in such modules, and returns false.
 */
static bool has_modules(const struct ir_program *ir, const uint64_t *addresses)
{
	for (size_t i = 0; i < ir->probes.n; i++) {
		const struct ir_probe *probe = &ir->probes.v[i];
		size_t waiting = 0;

		for (size_t j = 0; j < probe->places.n; j++)
			waiting += waits(ir, &probe->places.v[j], addresses);
		if (!waiting || waiting < probe->places.n)
			continue;
		say_waits(probe->places.v[0].pp);
		return false;
	}
	return true;
}

uint64_t *find_bases(const struct ir_program *ir)
{
	uint64_t *addresses = arena_alloc((ir->bases.n + 1) * sizeof(*addresses));
	struct symbol *v = arena_alloc((ir->bases.n + 1) * sizeof(*v));
	size_t n = 0;

	for (size_t i = 0; i < ir->bases.n; i++)
		if (ir->bases.v[i].symbol)
			v[n++] = (struct symbol){ .module = ir->bases.v[i].module, .name = ir->bases.v[i].symbol,
						  .base = i };
	if (!is_its_kernel(ir) || find_symbols(v, n))
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (v[i].found == 1)
			addresses[v[i].base] = v[i].address - ir->bases.v[v[i].base].offset;
	return has_modules(ir, addresses) ? addresses : NULL;
}

/*
 * The functions are behind one another: bpf_trace_run1(), with one argument, to bpf_trace_run12().  What is
 * near them is on no stack above a program.
 */
int find_trace_run(uint64_t range[2])
{
	enum { FUNCTIONS = 12, NEAR = 4096 };
	struct symbol v[FUNCTIONS];

	for (unsigned i = 0; i < FUNCTIONS; i++)
		v[i] = (struct symbol){ .module = "kernel", .name = arena_printf("bpf_trace_run%u", i + 1) };
	if (find_symbols(v, FUNCTIONS))
		return -1;
	for (unsigned i = 0; i < FUNCTIONS; i++) {
		if (!v[i].found)
			continue;
		if (!range[0] || v[i].address < range[0])
			range[0] = v[i].address;
		if (v[i].address + NEAR > range[1])
			range[1] = v[i].address + NEAR;
	}
	if (range[0])
		return 0;
	say_error("this kernel has no function bpf_trace_run1(), by which stacks at tracepoints are told from BPF's own: take "
		  "--runtime=kernel");
	return -1;
}
