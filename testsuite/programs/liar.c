/*
 * The program of the campaign's second axis (campaign/liars.py): it has one of each thing that is
 * read of a program, and can lie about itself while it runs.
 *
 *	liar [LIE]
 *
 * It prints a sum, and ends with status 7.  What its files say is falsified in its assembler text.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "mark.h"

#define PAGE 4096ul
#define ESCAPES "\033[31m\n%s%n\"\\\x9b\xff"

enum { ROUNDS = 2, MAPPINGS = 20000, STATUS = 7 };

struct inner_part {
	int inner_first, inner_second;
};

enum shade { shade_dark, shade_light = 7 };

typedef struct outer_whole {
	struct outer_whole *outer_next;
	const char *outer_text;
	char outer_buffer[32];
	struct inner_part outer_parts[2];
	long outer_number;
	unsigned int outer_low : 5, outer_high : 9;
	enum shade outer_shade;
	double outer_real;
	union {
		long union_word;
		char union_bytes[8];
	} outer_either;
	long (*outer_function)(long);
} outer_type;

outer_type global_whole;
long global_table[16];
SEMAPHORE(mark_semaphore);

__attribute__((noinline)) long named_by_liar(long named_number)
{
	MARK_COUNTED("liar_provider", "liar_mark", mark_semaphore, "-8@%0 8@%1",
		     "r"(named_number), "r"(&global_whole));
	return named_number + !getppid();
}

__attribute__((noinline)) long
work(const outer_type *param_whole, const char *param_text, long param_number, int param_extra)
{
	long local_number = param_number * 3;
	short local_extra = param_extra;

	for (int local_counter = 0; local_counter < 2; local_counter++) {
		char local_buffer[24] = "a local text";

		local_buffer[param_number & 7] = 'x';
		asm volatile("" : : "r"(local_buffer) : "memory");
		local_number += named_by_liar(local_counter);
	}
	asm volatile("" : : "r"(param_text), "r"(param_whole), "r"(local_extra) : "memory");
	return local_number;
}

static const char *text = "an ordinary text";

/* ---- what it can lie about while it runs ---- */

static char **words;

static void lie_comm(void)
{
	prctl(PR_SET_NAME, ESCAPES);
}

/* The words and the environment lie in a row; now they end nowhere. */
static void lie_words(void)
{
	char *first = words[0], *end = first;

	for (char **e = environ; *e; e++)
		end = *e + strlen(*e) + 1;
	for (char *p = first; p < end; p++)
		*p = ESCAPES[(p - first) % (sizeof(ESCAPES) - 1)];
}

static void set_words(unsigned long start, unsigned long end)
{
	prctl(PR_SET_MM, PR_SET_MM_ARG_START, start, 0, 0);
	prctl(PR_SET_MM, PR_SET_MM_ARG_END, end, 0, 0);
	prctl(PR_SET_MM, PR_SET_MM_ENV_START, start, 0, 0);
	prctl(PR_SET_MM, PR_SET_MM_ENV_END, end, 0, 0);
}

static void lie_words_huge(void)
{
	unsigned long size = 64ul << 20;
	char *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memset(p, '\033', size);
	set_words((unsigned long)p, (unsigned long)p + size);
}

static void lie_words_nowhere(void)
{
	set_words(PAGE, 0x7fffffffe000ul);
}

/* Kept apart by their rights, so that the kernel doesn't join them. */
static void lie_maps(void)
{
	char *p = mmap(NULL, MAPPINGS * PAGE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	for (int i = 0; i < MAPPINGS; i += 2)
		mprotect(p + i * PAGE, PAGE, PROT_READ | PROT_EXEC);
}

static long sum;

static void rounds(void)
{
	for (int i = 0; i < ROUNDS; i++)
		sum += work(&global_whole, text, i, -i);
}

/* What calls the rounds, from code in a file of its own: a system call, then the call. */
static const unsigned char code[] = {
	0xb8, 110, 0, 0, 0, 0x0f, 0x05, 0x48, 0x83, 0xec, 8, 0xff, 0xd7, 0x48, 0x83, 0xc4, 8, 0xc3,
};
static void (*enter)(void (*function)(void));

static void run_in(int file)
{
	if (file < 0 || pwrite(file, code, sizeof(code), 0) < 0)
		exit(1);
	enter = (void *)mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, file, 0);
}

static void lie_maps_names(void)
{
	run_in(memfd_create("name " ESCAPES " (deleted)", 0));
}

static void lie_maps_path(void)
{
	const char *path = "/tmp/" ESCAPES;

	run_in(open(path, O_RDWR | O_CREAT | O_TRUNC, 0700));
	unlink(path);
}

/* The file is cut while it is mapped: beyond its end there is nothing. */
static void lie_cut(void)
{
	int file = memfd_create("cut", 0);

	if (ftruncate(file, 2 * PAGE))
		exit(1);
	text = mmap(NULL, 2 * PAGE, PROT_READ, MAP_SHARED, file, 0);
	text += PAGE;
	if (ftruncate(file, PAGE))
		exit(1);
}

static int faults;

/* Answers late, when what waits has had its time. */
static void *answer(void *page)
{
	struct pollfd asked = { .fd = faults, .events = POLLIN };
	struct timespec late = { 1, 0 };
	struct uffdio_copy copy = { .dst = (unsigned long)text, .src = (unsigned long)page,
				    .len = PAGE };

	if (poll(&asked, 1, -1) == 1) {
		nanosleep(&late, NULL);
		ioctl(faults, UFFDIO_COPY, &copy);
	}
	return NULL;
}

static void lie_late(void)
{
	static char page[PAGE] __attribute__((aligned(PAGE))) = "it came late";
	struct uffdio_api api = { .api = UFFD_API };
	struct uffdio_register area = { .mode = UFFDIO_REGISTER_MODE_MISSING };
	pthread_t t;

	faults = syscall(SYS_userfaultfd, O_CLOEXEC);
	text = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	area.range.start = (unsigned long)text;
	area.range.len = PAGE;
	if (faults < 0 || ioctl(faults, UFFDIO_API, &api) || ioctl(faults, UFFDIO_REGISTER, &area) ||
	    pthread_create(&t, NULL, answer, page))
		exit(1);
}

static void lie_pointer(void)
{
	text = (const char *)0xffffffff81000000ul;
	global_whole.outer_next = (outer_type *)0xffff888000000000ul;
	global_whole.outer_text = (const char *)-1ul;
}

static void lie_text(void)
{
	static char long_text[1 << 20];

	memset(long_text, '\033', sizeof(long_text) - 1);
	text = global_whole.outer_text = long_text;
	memset(global_whole.outer_buffer, 0xff, sizeof(global_whole.outer_buffer));
}

static void lie_deleted(void)
{
	char path[4096];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (n < 0)
		return;
	path[n] = '\0';
	unlink(path);
}

/* A name that is as long as one can be, in a directory as deep as one can be. */
static void lie_directory(void)
{
	char name[251];

	memset(name, '\033', 250);
	name[250] = '\0';
	if (chdir("/tmp"))
		return;
	for (int i = 0; i < 40; i++)
		if ((mkdir(name, 0700) && errno != EEXIST) || chdir(name))
			return;
}

static void lie_arguments(void)
{
	close(open(ESCAPES, O_RDONLY));
	close(open((const char *)-1ul, O_RDONLY));
	prctl(PR_SET_NAME, (const char *)8ul);
}

static const struct {
	const char *name;
	void (*lie)(void);
} lies[] = {
	{ "comm", lie_comm },
	{ "words", lie_words },
	{ "words-huge", lie_words_huge },
	{ "words-nowhere", lie_words_nowhere },
	{ "maps", lie_maps },
	{ "maps-names", lie_maps_names },
	{ "maps-path", lie_maps_path },
	{ "cut", lie_cut },
	{ "late", lie_late },
	{ "pointer", lie_pointer },
	{ "text", lie_text },
	{ "deleted", lie_deleted },
	{ "directory", lie_directory },
	{ "arguments", lie_arguments },
};

int main(int argc, char **argv)
{
	words = argv;
	global_whole.outer_next = &global_whole;
	global_whole.outer_text = text;
	for (size_t i = 0; argc > 1 && i < sizeof(lies) / sizeof(*lies); i++)
		if (!strcmp(argv[1], lies[i].name)) {
			lies[i].lie();
			break;
		}
	if (enter)
		enter(rounds);
	else
		rounds();
	printf("sum %ld\n", sum);
	return STATUS;
}
