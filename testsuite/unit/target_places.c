// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Places: are the right ones found, and what is said of damaged files?
 *
 * A small program of two source files and a header is compiled with debug
 * information of each version and opened as if it were a kernel, then as a
 * module; the compiler's own symbol table says where its functions are.  Then
 * every byte of its debug sections is trusted less: cut and altered copies must
 * give an error or an answer.  Last the real vmlinux, if there is one.
 */
#include <elf.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "base/proc.h"
#include "base/sbuf.h"
#include "debuginfo/internal.h"
#include "debuginfo/symbols/match.h"
#include "debuginfo/symbols/symbols.h"
#include "session.h"
#include "check.h"

static const char *dir;			/* work files */
static struct kernel kernel;
static struct session session;
static struct target *target;

/* What the last find() gave. */
static struct place *places;
static size_t nplaces;
static unsigned forbidden;
static struct problem why;

static const char header[] =
	"#define NOINLINE __attribute__((noinline))\n"
	"extern volatile int sink;\n"
	"static inline __attribute__((always_inline)) void small(int x)\n"
	"{\n"
	"	sink = x;\n"
	"	sink += 3;\n"
	"}\n";

static const char first_file[] =
	"#include \"inc/small.h\"\n"
	"volatile int sink;\n"
	"static NOINLINE int twin(int x)\n"
	"{\n"
	"	sink = x;\n"
	"	small(x);\n"
	"	return sink;\n"
	"}\n"
	"int outer(int x)\n"
	"{\n"
	"	sink = 1;\n"
	"\n"
	"	return twin(x) + 1;\n"
	"}\n"
	"NOINLINE int secret(int x)\n"
	"{\n"
	"	return sink + x;\n"
	"}\n"
	"asm(\".data\\n\"\n"
	"    \".globl __start_kprobe_blacklist, __stop_kprobe_blacklist\\n\"\n"
	"    \".globl __start_mcount_loc, __stop_mcount_loc\\n\"\n"
	"    \"__start_kprobe_blacklist: .quad secret\\n__stop_kprobe_blacklist:\\n\"\n"
	"    \"__start_mcount_loc: .quad 0, outer\\n__stop_mcount_loc:\\n\"\n"
	"    \".section __mcount_loc,\\\"a\\\"\\n .quad outer\\n\"\n"
	"    \".section _kprobe_blacklist,\\\"a\\\"\\n .quad secret\\n .text\");\n";

static const char second_file[] =
	"#include \"inc/small.h\"\n"
	"\n"
	"static NOINLINE int twin(int x)\n"
	"{\n"
	"	return sink - x;\n"
	"}\n"
	"int other(int x)\n"
	"{\n"
	"	small(x);\n"
	"	return twin(x);\n"
	"}\n"
	"__attribute__((section(\".init.text\"))) int early(int x)\n"
	"{\n"
	"	return sink + x;\n"
	"}\n"
	"void _start(void)\n"
	"{\n"
	"	sink = 0;\n"
	"}\n";

static const char *in_dir(const char *name)
{
	return arena_printf("%s/%s", dir, name);
}

static void write_text(const char *name, const char *text, size_t n)
{
	CHECK(!file_write(in_dir(name), text, n));
}

static bool run(const char *command)
{
	int status = system(command);

	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void open_target(const char *release, const char *build)
{
	kernel = (struct kernel){ .release = release, .arch = "x86_64", .build = build };
	session = (struct session){
		.kernel = &kernel,
		.home = in_dir("home"), .tmpdir = dir,
	};
	target = target_open(&session);
}

static int ask(struct place_query q)
{
	places = NULL;
	nplaces = 0;
	why = (struct problem){ 0 };
	return target_places(target, &q, &places, &nplaces, &forbidden, &why);
}

static int find(enum place_kind kind, const char *module, const char *function,
		const char *file)
{
	return ask((struct place_query){ .kind = kind, .module = module, .function = function,
					 .file = file });
}

static int find_line(enum place_kind kind, const char *function, const char *file, int line)
{
	return ask((struct place_query){ .kind = kind, .module = "kernel", .function = function,
					 .file = file, .line_kind = LINE_ABSOLUTE, .line = line });
}

static uint64_t address_of(const char *symbol)
{
	struct problem reason = { 0 };
	uint64_t addr = 0;

	symbol_address(target_file(target, "kernel", &reason), symbol, &addr);
	return addr;
}

static bool is_place(size_t i, const char *function, const char *file, int line)
{
	return i < nplaces && !strcmp(places[i].function, function) && places[i].file &&
	       !strcmp(places[i].file, file) && places[i].line == line;
}

/* ---- patterns ------------------------------------------------------------------- */

static void check_patterns(void)
{
	CHECK(match_glob("*", "") && match_glob("a*b*c", "aXbYbZc") && !match_glob("a*b", "abc"));
	CHECK(match_glob("vfs_[rw]*", "vfs_read") && !match_glob("vfs_[!rw]*", "vfs_read"));
	CHECK(match_glob("?[a-c]]", "xb]") && match_glob("[", "[") && !match_glob("", "x"));
	CHECK(match_path("fs/*.c", "linux/fs/ext4/inode.c") && !match_path("s/a.c", "fs/a.c"));
	CHECK(match_path("read_write.c", "fs/read_write.c") && match_path("fs/a.c", "fs/a.c"));
}

/* ---- the small program ---------------------------------------------------------- */

static void check_functions(void)
{
	CHECK(!find(PLACE_CALL, "kernel", "twin", NULL) && nplaces == 2);
	CHECK(is_place(0, "twin", "first.c", 3) && is_place(1, "twin", "second.c", 3));
	CHECK(places[0].is_entry && !places[0].ftrace && places[0].scope &&
	      !strcmp(places[0].symbol, "twin"));
	CHECK(!find(PLACE_CALL, "kernel", "twin", "second.c") && nplaces == 1);

	CHECK(!find(PLACE_CALL, "kernel", "outer", NULL) && nplaces == 1);
	CHECK(places[0].ftrace && places[0].addr == address_of("outer"));
	CHECK(find(PLACE_EXPORTED, "kernel", "twin", NULL));
	CHECK(!find(PLACE_EXPORTED, "kernel", "o*", NULL) && nplaces == 2);

	CHECK(!find(PLACE_INLINE, "kernel", "small", NULL) && nplaces >= 2);
	CHECK(is_place(0, "small", "inc/small.h", 3) && places[0].is_inline &&
	      !places[0].is_entry);
	CHECK(!find(PLACE_FUNCTION, "kernel", "[so][mu]*", "*.[ch]") && nplaces >= 3);
	CHECK(find(PLACE_CALL, "kernel", "small", NULL) && strstr(why.text, "small"));

	CHECK(find(PLACE_CALL, "kernel", "outre", NULL) && why.hint && strstr(why.hint, "outer"));
	CHECK(find(PLACE_CALL, "kernel", "secret", NULL) && strstr(why.text, "forbids"));
	CHECK(!find(PLACE_CALL, "kernel", "*", NULL) && forbidden >= 1);
	for (size_t i = 0; i < nplaces; i++)
		CHECK(strcmp(places[i].function, "secret"));
}

static void check_lines(void)
{
	CHECK(!find_line(PLACE_STATEMENT, "outer", "first.c", 11) && nplaces == 1);
	CHECK(is_place(0, "outer", "first.c", 11));
	CHECK(places[0].addr >= address_of("outer"));
	CHECK(find_line(PLACE_STATEMENT, "outer", "first.c", 12) && strstr(why.text, ":11") &&
	      strstr(why.text, ":13"));
	CHECK(!find_line(PLACE_FUNCTION, "*", "first.c", 12) && nplaces == 1);
	CHECK(is_place(0, "outer", "first.c", 9));
	CHECK(!find_line(PLACE_STATEMENT, "*", "small.h", 6) && nplaces >= 2);
	CHECK(places[nplaces - 1].is_inline && is_place(nplaces - 1, "small", "inc/small.h", 6));

	CHECK(!ask((struct place_query){ .kind = PLACE_STATEMENT, .module = "kernel",
		.function = "outer", .file = "first.c", .line_kind = LINE_RELATIVE, .line = 4 }));
	CHECK(nplaces == 1 && is_place(0, "outer", "first.c", 13));
	CHECK(!ask((struct place_query){ .kind = PLACE_STATEMENT, .module = "kernel",
		.function = "*", .file = "first.c", .line_kind = LINE_LIST,
		.lines = (struct line_range []){ { 9, 11 } }, .nlines = 1 }));
	CHECK(nplaces >= 2 && places[nplaces - 1].line == 11);
	CHECK(!ask((struct place_query){ .kind = PLACE_STATEMENT, .module = "kernel",
		.function = "twin", .file = "first.c", .line_kind = LINE_WILD }));
	CHECK(nplaces >= 3 && places[0].line >= 3);

	CHECK(!ask((struct place_query){ .kind = PLACE_STATEMENT, .module = "kernel",
		.address = address_of("outer") }) && nplaces == 1);
	CHECK(places[0].is_entry && !strcmp(places[0].function, "outer"));
	CHECK(ask((struct place_query){ .kind = PLACE_STATEMENT, .module = "kernel",
		.address = address_of("outer") + 1 }) && strstr(why.text, "beginning"));
	CHECK(ask((struct place_query){ .kind = PLACE_STATEMENT, .module = "kernel",
		.address = 1 }) && strstr(why.text, "0x1"));
}

static void check_variable(void)
{
	struct problem reason = { 0 };
	struct dwfile *f = target_file(target, "kernel", &reason);
	Dwarf_Die die;

	CHECK(index_find_variable(f, "sink", "first.c", &die));
	CHECK(!index_find_variable(f, "sink", "small.h", &die));
	CHECK(!index_find_variable(f, "sink", "second.c", &die));
}

static void check_module(void)
{
	const char *ko = in_dir("two-files.ko");
	struct problem reason = { 0 };

	CHECK(!find(PLACE_CALL, ko, "*", NULL));
	CHECK(nplaces >= 5 && forbidden == 1);	/* secret; early is, when it is loaded */
	for (size_t i = 0; i < nplaces; i++) {
		CHECK(!strcmp(places[i].module, "two_files") && places[i].section);
		CHECK(places[i].ftrace == !strcmp(places[i].function, "outer"));
	}
	CHECK(!find(PLACE_CALL, ko, "other", NULL) && nplaces == 1);
	CHECK(!strcmp(places[0].section, ".text") && is_place(0, "other", "second.c", 7));
	CHECK(target_file(target, "two_files", &reason) == target_file(target, ko, &reason));
	CHECK(find(PLACE_CALL, in_dir("none.ko"), "*", NULL) && strstr(why.text, "none.ko"));
	CHECK(find(PLACE_CALL, "no_such_module", "*", NULL) && strstr(why.text, "no_such_module"));
}

/* The index is damaged in each way a file can be: it must be made again. */
static void check_index_repair(void)
{
	glob_t found;

	CHECK(!glob(in_dir("home/cache/*.idx"), 0, NULL, &found) && found.gl_pathc == 1);
	for (int way = 0; way < 4 && found.gl_pathc; way++) {
		const char *index = found.gl_pathv[0];
		struct sbuf text = { 0 };

		CHECK(!file_read(index, &text) && text.len > 1000);
		if (way == 1)
			text.s[text.len / 2] ^= 0x40;
		if (way == 2)
			text.s[70] ^= 1;
		CHECK(!file_write(index, text.s, way == 0 ? 700 : way == 3 ? 0 : text.len));
		sbuf_free(&text);
		open_target("test", dir);
		CHECK(!find(PLACE_FUNCTION, "kernel", "small", NULL) && nplaces >= 2);
		target_close(target);
	}
	globfree(&found);
}

static void check_small_program(int version)
{
	const char *cc = getenv("CC") ? getenv("CC") : "cc";

	CHECK(run(arena_printf("cd %s && rm -rf home && for f in first second; do "
			       "%s -gdwarf-%d -O2 -fno-pic -ffreestanding -fno-ipa-cp -fno-ipa-sra "
			       "-c -o $f.o $f.c || exit 1; done && "
			       "%s -nostdlib -static -no-pie -Wl,--build-id -o vmlinux "
			       "first.o second.o && ld -r -o two-files.ko first.o second.o",
			       dir, cc, version, cc)));
	open_target("test", dir);
	check_functions();
	check_lines();
	check_variable();
	check_module();
	target_close(target);
	if (version == 5)
		check_index_repair();
}

/* ---- damage ----------------------------------------------------------------------- */

static unsigned next_random(void)
{
	static unsigned state = 12345;

	state = state * 1103515245u + 12345u;
	return state >> 8;
}

/* Any answer will do, and any error that names the file. */
static void ask_damaged(const char *path)
{
	static const char *const functions[] = { "*", "outer" };

	open_target("test", dir);
	session.options.disable_cache = true;
	for (unsigned k = 0; k < 2; k++)
		for (enum place_kind kind = PLACE_FUNCTION; kind <= PLACE_STATEMENT; kind++)
			if (find(kind, path, functions[k], NULL))
				CHECK(why.text && *why.text);
	ask((struct place_query){ .kind = PLACE_STATEMENT, .module = path, .function = "*",
				  .line_kind = LINE_WILD });
	ask((struct place_query){ .kind = PLACE_STATEMENT, .module = path, .address = 4 });
	target_close(target);
}

static void check_damage(void)
{
	const char *ko = in_dir("bad.ko");
	struct sbuf good = { 0 };
	char *bad;

	CHECK(!file_read(in_dir("two-files.ko"), &good));
	for (unsigned i = 0; i < 20; i++) {
		CHECK(!file_write(ko, good.s, good.len * i / 20));
		ask_damaged(ko);
	}
	bad = malloc(good.len);
	for (unsigned i = 0; i < 200; i++) {
		memcpy(bad, good.s, good.len);
		for (unsigned n = 1 + next_random() % 20; n > 0; n--)
			bad[sizeof(Elf64_Ehdr) + next_random() %
			    (good.len - sizeof(Elf64_Ehdr))] = next_random();
		CHECK(!file_write(ko, bad, good.len));
		ask_damaged(ko);
	}
	free(bad);
	sbuf_free(&good);

	CHECK(!file_write(in_dir("vmlinux"), "not ELF", 7));
	open_target("no-such-release", dir);
	CHECK(find(PLACE_CALL, "kernel", "*", NULL) && strstr(why.text, in_dir("vmlinux")) &&
	      strstr(why.text, "linux-image-no-such-release-dbg"));
	target_close(target);
}

/* ---- the kernel -------------------------------------------------------------------- */

static const char *installed_release(void)
{
	static const char prefix[] = "/usr/lib/debug/boot/vmlinux-";
	const char *release = NULL;
	glob_t found;

	if (!glob("/usr/lib/debug/boot/vmlinux-*", 0, NULL, &found))
		release = arena_strdup(found.gl_pathv[0] + sizeof(prefix) - 1);
	globfree(&found);
	return release;
}

static void check_kernel(const char *release)
{
	int line;

	open_target(release, arena_printf("/lib/modules/%s/build", release));
	CHECK(!find(PLACE_CALL, "kernel", "vfs_read", NULL) && nplaces == 1);
	CHECK(places[0].is_entry && places[0].ftrace && !strcmp(places[0].file, "fs/read_write.c"));
	line = places[0].line;
	CHECK(!find(PLACE_FUNCTION, "kernel", "vfs_read", "fs/read_write.c") && nplaces >= 1);
	CHECK(places[0].line == line);
	CHECK(!find_line(PLACE_FUNCTION, "vfs_read", "read_write.c", line));
	CHECK(!find(PLACE_CALL, "kernel", "*", "fs/*.c") && nplaces > 1000 && forbidden);
	CHECK(!find(PLACE_INLINE, "kernel", "get_current", NULL) && nplaces > 100);
	CHECK(target_anchor(target) && target_build_id(target));
	target_close(target);
}

int main(void)
{
	char template[] = "/tmp/stap-places-XXXXXX";
	const char *release;

	dir = mkdtemp(template);
	if (!dir || !run(arena_printf("mkdir %s/inc", dir)))
		return 1;
	diag_no_warnings = true;
	write_text("inc/small.h", header, sizeof(header) - 1);
	write_text("first.c", first_file, sizeof(first_file) - 1);
	write_text("second.c", second_file, sizeof(second_file) - 1);
	check_patterns();
	for (int version = 3; version <= 5; version++)
		check_small_program(version);
	check_damage();
	release = installed_release();
	if (release)
		check_kernel(release);
	run(arena_printf("rm -rf %s", dir));
	if (!failures && !release) {
		puts("no vmlinux with debug information under /usr/lib/debug/boot");
		return 77;
	}
	return failures != 0;
}
