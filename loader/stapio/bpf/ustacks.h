/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unwinds the stacks of programs that handlers in the kernel have recorded (struct bpf_ustack,
 * lib/bpf/bpf.h), and finds the files of addresses that a script has kept.
 *
 * Everything may be hostile: the stack, the files that the process has mapped, and their tables.  The
 * unwinder (runtime/unwind/unwind.h) bounds each loop and checks each read, and all that it gets are copies
 * of bytes: those of the record, and of files, by pread().
 */
#ifndef STAP_BPF_USTACKS_H
#define STAP_BPF_USTACKS_H

#include <stdint.h>

struct mappings;
struct usymbols_source;

/* Returns what names and unwinds by M, which is kept.  WALKED: the map of that name (struct bpf_plan). */
const struct usymbols_source *ustacks_from(struct mappings *m, int walked);

#endif
