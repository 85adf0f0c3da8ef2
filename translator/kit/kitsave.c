// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Saves a kit's build for replays: the runtime's objects linked into one,
 * headers, and kbuild's commands with a mark in place of the work directory.
 */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/diag.h"
#include "internal.h"
#include "kit.h"

/* ---- the saved commands ---- */

/*
 * Returns a word's path relative to the work directory: "a.o" for "WORK/a.o",
 * "./a.o" and "a.o".
 */
static const char *below(const char *word, const char *work)
{
	size_t n = strlen(work);

	if (!strncmp(word, work, n) && word[n] == '/')
		return word + n + 1;
	return strncmp(word, "./", 2) ? word : word + 2;
}

static bool is_unit(const char *rel)
{
	return !strncmp(rel, KIT_UNIT, strlen(KIT_UNIT)) && file_has_suffix(rel, ".o");
}

/*
 * Returns a list of the module's objects with one object instead of the
 * runtime's: "stap_script.o stap_unit0.o stap_unit1.o" becomes "stap_script.o
 * stap_runtime.o".
 */
static char *one_runtime(const char *text, const char *work)
{
	struct sbuf b = {};

	while (*text) {
		size_t gap = strspn(text, " \n"), n = strcspn(text + gap, " \n");
		const char *word = arena_strndup(text + gap, n), *rel = below(word, work);

		if (!is_unit(rel)) {
			sbuf_add(&b, text, gap + n);
			if (!strcmp(rel, KIT_SCRIPT ".o"))
				sbuf_printf(&b, "%c%.*s" KIT_RUNTIME ".o",
					    gap && text[0] == ' ' ? ' ' : '\n',
					    (int)(rel - word), word);
		}
		text += gap + n;
	}
	return sbuf_take(&b);
}

/* Adds the objects that a link command names, on the command line or in an @file. */
static int linked_objects(const words *command, const char *work, words *to)
{
	for (size_t i = 0; command->v[i]; i++) {
		const char *word = command->v[i];

		if (word[0] == '@') {
			const char *rel = below(word + 1, work);
			struct sbuf b = {};

			if (file_read(arena_printf("%s/%s", work, rel), &b))
				return -1;
			char *rest = sbuf_take(&b), *w;

			while ((w = strsep(&rest, " \n")))
				if (file_has_suffix(w, ".o"))
					vec_push(to, (char *)below(w, work));
		} else if (file_has_suffix(word, ".o")) {
			vec_push(to, (char *)below(word, work));
		}
	}
	return 0;
}

/* Links the runtime's objects into one. */
static int link_runtime(const char *work, const struct kit_commands *c)
{
	words command = saved_first(c->combine), objects = {}, units = {};
	struct sbuf output = {};

	if (!command.v[0] || linked_objects(&command, work, &objects))
		return -1;
	for (size_t i = 0; i < objects.n; i++)
		if (is_unit(objects.v[i]))
			vec_push(&units, arena_printf("%s/%s", work, objects.v[i]));
	int failed = link_objects(c, &units, arena_printf("%s/" KIT_RUNTIME ".o", work), &output);

	if (failed)
		fputs(sbuf_str(&output), stderr);
	sbuf_free(&output);
	return failed;
}

/* Is this a variable for make itself rather than for the commands it runs? */
static bool for_make(const char *variable)
{
	return !strncmp(variable, "MAKE", 4) || !strncmp(variable, "MFLAGS=", 7);
}

static int read_environment(const char *work, struct kit_commands *c)
{
	struct sbuf b = {};

	if (file_read(arena_printf("%s/kit_environment", work), &b) || !b.len) {
		sbuf_free(&b);
		return -1;
	}
	size_t len = b.len;
	char *text = arena_alloc(len + 1);

	memcpy(text, sbuf_str(&b), len);
	sbuf_free(&b);
	c->cwd = text;
	char *p = strchr(text, '\n');

	if (!p)
		return -1;
	for (*p++ = 0; p < text + len; p += strlen(p) + 1)
		if (!for_make(p))
			vec_push(&c->env, p);
	vec_push(&c->env, NULL);
	return 0;
}

/*
 * Adds the steps behind the compiler's, which is the only command that kbuild
 * saved before 5.19.  What it runs on the object afterwards (objtool) is in the
 * build's output, one line each.  Lines with shell syntax are skipped: they are
 * about exported symbols, and a script exports none.
 */
static char *with_steps(char *compile, const char *printed, const char *work)
{
	char *rest = arena_strdup(printed), *line;
	words made = saved_first(compile);

	while ((line = strsep(&rest, "\n"))) {
		words w = { 0 };

		if (strncmp(line, "  ", 2) || strpbrk(line, ";&|<>"))
			continue;
		w = saved_first(line);
		if (w.n < 3 || !made.v[0] || !strcmp(w.v[0], made.v[0]) ||
		    strcmp(below(w.v[w.n - 2], work), KIT_SCRIPT ".o"))
			continue;
		compile = arena_printf("%s ; %s", compile, line);
	}
	return compile;
}

static int read_commands(const char *work, const char *printed, struct kit_commands *c)
{
	struct sbuf mod = {};

	if (read_environment(work, c))
		return -1;
	c->compile = saved_command(work, KIT_SCRIPT ".o");
	c->combine = saved_command(work, KIT_NAME ".o");
	c->link = saved_command(work, KIT_NAME ".ko");
	if (!c->compile || !c->combine || !c->link ||
	    file_read(arena_printf("%s/" KIT_NAME ".mod", work), &mod))
		return -1;
	c->compile = with_steps(c->compile, printed, work);
	c->objects = sbuf_take(&mod);
	return 0;
}

/* ---- writing the kit ---- */

static int write_commands(const char *out, const char *work, const struct kit_commands *c)
{
	struct kit_commands kept = *c;

	kept.combine = one_runtime(c->combine, work);
	kept.objects = one_runtime(c->objects, work);
	return kit_write_commands(&kept, work, out);
}

static int write_objects(const char *out, const char *work, const struct kit_commands *c)
{
	words command = saved_first(c->link), objects = {};

	if (linked_objects(&command, work, &objects))
		return -1;
	vec_push(&objects, KIT_RUNTIME ".o");
	for (size_t i = 0; i < objects.n; i++) {
		const char *rel = objects.v[i];

		if (strcmp(rel, KIT_NAME ".o") &&
		    kit_copy(arena_printf("%s/%s", work, rel), out,
			       arena_printf("work/%s", rel)))
			return -1;
	}
	return 0;
}

/* Copies into the kit what compiling a script reads: headers, and makefiles for full kbuild. */
static int write_sources(const struct kit_inputs *in, const char *out, const char *work)
{
	for (size_t i = 0; i < in->sources.n; i++) {
		const char *rel = in->sources.v[i];

		if (!file_has_suffix(rel, ".c") &&
		    kit_copy(arena_printf("%s/runtime/%s", work, rel), out,
			       arena_printf("work/runtime/%s", rel)))
			return -1;
	}
	return kit_copy(arena_printf("%s/runtime/kit_features.h", work), out,
			  "work/runtime/kit_features.h");
}

struct manifest_walk {
	const char *dir;
	struct sbuf b;
};

static void add_to_manifest(const char *rel, bool is_dir, void *arg)
{
	struct manifest_walk *w = arg;
	const char *path = arena_printf("%s/%s", w->dir, rel);
	struct stat st;

	if (is_dir || stat(path, &st))
		return;
	struct hash *h = hash_new();

	hash_file(h, path);
	sbuf_printf(&w->b, "file %s %jd %s\n", hash_hex(h), (intmax_t)st.st_size, rel);
}

/*
 * Returns the compiler that was used: the first word of the compile command, or
 * the second after ccache.
 */
static const char *compiler(const struct kit_commands *c)
{
	words w = saved_first(c->compile);
	const char *name = w.v[0];

	if (name && (!strcmp(name, "ccache") || file_has_suffix(name, "/ccache")) && w.v[1])
		name = w.v[1];
	return name ? proc_find(name, proc_env_value(c->env.v, "PATH")) : NULL;
}

static int write_manifest(const char *out, const struct kit_commands *c)
{
	struct manifest_walk w = { .dir = out };
	const char *cc = compiler(c);

	if (cc)
		sbuf_printf(&w.b, "cc %s %s\n", file_stamp(cc), cc);
	file_walk_tree(out, add_to_manifest, &w);
	sbuf_puts(&w.b, "end\n");
	return kit_write(arena_printf("%s/" KIT_MANIFEST, out), &w.b);
}

static int write_kit(const struct kit_inputs *in, const char *out, const char *work,
		     const struct kit_commands *c)
{
	struct sbuf undefined = {};

	if (file_make_dirs(arena_printf("%s/work", out))) {
		diag(DIAG_ERROR, "can't make the directory %s: %s", out, strerror(errno));
		return -1;
	}
	if (elf_undefined(arena_printf("%s/" KIT_NAME ".ko", work), &undefined)) {
		diag(DIAG_ERROR, "can't read the module kbuild made in %s", work);
		return -1;
	}
	return kit_write(arena_printf("%s/" KIT_UNDEFINED, out), &undefined) ||
	       write_commands(out, work, c) || write_objects(out, work, c) ||
	       write_sources(in, out, work) || kit_copy_kernel(c, work, out) || write_manifest(out, c) ? -1 : 0;
}

int kit_save(const struct kit_inputs *in, const char *work, const char *printed, const char *out)
{
	struct kit_commands c = {};

	if (!read_commands(work, printed, &c) && !link_runtime(work, &c))
		return write_kit(in, out, work, &c);
	if (!proc_interrupted())
		diag(DIAG_ERROR, "can't interpret the commands that kbuild saved in %s", work);
	return -1;
}
