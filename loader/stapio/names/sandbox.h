/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Restricts the calling process to computing and to reading and writing descriptors that it already has.
 * It is for a process that parses files which may take it over, or make it run for ever.
 *
 * Afterwards the process runs as nobody, if it was root, and has no capabilities; a seccomp filter fails
 * all system calls but those on open descriptors, on its memory and to exit; its memory, its CPU time and
 * the files it writes are limited (base/limits.h); and the kernel kills it when its parent thread ends.
 */
#ifndef STAP_SANDBOX_H
#define STAP_SANDBOX_H

#include <stdbool.h>
#include <stddef.h>

/* Enters the sandbox.  WRITTEN is the most bytes that a file it writes may have.  Returns false if this
 * machine doesn't permit it. */
bool sandbox_enter(size_t written);

/* Returns how many bytes of memory such a process may have, mapped files included. */
size_t sandbox_memory(void);

#endif
