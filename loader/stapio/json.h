/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stap --json: each output of a handler becomes a line with an object in JSON,
 *
 *	{"time":81234567890,"wall":"2026-01-31T12:00:00.123456789Z","cpu":1,"pid":4711,"tid":4711,
 *	 "comm":"cat","probe":"kernel.function(\"vfs_read\")","text":"cat reads\n"}
 *
 * for logs that programs read.  The time is in nanoseconds since the machine was started, without
 * the time it was suspended; the wall clock's is UTC.  Histograms, and variables that are printed at
 * the end, are lines of their own, with members in the place of "text":
 *
 *	… "name":"reads","key":["cat"],"value":12}
 *	… "name":"sizes","histogram":[{"min":8,"max":15,"count":3}]}
 *
 * What the session itself says has no process and no probe.
 */
#ifndef STAP_JSON_H
#define STAP_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/stap_script.h"
#include "records.h"

struct output;
struct render;

/* RENDER writes to TEXT, which has no file; the lines go to OUT. */
struct json {
	struct render *render;
	struct output *text, *out;

	/* The rest is zero at first. */
	const struct records_origin *from;	/* of the piece */
	struct st_str who;		/* its struct st_origin and point; empty: the session's own */
	bool in_object;			/* an object is begun, in this piece or an earlier one */
	struct records_origin object;	/* of the output that it belongs to */
	bool told;			/* that objects are left out */
	int64_t wall;			/* from the records' clock to the wall clock, in ns */
};

/* The items ST_FMT_ORIGIN and ST_FMT_OBJECT; false: they are malformed. */
bool json_origin(struct json *j, const struct st_str *item);
bool json_object(struct json *j, const struct st_str *item);

/* Adds a text as a string, with its quotes. */
void json_string(struct output *o, const char *p, size_t n);

/* A records_emit: formats the items and writes the line. */
int json_items(void *json, const struct records_origin *from, const unsigned char *body,
	       size_t bytes);

#endif
