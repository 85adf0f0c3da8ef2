// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Attaches programs: to raw tracepoints by name, to addresses by the kernel's performance events of
 * kprobes, or all at once (many.c); programs.c has those in programs, events.c the other events.  A link is
 * gone with its descriptor.
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/say.h"
#include "internal.h"
#include "system.h"

int event_type(const char *kind)
{
	int type = -1;
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/sys/bus/event_source/devices/%s/type", kind);
	f = fopen(path, "re");
	if (f && fscanf(f, "%d", &type) != 1)
		type = -1;
	if (f)
		fclose(f);
	if (type < 0)
		say_error("the kernel has no events of %ss (CONFIG_KPROBE_EVENTS, CONFIG_UPROBE_EVENTS, "
			  "CONFIG_BPF_EVENTS; %s): --runtime=kernel needs none of them", kind, path);
	return type;
}

/* Makes the event of a kprobe.  It counts on one CPU; its program runs wherever it is hit. */
static int open_event(int type, uint64_t address, bool at_return)
{
	struct perf_event_attr a = { .size = sizeof(a), .type = type, .config = at_return, .config2 = address };

	return syscall(SYS_perf_event_open, &a, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
}

int keep_link(struct handlers *h, int fd, const struct ir_place *place)
{
	if (fd >= 0) {
		vec_push(&h->links, fd);
		return 0;
	}
	if (place->optional && is_about_place(errno))
		return 0;
	say_place_refused(place, errno);
	return -1;
}

int attach_event(struct handlers *h, int event, int program, unsigned point)
{
	int link = event < 0 ? -1 : system_attach_event(event, program, point);

	if (link < 0) {
		int err = errno;

		if (event >= 0)
			close(event);
		errno = err;
		return -1;
	}
	vec_push(&h->links, event);
	vec_push(&h->links, link);
	return 0;
}

int find_address(const struct handlers *h, const struct ir_place *place, uint64_t *address)
{
	uint64_t base = place->base < h->plan->ir->bases.n ? h->bases[place->base] : 0;

	*address = 0;
	if (!base && place->base != IR_ABSOLUTE)
		return ENOENT;
	*address = base + place->offset;
	return why_unsafe(place, *address);
}

int attach_address(struct handlers *h, size_t program, unsigned i, uint64_t address)
{
	const struct bpf_program *p = &h->plan->programs.v[program];
	int type = event_type("kprobe");

	if (type < 0)
		return -1;
	if (!attach_event(h, open_event(type, address, p->attach == IR_AT_RETURN), h->programs.v[program], p->point + i))
		return 0;
	return leave_out(h, program, i, address, errno);
}

bool is_interrupted(void)
{
	sigset_t pending;

	return !sigpending(&pending) && (sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM) ||
					 sigismember(&pending, SIGHUP) || sigismember(&pending, SIGQUIT));
}

/* Attaches a program to its place I. */
static int attach_place(struct handlers *h, size_t program, unsigned i)
{
	const struct bpf_program *p = &h->plan->programs.v[program];
	const struct ir_place *place = &h->plan->ir->probes.v[p->probe].places.v[p->first + i];
	uint64_t address;
	int err;

	if (ir_in_program(p->attach))
		return attach_in_program(h, program, place, p->point + i);
	if (p->attach == IR_AT_EVENT)
		return attach_to_event(h, h->programs.v[program], place, p->point + i);
	err = find_address(h, place, &address);
	return err ? leave_out(h, program, i, address, err) : attach_address(h, program, i, address);
}

static int attach_to_trace(struct handlers *h, size_t program, const struct ir_place *place)
{
	const struct bpf_program *p = &h->plan->programs.v[program];
	int link;

	if (is_at_trace_event(h, p))
		return attach_trace_event(h, program) ? keep_link(h, -1, place) : 0;
	link = system_attach_trace(p->tracepoint, h->programs.v[program]);
	if (link < 0 && errno == ENOENT && p->attach == IR_AT_TRACEPOINT && p->n)
		return leave_out(h, program, 0, 0, ENOENT);
	return keep_link(h, link, place);
}

int attach_program(struct handlers *h, size_t program)
{
	const struct bpf_program *p = &h->plan->programs.v[program];
	const struct ir_place *places = h->plan->ir->probes.v[p->probe].places.v + p->first;
	int fd = h->programs.v[program], err = 0;

	if (p->role == BPF_TELLS)
		return tell_programs(h, fd);
	if (p->tracepoint)
		return attach_to_trace(h, program, p->n ? places : &(struct ir_place){ .pp = p->tracepoint });
	if (h->many && may_be_many(p))
		return attach_many(h, program);
	for (unsigned i = 0; i < p->n && !err; i++) {
		if (is_interrupted())
			return -1;
		if (p->n > MANY)
			say_progress("Attaching %u of %u places of %s...", i, p->n, places[i].pp);
		err = attach_place(h, program, i);
	}
	say_progress_end();
	return err;
}
