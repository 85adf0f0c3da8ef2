/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process of stap-exporter that has rights: it keeps the scripts, and answers the server (ask.h). */
#ifndef STAP_EXPORTER_KEEPER_H
#define STAP_EXPORTER_KEEPER_H

#include "scripts.h"

/*
 * Serves SCRIPTS to the clients of a listening socket, which it closes, until a signal says stop or the
 * server has ended.  Returns the exit status, after a message unless it is 0.
 */
int keeper_run(struct scripts *scripts, int listening);

#endif
