/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stap --json: each output of a handler becomes a line with an object in JSON,
 *
 *	{"time":81234567890,"wall":"2026-01-31T12:00:00.123456789Z","cpu":1,"pid":4711,"tid":4711,
 *	 "comm":"cat","probe":"kernel.function(\"vfs_read\")","text":"cat reads\n"}
 *
 * for programs that read logs.  "time" is CLOCK_MONOTONIC in nanoseconds; "wall" is UTC.  Histograms,
 * and the variables that are printed at the end, have lines of their own, with these members instead
 * of "text":
 *
 *	… "name":"reads","key":["cat"],"value":12}
 *	… "name":"sizes","histogram":[{"min":8,"max":15,"count":3}]}
 *
 * The session's own output, which no handler printed, has no "pid", "tid", "comm" and "probe".
 */
#ifndef STAP_JSON_H
#define STAP_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/stap_script.h"
#include "stapio/records/records.h"

struct output;
struct render;

/* The state of --json. */
struct json {
	struct render *render;		/* formats items into text */
	struct output *text, *out;	/* one output of a handler, without a file; the lines */

	/* The caller zeroes the rest. */
	const struct records_origin *from;	/* origin of the current piece */
	struct st_str who;		/* the piece's st_origin and probe; empty: the session's output */
	bool in_object;			/* between the '{' and the '}' of an ST_FMT_OBJECT */
	struct records_origin object;	/* origin of the output that the object is part of */
	bool told;			/* a warning has said that objects are left out */
	int64_t wall;			/* wall clock minus monotonic clock, in ns */
};

/* Take an item ST_FMT_ORIGIN or ST_FMT_OBJECT.  Return false if it is malformed. */
bool json_origin(struct json *j, const struct st_str *item);
bool json_object(struct json *j, const struct st_str *item);

/* Adds the N bytes at P as a JSON string, quoted and escaped. */
void json_string(struct output *o, const char *p, size_t n);

/* Formats a piece's items and writes its line (a records_emit). */
int json_items(void *json, const struct records_origin *from, const unsigned char *body,
	       size_t bytes);

#endif
