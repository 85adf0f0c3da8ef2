/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the two processes of stap-exporter say to each other, over a socket that keeps packets whole.
 *
 * The keeper runs as root: it starts scripts and opens their pages.  The server has no rights: it reads
 * requests from the network, and pages.  It asks, and the keeper answers at once, whatever scripts do:
 *
 *	{ "reads.stp", wanted }  ──►  { starting }		the script was started just now
 *	{ "reads.stp", wanted }  ──►  { ready }, a descriptor	of /proc/systemtap/MODULE/__prometheus
 *	{ "" }                   ──►  { reads.stp … } { net.stp … } …	all of them, no descriptor
 *
 * Reading that descriptor runs the script's handler, which may take its time: it takes the server's, in the
 * thread of the client that wants it.
 */
#ifndef STAP_EXPORTER_ASK_H
#define STAP_EXPORTER_ASK_H

#include <stdbool.h>

enum {
	SCRIPT_NAME = 96,		/* bytes of a name, with its end */
	SCRIPTS_MOST = 64,
};

enum script_state {
	SCRIPT_UNKNOWN,			/* there is no such script */
	SCRIPT_IDLE,			/* it doesn't run */
	SCRIPT_STARTING,
	SCRIPT_NO_PAGE,			/* it has been started and has no prometheus probe, or not yet */
	SCRIPT_READY,
	SCRIPT_FAILED,			/* it ended by itself, and is started again later */
};

struct script_status {
	char name[SCRIPT_NAME];
	enum script_state state;
	unsigned int retry;		/* seconds until it may be started again */
	unsigned int starts, ends;	/* ends that nobody had asked for */
};

struct question {
	char name[SCRIPT_NAME];		/* "": all scripts */
	bool wanted;			/* it is to be started, and kept */
};

#endif
