// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The tapset library: files are found where the target wants them, told apart
 * by name without being parsed, and the index follows when they change.
 */
#include <sys/stat.h>

#include "lang_test.h"

static char dir[] = "/tmp/lang_library.XXXXXX";
static unsigned failed;

static void expect(bool good, const char *what)
{
	if (!good)
		printf("lang_library: %s\n", what);
	failed += !good;
}

static const char *path(const char *name)
{
	return arena_printf("%s/%s", dir, name);
}

static void put_file(const char *name, const char *text)
{
	FILE *f = fopen(path(name), "w");

	fputs(text, f);
	fclose(f);
}

static struct session *opened(bool cached)
{
	struct session *s = test_session();

	s->tapset_dir = path("tapset");
	s->home = path("home");
	s->options.disable_cache = !cached;
	library_open(s);
	return s;
}

static bool known(struct session *s, enum lib_kind kind, const char *name)
{
	size_t n;
	const char *const *names = library_names(s, kind, &n);

	for (size_t i = 0; i < n; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static void make_library(void)
{
	static const char *const dirs[] = {
		"tapset", "tapset/6.1", "tapset/6.1/x86_64", "tapset/x86_64", "tapset/s390",
		"tapset/5.10",
	};

	for (size_t i = 0; i < sizeof(dirs) / sizeof(*dirs); i++)
		mkdir(path(dirs[i]), 0755);
	put_file("tapset/base.stp",
		 "global shared[10], other% private global hidden\n"
		 "function base() { shared[1] = @m; hidden = 2; return 1 }\n"
		 "private function inner() { function_call() }\n"
		 "%( arch == \"none\" %? function none() { %: function some() { %) }\n"
		 "@define local %( function in_macro() { } %)\n"
		 "probe fs.open.return = kernel.function(\"x\") { probe_var = 1 }\n"
		 "probe fs.{a, b} { }\n");
	put_file("tapset/version.stp", "function for_any_version() { }");
	put_file("tapset/6.1/version.stp", "function for_6_1() { }");
	put_file("tapset/6.1/x86_64/both.stp", "function for_6_1_x86() { }");
	put_file("tapset/x86_64/arch.stp", "function for_x86() { }");
	put_file("tapset/s390/other.stp", "function for_s390() { }");
	put_file("tapset/5.10/old.stp", "function for_5_10() { }");
	put_file("tapset/wrong.stp", "function broken() { = }");
	put_file("tapset/macros.stpm", "@define m %( 42 %)\n@define n(a) %( @a %)\n");
}

static void test_names(struct session *s)
{
	expect(known(s, LIB_FUNCTION, "base"), "a function is not known");
	expect(known(s, LIB_GLOBAL, "shared") && known(s, LIB_GLOBAL, "other"),
	       "a global is not known");
	expect(known(s, LIB_ALIAS, "fs.open.return"), "an alias is not known");
	expect(known(s, LIB_MACRO, "m") && known(s, LIB_MACRO, "n"), "a macro is not known");
	expect(known(s, LIB_FUNCTION, "some"), "a conditional function is not known");
	expect(!known(s, LIB_GLOBAL, "hidden") && !known(s, LIB_FUNCTION, "inner"),
	       "a private name is known");
	expect(!known(s, LIB_FUNCTION, "in_macro"), "a macro's body is searched");
	expect(known(s, LIB_FUNCTION, "for_6_1") && known(s, LIB_FUNCTION, "for_6_1_x86") &&
	       known(s, LIB_FUNCTION, "for_x86"), "a fitting directory is not searched");
	expect(!known(s, LIB_FUNCTION, "for_any_version"), "an overridden file is used");
	expect(!known(s, LIB_FUNCTION, "for_s390") && !known(s, LIB_FUNCTION, "for_5_10"),
	       "another target's directory is searched");
}

static void test_loading(void)
{
	struct session *s = opened(false);

	expect(library_load(s, LIB_FUNCTION, "base") == 1, "a file is not loaded");
	expect(library_load(s, LIB_GLOBAL, "shared") == 0, "a file is loaded twice");
	expect(s->library_files.n == 1 && s->library_files.v[0]->library,
	       "the loaded file is not the session's");
	expect(library_load(s, LIB_FUNCTION, "no_such") == 0, "something else is loaded");

	static const char *const good[] = {
		"fs", "fs.open.return", "fs.open", "fs.open.return.more", "f*.open.return", "**",
	};
	static const char *const bad[] = { "vm", "fs.close", "fs.open.call", "*.open.x" };

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
		expect(library_load(opened(false), LIB_ALIAS, good[i]) == 1, good[i]);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		expect(library_load(opened(false), LIB_ALIAS, bad[i]) == 0, bad[i]);

	diag_quiet_begin();
	expect(library_load(s, LIB_FUNCTION, "broken") == 0, "a broken file is loaded");
	expect(diag_quiet_first(), "a broken file is not reported");
	diag_quiet_end();
}

static void test_index(void)
{
	test_names(opened(true));		/* made */
	test_names(opened(true));		/* read */
	put_file("tapset/x86_64/arch.stp", "function for_x86() { } function new_one() { }");
	expect(known(opened(true), LIB_FUNCTION, "new_one"), "a changed file is not noticed");
	unlink(path("tapset/wrong.stp"));
	expect(!known(opened(true), LIB_FUNCTION, "broken"), "a removed file is not noticed");
	expect(!system(arena_printf("for f in %s/home/cache/*; do echo rubbish >$f; done", dir)),
	       "no index was written");
	test_names(opened(true));
	expect(!system(arena_printf("for f in %s/home/cache/*; do truncate -s 60 $f; done", dir)),
	       "no index was written");
	test_names(opened(true));
}

int main(void)
{
	if (!mkdtemp(dir))
		return 1;
	make_library();
	test_names(opened(false));
	test_loading();
	test_index();
	expect(!system(arena_printf("rm -rf %s", dir)), "can't clean up");
	printf("lang_library: %u failed\n", failed);
	arena_free_all();
	return failed != 0;
}
