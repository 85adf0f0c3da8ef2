// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The unwinder of user stacks.
 *
 * Its rules are compared with libdw's, for all of libc's and python's code.  Then a child
 * process is single-stepped through calls of libraries, the dynamic linker, the vdso, PLT
 * entries and signal handlers: at each instruction its stack must lead to its main().
 */
#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "unwind/internal.h"

#define FRAMES 64

static int failures;

/* ---- the program's memory: a file, or a process ---- */

static pid_t process;			/* 0: the image below */
static const unsigned char *image;	/* its loadable segments, from address 0 */
static size_t image_bytes;

bool st_unwind_read(struct st_unwind *u, void *to, unsigned long addr, unsigned int n)
{
	struct iovec local = { to, n }, remote = { (void *)addr, n };

	(void)u;
	if (process)
		return process_vm_readv(process, &local, 1, &remote, 1, 0) == (ssize_t)n;
	if (addr > image_bytes || n > image_bytes - addr)
		return false;
	memcpy(to, image + addr, n);
	return true;
}

static struct mapping {
	struct st_unwind_map map;
	unsigned long offset;
} mappings[256];
static size_t nmappings;

static void read_mappings(void)
{
	char path[64], line[512], rights[8];
	unsigned long inode, image_at = 0, last = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", process);
	f = fopen(path, "re");
	nmappings = 0;
	while (f && nmappings < 256 && fgets(line, sizeof(line), f)) {
		struct mapping *m = &mappings[nmappings];

		if (sscanf(line, "%lx-%lx %7s %lx %*s %lu", &m->map.start, &m->map.end, rights,
			   &m->offset, &inode) != 5)
			continue;
		if (!m->offset && (inode != last || !inode))
			image_at = m->map.start;
		last = inode;
		m->map.image = inode || strstr(line, "[vdso]") ? image_at : 0;
		m->map.offset = m->offset;
		m->map.file = inode;
		m->map.executable = rights[2] == 'x';
		nmappings++;
	}
	if (f)
		fclose(f);
}

static bool find(unsigned long addr, struct st_unwind_map *map)
{
	for (size_t i = 0; i < nmappings; i++)
		if (addr - mappings[i].map.start < mappings[i].map.end - mappings[i].map.start) {
			*map = mappings[i].map;
			return true;
		}
	return false;
}

bool st_unwind_find(struct st_unwind *u, unsigned long addr, struct st_unwind_map *map)
{
	(void)u;
	if (find(addr, map))
		return true;
	read_mappings();		/* a library was loaded */
	return find(addr, map);
}

bool st_unwind_image(struct st_unwind *u, struct st_unwind_map *map)
{
	(void)u;
	return map->image;
}

unsigned long st_unwind_real_return(unsigned long ip, unsigned long at)
{
	(void)at;
	return ip;
}

/* ---- rules: ours and libdw's ---- */

static struct st_unwind unwinder;

static void differ(const char *path, unsigned long pc, const char *what)
{
	if (++failures < 20)
		fprintf(stderr, "%s, %#lx: %s differs from libdw's\n", path, pc, what);
}

/* libdw gives a CFA of "register + offset" as one operation. */
static void compare_cfa(const char *path, unsigned long pc, Dwarf_Frame *frame)
{
	const struct st_unwind_row *row = &unwinder.row;
	Dwarf_Op *ops;
	size_t n;

	if (dwarf_frame_cfa(frame, &ops, &n))
		return;
	if (n == 1 && ops->atom == DW_OP_bregx) {
		if (row->cfa_expression || row->cfa_register != ops->number ||
		    row->cfa != (long)ops->number2)
			differ(path, pc, "the CFA");
	} else if (n == 1 && ops->atom >= DW_OP_breg0 && ops->atom <= DW_OP_breg31) {
		if (row->cfa_expression || row->cfa_register != ops->atom - DW_OP_breg0 ||
		    row->cfa != (long)ops->number)
			differ(path, pc, "the CFA");
	} else if (!row->cfa_expression) {
		differ(path, pc, "the CFA's kind");
	}
}

static enum st_rule kind_of(const Dwarf_Op *ops, const Dwarf_Op *own, size_t n, long *value)
{
	bool is_value = n && ops[n - 1].atom == DW_OP_stack_value;

	*value = 0;
	if (!n)
		return ops == own ? ST_RULE_UNDEFINED : ST_RULE_SAME;
	if (ops->atom == DW_OP_regx || (ops->atom >= DW_OP_reg0 && ops->atom <= DW_OP_reg31))
		return ST_RULE_REGISTER;
	n -= is_value;
	if (n == 2 && ops[1].atom == DW_OP_plus_uconst)
		*value = ops[1].number;
	else if (n != 1)
		return is_value ? ST_RULE_VAL_EXPRESSION : ST_RULE_EXPRESSION;
	return is_value ? ST_RULE_VAL_OFFSET : ST_RULE_OFFSET;
}

static void compare_register(const char *path, unsigned long pc, Dwarf_Frame *frame, int reg)
{
	const struct st_unwind_row *row = &unwinder.row;
	Dwarf_Op own[3], *ops;
	enum st_rule theirs, ours = row->kinds[reg];
	long value;
	size_t n;

	if (dwarf_frame_register(frame, reg, own, &ops, &n))
		return;
	theirs = kind_of(ops, own, n, &value);
	/* libdw doesn't tell "undefined" from "nothing is said". */
	if (theirs == ST_RULE_UNDEFINED && ours == ST_RULE_SAME)
		return;
	if (ours != theirs || (ours == ST_RULE_OFFSET && row->values[reg] != value))
		differ(path, pc, "a register");
}

static void compare_at(const char *path, Dwarf_CFI *cfi, unsigned long pc)
{
	static const int saved[] = { ST_UNWIND_BX, ST_UNWIND_BP, 12, 13, 14, 15, ST_UNWIND_IP };
	Dwarf_Frame *frame;

	if (dwarf_cfi_addrframe(cfi, pc, &frame))
		return;
	unwinder.end = ST_UNWIND_GOES_ON;
	unwinder.steps = 0;
	if (!st_unwind_rules(&unwinder, pc)) {
		differ(path, pc, "that there are rules");
	} else {
		compare_cfa(path, pc, frame);
		for (size_t i = 0; i < sizeof(saved) / sizeof(*saved); i++)
			compare_register(path, pc, frame, saved[i]);
	}
	free(frame);
}

/* Makes the image as it would be in memory. */
static unsigned char *load(Elf *elf, size_t *bytes, unsigned long *first)
{
	unsigned char *to;
	GElf_Phdr ph;
	size_t n, size;
	const char *file = elf_rawfile(elf, &size);

	*bytes = 0;
	elf_getphdrnum(elf, &n);
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(elf, i, &ph) && ph.p_type == PT_LOAD &&
		    ph.p_vaddr + ph.p_memsz > *bytes)
			*bytes = ph.p_vaddr + ph.p_memsz;
	to = calloc(1, *bytes);
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(elf, i, &ph) && ph.p_type == PT_LOAD) {
			memcpy(to + ph.p_vaddr, file + ph.p_offset, ph.p_filesz);
			if (!ph.p_offset)
				*first = ph.p_vaddr;
		}
	return to;
}

/* Compares rules at the beginning of each function, and at some places behind. */
static void compare_file(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	Dwarf_CFI *cfi = dwarf_getcfi_elf(elf);
	struct st_unwind_map map = { .file = (unsigned long)path, .executable = true };
	const struct st_unwind_table *table;
	unsigned long compared = 0;

	image = load(elf, &image_bytes, &map.image);
	unwinder.end = ST_UNWIND_GOES_ON;
	unwinder.steps = 0;
	table = st_unwind_table(&unwinder, &map);
	if (!table || !cfi) {
		fprintf(stderr, "%s: no table\n", path);
		failures++;
		return;
	}
	for (unsigned int i = 0; i < table->count; i++) {
		unsigned long start = table->at + *(int *)(image + table->entries + 8 * i);
		unsigned long at = st_unwind_lookup(&unwinder, table, start), step;

		unwinder.tables_window.filled = 0;
		if (!st_unwind_entry(&unwinder, at) || unwinder.entry.start != start) {
			differ(path, start, "the entry");
			continue;
		}
		step = unwinder.entry.size / 64 + 1;
		for (unsigned long in = 0; in < unwinder.entry.size; in += step, compared++)
			compare_at(path, cfi, start + in);
	}
	printf("%s: %u entries, %lu addresses\n", path, table->count, compared);
	failures += table->count < 1000;
	free((void *)image);
	dwarf_cfi_end(cfi);
	elf_end(elf);
	close(fd);
}

/* ---- a process, instruction by instruction ---- */

static volatile int sink;

static int __attribute__((noinline)) by_number(const void *a, const void *b)
{
	sink++;
	return *(const int *)a - *(const int *)b;
}

static void __attribute__((noinline)) on_signal(int sig)
{
	char text[64];

	sink += snprintf(text, sizeof(text), "signal %d", sig);
}

static void __attribute__((noinline)) library_calls(void)
{
	int numbers[] = { 5, 3, 9, 1, 7, 2, 8 };
	struct timespec now;
	char *copy;

	qsort(numbers, 7, sizeof(*numbers), by_number);
	clock_gettime(CLOCK_MONOTONIC, &now);
	copy = strdup("twice");
	sink += strlen(copy) + numbers[0] + getppid();
	free(copy);
}

static void __attribute__((noinline)) signals(void)
{
	static char other_stack[65536];
	struct sigaction sa = { .sa_handler = on_signal };
	stack_t other = { .ss_sp = other_stack, .ss_size = sizeof(other_stack) };

	sigaction(SIGUSR1, &sa, NULL);
	raise(SIGUSR1);
	sigaltstack(&other, NULL);
	sa.sa_flags = SA_ONSTACK;
	sigaction(SIGUSR1, &sa, NULL);
	raise(SIGUSR1);
}

/* The frames of the child lead from here. */
static void __attribute__((noinline)) work(void)
{
	library_calls();
	signals();
	sink++;
}

static void __attribute__((noinline, noreturn)) child(void)
{
	ptrace(PTRACE_TRACEME, 0, 0, 0);
	raise(SIGSTOP);
	work();
	_exit(sink == 0);
}

static void set_registers(struct st_unwind *u, const struct user_regs_struct *r)
{
	const unsigned long regs[ST_UNWIND_REGS] = {
		r->rax, r->rdx, r->rcx, r->rbx, r->rsi, r->rdi, r->rbp, r->rsp,
		r->r8, r->r9, r->r10, r->r11, r->r12, r->r13, r->r14, r->r15, r->rip,
	};

	memcpy(u->regs, regs, sizeof(regs));
	u->word = 8;
}

static bool within(unsigned long addr, void (*function)(void), unsigned long most)
{
	return addr - (unsigned long)function < most;
}

/* A frame is work()'s, as it runs; and the next one child()'s. */
static bool leads_home(const struct st_frame *frames, unsigned int n)
{
	for (unsigned int i = 0; i + 1 < n; i++)
		if (within(frames[i].ip, work, 64) && within(frames[i + 1].ip - 1, child, 256))
			return true;
	return false;
}

static void check_stack(const struct user_regs_struct *regs, unsigned long steps)
{
	struct st_frame frames[FRAMES];
	unsigned int n;

	set_registers(&unwinder, regs);
	n = st_unwind(&unwinder, frames, FRAMES);
	if (unwinder.end == ST_UNWIND_OUTERMOST && leads_home(frames, n))
		return;
	if (++failures > 20)
		return;
	fprintf(stderr, "after %lu instructions the stack ends by %d:", steps, unwinder.end);
	for (unsigned int i = 0; i < n; i++)
		fprintf(stderr, " %#lx", frames[i].ip);
	fputc('\n', stderr);
}

static bool in_vdso(unsigned long ip)
{
	struct st_unwind_map map;

	return st_unwind_find(&unwinder, ip, &map) && map.image && !map.file;
}

/*
 * Steps the child through work(); returns how many instructions that took.  The vdso's clock may
 * never settle for a process that is stepped: after a while it runs on, to the next signal.
 */
static unsigned long step_through(void)
{
	struct user_regs_struct regs;
	unsigned long steps = 0, clock = 0;
	int status, sig = 0;
	bool working = false, runs_on;

	waitpid(process, &status, 0);
	while (WIFSTOPPED(status)) {
		ptrace(PTRACE_GETREGS, process, 0, &regs);
		if (within(regs.rip, work, 8) || within(regs.rip, child, 256))
			working = within(regs.rip, work, 8);
		if (working)
			check_stack(&regs, steps++);
		runs_on = working && in_vdso(regs.rip) && ++clock % 500 == 0;
		ptrace(runs_on ? PTRACE_CONT : PTRACE_SINGLESTEP, process, 0, sig);
		waitpid(process, &status, 0);
		sig = WIFSTOPPED(status) && WSTOPSIG(status) == SIGUSR1 ? SIGUSR1 : 0;
	}
	failures += !WIFEXITED(status) || WEXITSTATUS(status);
	return steps;
}

static void check_process(void)
{
	unsigned long steps;

	process = fork();
	if (!process)
		child();
	steps = step_through();
	printf("%lu instructions were stepped through\n", steps);
	failures += steps < 2000;
}

/* The C library that this program runs with. */
static int libc_path(struct dl_phdr_info *info, size_t size, void *path)
{
	(void)size;
	if (strstr(info->dlpi_name, "/libc.so"))
		*(const char **)path = info->dlpi_name;
	return 0;
}

/* ---- bounds ---- */

/* A stack whose frames all have as many instructions as may be: not all of them are run. */
static void check_bound(void)
{
	static unsigned char nops[ST_UNWIND_STEPS];
	unsigned int n = 0;

	process = 0;
	image = nops;
	image_bytes = sizeof(nops);
	unwinder = (struct st_unwind){ .entry.program_end = sizeof(nops) - 1 };
	while (n < 1000 && st_unwind_rules(&unwinder, 0))
		n++;
	if (n != ST_UNWIND_STEPS_ALL / (sizeof(nops) - 1) || unwinder.end != ST_UNWIND_CORRUPT) {
		fprintf(stderr, "%u frames of %zu instructions\n", n, sizeof(nops) - 1);
		failures++;
	}
}

int main(void)
{
	const char *libc = NULL;

	elf_version(EV_CURRENT);
	dl_iterate_phdr(libc_path, &libc);
	if (libc)
		compare_file(libc);
	if (!access("/usr/bin/python3.11", R_OK))
		compare_file("/usr/bin/python3.11");
	check_process();
	check_bound();
	return failures != 0;
}
