// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Links a script's object and the kit into a module, with kbuild's own
 * commands.
 *
 * modpost doesn't run: the versions (CRCs) of imported symbols are in the kit's
 * .mod.o.  They are complete as long as the module imports no symbol that the
 * kit's own module doesn't; this is checked here.  If the compiler has called
 * another function, full kbuild builds the script.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/diag.h"
#include "internal.h"
#include "kit.h"
#include "session.h"

/* Returns the first line of A that is not in B, or NULL.  Both are sorted. */
static const char *first_missing(char *a, char *b)
{
	char *want, *have = strsep(&b, "\n");

	while ((want = strsep(&a, "\n")) && *want) {
		while (have && strcmp(have, want) < 0)
			have = strsep(&b, "\n");
		if (!have || strcmp(have, want))
			return want;
	}
	return NULL;
}

static const char *unknown_symbol(const struct kit *k, const char *ko)
{
	struct sbuf wanted = {}, known = {};
	const char *name = "?";

	if (!elf_undefined(ko, &wanted) &&
	    !file_read(arena_printf("%s/" KIT_UNDEFINED, k->dir), &known))
		name = first_missing(sbuf_take(&wanted), sbuf_take(&known));
	sbuf_free(&wanted);
	sbuf_free(&known);
	return name;
}

static int step(struct session *s, const char *command, const struct kit_commands *c)
{
	struct sbuf output = {};
	int status = saved_run(command, c->env.v, c->cwd, &output);

	if (status && !proc_interrupted()) {
		diag(DIAG_ERROR, "the module does not link (status %d): %s", status, command);
		diag_hint("%s", sbuf_str(&output));
	} else if (!status && s->verbose > 2 && output.len) {
		diag(DIAG_WARNING, "while linking: %s", sbuf_str(&output));
	}
	sbuf_free(&output);
	return status ? -1 : 0;
}

int link_objects(const struct kit_commands *c, const words *objects, const char *to,
		 struct sbuf *output)
{
	words command = saved_first(c->combine), argv = {};

	if (!command.v[0])
		return -1;
	for (size_t i = 0; command.v[i]; i++) {
		if (command.v[i][0] == '@' || file_has_suffix(command.v[i], ".o"))
			continue;
		vec_push(&argv, command.v[i]);
		if (!strcmp(command.v[i], "-o"))
			vec_push(&argv, (char *)to);
	}
	for (size_t i = 0; i < objects->n; i++)
		vec_push(&argv, objects->v[i]);
	vec_push(&argv, NULL);

	struct proc p = { .argv = argv.v, .envp = c->env.v, .cwd = c->cwd };

	return proc_run(&p, output) ? -1 : 0;
}

const char *link_at_once(const struct kit_commands *c)
{
	words combine = saved_first(c->combine);
	const char *list = strrchr(c->combine, '@'), *object = NULL, *at;
	size_t n = list ? strcspn(list, " ") : 0;

	for (size_t i = 0; combine.v[i]; i++)
		if (!strcmp(combine.v[i], "-o"))
			object = combine.v[i + 1];
	if (!object || !list || list[n + strspn(list + n, " ")])
		return NULL;
	at = strstr(c->link, arena_printf(" %s ", object));
	return at ? arena_printf("%.*s %.*s%s", (int)(at - c->link), c->link, (int)n, list,
				 at + strlen(object) + 1) : NULL;
}

const char *link_script(struct session *s, const struct kit *k, const struct kit_commands *c,
			const char *work, bool *retry)
{
	const char *ko = arena_printf("%s/" KIT_NAME ".ko", work), *at_once = link_at_once(c);

	*retry = false;
	if (file_write(arena_printf("%s/" KIT_NAME ".mod", work), c->objects,
		       strlen(c->objects))) {
		diag(DIAG_ERROR, "can't write in %s: %s", work, strerror(errno));
		return NULL;
	}
	if (at_once ? step(s, at_once, c) : step(s, c->combine, c) || step(s, c->link, c))
		return NULL;

	const char *unknown = unknown_symbol(k, ko);

	if (unknown) {
		if (s->verbose > 1)
			diag(DIAG_WARNING, "the kit does not import '%s': running full kbuild",
			     unknown);
		*retry = true;
		return NULL;
	}
	if (elf_rename(ko, KIT_NAME, s->module_name)) {
		diag(DIAG_ERROR, "can't name the module '%s'", s->module_name);
		return NULL;
	}
	return ko;
}
