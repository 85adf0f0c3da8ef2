/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the fuzz targets share.
 *
 * A target is a program with LLVMFuzzerTestOneInput(): libFuzzer calls it with
 * inputs of its own making (make fuzz), feed.c with the files of a corpus
 * (make check).  An input is a script.  One with "flags: -g" (or -u) in its
 * first lines, as the suite's own scripts have it, is translated so.
 */
#ifndef FUZZ_H
#define FUZZ_H

#include <stddef.h>
#include <stdint.h>

struct session;

/* A session as new, with the input as its script; nothing on disk is read yet. */
struct session *fuzz_session(const uint8_t *data, size_t size);

/* Ends it, and gives back all it took. */
void fuzz_end(struct session *s);

/* Ends the program as a crash does, with a message, unless it is so. */
void fuzz_must(int is_so, const char *what);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
