/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Output collected into big writes: no system call a line. */
#ifndef STAP_OUTPUT_H
#define STAP_OUTPUT_H

#include <stddef.h>

struct output {
	int fd;
	int error;		/* errno of the write that failed; what follows is dropped */
	char *buf;
	size_t used, size;
};

/* 0, or -1 without memory. */
int output_init(struct output *o, int fd);

/* Room for n bytes at the end of what is collected, writing it out first where
 * there is none; NULL without memory.  output_took() says how many were used. */
char *output_room(struct output *o, size_t n);
static inline void output_took(struct output *o, size_t n)
{
	o->used += n;
}

void output_bytes(struct output *o, const void *p, size_t n);

/* Writes out what is collected; waits where the other side is slow. */
void output_flush(struct output *o);

#endif
