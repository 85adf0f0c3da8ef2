// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Does BTF say what DWARF says?
 *
 * Of functions taken at random from the kernel to test with: the parameters'
 * names and C types, and how each of them and each field of the structs they
 * point to is fetched, which has registers, offsets, widths and signs in it.
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/sbuf.h"
#include "backend/module/codegen.h"
#include "debuginfo/values/types.h"
#include "session.h"

enum { FUNCTIONS = 500, MAX_DIFFERENCES = 20, SEED = 20220101 };

static unsigned functions, fetches, differences, other_names;

struct side {
	enum place_kind kind;
	struct kernel kernel;
	struct session session;
	struct target *target;
	struct place *places;
	size_t n;
};

static void open_side(struct side *s, const char *release, enum debuginfo debuginfo)
{
	s->kernel = (struct kernel){
		.release = release, .arch = "x86_64",
		.build = arena_printf("/lib/modules/%s/build", release),
	};
	s->session.kernel = &s->kernel;
	s->session.options.disable_cache = true;
	s->session.options.debuginfo = debuginfo;
	s->target = target_open(&s->session);
}

/* The functions of that name; with DWARF the inlined ones too: a kernel's BTF may
 * have the description of one of those under the name of another that has code. */
static bool find(struct side *s, const char *function)
{
	struct place_query q = { .kind = s->kind, .module = "kernel", .function = function };
	struct problem why = { 0 };
	unsigned forbidden;

	if (!target_places(s->target, &q, &s->places, &s->n, &forbidden, &why))
		return true;
	if (strcmp(function, "*"))
		return false;
	puts(why.text);
	exit(77);
}

static void differ(const char *function, const char *what, const char *dwarf, const char *btf)
{
	if (differences++ < MAX_DIFFERENCES)
		printf("%s, %s:\n\tDWARF: %s\n\tBTF:   %s\n", function, what, dwarf, btf);
}

/* "$file:struct file* $buf:char*" without the names. */
static const char *types_of(const char *list)
{
	struct sbuf b = { 0 };

	for (; *list; list++) {
		if (*list == '$')
			list += strcspn(list, ":");
		sbuf_putc(&b, *list);
	}
	return b.len ? sbuf_take(&b) : "";
}

/* The parameters are the beginning: BTF has no locals. */
static bool begins_with(const char *dwarf, const char *btf)
{
	size_t n = strlen(btf);

	return !n || (!strncmp(dwarf, btf, n) && (!dwarf[n] || dwarf[n] == ' '));
}

static void note_register(const struct term *t, void *found)
{
	*(bool *)found |= t->kind == TERM_REGISTER;
}

static bool reads_registers(const struct term *t)
{
	bool found = false;

	term_walk(t, note_register, &found);
	return found;
}

static void compare_fetch(struct place *d, struct place *b, const char *name,
			  const struct step *path, size_t n)
{
	struct fetch df = { .load = NULL }, bf = { .load = NULL };
	struct problem dwhy = { 0 }, bwhy = { 0 };
	int drc = target_variable(d, false, name, path, n, false, &df, &dwhy);
	int brc = target_variable(b, false, name, path, n, false, &bf, &bwhy);

	fetches++;
	/* what the compiler left out of the code only DWARF knows of: it is nowhere,
	 * or the same in all calls */
	if (drc < 0 ? strstr(dwhy.text, "optimised out") != NULL : !reads_registers(df.load))
		return;
	if ((drc < 0) != (brc < 0) || (!drc && !term_equal(df.load, bf.load)))
		differ(d->function, n ? arena_printf("$%s->%s", name, path->name) : name,
		       drc < 0 ? dwhy.text : fetch_text(df.load),
		       brc < 0 ? bwhy.text : fetch_text(bf.load));
}

/* The fields of what a parameter points to. */
static void compare_fields(struct place *d, struct place *b, const char *name,
			   const struct ctype *type)
{
	struct member_iter it;
	struct shape pointer, s;
	struct ctype pointee;
	struct problem why = { 0 };

	if (!type || !ctype_shape(type, &pointer, &why) || pointer.kind != CK_POINTER)
		return;
	pointee = ctype_pointee(&pointer);
	if (!ctype_shape(&pointee, &s, &why) || s.kind != CK_STRUCT)
		return;
	for (bool more = member_first(&s, &it); more; more = member_next(&it)) {
		struct step step = { .kind = STEP_FIELD };
		struct member m;

		if (!member_get(&it, &m, &why) || !m.name)
			continue;
		step.name = m.name;
		compare_fetch(d, b, name, &step, 1);
	}
}

static void compare_parameters(struct place *d, struct place *b, const char *list)
{
	while ((list = strchr(list, '$'))) {
		struct fetch f = { .load = NULL };
		struct problem why = { 0 };
		char *name = arena_strndup(list + 1, strcspn(list, ":") - 1);

		list++;
		compare_fetch(d, b, name, NULL, 0);
		if (!target_variable(b, false, name, NULL, 0, false, &f, &why))
			compare_fields(d, b, name, f.ctype);
	}
}

/* What -L shows after the probe point. */
static const char *listed(struct place *p, bool at_return)
{
	text_list list = { 0 };
	struct sbuf b = { 0 };

	target_list_variables(p, at_return, &list);
	for (size_t i = 0; i < list.n; i++)
		sbuf_printf(&b, "%s%s", i ? " " : "", list.v[i]);

	const char *text = intern(sbuf_str(&b));

	sbuf_free(&b);
	return text;
}

static void compare(struct place *d, struct place *b)
{
	const char *dwarf = listed(d, false), *btf = listed(b, false);

	functions++;
	if (!begins_with(types_of(dwarf), types_of(btf)))
		differ(d->function, "parameters", dwarf, btf);
	else if (!begins_with(dwarf, btf))
		other_names++;		/* those of another declaration */
	else
		compare_parameters(d, b, btf);
}

int main(void)
{
	static struct side dwarf = { .kind = PLACE_FUNCTION }, btf = { .kind = PLACE_CALL }, all;
	const char *release = getenv("STAP_TEST_RELEASE");
	unsigned seed = SEED;

	if (!release) {
		puts("no kernel to test with");
		return 77;
	}
	open_side(&dwarf, release, DEBUGINFO_DWARF);
	open_side(&btf, release, DEBUGINFO_BTF);
	all = btf;
	find(&all, "*");
	find(&dwarf, "vfs_read");
	for (unsigned tries = 0; functions < FUNCTIONS && tries < 20 * FUNCTIONS; tries++) {
		const char *name = all.places[rand_r(&seed) % all.n].function;

		/* not more than one of a name: which is meant? */
		if (find(&btf, name) && btf.n == 1 && find(&dwarf, name) && dwarf.n == 1 &&
		    dwarf.places[0].scope)
			compare(&dwarf.places[0], &btf.places[0]);
	}
	printf("%u functions, %u with other names, %u fetches, %u differences\n", functions,
	       other_names, fetches, differences);
	target_close(btf.target);
	target_close(dwarf.target);
	arena_free_all();
	return functions < FUNCTIONS || other_names > FUNCTIONS / 20 || differences;
}
