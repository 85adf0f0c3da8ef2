// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The parts of making a runtime kit that need no kernel: kbuild's saved commands
 * are read and run as the shell would, and the runtime's sources are put together
 * so that no two files of a unit define the same name.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "kit/internal.h"
#include "check.h"

static const char *dir;
static char *env[] = { "PATH=/usr/bin:/bin", "GREETING=hello", NULL };

static void write_file(const char *name, const char *text)
{
	CHECK(!file_write(arena_printf("%s/%s", dir, name), text, strlen(text)));
}

static void check_output(const char *command, int status, const char *want)
{
	struct sbuf b = {};
	int got = saved_run(command, env, dir, &b);

	if (got != status || strcmp(sbuf_str(&b), want)) {
		fprintf(stderr, "%s: status %d, output '%s'\n", command, got, sbuf_str(&b));
		failures++;
	}
	sbuf_free(&b);
}

static void commands_run(void)
{
	check_output("", 0, "");
	check_output("printf '%s|' a\\ b 'c  d' \"e\"'f' \"g\\\"h\\i\" ''", 0, "a b|c  d|ef|g\"h\\i||");
	check_output("echo one ; echo two && echo three;  true", 0, "one\ntwo\nthree\n");
	check_output(" echo one ; false ; echo two", 1, "one\n");
	check_output("pwd", 0, arena_printf("%s\n", dir));
	check_output("gcc-Wp -Wp,-MMD,x", 127, "gcc-Wp: No such file or directory\n");
	check_output("echo -Wp,-MMD,x.d y -Wp,-MD,z", 0, "y\n");
	/* through the shell */
	check_output("echo a b | tr ' ' '\\n'", 0, "a\nb\n");
	check_output("echo $GREETING '$GREETING'", 0, "hello $GREETING\n");
	check_output("{ echo x; false; echo y; }", 1, "x\n");
	check_output("if true; then echo z; fi", 0, "z\n");
	check_output("kill -9 $$", 128 + 9, "");
	CHECK(!strcmp(saved_first("ld -r 'a b' ; x y").v[2], "a b"));
	CHECK(!saved_first("ld -r 'a b").v[0]);
}

static void commands_read(void)
{
	write_file(".a.o.cmd", "cmd_/x/a.o := gcc -DA='\"$(pound)$$1\"' -c ; objtool a.o\n\n"
			       "source_/x/a.o := a.c\n");
	CHECK(!strcmp(saved_command(dir, "a.o"), " gcc -DA='\"#$1\"' -c ; objtool a.o"));
	write_file(".b.ko.cmd", "savedcmd_b.ko := ld -r");
	CHECK(!strcmp(saved_command(dir, "b.ko"), " ld -r"));
	write_file(".c.o.cmd", "deps_c.o := cmd_c.o := x\n");
	CHECK(!saved_command(dir, "c.o") && !saved_command(dir, "d.o"));
}

static const char *linked_at_once(const char *combine, const char *link)
{
	struct kit_commands c = { .combine = (char *)combine, .link = (char *)link };
	const char *command = link_at_once(&c);

	return command ? command : "no";
}

static void linked(void)
{
	const char *link = " ld -r -o /w/x.ko /w/x.o /w/x.mod.o;  true";

	CHECK(!strcmp(linked_at_once(" ld -m e  -r -o /w/x.o @/w/x.mod ", link),
		      " ld -r -o /w/x.ko @/w/x.mod /w/x.mod.o;  true"));
	CHECK(!strcmp(linked_at_once("ld -r -o /w/x.o @/w/x.mod  ; objtool --link /w/x.o", link), "no"));
	CHECK(!strcmp(linked_at_once("ld -r -o /w/x.o /w/a.o /w/b.o", link), "no"));
	CHECK(!strcmp(linked_at_once("ld -r -o /w/y.o @/w/y.mod", link), "no"));
	CHECK(!strcmp(linked_at_once("if true; then ld -r -o /w/x.o @/w/x.mod", link), "no"));
}

/* Which unit a file went to. */
static size_t unit_of(kit_units u, const char *file)
{
	const char *line = arena_printf("#include \"%s\"\n", file);
	size_t found = u.n, times = 0;

	for (size_t i = 0; i < u.n; i++)
		if (strstr(u.v[i], line)) {
			found = i;
			times++;
		}
	CHECK(times == 1);
	return found;
}

/* Units share the bytes evenly, whatever the number of files. */
static void units_by_size(void)
{
	static const char *const names[] = { "a.c", "b.c", "c.c", "d.c", "e.c" };
	kit_units u;

	write_file("a.c", "int x, y, z, a, b, c;\n");
	for (int i = 1; i < 5; i++)
		write_file(names[i], "int x;\n");
	u = kit_plan(dir, names, 5);
	CHECK(u.n == 2);
	for (int i = 0; i < 5; i++)
		CHECK(unit_of(u, names[i]) == (i >= 2));

	u = kit_plan(dir, names, 1);
	CHECK(u.n == 1 && !strcmp(u.v[0], "#include \"a.c\"\n"));
	write_file("a.c", "");
	u = kit_plan(dir, names, 1);
	CHECK(u.n == 1);
}

int main(void)
{
	char template[] = "/tmp/kit-test-XXXXXX";

	dir = mkdtemp(template);
	if (!dir)
		return 1;
	commands_run();
	commands_read();
	linked();
	units_by_size();
	file_remove_tree(dir);
	arena_free_all();
	return failures != 0;
}
