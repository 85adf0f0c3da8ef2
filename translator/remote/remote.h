/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a script on other machines (--remote), by bundles and OpenSSH's client.
 *
 *	remote_add(&o->remotes, "root@web1");	each --remote
 *	remote_add(&o->remotes, "@hosts");
 *	…
 *	status = run_remotely(s, passes, write_bundle);
 */
#ifndef STAP_REMOTE_H
#define STAP_REMOTE_H

#include <stdbool.h>

#include "base/vec.h"

struct session;

/* Adds the host that an argument of --remote names, or those of its file.  Returns false after a
 * message. */
bool remote_add(text_list *hosts, const char *arg);

/* Makes a bundle for kernels, by passes, as S->options.bundle.  Returns an exit status. */
typedef int remote_make(struct session *s, const text_list *kernels, int (*passes)(struct session *));

/* Runs the script on the hosts of --remote.  Returns 0 if all have done well, or the exit status of the
 * first that has not.  Without PASSES there is no script: --attach, --stop or --sessions are followed there. */
int run_remotely(struct session *s, int (*passes)(struct session *), remote_make *make);

#endif
