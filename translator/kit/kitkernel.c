// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Copies into a kit those of the kernel's files that replays read: what kbuild's commands name, such as
 * objtool and the linker's script, and the headers that the compiler has read for the stand-in.  So a kit
 * serves where the kernel's headers are not installed any more.
 *
 *	/usr/src/linux-headers-6.1/scripts/module.lds
 *	KIT/work/kernel/usr/src/linux-headers-6.1/scripts/module.lds	its copy
 */
#include <string.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/diag.h"
#include "internal.h"

text_list kit_kernel_dirs(const struct kit_commands *c, const char *work)
{
	/* kbuild exports these; one may be ".", or the work directory */
	static const char *const names[] = { "abs_objtree", "objtree", "abs_srctree", "srctree" };
	text_list dirs = { 0 };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *dir = proc_env_value(c->env.v, names[i]);

		if (dir && *dir == '/' && dir[1] && strcmp(dir, work))
			vec_push(&dirs, dir);
	}
	return dirs;
}

size_t kit_kernel_dir_at(const text_list *dirs, const char *text)
{
	for (size_t i = 0; i < dirs->n; i++) {
		size_t n = strlen(dirs->v[i]);

		if (!strncmp(text, dirs->v[i], n) && (!text[n] || strchr("/ =", text[n])))
			return n;
	}
	return 0;
}

/* Copies the file that a word of a command means, if it is one of the kernel's. */
static int copy_word(const char *word, const char *cwd, const text_list *dirs, const char *out)
{
	const char *rel = strncmp(word, "./", 2) ? word : word + 2;
	const char *path = *word == '/' ? word : arena_printf("%s/%s", cwd, rel);
	struct stat st;

	if (!*rel || !kit_kernel_dir_at(dirs, path) || strstr(path, "/../") || stat(path, &st) || !S_ISREG(st.st_mode))
		return 0;
	return kit_copy(path, out, arena_printf("work/" KIT_COPIES "%s", path));
}

int kit_copy_kernel(const struct kit_commands *c, const char *work, const char *out)
{
	text_list dirs = kit_kernel_dirs(c, work);
	struct sbuf text = { 0 };
	int failed = file_read(arena_printf("%s/." KIT_SCRIPT ".o.cmd", work), &text);
	char *rest, *word;

	if (failed)
		diag(DIAG_ERROR, "can't read the commands that kbuild saved in %s", work);
	sbuf_printf(&text, " %s %s %s", c->compile, c->combine, c->link);
	/* kbuild tracks each option of this header, and so leaves it out of the list of those that were read */
	for (size_t i = 0; i < dirs.n; i++)
		sbuf_printf(&text, " %s/include/generated/autoconf.h", dirs.v[i]);
	rest = sbuf_take(&text);
	while (!failed && (word = strsep(&rest, " \t\n")))
		failed = copy_word(word, c->cwd, &dirs, out);
	return failed;
}
