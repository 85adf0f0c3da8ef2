/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pass 5 in a throw-away guest (--vm). */
#ifndef STAP_VM_H
#define STAP_VM_H

struct session;

/*
 * Turns this process, a child of stap's, into the given command (a
 * NULL-terminated staprun command line) running in a guest with the session's
 * kernel: output, exit status and signals are as if it ran here, and it ends
 * when stap does.  The caller leaves -o out: what the guest writes to files is
 * gone with the guest, so FILE is opened here, as stdout.  Returns only when
 * that failed, after a message.
 */
void vm_exec(const struct session *s, char *const argv[]);

#endif
