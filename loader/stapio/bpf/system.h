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

/* Loads a program whose maps are FDS, with type information TYPES. */
int system_types(const void *types, unsigned bytes);
int system_load(const struct bpf_program *p, const int *fds, int types);

/* Attaches a program to a raw tracepoint; or to a performance event, whose hits tell the program COOKIE. */
int system_attach_trace(const char *name, int program);
int system_attach_event(int event, int program, uint64_t cookie);

/*
 * Copies the elements of a hash table, and removes them if REMOVE.  *N is the room for keys and values, in
 * elements, and then how many there are; values have a part for each CPU in a per-CPU table.
 */
int system_elements(int map, void *keys, void *values, uint32_t *n, bool remove);
int system_update(int map, const void *key, const void *value);
/* Lets nobody change the map any more. */
int system_freeze(int map);
int system_delete(int map, const void *key);

/* Waits until all BPF programs that run now have ended. */
int system_wait(void);

#endif
