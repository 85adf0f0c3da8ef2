// SPDX-License-Identifier: GPL-2.0-or-later
/* Loads, attaches and detaches the handlers that run in the kernel (handlers.h). */
#include "handlers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/sbuf.h"
#include "common/say.h"
#include "core/supply.h"
#include "internal.h"
#include "interpreter/run.h"
#include "mappings.h"
#include "port/user/engine.h"
#include "system.h"
#include "ustacks.h"

/* ---- loading ------------------------------------------------------------------ */

/*
 * Returns one more than the highest number that a CPU may have, and sets *N to how many there may be: with
 * "0-3,5" that is 6, and 5.  Returns 0 after a message.
 */
static unsigned possible_cpus(unsigned *n)
{
	FILE *f = fopen("/sys/devices/system/cpu/possible", "re");
	unsigned first, last, end = 0;

	*n = 0;
	while (f && fscanf(f, "%u", &first) == 1) {
		last = first;
		if (fscanf(f, "-%u", &last) == 1 && last < first)
			break;
		*n += last - first + 1;
		end = last + 1;
		if (fgetc(f) != ',')
			break;
	}
	if (f)
		fclose(f);
	if (!end)
		say_error("can't read which CPUs there are, from /sys/devices/system/cpu/possible: is /sys mounted?");
	return end;
}

bool is_since(unsigned major, unsigned minor)
{
	unsigned its_major = 0, its_minor = 0;
	struct utsname u;

	uname(&u);
	sscanf(u.release, "%u.%u", &its_major, &its_minor);
	return its_major > major || (its_major == major && its_minor >= minor);
}

static bool is_new_enough(void)
{
	struct utsname u;

	if (is_since(6, 1))
		return true;
	uname(&u);
	say_error("--runtime=bpf needs Linux 6.1, and this is %s: --runtime=kernel runs here", u.release);
	return false;
}

/* Does the kernel load programs for this user?  Then what it refuses later is about this program. */
static bool may_load(void)
{
	int err = system_try(IR_AT_TRACEPOINT);

	if (!err || err == EINVAL)
		return true;
	say_refused("BPF programs", err);
	return false;
}

/*
 * A word that a handler uses before it has set it is 0 in a new frame, so tests of that fill frames with what may be left
 * in one that was used (campaigns/stale-frames).
 */
static int fill_frames(const struct handlers *h)
{
#ifdef STALE_FRAMES
	const struct bpf_plan *p = h->plan;
	const uint32_t first = 0;
	size_t bytes = p->maps.v[BPF_FRAME_TABLE].value;
	char *all = arena_alloc(bytes);

	memset(all, 0xa5, bytes);
	for (char *frame = all + p->low; frame < all + bytes; frame += p->frame) {
		memset(frame, 0, sizeof(uint64_t));	/* it is free */
		memset(frame + p->fresh, 0, p->fresh_bytes);
	}
	return system_update(h->maps[BPF_FRAME_TABLE], &first, all);
#else
	(void)h;
	return 0;
#endif
}

static int make_maps(struct handlers *h)
{
	const struct bpf_plan *p = h->plan;
	const uint32_t first = 0;

	h->maps = arena_alloc(p->maps.n * sizeof(*h->maps));
	for (size_t i = 0; i < p->maps.n; i++) {
		h->maps[i] = system_map(&p->maps.v[i]);
		if (h->maps[i] < 0) {
			say_refused("the variables of BPF programs", errno);
			return -1;
		}
	}
	if (system_update(h->maps[BPF_TEXTS], &first, p->texts.s) || system_freeze(h->maps[BPF_TEXTS])) {
		say_refused("the formats of BPF programs", errno);
		return -1;
	}
	if (fill_frames(h)) {
		say_refused("the memory of BPF programs", errno);
		return -1;
	}
	for (unsigned i = 0; p->messages && i < p->sites.n; i++)
		if (system_update(h->maps[p->messages], &i, bpf_message(p, i))) {
			say_refused("the messages of errors", errno);
			return -1;
		}
	h->words_bytes = p->maps.v[BPF_WORDS].value;
	h->words = mmap(NULL, h->words_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, h->maps[BPF_WORDS], 0);
	h->ring = ring_open(h->maps[BPF_RECORDS], p->maps.v[BPF_RECORDS].entries);
	if (h->words != MAP_FAILED && h->ring) {
		control(h)->sequence = 1;
		st_engine_speculations = (atomic_long_t *)&control(h)->speculations;
		return 0;
	}
	say_error("can't map the memory of BPF programs: %s", strerror(errno));
	return -1;
}

int load_program(const struct handlers *h, const struct bpf_program *p, bool many, char *log, unsigned room)
{
	enum system_use use = many ? FOR_MANY : is_at_trace_event(h, p) ? FOR_TRACE_EVENT : FOR_ITS_PLACES;
	struct sbuf types = { 0 };
	const struct bpf_core_relo *references = bpf_types(&types, p);
	int types_fd, fd, err;

	types_fd = system_types(types.s, types.len);
	sbuf_free(&types);
	fd = types_fd < 0 ? -1 : system_load(p, h->maps, types_fd, references, use, log, room);
	err = errno;
	if (types_fd >= 0)
		close(types_fd);
	errno = err;
	return fd;
}

/* Loads all; returns -1 after a message, or without one if the session is to end before it has begun. */
static int load_programs(struct handlers *h)
{
	size_t n = h->plan->programs.n;

	for (size_t i = 0; i < n && !is_interrupted(); i++) {
		const struct bpf_program *p = &h->plan->programs.v[i];
		int fd;

		if (n > MANY)
			say_progress("Loading %zu of %zu handlers...", i, n);
		fd = load_program(h, p, false, NULL, 0);
		if (fd < 0) {
			say_program_refused(h, p, errno);
			return -1;
		}
		vec_push(&h->programs, fd);
	}
	say_progress_end();
	return h->programs.n < n ? -1 : 0;
}

static void number_points(struct handlers *h, const struct ir_program *ir)
{
	size_t n = 0;

	for (size_t i = 0; i < ir->probes.n; i++)
		n += ir->probes.v[i].places.n;
	h->points = arena_alloc((n + 1) * sizeof(*h->points));
	n = 0;
	for (size_t i = 0; i < ir->probes.n; i++)
		for (size_t j = 0; j < ir->probes.v[i].places.n; j++)
			h->points[n++] = ir->probes.v[i].places.v[j].pp;
	h->npoints = n;
}

/* Each place has two descriptors: as many as may be. */
static void raise_limit(void)
{
	struct rlimit most;

	if (!getrlimit(RLIMIT_NOFILE, &most)) {
		most.rlim_cur = most.rlim_max;
		setrlimit(RLIMIT_NOFILE, &most);
	}
}

struct handlers *handlers_load(const struct ir_program *ir, long target, bool origins)
{
	struct handlers *h = arena_new(struct handlers);
	struct bpf_system on = { .cpus = possible_cpus(&h->cpus), .name = st_engine_name, .target = target,
				   .origins = origins };
	struct stat pids = { 0 };
	const char *why;

	stat("/proc/self/ns/pid", &pids);
	on.pids_device = (uint64_t)major(pids.st_dev) << 20 | minor(pids.st_dev);
	on.pids_inode = pids.st_ino;
	on.untyped = access("/sys/kernel/btf/vmlinux", F_OK);
	h->target = target;

	if (!on.cpus || !is_new_enough() || !may_load())
		return NULL;
	raise_limit();
	h->bases = find_bases(ir);
	if (!h->bases || (bpf_walks_at_tracepoint(ir) && find_trace_run(on.trace_run)))
		return NULL;
	on.bases = h->bases;
	h->plan = bpf_plan(ir, &on, &why);
	if (!h->plan) {
		say_error("%s", why);
		return NULL;
	}
	number_points(h, ir);
	h->at_trace_events = takes_trace_events(h);
	h->waiting = arena_alloc((ir->probes.n + 1) * sizeof(*h->waiting));
	h->pieces = arena_alloc(h->plan->frames * sizeof(*h->pieces));
	if (bpf_names_programs(ir)) {
		h->mappings = mappings_open(on.cpus, bpf_names_kept_code(ir));
		if (!h->mappings)
			return NULL;
	}
	return make_maps(h) || load_programs(h) ||
	       (run_asks_kernel(ir) && (name_kernel() || peek_kernel(h->bases))) ? NULL : h;
}

/*
 * Are links for many places worth it?  If one program has such a link, all have, because the kernel's order
 * of handlers at a place is by their kind.
 */
static bool takes_many(const struct handlers *h)
{
	bool has = false;

	for (size_t i = 0; i < h->plan->programs.n; i++)
		has |= may_be_many(&h->plan->programs.v[i]) && h->plan->programs.v[i].n > 1;
	return has && system_has_many();
}

/* Does the program run before handlers? */
static bool is_first(const struct bpf_program *p)
{
	return p->role == BPF_FOLLOWS || p->role == BPF_TELLS;
}

/*
 * Does the kernel run first what was attached last?  At an address; and at returns by links for many places since
 * Linux 6.14, which made these of its function graph tracer.
 */
static bool runs_last_first(const struct handlers *h, const struct bpf_program *p)
{
	return p->attach == IR_AT_ADDRESS ||
	       (p->attach == IR_AT_RETURN && h->many && may_be_many(p) && is_since(6, 14));
}

static int attach_all(struct handlers *h)
{
	const struct bpf_program *p = h->plan->programs.v;
	size_t n = h->plan->programs.n;
	int err = 0;

	h->many = takes_many(h);
	for (size_t i = 0; i < n && !err; i++)
		if (is_first(&p[i]))
			err = attach_program(h, i);
	if (!err && h->plan->threads)
		err = find_target(h, h->target);
	for (size_t i = n; i-- > 0 && !err;)
		if (runs_last_first(h, &p[i]))
			err = attach_program(h, i);
	for (size_t i = 0; i < n && !err; i++)
		if (!runs_last_first(h, &p[i]) && !is_first(&p[i]))
			err = attach_program(h, i);
	return err;
}

int handlers_attach(struct handlers *h)
{
	int err;

	give_all(h);
	open_programs(h);
	err = attach_all(h);
	if (err || tell_left_out(h)) {
		close_programs(h);
		return -1;
	}
	share_with(h);
	control(h)->running = 1;
	return 0;
}

/* Tells which variables' locks handlers have not got in time, as a module does. */
static void tell_locks(const struct handlers *h)
{
	for (size_t i = 0; i < h->plan->ir->globals.n; i++) {
		const struct bpf_global *g = &h->plan->globals[i];
		uint64_t n = g->share == BPF_OWNED ? *(uint64_t *)(h->words + g->lock + sizeof(uint64_t)) : 0;

		if (n)
			st_tell(ST_FMT_WARN, "Skipped due to global '%s' lock timeout: %llu", h->plan->ir->globals.v[i].name,
				(unsigned long long)n);
	}
}

void handlers_detach(struct handlers *h)
{
	control(h)->running = 0;
	share_with(NULL);
	close_links(h);
	close_programs(h);	/* until now, because the kernel's handlers know files by the addresses of inodes */
	system_wait();
	take_all(h);
	tell_locks(h);
}

/* ---- what a session asks ---------------------------------------------------------- */

int handlers_event(const struct handlers *h)
{
	return h->maps[BPF_RECORDS];
}

const struct usymbols_source *handlers_names(const struct handlers *h)
{
	return h->mappings ? ustacks_from(h->mappings, h->maps[h->plan->walked]) : NULL;
}

struct handlers_losses handlers_losses(const struct handlers *h)
{
	struct handlers_losses l = { .skipped = control(h)->skipped, .lost = control(h)->lost };

	for (size_t i = 0; i < h->programs.n; i++)
		l.busy += system_misses(h->programs.v[i]);
	for (size_t i = 0; i < h->of_many.n; i++)
		l.busy += system_misses(h->of_many.v[i]);
	return l;
}
