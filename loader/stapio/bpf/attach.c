// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Attaches programs: to raw tracepoints by name, to addresses by the kernel's performance events of
 * kprobes.  A link is gone with its descriptor.
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

#define KPROBES "/sys/bus/event_source/devices/kprobe/type"

/* Returns the number of this kind of event; -1 after a message. */
static int kprobe_type(void)
{
	static int type = -1;
	FILE *f = type < 0 ? fopen(KPROBES, "re") : NULL;

	if (f && fscanf(f, "%d", &type) != 1)
		type = -1;
	if (f)
		fclose(f);
	if (type < 0)
		say_error("the kernel has no events of kprobes (CONFIG_KPROBE_EVENTS, CONFIG_BPF_EVENTS; %s): "
			  "--runtime=kernel needs neither", KPROBES);
	return type;
}

/* Makes the event of a kprobe.  It counts on one CPU; its program runs wherever it is hit. */
static int open_event(int type, uint64_t address, bool at_return)
{
	struct perf_event_attr a = { .size = sizeof(a), .type = type, .config = at_return, .config2 = address };

	return syscall(SYS_perf_event_open, &a, -1, 0, -1, PERF_FLAG_FD_CLOEXEC);
}

static const char *why_not(int err)
{
	return err == EPERM || err == EACCES ? "this needs root, or CAP_BPF and CAP_PERFMON" :
	       err == EINVAL || err == EOPNOTSUPP ? "no probe is safe there" :
	       err == ENOENT ? "this kernel has no such place" : strerror(err);
}

/* Keeps a descriptor.  Returns 0; or, if there is none, -1 after a message, unless PLACE is optional. */
static int keep(struct handlers *h, int fd, const struct ir_place *place)
{
	if (fd >= 0) {
		vec_push(&h->links, fd);
		return 0;
	}
	if (place->optional)
		return 0;
	say_error("can't probe %s: %s", place->pp, why_not(errno));
	return -1;
}

/*
 * Is the code one where the kernel accepts a kprobe, and breaks (runtime/probes/unsafe.c)?  A CPU that
 * starts runs load_current_idt() before it can take a fault, such as reading a bad address is.
 */
static bool is_unsafe(const struct ir_place *place)
{
	static const char *const unsafe[] = { "__SCT__", "__ubsan_", "load_current_idt" };

	for (size_t i = 0; i < sizeof(unsafe) / sizeof(*unsafe); i++)
		if (!strncmp(place->func, unsafe[i], strlen(unsafe[i])))
			return true;
	return !place->traceable;
}

static int attach_code(struct handlers *h, int program, enum ir_attach attach, const struct ir_place *place,
		       uint64_t base, unsigned point)
{
	int type = kprobe_type(), event;

	if (type < 0)
		return -1;
	if (is_unsafe(place) || (!base && place->base != IR_ABSOLUTE)) {
		errno = is_unsafe(place) ? EINVAL : ENOENT;
		return keep(h, -1, place);
	}
	event = open_event(type, base + place->offset, attach == IR_AT_RETURN);
	if (keep(h, event, place))
		return -1;
	return event < 0 ? 0 : keep(h, system_attach_event(event, program, point), place);
}

/* Is the session to end before it has begun?  The main thread reads signals only then. */
static bool is_interrupted(void)
{
	sigset_t pending;

	return !sigpending(&pending) && (sigismember(&pending, SIGINT) || sigismember(&pending, SIGTERM) ||
					 sigismember(&pending, SIGHUP) || sigismember(&pending, SIGQUIT));
}

int attach_program(struct handlers *h, size_t program)
{
	const struct bpf_program *p = &h->plan->programs.v[program];
	const struct ir_probe *probe = &h->plan->ir->probes.v[p->probe];
	int fd = h->programs.v[program], err = 0;

	for (unsigned i = 0; i < p->n && !err; i++) {
		if (is_interrupted())
			return -1;

		const struct ir_place *place = &probe->places.v[p->first + i];

		if (p->attach == IR_AT_TRACEPOINT)
			err = keep(h, system_attach_trace(place->tracepoint, fd), place);
		else
			err = attach_code(h, fd, p->attach, place, place->base < h->plan->ir->bases.n ? h->bases[place->base] : 0,
					  p->point + i);
	}
	return err;
}
