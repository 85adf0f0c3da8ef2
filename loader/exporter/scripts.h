/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scripts of stap-exporter: each is a stap that the exporter starts, watches and stops.
 *
 *	idle ──wanted──► starting ──its page is there──► ready ──nobody wants it──► idle
 *	  ▲                 └────────────ended─────────────┘
 *	  └──after a delay, twice as long each time──────┘
 *
 * A script whose name contains "autostart" is always wanted.  Nothing here waits: scripts_tick() and the other
 * functions look at how things are and return, so one script never holds up another.
 */
#ifndef STAP_EXPORTER_SCRIPTS_H
#define STAP_EXPORTER_SCRIPTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "ask.h"

/* How the exporter runs. */
struct exporter {
	const char *stap;		/* the program */
	const char *modules;		/* the directory where modules have their files */
	const char *directory;		/* of the scripts */
	unsigned int keepalive;		/* seconds that a script runs on unused; 0: always */
};

struct script {
	struct script_status status;	/* what the server may know */
	char module[32];
	bool autostart;
	bool stopping;			/* it was told to end */
	bool killed;			/* it didn't */
	bool failed;			/* it was told to because it wasn't ready in time */
	pid_t pid;			/* 0: not running */
	long started, used, stopped;	/* seconds, by the monotonic clock */
	long retry;			/* not to be started before */
	unsigned int delay;		/* until the next start */
};

struct scripts {
	const struct exporter *exporter;
	struct script *v;
	size_t n;
};

/* Finds the scripts of the directory.  Returns false after a message if there are none to serve. */
bool scripts_find(struct scripts *s, const struct exporter *exporter);

/* Returns the script of this name, or NULL. */
struct script *scripts_named(struct scripts *s, const char *name);

/*
 * Somebody wants the script's page: starts it, unless it runs or has just failed.  While two others are starting
 * it stays idle, and whoever wants it asks again.
 */
void script_want(struct scripts *s, struct script *script);

/* Opens the page of a script that is ready.  Returns a descriptor, or -1. */
int script_open(struct scripts *s, struct script *script);

/* Takes note of scripts that have ended. */
void scripts_reap(struct scripts *s);

/* What is due: to be called each second. */
void scripts_tick(struct scripts *s);

/* Tells all to end, whether they run or not.  Returns false when none runs any more. */
bool scripts_stop(struct scripts *s);

#endif
