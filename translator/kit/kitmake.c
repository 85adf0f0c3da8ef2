// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Builds a runtime kit by one run of the kernel's own kbuild.
 *
 * The runtime's sources are linked into a work directory, beside a stand-in for
 * the script's object and a Kbuild file that
 *
 * - compiles each runtime/features/NAME.c with the kernel's flags, before
 *   anything else, and defines HAVE_NAME in runtime/kit_features.h for each
 *   that compiles;
 * - writes down the directory and environment of kbuild's commands, and makes
 *   kbuild print all it runs for the script's object;
 * - builds the module.
 *
 * Then kitsave.c saves what replays need.
 */
#include <ctype.h>
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

/*
 * kbuild asks the compiler some thirty times whether it has an option, one question after the
 * other, each with the assembler and in a directory made for it: a fifth of the time that a kit
 * takes.  The answers need neither.  Most options stand in the kernel's makefiles, so the compiler
 * is asked for all of these at once: the first time it names those that it lacks, the second time
 * it takes all others, or stap-accepted stays empty and each is asked for alone.  So are machine
 * options with a value, which can exclude each other.  (The kernel's
 * Documentation/kbuild/makefiles.rst says what the two functions mean.)
 */
#define COMPILER_TAKES(options)							\
	"$(CC) -Werror $(KBUILD_CPPFLAGS) $(KBUILD_CFLAGS) " options		\
	" -S -x c /dev/null -o /dev/null"

#define ASK_COMPILER(option, yes, no)							\
	"$(if $(filter-out $(stap-accepted),$(strip " option ")),$(shell "		\
	"if " COMPILER_TAKES(option) " >/dev/null 2>&1; "				\
	"then echo '" yes "'; else echo '" no "'; fi)," yes ")"

#define OPTIONS_TAKEN									\
	"cd $(srctree); "								\
	"all=$$(grep -ohE 'cc-option, *-[Wf][a-z0-9=-]*[a-z0-9]|cc-option, *-m[a-z0-9-]+[^a-z0-9=-]|"	\
	"cc-disable-warning, *[a-z0-9=-]+' "						\
	"	Makefile scripts/Makefile.* arch/$(SRCARCH)/Makefile | "		\
	"	sed 's/cc-option, *//; s/cc-disable-warning, */-W/; s/[^a-z0-9=-]*$$//' | sort -u); "	\
	"cd $(CURDIR); "								\
	"lacks=\" $$(" COMPILER_TAKES("$$all") " 2>&1 | "				\
	"	sed -n \"s/.*unrecognized command-line option '//p\" | tr \"'\\n\" '  ') \"; "	\
	"for o in $$all; do "								\
	"	case $$lacks in (*\" $$o \"*) ;; (*) taken=\"$$taken $$o\" ;; esac; "	\
	"done; "									\
	COMPILER_TAKES("$$taken") " 2>/dev/null && echo $$taken"

/* What kbuild need not do for us. */
static const char *const less_work[] = {
	"stap-accepted=$(if $(stap-asked),,$(eval stap-asked := y)"
		"$(eval stap-taken := $(shell " OPTIONS_TAKEN ")))$(stap-taken)",
	"cc-option=" ASK_COMPILER("$(1)", "$(1)", "$(2)"),
	"cc-disable-warning=" ASK_COMPILER("-W$(strip $(1))", "-Wno-$(strip $(1))", ""),
	/* pahole's version, at each step, for debug information that our modules don't have */
	"PAHOLE_FLAGS=",
	/* whether code that counts its own runs needs a library */
	"CFLAGS_GCOV=",
	/* look for exported symbols: we have none */
	"cmd_check_local_export=", "cmd_gen_symversions_c=",
};

int kbuild_run(struct session *s, const char *work, char *const *more, size_t nmore,
	       void (*line)(const char *, void *), void *arg, struct sbuf *output)
{
	/* no debug information: nobody would read it, and it takes most of the time */
	char *const first[] = {
		"make", "--no-print-directory", arena_printf("-j%ld", sysconf(_SC_NPROCESSORS_ONLN)),
		"-C", (char *)s->kernel.build, arena_printf("M=%s", work),
		"CONFIG_DEBUG_INFO=", "CONFIG_DEBUG_INFO_BTF_MODULES=", "modules",
	};
	vec(char *) argv = { 0 };

	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++)
		vec_push(&argv, first[i]);
	for (size_t i = 0; i < sizeof(less_work) / sizeof(less_work[0]); i++)
		vec_push(&argv, (char *)less_work[i]);
	for (size_t i = 0; i < nmore; i++)
		vec_push(&argv, more[i]);
	vec_push(&argv, NULL);

	struct proc p = { argv.v, kit_environment(), NULL, line, arg };

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

/*
 * A kernel has feature NAME if runtime/features/NAME.c compiles with its headers.
 * One run of the compiler includes all these files, and each error message names
 * its file; so no two files may define the same name, except st_feature.  Only a
 * missing header ends the run early; then each file is compiled alone.
 *
 * With -ftree-ter, which -O2 has, GCC evaluates a + b + ... + z from the end: it
 * loads all of them before the first sum, and spills what the registers can't
 * hold to the frame of the script's handler.
 *
 * With -pipe the assembler works while the compiler does, on another processor: a large
 * script takes a fifteenth less time.
 *
 * The runtime's units leave out passes of GCC that take a quarter of its time and make no probe
 * faster (CHEAPER).  -O1 takes yet less time, but a printed string costs 15 % more with it.
 *
 * A kernel that checks memory accesses (KASAN, UBSAN) checks ours too, except
 * on the stack: those checks would multiply the size of frames.
 */
#define CHEAPER \
	"-fno-tree-vrp -fno-tree-pre -fno-tree-pta -fno-gcse -fno-schedule-insns2 " \
	"-fno-tree-tail-merge -fno-tree-slp-vectorize -fno-tree-loop-vectorize -fno-ipa-icf " \
	"-fno-ipa-cp -fno-ipa-sra -fno-thread-jumps"

static const char kbuild_head[] =
	"obj-m := " KIT_NAME ".o\n"
	KIT_NAME "-objs := " KIT_SCRIPT ".o $(stap-units)\n"
	"ccflags-y += -I$(src)/runtime -std=gnu11 -pipe\n"
	"ccflags-remove-y += $(CC_FLAGS_FTRACE)\n"
	"CFLAGS_" KIT_SCRIPT ".o += $(if $(CONFIG_CC_IS_GCC),-fno-tree-ter)\n"
	"CFLAGS_KASAN := $(CFLAGS_KASAN) $(if $(CONFIG_CC_IS_GCC),--param asan-stack=0)\n"
	"KCSAN_SANITIZE := n\n"
	"KCOV_INSTRUMENT := n\n"
	"GCOV_PROFILE := n\n"
	"stap-units := $(addprefix $(obj)/,$(stap-units))\n"
	"$(stap-units): private ccflags-y += $(if $(CONFIG_CC_IS_GCC)," CHEAPER ")\n"
	"$(stap-units): $(obj)/runtime/kit_features.h\n"
	"$(obj)/" KIT_SCRIPT ".o: private quiet :=\n"
	"$(obj)/" KIT_SCRIPT ".o: $(obj)/kit_environment\n"
	"$(obj)/kit_environment:\n"
	"\t@pwd > $@; env -0 >> $@\n"
	"$(obj)/runtime/kit_features.h: private part-of-module := y\n"
	"$(obj)/runtime/kit_features.h: $(src)/runtime/kit_questions.c\n"
	"\t@echo '  CC      '$<; \\\n"
	"\t$(CC) $(c_flags) -fsyntax-only -fmax-errors=0 $< 2> $@.log; \\\n"
	"\tlacks=\" $$(sed -n 's|.*features/\\([a-z0-9_]*\\)\\.c:[0-9:]* error:.*|\\1|p' $@.log |"
		" tr '\\n' ' ') \"; \\\n"
	"\tgrep -q 'fatal error:' $@.log && early=y; \\\n"
	"\tfor f in $(stap-questions); do \\\n"
	"\t\tif [ \"$$early\" ]; \\\n"
	"\t\tthen $(CC) $(c_flags) -fsyntax-only $(src)/runtime/features/$$f.c 2> /dev/null; \\\n"
	"\t\telse case $$lacks in *\" $$f \"*) false ;; esac; fi && \\\n"
	"\t\techo \"HAVE_$$f\"; \\\n"
	"\tdone | tr a-z A-Z | sed 's/.*/#define & 1/' > $@\n";

void kit_hash_recipe(struct hash *h)
{
	hash_string(h, "kit 8");
	hash_string(h, stand_in);
	hash_string(h, kbuild_head);
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

/* A line of Module.symvers: CRC, symbol, "vmlinux" or a module, kind of export. */
static void write_stand_in(struct session *s, struct sbuf *b)
{
	struct sbuf symvers = {};
	unsigned int n = 0;

	sbuf_puts(b, stand_in);
	file_read(arena_printf("%s/Module.symvers", s->kernel.build), &symvers);
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

static const char features[] = "features/";

static bool is_feature(const char *rel)
{
	return !strncmp(rel, features, strlen(features));
}

static bool is_c(const char *rel)
{
	return !strcmp(rel + strlen(rel) - 2, ".c");
}

/* Returns the name of the feature that a file tests, or NULL for any other file. */
static const char *feature_name(const char *rel)
{
	if (!is_feature(rel) || !is_c(rel))
		return NULL;
	return arena_strndup(rel + strlen(features), strlen(rel) - strlen(features) - 2);
}

static void write_questions(const struct kit_inputs *in, struct sbuf *b)
{
	for (size_t i = 0; i < in->sources.n; i++) {
		const char *name = feature_name(in->sources.v[i]);

		if (name)
			sbuf_printf(b, "#define st_feature st_feature_%s\n#include \"%s\"\n"
				    "#undef st_feature\n", name, in->sources.v[i]);
	}
}

static void write_kbuild(const struct kit_inputs *in, size_t units, struct sbuf *b)
{
	sbuf_puts(b, "stap-units :=");
	for (size_t i = 0; i < units; i++)
		sbuf_printf(b, " " KIT_UNIT "%zu.o", i);
	sbuf_puts(b, "\n");
	sbuf_puts(b, "stap-questions :=");
	for (size_t i = 0; i < in->sources.n; i++) {
		const char *name = feature_name(in->sources.v[i]);

		if (name)
			sbuf_printf(b, " %s", name);
	}
	sbuf_puts(b, "\n");
	sbuf_puts(b, kbuild_head);
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
static int write_units(struct session *s, const struct kit_inputs *in, const char *work,
		       kit_units *planned)
{
	vec(const char *) files = {};

	for (size_t i = 0; i < in->sources.n; i++)
		if (is_c(in->sources.v[i]) && !is_feature(in->sources.v[i]))
			vec_push(&files, in->sources.v[i]);
	*planned = kit_plan(s->runtime_dir, files.v, files.n);
	for (size_t i = 0; i < planned->n; i++) {
		struct sbuf b = {};

		sbuf_puts(&b, planned->v[i]);
		if (kit_write(arena_printf("%s/" KIT_UNIT "%zu.c", work, i), &b))
			return -1;
	}
	return 0;
}

/* Links the rooms of the runtime; generated files are beside them. */
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

static int lay_out(struct session *s, const struct kit_inputs *in, const char *work)
{
	struct sbuf b = {};

	if (link_sources(s, in, work))
		return -1;
	write_stand_in(s, &b);
	if (kit_write(arena_printf("%s/" KIT_SCRIPT ".c", work), &b))
		return -1;
	write_questions(in, &b);
	if (kit_write(arena_printf("%s/runtime/kit_questions.c", work), &b))
		return -1;
	kit_units units;

	if (write_units(s, in, work, &units))
		return -1;
	write_kbuild(in, units.n, &b);
	return kit_write(arena_printf("%s/Kbuild", work), &b);
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
			 m->s->kernel.release, m->done, m->all);
}

/*
 * Checks for make and the compiler, to print a better message than make's own.
 * The compiler's package depends on the linker.
 */
static int check_tools(const struct kit_inputs *in)
{
	const char *path = getenv("PATH");

	if (!proc_find("make", path)) {
		diag(DIAG_ERROR, "make is not installed: a kernel module can't be built");
		diag_hint("apt-get install make");
		return -1;
	}
	if (in->cc && !proc_find(in->cc, path)) {
		diag(DIAG_ERROR, "the compiler the kernel was built with, %s, is not installed",
		     in->cc);
		diag_hint("apt-get install %s", strstr(in->cc, "gcc") ? strstr(in->cc, "gcc") :
			  in->cc);
		return -1;
	}
	return 0;
}

/*
 * Prints the build's errors; with -v all of its output.  Command lines, which
 * may contain "-Werror", are left out.
 */
static void show_errors(struct session *s, const char *output)
{
	char *rest = arena_strdup(output), *line;

	while ((line = strsep(&rest, "\n")))
		if (s->verbose || (strncmp(line, "  ", 2) && !kbuild_chatter(line) &&
				   (strcasestr(line, "error") || strstr(line, "not found"))))
			fprintf(stderr, "%s\n", line);
}

static int run(struct session *s, const char *work, struct sbuf *output)
{
	struct made m = { .s = s, .all = 5 };	/* features, units, the script's stand-in, module */

	if (s->verbose)
		fprintf(stderr, "Building the runtime for kernel %s (first use)...",
			s->kernel.release);
	int status = kbuild_run(s, work, NULL, 0, show_made, &m, output);

	progress_end();
	if (s->verbose)
		fprintf(stderr, status ? " failed\n" : " done\n");
	if (status && !proc_interrupted()) {
		diag(DIAG_ERROR, "the runtime does not build for kernel %s", s->kernel.release);
		show_errors(s, sbuf_str(output));
	}
	return status ? -1 : 0;
}

int kit_make(struct session *s, const struct kit_inputs *in, const char *out)
{
	const char *work = work_dir(s);
	struct sbuf printed = {};

	if (!work || check_tools(in) || lay_out(s, in, work))
		return -1;
	int failed = run(s, work, &printed) || kit_save(in, work, sbuf_str(&printed), out) ? -1 : 0;

	sbuf_free(&printed);
	if (failed)
		return -1;
	if (!s->options.keep)
		file_remove_tree(work);
	return 0;
}
