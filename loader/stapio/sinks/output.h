/* SPDX-License-Identifier: GPL-2.0-or-later */
/* stapio's output.  It is collected in a buffer and written in large pieces, so that not every line costs
 * a system call. */
#ifndef STAP_OUTPUT_H
#define STAP_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The files of an output that -S or SIGUSR2 continues in a next file: BASE.0, BASE.1 and so on. */
struct output_files {
	const char *base;	/* the first part of their names; NULL: the output has only a descriptor */
	unsigned long limit;	/* the most bytes of a file; 0: no limit */
	unsigned int keep;	/* how many of the last files are kept; 0: all */
	unsigned int number;	/* the current file is BASE.NUMBER */
	bool fresh;		/* a file or link that has the name already is an error */
	bool counted;		/* each file begins with the bytes of those before, a uint64_t */
	bool lines;		/* with a limit: no line is split over two files */
};

/* One output: its buffer, and the file that it goes to. */
struct output {
	int fd;			/* -1: there is no file, the output stays in buf */
	unsigned int switches;	/* how many calls of output_switch() were followed */
	unsigned long written;	/* bytes in the current file */
	uint64_t total;		/* in all files */
	struct output_files files;
	int error;		/* errno of a failed write, or ENOMEM; later output is dropped */
	char *buf;		/* malloc'ed */
	size_t used, size;	/* bytes */
};

/* Makes O an empty output to FD.  Returns 0, or -1 if there is no memory. */
int output_init(struct output *o, int fd);

/* Frees the buffer, and closes the descriptor if the output has files.  What is left in the buffer is lost. */
void output_close(struct output *o);

/* Returns room for N bytes behind the collected output, which is written out first if necessary.  The
 * caller writes there and calls output_took() with the number of bytes used.  Returns NULL, and sets
 * O->error, if there is no memory. */
char *output_room(struct output *o, size_t n);
static inline void output_took(struct output *o, size_t n)
{
	o->used += n;
}

/* Opens the first file: BASE, or BASE.0 if there is a limit.  Returns the descriptor, or -1 with
 * errno. */
int output_open(const struct output_files *files);

/* Makes each output begin another file at its next flush.  A signal handler may call it. */
void output_switch(void);

void output_bytes(struct output *o, const void *p, size_t n);

/* Writes the collected output, if there is a file, and waits for a slow reader.  With files.lines, an
 * incomplete last line stays in the buffer. */
void output_flush(struct output *o);

/* Writes the incomplete last line too.  For the end, or before anything else writes to the file. */
void output_flush_all(struct output *o);

/* Collects the error that some file systems (NFS) report only at close(), by closing a duplicate of the
 * descriptor.  The output stays open. */
void output_settle(struct output *o);

#endif
