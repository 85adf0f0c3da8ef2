/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks the namer, a separate process, for the symbols in programs.  A program's file may be hostile: if
 * reading it crashes, loops for ever or takes gigabytes of memory, only the namer dies (namer_process.c).
 *
 * The first question starts the namer.  If it dies over a question, a new one is started and asked once
 * more, because a file that the old one had read before may be to blame.  If that one dies too, the file
 * is given up, with a warning.
 *
 *	struct namer_file f = { .number = 7, .path = "/usr/bin/prog", .fd = fd };
 *
 *	if (namer_find(n, &f, 0x1136, true, &names))
 *		printf("%s\n", names.name);
 */
#ifndef STAP_NAMER_H
#define STAP_NAMER_H

#include <stdbool.h>
#include <stdint.h>

struct binary_names;
struct namer;

/* A program's file.  The caller owns it and its path and descriptor. */
struct namer_file {
	unsigned int number;		/* below NAMER_PROGRAMS */
	const char *path;		/* as it was mapped */
	int fd;				/* -1: closed; only a namer that already has the file knows it */
	unsigned int given;		/* the namer that has the file, counted from 1; 0: none */
	bool given_up;			/* reading it failed; a warning was printed */
};

/* Returns a namer, not started yet, or NULL if there is no memory.  SIGNALS is a descriptor that becomes
 * readable when the session is to end. */
struct namer *namer_new(int signals);
void namer_free(struct namer *n);

/* Calls WHAT with ARG often while an answer is waited for. */
void namer_meanwhile(struct namer *n, void (*what)(void *arg), void *arg);

/* From here on, questions that take long get no answer.  Any thread may call it. */
void namer_hurry(struct namer *n);
bool namer_hurries(const struct namer *n);

/* Finds the symbol, and with LINES the source lines, at OFFSET of file F.  Returns false if nothing is
 * known; otherwise the caller frees OUT with binary_names_free(). */
bool namer_find(struct namer *n, struct namer_file *f, uint64_t offset, bool lines,
		struct binary_names *out);

/* Makes the table of a file's symbols (abi/utable.h), and of its lines if ASKS says so (ST_ASKS_*).
 * Returns the descriptor of a memfd with it, or -1 if there is no table. */
int namer_table(struct namer *n, struct namer_file *f, unsigned int asks);

#endif
