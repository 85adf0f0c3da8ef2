// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tells a module the addresses that only the running system knows: of modules' sections, and of
 * symbols of which the script has only the name.
 *
 * Needs CAP_SYS_MODULE to write the module's .control; CAP_SYSLOG, without which /proc/kallsyms and
 * /sys/module/NAME/sections show zeros; and to read root's files.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/transport.h"
#include "common/control.h"
#include "common/module.h"
#include "common/say.h"
#include "bases.h"
#include "common/symbols.h"

static bool is_loaded(const char *module)
{
	return !strcmp(module, "kernel") || module_is_loaded(module);
}

/*
 * Returns the address of a module's section; 0 if the module isn't loaded or lacks it.  Init
 * sections are freed after the module's start, though the kernel still shows their addresses.
 */
static unsigned long section_address(const char *module, const char *section)
{
	char path[256], text[32];
	int n = snprintf(path, sizeof(path), "/sys/module/%s/sections/%s", module, section);

	if (strchr(module, '/') || strchr(section, '/') || module[0] == '.' ||
	    !strcmp(section, "..") || !strncmp(section, ".init.", 6) || n < 0 || (size_t)n >= sizeof(path))
		return 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	text[got > 0 ? got : 0] = '\0';
	return strtoul(text, NULL, 16);
}

static int tell_address(int control, unsigned int base, unsigned long address, bool kprobes_may)
{
	char why[512];
	int err = control_send(control, why, sizeof(why), "base %u %lx%s", base, address,
			       kprobes_may ? " kprobes" : "");

	if (err)
		say_error("%s", why);
	return err;
}

/* Sends the addresses of symbols whose name is unique. */
static int tell_symbols(int control, struct symbol *v, size_t n)
{
	int err = n ? symbols_find(v, n) : 0;

	if (err == -EPERM)
		say_error("the kernel hides its addresses (kernel.kptr_restrict): functions "
			  "can't be found by name");
	else if (err)
		say_error("can't read /proc/kallsyms: %s", strerror(-err));
	if (!err && n)
		symbols_check(v, n);
	for (size_t i = 0; !err && i < n; i++) {
		say_if(2, "staprun: %s %s is at %#lx, one of %u", v[i].module, v[i].name,
		       v[i].address, v[i].found);
		if (v[i].found == 1 || !is_loaded(v[i].module))
			err = tell_address(control, v[i].base, v[i].address, v[i].kprobes_may);
	}
	return err;
}

/* The modules that a message was printed for: sets of names (tsearch(3)). */
struct said {
	void *awaited, *others;		/* not loaded; of another build than the script expects */
};

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

static void keep(void *text)
{
	(void)text;
}

/* Adds a module to a set.  Returns whether it is new there. */
static bool is_new(void **set, const char *module)
{
	const char **known = tsearch(module, set, by_text);

	return known && *known == module;
}

/* Is the loaded module the build that the script was made for?  True if that isn't known. */
static bool is_its_build(struct said *said, const char *module, const char *wanted)
{
	char path[256], id[129];

	if (!wanted || !is_loaded(module))
		return true;
	snprintf(path, sizeof(path), "/sys/module/%s/notes/.note.gnu.build-id", module);
	if (!*notes_build_id(path, id, sizeof(id)) || !strcmp(id, wanted))
		return true;
	if (is_new(&said->others, module))
		say_warning("module %s is another build than the one the script was made for: its "
			    "probes are left out [man warning::buildid]", module);
	return false;
}

/* Sends one base's address; collects a symbol, to be looked up with the others. */
static int tell_base(int control, struct said *said, char *line, struct symbol *symbols, size_t *n)
{
	const char *number = strsep(&line, " "), *module = strsep(&line, " ");
	const char *section = strsep(&line, " ");
	unsigned int base = strtoul(number, NULL, 10);
	unsigned long address = 0;

	if (!module || !section)
		return 0;
	if (!is_loaded(module) && is_new(&said->awaited, module))
		say_if(1, "staprun: module %s is not loaded yet: it will be probed when it is",
			       module);
	if (section[0] == ST_BASE_SYMBOL) {
		symbols[(*n)++] = (struct symbol){ .module = module, .name = section + 1,
						   .base = base };
		return 0;
	}
	if (!strcmp(module, "kernel"))
		return 0;
	if (is_its_build(said, module, line))
		address = section_address(module, section);
	say_if(2, "staprun: %s %s is at %#lx", module, section, address);
	return tell_address(control, base, address, false);
}

/* Sends all bases.  Each text of .bases is "I MODULE SECTION [BUILD-ID]", or "I MODULE =SYMBOL". */
int bases_tell(const char *name, int control)
{
	int fd = control_open(name, ST_FILE_BASES, O_RDONLY), err = -1;
	struct said said = { 0 };
	size_t size = 0, n = 0;
	char *text = fd < 0 ? NULL : control_read_all(fd, &size), *next = text;
	struct symbol *symbols = calloc(size / 4 + 1, sizeof(*symbols));	/* one per text */

	if (!text || !symbols)
		say_error("can't read what the module needs: %s", strerror(errno));
	else
		err = 0;
	if (fd >= 0)
		close(fd);
	while (!err && next < text + size)
		err = tell_base(control, &said, control_next(&next), symbols, &n);
	if (!err)
		err = tell_symbols(control, symbols, n);
	tdestroy(said.awaited, keep);
	tdestroy(said.others, keep);
	free(symbols);
	free(text);
	return err;
}
