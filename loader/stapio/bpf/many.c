// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Attaches a program to many functions by one link, which Linux has from 5.18 on with CONFIG_FPROBE.
 *
 * A link takes all of its places or none, and only where ftrace has a site: the entries of functions that
 * may be traced.  So a link that is refused is tried in halves; what is left alone gets a kprobe.
 *
 *	vfs_read, vfs_write, memcpy, vfs_open		refused
 *	vfs_read, vfs_write	memcpy, vfs_open	a link; refused
 *				memcpy  vfs_open	a kprobe; a link
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/arena.h"
#include "common/say.h"
#include "internal.h"
#include "system.h"

/* A place of the program, by its number there. */
struct spot {
	uint64_t address;
	unsigned i;
};

struct many {
	struct handlers *h;
	size_t program;
	int fd;				/* the program, loaded for such links */
	uint64_t *addresses, *cookies;	/* of its places, by address */
	unsigned links, singles;
};

/*
 * Values of the entry are kept by the stack pointer, which these links have differently at a return; and of
 * their registers some kernels walk no stack.
 */
bool may_be_many(const struct bpf_program *p)
{
	return (p->attach == IR_AT_ADDRESS || p->attach == IR_AT_RETURN) && !p->saved && !p->walks;
}

static int by_address(const void *a, const void *b)
{
	uint64_t x = ((const struct spot *)a)->address, y = ((const struct spot *)b)->address;

	return x < y ? -1 : x > y;
}

static int attach_alone(struct many *m, unsigned i, uint64_t address)
{
	m->singles++;
	return attach_address(m->h, m->program, i, address);
}

/* Attaches to N places from FIRST on. */
static int attach_range(struct many *m, size_t first, size_t n)
{
	const struct bpf_program *p = &m->h->plan->programs.v[m->program];
	int link;

	if (!n || is_interrupted())
		return n ? -1 : 0;
	link = system_attach_many(m->fd, m->addresses + first, m->cookies + first, n, p->attach == IR_AT_RETURN);
	if (link >= 0) {
		vec_push(&m->h->links, link);
		m->links++;
		return 0;
	}
	if (!is_about_place(errno)) {
		say_place_refused(&m->h->plan->ir->probes.v[p->probe].places.v[p->first], errno);
		return -1;
	}
	if (n == 1)
		return attach_alone(m, m->cookies[first] - p->point, m->addresses[first]);
	return attach_range(m, first, n / 2) || attach_range(m, first + n / 2, n - n / 2) ? -1 : 0;
}

/* Attaches to all spots, which are sorted; a link has each address once. */
static int attach_spots(struct many *m, const struct spot *spots, size_t n)
{
	const struct bpf_program *p = &m->h->plan->programs.v[m->program];
	size_t once = 0;
	int err = 0;

	m->addresses = arena_alloc((n + 1) * sizeof(*m->addresses));
	m->cookies = arena_alloc((n + 1) * sizeof(*m->cookies));
	for (size_t i = 0; i < n && !err; i++) {
		if (once && m->addresses[once - 1] == spots[i].address) {
			err = attach_alone(m, spots[i].i, spots[i].address);
			continue;
		}
		m->addresses[once] = spots[i].address;
		m->cookies[once++] = p->point + spots[i].i;
	}
	return err ? err : attach_range(m, 0, once);
}

int attach_many(struct handlers *h, size_t program)
{
	const struct bpf_program *p = &h->plan->programs.v[program];
	const struct ir_place *places = h->plan->ir->probes.v[p->probe].places.v + p->first;
	struct many m = { .h = h, .program = program, .fd = load_program(h, p, true, NULL, 0) };
	struct spot *spots = arena_alloc(p->n * sizeof(*spots));
	size_t n = 0;
	int err = 0;

	if (m.fd < 0) {
		say_program_refused(h, p, errno);
		return -1;
	}
	vec_push(&h->of_many, m.fd);
	for (unsigned i = 0; i < p->n && !err; i++) {
		int refused = find_address(h, &places[i], &spots[n].address);

		spots[n].i = i;
		if (refused)
			err = leave_out(h, program, i, spots[n].address, refused);
		else if (places[i].code == IR_CODE_STEPPED)	/* it would split the link */
			err = attach_alone(&m, i, spots[n].address);
		else
			n++;
	}
	qsort(spots, n, sizeof(*spots), by_address);
	err = err ? err : attach_spots(&m, spots, n);
	if (!err)
		say_if(1, "Attached to %s and the like by %u links, and by %u kprobes.", places->pp, m.links,
		       m.singles);
	return err;
}
