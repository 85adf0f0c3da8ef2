// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Gives a fuzz target the files named, or those in the directories named, one
 * after the other: what the fuzzer found once stays found.  The last line
 * printed is the file it died of.  With a number N before them, each file is
 * also given N times with some of it changed, or cut off: the same each time.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

static unsigned damages, seed;

/* Bytes that are wrong, alone or in a row, and ends that are missing. */
static size_t damage(uint8_t *data, size_t size)
{
	size_t at = size ? rand_r(&seed) % size : 0;

	for (unsigned n = rand_r(&seed) % 8; n && at < size; n--, at += rand_r(&seed) % 3)
		data[at] = rand_r(&seed) % 2 ? rand_r(&seed) : rand_r(&seed) % 2 ? 0xff : 0;
	return rand_r(&seed) % 8 ? size : at;
}

static void feed_damaged(const char *path, const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size + 1);

	for (unsigned i = 1; copy && i <= damages; i++) {
		printf("%s, damage %u\n", path, i);
		memcpy(copy, data, size);
		seed = i;
		LLVMFuzzerTestOneInput(copy, damage(copy, size));
	}
	free(copy);
}

static int feed(const char *path)
{
	FILE *f = fopen(path, "re");
	uint8_t *data = NULL;
	long size = -1;

	if (f && !fseek(f, 0, SEEK_END))
		size = ftell(f);
	if (size >= 0)
		data = malloc(size + 1);
	if (!data || fseek(f, 0, SEEK_SET) || fread(data, 1, size, f) != (size_t)size) {
		perror(path);
		return -1;
	}
	fclose(f);
	puts(path);
	LLVMFuzzerTestOneInput(data, size);
	feed_damaged(path, data, size);
	free(data);
	return 0;
}

static int is_file(const struct dirent *e)
{
	return e->d_type == DT_REG;
}

int main(int argc, char **argv)
{
	int failed = 0;

	setvbuf(stdout, NULL, _IOLBF, 0);
	for (int i = 1; i < argc; i++) {
		struct dirent **list;

		if (i == 1 && isdigit((unsigned char)*argv[i])) {
			damages = atoi(argv[i]);
			continue;
		}

		int n = scandir(argv[i], &list, is_file, alphasort);

		if (n < 0)
			failed |= feed(argv[i]);
		for (int j = 0; j < n; j++) {
			char path[4096];

			snprintf(path, sizeof(path), "%s/%s", argv[i], list[j]->d_name);
			failed |= feed(path);
			free(list[j]);
		}
		if (n >= 0)
			free(list);
	}
	return failed < 0;
}
