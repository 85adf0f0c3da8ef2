// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * C that is compiled to be read, never run.
 *
 * The compiler knows what a header defines: the layout of types, the values of
 * macros.  A file that includes the header is compiled as kbuild compiles a
 * module (by the kit's saved command) or as gcc compiles a program, with debug
 * information for everything the header defines.  The object is kept in the
 * cache.  Types are read from its debug information (debuginfo/headers.c),
 * constants from its data (below).
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "cache.h"
#include "internal.h"
#include "kit.h"
#include "session.h"

#define CONSTANTS ".stap_const"

/* Added to the command: keep types that nothing uses, print no warnings. */
static const char *const extra[] = { "-g", "-fno-eliminate-unused-debug-types", "-w" };

/* ---- compiling ---- */

/* Returns the compiler's first error, without our file's name. */
static const char *complaint(const struct sbuf *output)
{
	char *rest = arena_strdup(sbuf_str(output)), *line, *first = NULL;

	while ((line = strsep(&rest, "\n"))) {
		char *error = strstr(line, "error: ");

		if (error)
			return error + strlen("error: ");
		first = first || !*line ? first : line;
	}
	return first ? first : "the compiler can't be run";
}

static bool run(const words *argv, char *const *envp, const char *cwd, struct problem *why)
{
	struct sbuf output = {};
	struct proc p = { .argv = argv->v, .envp = envp, .cwd = cwd };
	int status;

	proc_hold_signals();
	status = proc_run(&p, &output);
	proc_release_signals();
	if (status)
		why->text = complaint(&output);
	sbuf_free(&output);
	return !status;
}

/* Turns kbuild's compile command into one for WORK/stap_script.c. */
static bool kernel_command(const struct kit *k, const char *work, struct kit_commands *c,
			   words *argv)
{
	words saved;

	if (kit_commands(k, work, c))
		return false;
	saved = saved_first(c->compile);
	for (size_t i = 0; i < saved.n && saved.v[i]; i++)
		if (strncmp(saved.v[i], "-Wp,-M", 6))
			vec_push(argv, saved.v[i]);
	return argv->n > 0;
}

static void program_command(const char *work, words *argv)
{
	vec_push(argv, "gcc");
	vec_push(argv, "-c");
	vec_push(argv, "-o");
	vec_push(argv, (char *)arena_printf("%s/" KIT_SCRIPT ".o", work));
	vec_push(argv, (char *)arena_printf("%s/" KIT_SCRIPT ".c", work));
}

static const char *compile(struct session *s, const struct kit *k, const char *text,
			   struct problem *why)
{
	const char *work = work_dir(s), *file;
	struct kit_commands c = { .cwd = NULL };
	words argv = {};

	why->text = "can't make a directory to compile in";
	if (!work)
		return NULL;
	file = arena_printf("%s/" KIT_SCRIPT ".c", work);
	if (file_write(file, text, strlen(text))) {
		why->text = arena_printf("can't write %s: %s", file, strerror(errno));
		return NULL;
	}
	why->text = "can't read the kernel's compile command";
	if (!k)
		program_command(work, &argv);
	else if (!kernel_command(k, work, &c, &argv))
		return NULL;
	for (size_t i = 0; i < sizeof(extra) / sizeof(*extra); i++)
		vec_push(&argv, (char *)extra[i]);
	vec_push(&argv, NULL);
	if (!run(&argv, k ? c.env.v : kit_environment(), c.cwd, why))
		return NULL;
	return arena_printf("%s/" KIT_SCRIPT ".o", work);
}

static const char *snippet_key(const struct kit *k, const char *text)
{
	struct hash *h = hash_new();

	hash_string(h, "snippet");
	hash_string(h, k ? k->id : file_stamp("/usr/bin/gcc"));
	hash_string(h, text);
	return hash_hex(h);
}

const char *kit_compile_snippet(struct session *s, const char *text, bool kernel,
				struct problem *why)
{
	struct kit *k = kernel ? kit_open(s) : NULL;
	const char *key, *object, *kept;

	why->text = "no runtime kit for this kernel";
	if (kernel && !k)
		return NULL;
	key = snippet_key(k, text);
	kept = cache_get(s, key, ".o");
	if (kept)
		return kept;
	object = compile(s, k, text, why);
	if (!object)
		return NULL;
	kept = cache_put(s, key, ".o", object);
	return kept ? kept : object;
}

/* ---- constants ---- */

bool kit_evaluate_constants(struct session *s, const char *includes, const char *const *exprs,
			    size_t n, int64_t *values, struct problem *why)
{
	struct sbuf text = {}, data = {};
	const char *object;
	bool good;

	sbuf_printf(&text, "%s\n", includes);
	sbuf_printf(&text, "const long long stap_constants[]\n"
		    "__attribute__((used, section(\"" CONSTANTS "\"))) = {\n");
	for (size_t i = 0; i < n; i++)
		sbuf_printf(&text, "(long long)(%s),\n", exprs[i]);
	sbuf_puts(&text, "};\n");
	object = kit_compile_snippet(s, sbuf_str(&text), true, why);
	sbuf_free(&text);
	if (!object)
		return false;
	good = !elf_section(object, CONSTANTS, &data) && data.len == n * sizeof(*values);
	if (good)
		memcpy(values, data.s, data.len);
	else
		why->text = "the compiled object lacks the constants";
	sbuf_free(&data);
	return good;
}
