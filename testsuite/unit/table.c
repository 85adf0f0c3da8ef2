// SPDX-License-Identifier: GPL-2.0-or-later
/* Hashes of tables are SipHash-1-3 by a key of the process: nobody can choose names that collide. */
#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/table.h"
#include "check.h"

#define KEYS 4096

/* The low halves of the reference implementation's hashes of 0, 1 and 2 bytes, and across a word's end. */
static void check_vectors(void)
{
	const struct table_key key = { { htole64(0x0706050403020100), htole64(0x0f0e0d0c0b0a0908) } };
	const unsigned char bytes[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 };

	CHECK(table_hash_by(&key, bytes, 0) == 0x050fc4dc);
	CHECK(table_hash_by(&key, bytes, 1) == 0x7d57ca93);
	CHECK(table_hash_by(&key, bytes, 2) == 0x4dc7d44d);
	CHECK(table_hash_by(&key, bytes, 8) != table_hash_by(&key, bytes, 9));
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* FNV-1a of the first four bytes is 0, and it stays 0 with any number of zeroes behind them. */
static void check_chosen_keys(void)
{
	static unsigned char bytes[4 + KEYS] = { 0xcc, 0x24, 0x31, 0xc4 };
	static uint32_t hashes[KEYS];
	int equal = 0;

	for (int i = 0; i < KEYS; i++)
		hashes[i] = table_hash(bytes, 4 + i);
	qsort(hashes, KEYS, sizeof(*hashes), by_number);
	for (int i = 1; i < KEYS; i++)
		equal += hashes[i] == hashes[i - 1];
	CHECK(equal < 16);
}

/* A process that is started, not forked, has another key. */
static void check_processes(const char *self)
{
	const struct table_key *key = table_key();
	struct table_key other = { };
	int ends[2];

	if (pipe(ends))
		exit(1);
	if (!fork()) {
		dup2(ends[1], 1);
		execl(self, self, "key", NULL);
		_exit(1);
	}
	close(ends[1]);
	CHECK(read(ends[0], &other, sizeof(other)) == sizeof(other));
	wait(NULL);
	CHECK(other.k[0] != key->k[0] && other.k[1] != key->k[1] && key->k[0] != key->k[1]);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return write(1, table_key(), sizeof(struct table_key)) != sizeof(struct table_key);
	check_vectors();
	check_chosen_keys();
	check_processes(argv[0]);
	return failures > 0;
}
