/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 5 in a throw-away guest (--vm). */
#ifndef STAP_VM_H
#define STAP_VM_H

#include <sys/types.h>

struct session;

/*
 * Replaces this process, a child of stap's, by stap-vm, which runs ARGV
 * (staprun's NULL-terminated command line) in a guest with the session's
 * kernel.  Output, exit status and signals are as if ARGV ran here; the guest
 * ends when stap, whose process is PARENT, does.  ARGV must not contain -o, because
 * files of the guest are lost with it: this function opens s->output_file as
 * standard output.
 * Returns only on failure, after a message, or if the parent has ended.
 */
void vm_exec(const struct session *s, pid_t parent, char *const argv[]);

#endif
