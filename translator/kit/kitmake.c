// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Builds a runtime kit by one run of the kernel's own kbuild.
 *
 * The runtime's sources are linked into a work directory, beside a stand-in for
 * the script's object, and units that include the sources.  The makefile is
 * runtime/kit.mk.  Then kitsave.c saves what replays need.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/progress.h"
#include "internal.h"
#include "kit.h"
#include "session.h"

/* ---- kbuild ---- */

char *const *kit_environment(void)
{
	const char *path = getenv("PATH");
	static char *env[4];

	env[0] = arena_printf("PATH=%s", path ? path : "/usr/local/bin:/usr/bin:/bin");
	env[1] = "LC_ALL=C";
	env[2] = arena_printf("TMPDIR=%s", getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	return env;
}

words kbuild_command(const char *build, const char *work, const char *module, char *const *more, size_t nmore)
{
	/* without debug information, which would take most of the time and has no reader */
	char *const first[] = {
		"make", "--no-print-directory", arena_printf("-j%ld", sysconf(_SC_NPROCESSORS_ONLN)),
		"-C", (char *)build, arena_printf("M=%s", work),
		"CONFIG_DEBUG_INFO=", "CONFIG_DEBUG_INFO_BTF_MODULES=", "modules",
		arena_printf("stap-module=%s", module),
	};
	words argv = { 0 };

	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++)
		vec_push(&argv, first[i]);
	for (size_t i = 0; i < nmore; i++)
		vec_push(&argv, more[i]);
	return argv;
}

int kbuild_run(struct session *s, const char *work, const char *module, char *const *more,
	       size_t nmore, void (*line)(const char *, void *), void *arg, struct sbuf *output)
{
	words argv = kbuild_command(kernel_build(s->kernel), work, module, more, nmore);
	words env = { 0 };

	vec_push(&argv, NULL);
	for (char *const *e = kit_environment(); *e; e++)
		vec_push(&env, *e);
	vec_push(&env, arena_printf("MAKEFILES=%s/runtime/kbuild.mk", work));
	vec_push(&env, NULL);

	struct proc p = { .argv = argv.v, .envp = env.v, .line = line, .arg = arg };

	return proc_run(&p, output);
}

bool kbuild_chatter(const char *line)
{
	return !strncmp(line, "make", 4) ||
	       (!strncmp(line, "  ", 2) && line[2] && !strchr(" 0123456789", line[2]));
}

/* ---- generated files ---- */

/*
 * The stand-in refers to the functions that a compiler may call by itself in a
 * script's object, so that the kit's module imports them.
 */
static const char stand_in[] =
	"#include \"abi/stap_script.h\"\n"
	"const struct st_program st_program;\n";

static const char *const compiler_calls[] = {
	"__ref_stack_chk_guard", "__stack_chk_fail", "__stack_chk_guard",
	"__x86_indirect_thunk_", "__x86_return_thunk",
	"memcmp", "memcpy", "memmove", "memset", "strlen",
	"__asan_", "__ubsan_",
};

void kit_hash_recipe(struct hash *h)
{
	hash_string(h, "kit 10");
	hash_string(h, stand_in);
	for (size_t i = 0; i < sizeof(compiler_calls) / sizeof(*compiler_calls); i++)
		hash_string(h, compiler_calls[i]);
}

static bool is_compiler_call(const char *symbol)
{
	for (size_t i = 0; i < sizeof(compiler_calls) / sizeof(*compiler_calls); i++) {
		const char *name = compiler_calls[i];
		size_t n = strlen(name);

		if (name[n - 1] == '_' ? !strncmp(symbol, name, n) : !strcmp(symbol, name))
			return true;
	}
	return false;
}

/*
 * Writes the stand-in.  A line of Module.symvers is CRC, symbol, "vmlinux" or a module, kind of
 * export.
 */
static void write_stand_in(struct session *s, struct sbuf *b)
{
	struct sbuf symvers = {};
	unsigned int n = 0;

	sbuf_puts(b, stand_in);
	file_read(arena_printf("%s/Module.symvers", kernel_build(s->kernel)), &symvers);
	char *rest = sbuf_take(&symvers), *line;

	while ((line = strsep(&rest, "\n"))) {
		char *symbol = (strsep(&line, "\t"), strsep(&line, "\t"));
		char *where = strsep(&line, "\t");

		if (symbol && where && !strcmp(where, "vmlinux") && is_compiler_call(symbol))
			sbuf_printf(b, "extern const char ref%u[] __asm__(\"%s\");\n", n++,
				    symbol);
	}
	sbuf_puts(b, "extern const char *const stap_refs[];\nconst char *const stap_refs[] = {");
	for (unsigned int i = 0; i < n; i++)
		sbuf_printf(b, " ref%u,", i);
	sbuf_puts(b, " 0 };\n");
}

/* ---- setting up and running ---- */

static int cannot(const char *what)
{
	diag(DIAG_ERROR, "can't write %s: %s", what, strerror(errno));
	return -1;
}

int kit_write(const char *path, struct sbuf *b)
{
	int failed = file_write(path, sbuf_str(b), b->len);

	sbuf_free(b);
	return failed ? cannot(path) : 0;
}

/* Copies a file to DIR/REL, making directories as needed. */
int kit_copy(const char *from, const char *dir, const char *rel)
{
	char *to = arena_printf("%s/%s", dir, rel), *slash = strrchr(to, '/');

	*slash = 0;
	if (file_make_dirs(to))
		return cannot(to);
	*slash = '/';
	return file_copy(from, to, false) ? cannot(to) : 0;
}

/* Plans the units and writes them.  Returns 0, or -1 after a message. */
static int write_units(struct session *s, const struct kit_inputs *in, const char *work)
{
	vec(const char *) files = {};
	kit_units planned;

	for (size_t i = 0; i < in->sources.n; i++)
		if (file_has_suffix(in->sources.v[i], ".c") &&
		    strncmp(in->sources.v[i], "features/", strlen("features/")))
			vec_push(&files, in->sources.v[i]);
	planned = kit_plan(s->runtime_dir, files.v, files.n);
	for (size_t i = 0; i < planned.n; i++) {
		struct sbuf b = {};

		sbuf_puts(&b, planned.v[i]);
		if (kit_write(arena_printf("%s/" KIT_UNIT "%zu.c", work, i), &b))
			return -1;
	}
	return 0;
}

/* Links the runtime's rooms and makefiles; generated files are beside them. */
static int link_sources(struct session *s, const struct kit_inputs *in, const char *work)
{
	char *from = realpath(s->runtime_dir, NULL);
	int failed = !from || file_make_dirs(arena_printf("%s/runtime", work)) ? -1 : 0;

	for (size_t i = 0; !failed && i < in->sources.n; i++) {
		const char *rel = in->sources.v[i];
		int room = strcspn(rel, "/");

		if (symlink(arena_printf("%s/%.*s", from, room, rel),
			    arena_printf("%s/runtime/%.*s", work, room, rel)) && errno != EEXIST)
			failed = -1;
	}
	free(from);
	return failed ? cannot(arena_printf("%s/runtime", work)) : 0;
}

int kit_use_makefile(const char *work, const char *name)
{
	const char *kbuild = arena_printf("%s/Kbuild", work);

	return symlink(arena_printf("runtime/%s", name), kbuild) ? cannot(kbuild) : 0;
}

int kit_lay_out(struct session *s, const struct kit_inputs *in, const char *work)
{
	return link_sources(s, in, work) || write_units(s, in, work) || kit_use_makefile(work, "kit.mk") ? -1 : 0;
}

static int lay_out(struct session *s, const struct kit_inputs *in, const char *work)
{
	struct sbuf b = {};

	if (kit_lay_out(s, in, work))
		return -1;
	write_stand_in(s, &b);
	return kit_write(arena_printf("%s/" KIT_SCRIPT ".c", work), &b);
}

struct made {
	struct session *s;
	size_t done, all;		/* files compiled */
};

static void show_made(const char *line, void *arg)
{
	struct made *m = arg;

	if (!strncmp(line, "  CC ", 5) && m->done < m->all)
		m->done++;
	if (!m->s->verbose)
		progress("Building the runtime for kernel %s (first use): %zu of %zu files",
			 kernel_release(m->s->kernel), m->done, m->all);
}

/* The compiler's package depends on the linker. */
bool kit_has_tools(const char *cc, struct problem *why)
{
	const char *path = getenv("PATH"), *gcc = cc ? strstr(cc, "gcc") : NULL;

	if (!proc_find("make", path)) {
		why->text = "make is not installed: a kernel module can't be built";
		why->hint = "apt-get install make";
		return false;
	}
	if (cc && !proc_find(cc, path)) {
		why->text = arena_printf("the compiler the kernel was built with, %s, is not installed", cc);
		why->hint = arena_printf("apt-get install %s", gcc ? gcc : cc);
		return false;
	}
	return true;
}

/*
 * Prints the build's errors; with -v all of its output.  Command lines, which
 * may contain "-Werror", are left out.
 */
void kit_show_errors(struct session *s, const char *output)
{
	char *rest = arena_strdup(output), *line;

	while ((line = strsep(&rest, "\n")))
		if (s->verbose || (strncmp(line, "  ", 2) && !kbuild_chatter(line) &&
				   (strcasestr(line, "error") || strstr(line, "not found") ||
				    strstr(line, "No such file") || strstr(line, "***"))))
			fprintf(stderr, "%s\n", line);
}

static int run(struct session *s, const char *work, struct sbuf *output)
{
	struct made m = { .s = s, .all = 5 };	/* features, units, the script's stand-in, module */

	if (s->verbose)
		fprintf(stderr, "Building the runtime for kernel %s (first use)...",
			kernel_release(s->kernel));
	int status = kbuild_run(s, work, KIT_NAME, NULL, 0, show_made, &m, output);

	progress_end();
	if (s->verbose)
		fprintf(stderr, status ? " failed\n" : " done\n");
	if (status && !proc_interrupted()) {
		diag(DIAG_ERROR, "the runtime does not build for kernel %s", kernel_release(s->kernel));
		kit_show_errors(s, sbuf_str(output));
		if (strstr(sbuf_str(output), "No such file"))
			diag_hint("a copy of the headers, or a container, needs all that they include and link to: "
				  "/usr/src, and Debian's /usr/lib/linux-kbuild-VERSION");
	}
	return status ? -1 : 0;
}

int kit_make(struct session *s, const struct kit_inputs *in, const char *out)
{
	const char *work = work_dir(s);
	struct sbuf printed = {};
	struct problem why = { 0 };

	if (work && !kit_has_tools(in->cc, &why)) {
		diag(DIAG_ERROR, "%s", why.text);
		diag_hint("%s", why.hint);
		return -1;
	}
	if (!work || lay_out(s, in, work))
		return -1;
	int failed = run(s, work, &printed) || kit_save(in, work, sbuf_str(&printed), out) ? -1 : 0;

	sbuf_free(&printed);
	if (failed)
		return -1;
	if (!s->options.keep)
		file_remove_tree(work);
	return 0;
}
