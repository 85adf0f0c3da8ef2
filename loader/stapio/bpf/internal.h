/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside the loader of BPF handlers (handlers.h). */
#ifndef STAP_HANDLERS_INTERNAL_H
#define STAP_HANDLERS_INTERNAL_H

#include "base/vec.h"
#include "bpf/bpf.h"
#include "handlers.h"

struct ring;

struct handlers {
	const struct bpf_plan *plan;
	unsigned cpus;			/* parts of a value that each CPU has: as many as CPUs may be there */
	int *maps;			/* descriptors */
	vec(int) programs, links;
	char *words;			/* the mapped words (bpf.h) */
	size_t words_bytes;
	struct ring *ring;
	uint64_t *bases;		/* addresses */
	const char **points;		/* pp of each place, by number */
	size_t npoints;
	struct sbuf *pieces;		/* of the outputs that are not complete, by their frames */
};

static inline volatile struct bpf_control *control(const struct handlers *h)
{
	return (volatile struct bpf_control *)h->words;
}

/* addresses.c: finds the addresses of the program's bases in the running kernel.  NULL after a message. */
uint64_t *find_bases(const struct ir_program *ir);

/* attach.c: attaches a program to its places.  Returns 0, or -1 after a message. */
int attach_program(struct handlers *h, size_t program);

/* ring.c */
struct ring *ring_open(int map, size_t bytes);
void ring_read(struct ring *r, void (*take)(void *arg, const char *record, size_t bytes), void *arg);

/* shared.c: hands the script's variables to the kernel, and takes them back; the interpreter's hooks. */
void give_all(struct handlers *h);
void take_all(struct handlers *h);
void share_with(struct handlers *h);

#endif
