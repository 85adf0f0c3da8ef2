/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes from the calling process whatever it doesn't need to read open files and to compute: for a
 * process that parses what other people wrote, and may be taken over by it, or go on for ever.
 *
 * Afterwards it is nobody, where it was root; it has no capabilities; system calls other than those on
 * descriptors that it has, on its memory and on its end fail; its memory, its time and what it writes
 * have limits (base/limits.h); it ends when the thread that started it does.
 */
#ifndef STAP_SANDBOX_H
#define STAP_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

/* WRITTEN: how many bytes a file may have that it writes.  False: that isn't possible here. */
bool sandbox_enter(size_t written);

/* How much memory such a process may have, in bytes; what it maps of files counts. */
size_t sandbox_memory(void);

#endif
