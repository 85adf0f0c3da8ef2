/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that the families of places in programs share: functions and statements
 * (uprobe.c), marks, PLT entries.  All their places are in the table "uprobe".
 */
#ifndef STAP_PROBES_UPROBE_H
#define STAP_PROBES_UPROBE_H

#include "code.h"
#include "family.h"

/* Bits of patterns' variants, above code.h's; PROGRAM() sets them. */
enum {
	V_COMMAND = V_FAMILY,		/* process.…: the program that -c or -x gives */
	V_PID = V_FAMILY << 1,		/* process(PID).… */
	V_LIBRARY = V_FAMILY << 2,
};

/* The patterns of a kind of place that programs, processes and their libraries have. */
#define PROGRAM(rest, variant, doc)						\
	{ "process." rest, (variant) | V_COMMAND, doc " of the target program" }, \
	{ "process(s)." rest, variant, doc " of a program" },			\
	{ "process(n)." rest, (variant) | V_PID, doc " of a process" },		\
	{ "process.library(s)." rest, (variant) | V_COMMAND | V_LIBRARY,	\
	  doc " of the target program's library" },				\
	{ "process(s).library(s)." rest, (variant) | V_LIBRARY, doc " of a library" }, \
	{ "process(n).library(s)." rest, (variant) | V_PID | V_LIBRARY,		\
	  doc " of a process's library" },

/* A program that a point names, or a library of it. */
struct probed_file {
	const char *path;		/* the file probed */
	const char *program, *library;	/* real paths; library is NULL if the program itself is
					   probed */
	int64_t pid;			/* for process(PID), the only process probed; else 0 */
};

typedef vec(struct probed_file) probed_files;

/* Finds the files of a point whose pattern PROGRAM() made.  Returns false with *WHY set. */
bool uprobe_files(struct session *s, const struct probe_point *point,
		  const struct probe_pattern *pat, probed_files *out, struct problem *why);

/* Appends 'process("PROGRAM").', and 'library("LIBRARY").' if the file is a library. */
void uprobe_put_head(struct sbuf *b, const struct probed_file *file);

/* Returns a site at an offset in a file. */
struct site uprobe_site(const struct probed_file *file, const char *pp, uint64_t offset);

/* struct probe_family's row() */
void uprobe_row(const struct probe *p, const struct site *site, struct row *out);

#endif
