/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The system calls of BPF (bpf(2), linux/bpf.h), as far as stapio needs them.
 *
 * All return -1 with errno set where they fail.  Descriptors are closed when a program is executed.
 */
#ifndef STAP_BPF_SYSTEM_H
#define STAP_BPF_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

#include "bpf/bpf.h"

int system_map(const struct bpf_map *m);

/*
 * Loads a program whose maps are FDS, with type information TYPES and the references that bpf_types() gave.  LOG, unless
 * it is NULL, gets why the verifier refuses it.
 */
enum system_use {
	FOR_ITS_PLACES,
	FOR_MANY,			/* system_attach_many() */
	FOR_TRACE_EVENT,		/* system_attach_event() to a tracepoint's event, instead of system_attach_trace() */
};
int system_types(const void *types, unsigned bytes);
int system_load(const struct bpf_program *p, const int *fds, int types, const struct bpf_core_relo *references,
		enum system_use use, char *log, unsigned room);

/* Returns how many hits the kernel has left out because the CPU was within a program already; 0 where it counts none. */
uint64_t system_misses(int program);

/* Runs a program of a raw tracepoint once, with N arguments.  Returns 0 if it ran, and sets *RESULT. */
int system_run(int program, const uint64_t *arguments, unsigned n, uint32_t *result);

/*
 * Loads a program that does nothing.  Returns 0, or the error: EINVAL where the kernel has none that attach so.
 * system_has_many(): has it links for many places?
 */
int system_try(enum ir_attach attach);
bool system_has_many(void);

/*
 * Attaches a program to a raw tracepoint; to a performance event, whose hits tell the program COOKIE; or to
 * the entries, or returns, of functions at N addresses, each with its cookie.
 */
int system_attach_trace(const char *name, int program);
int system_attach_event(int event, int program, uint64_t cookie);
int system_attach_many(int program, const uint64_t *addresses, const uint64_t *cookies, unsigned n,
		       bool at_return);

/*
 * Copies the elements of a hash table, and removes them if REMOVE.  *N is the room for keys and values, in
 * elements, and then how many there are; values have a part for each CPU in a per-CPU table.
 */
int system_elements(int map, void *keys, void *values, uint32_t *n, bool remove);
int system_element(int map, const void *key, void *value);
int system_update(int map, const void *key, const void *value);
/* Lets nobody change the map any more. */
int system_freeze(int map);
int system_delete(int map, const void *key);

/* Waits until all BPF programs that run now have ended, or says why it can't. */
void system_wait(void);

/* Reads four bytes of the kernel's memory, zeros where none is mapped. */
int system_peek(uint64_t address, uint32_t *word);

/* Is the kernel's memory mapped at the address?  False if that can't be told. */
bool system_is_mapped(uint64_t address);

#endif
