// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds tracepoints by name, and their arguments.
 *
 * Symbols tell which exist (events.c).  The kernel's tracepoints are read on
 * demand, in a millisecond or two; the tracepoints of a thousand modules are
 * kept in the cache.  Names and types of the arguments need no kernel header:
 * for each tracepoint NAME there is a function __traceiter_NAME(void *,
 * arguments…), which calls the attached functions and has their signature.  So
 * the arguments are its parameters at entry.
 */
#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/hash.h"
#include "base/sbuf.h"
#include "debuginfo/index/index.h"
#include "debuginfo/internal.h"
#include "debuginfo/renamed.h"
#include "kit/cache.h"
#include "events.h"
#include "debuginfo/symbols/match.h"
#include "session.h"

#define ITERATOR "__traceiter_"

/* Part of the cache key: change it with the format. */
#define LIST_FORMAT "tracepoints of modules, 1"

/* names in a hint */
#define HINTS 3

typedef vec(struct tracepoint) tracepoint_list;

struct tracepoints {
	tracepoint_list kernel, modules;
	bool have_modules;
	bool no_systems;		/* BTF: systems are unknown */
	unsigned places;		/* calls of target_tracepoint_place() so far */
};

/* ---- modules ------------------------------------------------------------ */

static void read_module(const char *module, const char *path, tracepoint_list *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	event_list events = { 0 };
	Elf *elf;

	if (fd < 0)
		return;
	elf = dwelf_elf_begin(fd);
	if (elf)
		events_read(elf, &events);
	for (size_t i = 0; i < events.n; i++)
		vec_push(out, ((struct tracepoint){
			events.v[i].system ? events.v[i].system : module,
			events.v[i].name, module }));
	if (elf)
		elf_end(elf);
	close(fd);
}

static const char *list_key(struct target *t)
{
	const char *deps = arena_printf("/lib/modules/%s/modules.dep",
					kernel_release(t->session->kernel));
	struct hash *h = hash_new();
	struct stat st;

	hash_string(h, LIST_FORMAT);
	hash_string(h, kernel_release(t->session->kernel));
	if (!stat(deps, &st)) {		/* rewritten when a module is installed */
		hash_bytes(h, &st.st_mtim, sizeof(st.st_mtim));
		hash_file(h, deps);
	}
	return hash_hex(h);
}

/* Reads lines of "module system name". */
static bool list_load(const char *path, tracepoint_list *out)
{
	FILE *in = path ? fopen(path, "re") : NULL;
	char *line = NULL, module[64], system[64], name[128];
	size_t room = 0;
	bool good = in;

	while (good && getline(&line, &room, in) > 0) {
		good = sscanf(line, "%63s %63s %127s", module, system, name) == 3;
		if (good)
			vec_push(out, ((struct tracepoint){ intern(system), intern(name),
							    intern(module) }));
	}
	free(line);
	if (in)
		fclose(in);
	if (!good)
		out->n = 0;
	return good;
}

/* Puts the list into the cache. */
static void list_keep(struct session *s, const char *key, const tracepoint_list *list)
{
	struct sbuf text = { 0 };

	for (size_t i = 0; i < list->n; i++)
		sbuf_printf(&text, "%s %s %s\n", list->v[i].module, list->v[i].system, list->v[i].name);
	cache_put_bytes(s, key, ".tracepoints", text.s, text.len);
	sbuf_free(&text);
}

static void modules_list(struct target *t, tracepoint_list *out)
{
	struct session *s = t->session;
	const char *key = s->options.disable_cache ? NULL : list_key(t);
	const char *const *names;
	size_t n;

	if (key && list_load(cache_get(s, key, ".tracepoints"), out))
		return;
	names = target_modules(t, &n);
	for (size_t i = 0; i < n && !session_interrupted(); i++)
		read_module(names[i], arena_printf("/lib/modules/%s/%s", kernel_release(s->kernel),
						   t->module_paths[i]), out);
	if (key && !session_interrupted())
		list_keep(s, key, out);
}

/* ---- the kernel --------------------------------------------------------- */

/* Takes the header's name for the system: "sched" for ".../trace/events/sched.h". */
static const char *system_by_header(struct target *t, const struct tracepoint *tp)
{
	struct problem why = { 0 };
	const char *base;
	struct place *p = target_tracepoint_place(t, tp, false, &why);

	if (!p || !p->file)
		return tp->module;
	base = strrchr(p->file, '/');
	base = base ? base + 1 : p->file;
	return arena_strndup(base, strcspn(base, "."));
}

/* Finds tracepoints without symbols, by their iterator functions. */
static int iterators(struct dwfile *f, tracepoint_list *out, struct problem *why)
{
	struct index *ix = index_open(f, why);
	const size_t len = strlen(ITERATOR);

	for (uint32_t i = 0; ix && i < index_names(ix); i++)
		if (!strncmp(index_name(ix, i), ITERATOR, len))
			vec_push(out, ((struct tracepoint){ NULL, index_name(ix, i) + len,
							    "kernel" }));
	return ix ? 0 : -1;
}

static int kernel_list(struct target *t, tracepoint_list *out, struct problem *why)
{
	struct dwfile *f = target_file(t, "kernel", why);
	event_list events = { 0 };

	if (!f)
		return -1;
	t->tracepoints->no_systems = f->by_symbol;
	if (f->by_symbol)
		return iterators(f, out, why);
	events_read(f->elf, &events);
	for (size_t i = 0; i < events.n; i++)
		vec_push(out, ((struct tracepoint){ events.v[i].system, events.v[i].name,
						    "kernel" }));
	return 0;
}

/* ---- by name ------------------------------------------------------------ */

static void take(struct target *t, tracepoint_list *from, const char *module, const char *system,
		 const char *name, tracepoint_list *out)
{
	for (size_t i = 0; i < from->n; i++) {
		struct tracepoint *tp = &from->v[i], got;

		if (!match_glob(name, tp->name) || (module && !match_glob(module, tp->module)))
			continue;
		if (!tp->system && !t->tracepoints->no_systems)
			tp->system = system_by_header(t, tp);
		got = *tp;
		if (!got.system)	/* it may be the one asked for */
			got.system = system && !is_glob(system) ? system : got.module;
		else if (system && !match_glob(system, got.system))
			continue;
		vec_push(out, got);
	}
}

static int by_name(const void *a, const void *b)
{
	const struct tracepoint *x = a, *y = b;
	int c = strcmp(x->system, y->system);

	if (!c)
		c = strcmp(x->name, y->name);
	return c ? c : strcmp(x->module, y->module);
}

static const char *nearest(const struct tracepoints *all, const char *name)
{
	vec(const char *) names = { 0 };

	for (size_t i = 0; i < all->kernel.n; i++)
		vec_push(&names, all->kernel.v[i].name);
	for (size_t i = 0; i < all->modules.n; i++)
		vec_push(&names, all->modules.v[i].name);
	return diag_nearest(name, names.v, names.n, HINTS);
}

int target_tracepoints(struct target *t, const char *module, const char *system, const char *name,
		       struct tracepoint **out, size_t *n, struct problem *why)
{
	struct tracepoints *all = t->tracepoints;
	bool kernel_only = module && !strcmp(module, "kernel");
	tracepoint_list found = { 0 };

	why->hint = NULL;
	if (!all) {
		all = t->tracepoints = arena_new(struct tracepoints);
		if (kernel_list(t, &all->kernel, why) < 0) {
			t->tracepoints = NULL;
			return -1;
		}
	}
	if (!module || kernel_only)
		take(t, &all->kernel, module, system, name, &found);
	if (!kernel_only && (!found.n || is_glob(name))) {
		if (!all->have_modules)
			modules_list(t, &all->modules);
		all->have_modules = true;
		take(t, &all->modules, module, system, name, &found);
	}
	if (!found.n) {
		why->text = arena_printf("no tracepoint of %s%s%s matches '%s%s%s'",
				    module && !kernel_only ? "module " : "kernel ",
				    module && !kernel_only ? module : kernel_release(t->session->kernel),
				    module ? "" : " or its modules", system ? system : "",
				    system ? ":" : "", name);
		why->hint = renamed(t->session, RENAMED_TRACEPOINT, name);
		if (!why->hint && !is_glob(name))
			why->hint = nearest(all, name);
		return -1;
	}
	qsort(found.v, found.n, sizeof(*found.v), by_name);
	*out = found.v;
	*n = found.n;
	return 0;
}

/* ---- arguments ---------------------------------------------------------- */

struct place *target_tracepoint_place(struct target *t, const struct tracepoint *tp,
				      bool numbered, struct problem *why)
{
	struct problem ignored = { 0 };
	struct place_query q = { .kind = PLACE_CALL, .module = tp->module,
				 .function = arena_printf(ITERATOR "%s", tp->name) };
	struct dwfile *f = target_file(t, tp->module, why);
	struct place *places;
	unsigned forbidden;
	size_t n;

	if (!f)
		return NULL;
	/* one is found faster without the name index, many with it */
	if (t->tracepoints->places++)
		index_open(f, &ignored);
	if (target_places(t, &q, &places, &n, &forbidden, why) < 0)
		return NULL;
	if (!places->scope) {
		why->text = arena_printf("no debug information for tracepoint '%s'", tp->name);
		return NULL;
	}
	places->scope->tracepoint = numbered ? TRACEPOINT_NUMBERS : TRACEPOINT_NAMES;
	return places;
}
