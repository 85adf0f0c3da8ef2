// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Places in programs: opens and checks their files, and attaches to instructions and returns by the kernel's
 * performance events of uprobes.  The kernel is given the file that was checked, by its descriptor, not by a
 * name that could lead elsewhere by now.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "abi/bounds.h"
#include "base/arena.h"
#include "common/probed.h"
#include "common/say.h"
#include "internal.h"
#include "system.h"

/* What the kernel has for an instruction that it can't probe; not in errno.h. */
#ifndef ENOTSUPP
#define ENOTSUPP 524
#endif

/* ---- files ---------------------------------------------------------------- */

/* Opens a file that is as expected.  Returns -1 after a warning. */
static int open_file(const struct ir_file *f)
{
	struct probed_file e = {
		.build_id = f->build_id ? f->build_id : "-", .size = f->size, .owner = f->owner,
		.identity = f->identity, .awaited = f->awaited,
	};

	snprintf(e.path, sizeof(e.path), "%s", f->path);
	return probed_open(&e);
}

/* Has the file the code that the translator has read? */
static bool has_code(int fd, const struct ir_instruction *at)
{
	unsigned char code[ST_CODE_BYTES];
	size_t n = strlen(at->code) / 2;
	char hex[2 * ST_CODE_BYTES + 1];

	if (!n || n > sizeof(code) || pread(fd, code, n, at->offset) != (ssize_t)n)
		return false;
	for (size_t i = 0; i < n; i++)
		sprintf(hex + 2 * i, "%02x", code[i]);
	return !strcmp(hex, at->code);
}

/* Closes the file of a place if it is another one, in which breakpoints could lie within instructions. */
static void check_code(struct handlers *h, const struct ir_place *place, const struct ir_instruction *at)
{
	int *fd = &h->files[place->file];

	if (*fd < 0 || has_code(*fd, at))
		return;
	say_warning("'%s' is not the program that the script was compiled for: it has other code at offset "
		    "0x%llx, of %s; its places are left out [man warning::buildid]",
		    h->plan->ir->files.v[place->file].path, (unsigned long long)at->offset, place->pp);
	close(*fd);
	*fd = -1;
}

static void check_place(struct handlers *h, const struct ir_place *place)
{
	if (!ir_in_program(place->attach))
		return;
	check_code(h, place, &place->at);
	if (place->body.offset)
		check_code(h, place, &place->body);
	for (size_t i = 0; i < place->returning.n; i++)
		check_code(h, place, &place->returning.v[i]);
}

void open_programs(struct handlers *h)
{
	const struct ir_program *ir = h->plan->ir;

	h->files = arena_alloc((ir->files.n + 1) * sizeof(*h->files));
	for (size_t i = 0; i < ir->files.n; i++)
		h->files[i] = open_file(&ir->files.v[i]);
	for (size_t i = 0; i < ir->probes.n; i++)
		for (size_t j = 0; j < ir->probes.v[i].places.n; j++)
			check_place(h, &ir->probes.v[i].places.v[j]);
}

int tell_programs(struct handlers *h, int program)
{
	size_t n = h->plan->ir->files.n;

	for (size_t i = 0; i <= n; i++) {
		const uint64_t arguments[] = { i < n ? h->files[i] : -1, i };
		uint32_t result;

		if (i < n && h->files[i] < 0)
			continue;
		if (system_run(program, arguments, 2, &result)) {
			say_error("can't find out which programs are probed: %s", strerror(errno));
			return -1;
		}
	}
	return 0;
}

void close_programs(struct handlers *h)
{
	for (size_t i = 0; i < h->plan->ir->files.n; i++)
		if (h->files[i] >= 0)
			close(h->files[i]);
}

/* ---- places ----------------------------------------------------------------- */

/*
 * Makes the event of a uprobe.  It counts on one CPU, or in one process; its program runs wherever it is
 * hit.
 */
static int open_event(int type, int file, const struct ir_place *place, uint64_t offset, bool at_return,
		      uint64_t semaphore)
{
	char path[32];
	struct perf_event_attr a = {
		.size = sizeof(a), .type = type, .config = semaphore << 32 | at_return,
		.config1 = (uintptr_t)path, .config2 = offset,
	};

	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	return syscall(SYS_perf_event_open, &a, place->pid ? (pid_t)place->pid : -1, place->pid ? -1 : 0, -1,
		       PERF_FLAG_FD_CLOEXEC);
}

/*
 * Warns of a place that the kernel refused; the others are probed all the same.  Returns -1 if none can
 * be.
 */
static int warn_refused(const struct ir_place *place, uint64_t offset, int err)
{
	if (!is_about_place(err)) {
		say_place_refused(place, err);
		return -1;
	}
	if (place->optional)
		return 0;
	if (err == ENOTSUPP)
		say_warning("probe %s (offset 0x%llx): the kernel can't probe this instruction", place->pp,
			    (unsigned long long)offset);
	else
		say_warning("probe %s (offset 0x%llx) registration error [man warning::pass5] (rc %d)",
			    place->pp, (unsigned long long)offset, -err);
	return 0;
}

static int attach_at(struct handlers *h, size_t program, const struct ir_place *place, unsigned point,
		     uint64_t offset)
{
	const struct bpf_program *p = &h->plan->programs.v[program];
	bool at_return = p->attach == IR_AT_PROGRAMS_RETURN;
	int type = event_type("uprobe"), event;

	if (type < 0)
		return -1;
	event = open_event(type, h->files[place->file], place, offset, at_return,
			   p->role == BPF_HANDLES && p->attach == IR_IN_PROGRAM ? place->semaphore : 0);
	return attach_event(h, event, h->programs.v[program], point) ? warn_refused(place, offset, errno) : 0;
}

int attach_in_program(struct handlers *h, size_t program, const struct ir_place *place, unsigned point)
{
	const struct bpf_program *p = &h->plan->programs.v[program];
	int err = 0;

	if (h->files[place->file] < 0)
		return 0;
	if (p->attach != IR_AT_RETURNING)
		return attach_at(h, program, place, point,
				 p->role == BPF_SAVES && p->opened ? place->body.offset : place->at.offset);
	for (size_t i = 0; i < place->returning.n && !err; i++)
		err = attach_at(h, program, place, point, place->returning.v[i].offset);
	return err;
}
