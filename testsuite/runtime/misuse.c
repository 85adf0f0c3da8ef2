// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Does with a running module's trace what must be refused; then keeps a mapping of a
 * ring beyond the session's end, and says to a file that it, and the module, are still there.
 *
 *	misuse NAME FILE
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "abi/transport.h"

#define FAR (1ull << 40)

static int trace;
static char failed;
static struct {
	struct st_batch head;
	struct st_chunk chunks[256];
} batch;

static void die(const char *what)
{
	perror(what);
	exit(1);
}

static void refused(int ok, const char *what)
{
	if (ok)
		return;
	printf("misuse: not refused: %s\n", what);
	failed = 1;
}

static void no_map(size_t size, int protection, off_t at, const char *what)
{
	refused(mmap(NULL, size, protection, MAP_SHARED, trace, at) == MAP_FAILED, what);
}

static void no_write(uint32_t cpu, uint64_t bytes, const char *what)
{
	struct st_taken taken[2] = { { .cpu = batch.chunks[0].cpu }, { cpu, 0, bytes } };

	refused(write(trace, taken, sizeof(taken)) < 0 && errno == EINVAL, what);
}

static void misuse(size_t ring)
{
	const struct st_chunk *c = batch.chunks;

	no_map(ring, PROT_READ | PROT_WRITE, 0, "a mapping to write to");
	no_map(ring / 2, PROT_READ, 0, "half a mapping");
	no_map(2 * ring, PROT_READ, 0, "two rings in one");
	no_map(ring, PROT_READ, 4096, "a mapping in the middle");
	no_map(ring, PROT_READ, ring * 300, "a CPU that isn't there");
	no_map(ring, PROT_READ, FAR, "a far offset");

	no_write(c->cpu, c->size * 2, "more than there is");
	no_write(c->cpu, (uint64_t)-8, "less than nothing");
	no_write(c->cpu, 4, "half a word");
	no_write(c->cpu, 8, "half a record");
	no_write(UINT_MAX, 8, "another CPU that isn't there");
	refused(write(trace, c, 3) < 0, "a write of three bytes");
	refused(read(trace, &batch, sizeof(batch.head) - 1) < 0, "a short read");
	refused(read(trace, &batch, sizeof(batch.head) + 8) < 0, "a read of half a chunk");
}

/* The session ends meanwhile; the mapping holds the module. */
static void outlive(const char *name, const char *file, const unsigned char *p, size_t ring)
{
	char path[PATH_MAX];
	unsigned long sum = 0;
	FILE *out = fopen(file, "w");

	snprintf(path, sizeof(path), "/sys/module/%s", name);
	usleep(500000);
	for (size_t i = 0; i < ring; i++)
		sum += p[i];
	fprintf(out, "%s\n", access(path, F_OK) ? "the module is gone" : sum ? "still there" : "empty");
	fclose(out);
}

/* The first batch with records. */
static void first_batch(void)
{
	ssize_t n;

	do
		n = read(trace, &batch, sizeof(batch));
	while (n > 0 && !batch.head.chunks);
	if (n <= 0)
		die("read");
}

int main(int argc, char **argv)
{
	char path[PATH_MAX];
	const unsigned char *p;
	int done[2];
	char status = 1;

	if (argc != 3 || pipe(done))
		return 2;
	if (fork()) {
		close(done[1]);
		return read(done[0], &status, 1) != 1 || status;
	}
	snprintf(path, sizeof(path), "/proc/systemtap/%s/.trace", argv[1]);
	trace = open(path, O_RDWR | O_CLOEXEC);
	if (trace < 0)
		die(path);
	first_batch();

	size_t ring = 2 * batch.chunks[0].size;

	p = mmap(NULL, ring, PROT_READ, MAP_SHARED, trace, ring * batch.chunks[0].cpu);
	if (p == MAP_FAILED)
		die("mmap");
	refused(mprotect((void *)p, ring, PROT_READ | PROT_WRITE) < 0, "making it writable");
	refused(mremap((void *)p, ring, 2 * ring, MREMAP_MAYMOVE) == MAP_FAILED, "growing it");
	misuse(ring);
	close(trace);
	fflush(stdout);
	if (write(done[1], &failed, 1) == 1)
		outlive(argv[1], argv[2], p, ring);
	return 0;
}
