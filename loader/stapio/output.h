/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stapio's output: collected into large writes, so that a line doesn't cost a system call. */
#ifndef STAP_OUTPUT_H
#define STAP_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/* -S and SIGUSR2 let the output continue in another file. */
struct output_files {
	const char *base;	/* NULL: there is only the descriptor */
	unsigned long limit;	/* bytes of a file; 0: no limit */
	unsigned int keep;	/* how many files are kept; 0: all */
	unsigned int number;	/* the current file is BASE.NUMBER */
	bool lines;		/* with a limit: no line is split over two files */
};

struct output {
	int fd;			/* -1: none, the output stays in buf */
	unsigned int switches;	/* of output_switch()'s, those followed */
	unsigned long written;	/* bytes, to the current file */
	struct output_files files;
	int error;		/* errno of a failed write, or ENOMEM: later output is dropped */
	char *buf;
	size_t used, size;
};

/* 0, or -1 if there is no memory. */
int output_init(struct output *o, int fd);

/* Returns room for n bytes behind the collected output, which is written out first if necessary;
 * NULL if there is no memory: that is an error of the output.  The caller writes there and calls
 * output_took() with the number of bytes used. */
char *output_room(struct output *o, size_t n);
static inline void output_took(struct output *o, size_t n)
{
	o->used += n;
}

/* Opens the first file: BASE, or BASE.0 if there is a limit.  Returns the descriptor, or -1 with
 * errno. */
int output_open(const struct output_files *files);

/* Makes the next flush of each output begin another file.  May be called from a signal handler. */
void output_switch(void);

void output_bytes(struct output *o, const void *p, size_t n);

/* Writes the collected output, if there is a file, but for the beginning of a line that must not be
 * split; waits for a slow reader. */
void output_flush(struct output *o);

/* Writes that too: at the end, or before something else is written to the file. */
void output_flush_all(struct output *o);

/* Takes an error that some file systems report only when a file is closed, but leaves it open. */
void output_settle(struct output *o);

#endif
