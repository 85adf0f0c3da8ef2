// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Procedure linkage tables, as linkers lay them out in their several ways: what
 * plt_read() finds is what objdump shows.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file.h"
#include "base/sbuf.h"
#include "debuginfo/debuginfo.h"
#include "session.h"

static int failures;
static const char *dir;
static struct target *target;

static const char source[] =
	"#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
	"int (*also)(const char *) = atoi;\n"
	"int main(int argc, char **argv) {\n"
	"	char *p = malloc(argc);\n"
	"	int (*volatile by_pointer)(const char *) = puts;\n"
	"	puts(argv[0]); free(p); return by_pointer(getenv(\"x\")) + strlen(argv[0]); }\n";

static const struct variant {
	const char *flags;
	int fewest;			/* entries expected at least */
} variants[] = {
	{ "-fPIE -pie -Wl,-z,lazy", 3 },
	{ "-fPIE -pie -Wl,-z,now", 3 },
	{ "-fno-pie -no-pie -Wl,-z,lazy", 3 },
	{ "-fcf-protection -Wl,-z,lazy,-z,ibtplt", 3 },
	{ "-fcf-protection -Wl,-z,now,-z,ibtplt", 3 },
	{ "-fPIC -shared", 3 },
	{ "-fno-plt -Wl,-z,now", 0 },
	{ "-static", 0 },
};

static bool run(const char *command)
{
	return system(command) == 0;
}

/* The lines that objdump's are compared with: "0000000000001040 puts". */
static const char *found(const char *path, size_t *n)
{
	struct problem why = { 0 };
	struct sbuf b = { 0 };
	plt_list plt = { 0 };

	if (!target_plt(target, path, &plt, &why))
		return why.text;
	for (size_t i = 0; i < plt.n; i++)
		sbuf_printf(&b, "%016llx %s\n", (unsigned long long)plt.v[i].addr,
			    plt.v[i].name);
	*n = plt.n;
	return sbuf_take(&b);
}

static const char *shown(const char *path)
{
	struct sbuf b = { 0 };

	if (!run(arena_printf("objdump -d %s | sed -n 's/^\\([0-9a-f]*\\) <\\([^*].*\\)@plt>:$/\\1 "
			      "\\2/p' | LC_ALL=C sort -k2 >%s/shown", path, dir)) ||
	    file_read(arena_printf("%s/shown", dir), &b))
		return "?";
	return sbuf_take(&b);
}

static void check(const struct variant *v)
{
	const char *path = arena_printf("%s/a", dir), *got, *want;
	size_t n = 0;

	if (!run(arena_printf("cd %s && gcc -O1 %s -o a a.c", dir, v->flags))) {
		failures++;
		return;
	}
	got = found(path, &n);
	want = shown(path);
	if (!strcmp(got, want) && n >= (size_t)v->fewest)
		return;
	fprintf(stderr, "%s:\n%sinstead of\n%s", v->flags, got, want);
	failures++;
}

int main(void)
{
	char template[] = "/tmp/stap-plt-XXXXXX";
	struct kernel kernel = { .release = "none-such", .arch = "x86_64", .build = "" };
	struct session session = {
		.kernel = &kernel, .home = "", .options.disable_cache = true,
	};

	target = target_open(&session);
	dir = mkdtemp(template);
	if (!dir || file_write(arena_printf("%s/a.c", dir), source, strlen(source)))
		return 1;
	for (size_t i = 0; i < sizeof(variants) / sizeof(*variants); i++)
		check(&variants[i]);
	target_close(target);
	file_remove_tree(dir);
	arena_free_all();
	return failures != 0;
}
