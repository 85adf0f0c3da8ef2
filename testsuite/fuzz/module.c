// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What staprun reads of a module before the kernel has accepted it: any file may be given to it,
 * and the notes of any are looked through for a build-id.
 */
#define _GNU_SOURCE
#include "fuzz.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/module.h"
#include "common/say.h"

/* Messages are made, and go nowhere (for loader/common/say.c). */
void say_error(const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	fuzz_must(vasprintf(&text, fmt, ap) >= 0, "a message that can't be made");
	va_end(ap);
	free(text);
}

static void name_is_good(const char *name)
{
	size_t n = strnlen(name, MODULE_NAME_MAX);

	fuzz_must(n && n < MODULE_NAME_MAX, "a name that is too short or too long");
	for (; *name; name++)
		fuzz_must(*name == '_' || (*name >= '0' && *name <= '9') ||
			  ((*name | 0x20) >= 'a' && (*name | 0x20) <= 'z'),
			  "a name that can't be a file's");
}

static void text_is_inside(const struct module_file *m, const char *text)
{
	if (*text)
		fuzz_must(text > m->image && text + strlen(text) < m->image + m->size,
			  "a text that is not in the file");
}

static void read_module(int fd)
{
	struct module_file m;
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (module_read(&m, path))
		return;
	name_is_good(m.name);
	text_is_inside(&m, m.vermagic);
	text_is_inside(&m, m.build_id);
	module_matches_kernel(&m);
	if (!module_rename(&m)) {
		name_is_good(m.name);
		text_is_inside(&m, m.vermagic);
		fuzz_must(memmem(m.image, m.size, m.name, strlen(m.name) + 1) != NULL,
			  "a name that the file doesn't have");
	}
	module_free(&m);
}

static void read_notes(const uint8_t *data, size_t size)
{
	char *notes = malloc(size + !size), hex[129];

	memcpy(notes, data, size);
	notes_find_build_id(notes, size, hex, sizeof(hex));
	fuzz_must(strspn(hex, "0123456789abcdef") == strlen(hex), "a build-id that is no number");
	notes_find_build_id(notes, size, hex, 4);
	fuzz_must(strlen(hex) < 4, "a build-id longer than its room");
	free(notes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;

	if (fd < 0)
		fd = memfd_create("module", MFD_CLOEXEC);
	fuzz_must(fd >= 0 && !ftruncate(fd, 0) && pwrite(fd, data, size, 0) == (ssize_t)size,
		  "can't write");
	read_module(fd);
	read_notes(data, size);
	return 0;
}
