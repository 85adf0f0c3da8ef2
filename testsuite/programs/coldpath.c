/*
 * Opens files by names in pages that this process has given back: of a constant, of a file that it has
 * mapped shared, and private, of which it has changed another page; then by one where nothing is mapped.
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096ul

static const struct {
	char before[PAGE], path[PAGE], behind[PAGE];
} constant __attribute__((aligned(PAGE))) = { .path = "/constant-path" };

static char *file(int flags)
{
	FILE *f = tmpfile();
	char *p;

	fputs("/mapped-path", f);
	fflush(f);
	p = ftruncate(fileno(f), 2 * PAGE) ? MAP_FAILED :
		mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, flags, fileno(f), 0);
	return p == MAP_FAILED ? NULL : p;
}

static void let_go(const void *p)
{
	madvise((void *)p, PAGE, MADV_DONTNEED);
}

int main(void)
{
	char *shared = file(MAP_SHARED), *changed = file(MAP_PRIVATE), *none = file(MAP_SHARED);

	if (!shared || !changed || !none)
		return 1;
	strcpy(shared, "/shared-path");
	changed[PAGE] = 'x';
	munmap(none, 2 * PAGE);
	let_go(constant.path);
	open(constant.path, O_RDONLY);
	let_go(shared);
	open(shared, O_RDONLY);
	let_go(changed);
	open(changed, O_RDONLY);
	open(none, O_RDONLY);
	return 0;
}
