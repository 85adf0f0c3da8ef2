// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What stapio's namer does with a program's file: any file may have been mapped.  The table that it makes
 * is one that the module takes.
 */
#define _GNU_SOURCE
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/stap_script.h"
#include "base/limits.h"
#include "names/code.h"
#include "stapio/names/binary.h"

#define OFFSETS 64

static int no_debug_file(enum debug_file how, const void *key, size_t n)
{
	(void)how;
	free(strndup(key, n));		/* all of it is there */
	return -1;
}

static int memory_file(const uint8_t *data, size_t size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);

	fuzz_must(fd >= 0 && write(fd, data, size) == (ssize_t)size, "can't write");
	return fd;
}

static void check_names(const struct binary_names *names)
{
	fuzz_must(!names->name || strlen(names->name) <= LIMIT_SHOWN + sizeof("@plt"), "too long");
	fuzz_must(names->nplaces <= INLINED_MOST, "too many places");
	for (unsigned int i = 0; i < names->nplaces; i++)
		fuzz_must(names->places[i].source && strlen(names->places[i].source) <= LIMIT_SHOWN,
			  "a source that can't be");
}

static void check_table(int fd)
{
	struct st_code_names names;
	struct stat st;
	void *table;

	fuzz_must(!fstat(fd, &st), "no table");
	table = malloc(st.st_size + 1);
	fuzz_must(pread(fd, table, st.st_size, 0) == st.st_size, "can't read");
	fuzz_must(st_code_names_check(&names, table, st.st_size), "a table that is refused");
	free(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct binary *b = binary_open(memory_file(data, size), no_debug_file);
	int table = memory_file(data, 0);

	for (size_t i = 0; b && i < OFFSETS; i++) {
		struct binary_names names;

		if (binary_find(b, i * size / OFFSETS, true, &names))
			check_names(&names);
		binary_names_free(&names);
	}
	if (b && binary_table(b, ST_ASKS_SYMBOLS | ST_ASKS_LINES, table))
		check_table(table);
	close(table);
	binary_close(b);
	return 0;
}
