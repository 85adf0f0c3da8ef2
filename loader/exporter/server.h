/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The process of stap-exporter without rights: it talks to HTTP clients.
 *
 *	/			the scripts, a line each, and how they are
 *	/NAME.stp		the script's page; it is started if it doesn't run
 *	/metrics		the pages of all scripts that run, with a label "script", and the exporter's own
 *				metrics
 *
 * Each client has a thread, so a script whose handler takes long, and a client that reads slowly or never,
 * hold up nobody else.  A client has one answer and some seconds.
 */
#ifndef STAP_EXPORTER_SERVER_H
#define STAP_EXPORTER_SERVER_H

/*
 * Gives up rights and serves the clients of LISTENING, asking the keeper at the other end of KEEPER, until the
 * keeper closes that.  Returns an exit status, 1 after a message.
 */
int server_run(int listening, int keeper);

#endif
