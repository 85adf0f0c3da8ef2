/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Output collected into big writes: no system call a line. */
#ifndef STAP_OUTPUT_H
#define STAP_OUTPUT_H

#include <stddef.h>

/* -S, and SIGUSR2: output goes on in another file. */
struct output_files {
	const char *base;	/* NULL: one descriptor and nothing else */
	unsigned long limit;	/* bytes a file may have; 0: any */
	unsigned int keep;	/* files kept; 0: all */
	unsigned int number;	/* of the file now: BASE.NUMBER */
};

struct output {
	int fd;
	unsigned long written;	/* to fd */
	struct output_files files;
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

/* Opens the first file: BASE, or with a limit BASE.0; the descriptor, or -1 with
 * errno. */
int output_open(const struct output_files *files);

/* The next flush begins another file; from a signal handler too. */
void output_switch(void);

void output_bytes(struct output *o, const void *p, size_t n);

/* Writes out what is collected; waits where the other side is slow. */
void output_flush(struct output *o);

#endif
