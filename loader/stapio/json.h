/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * stap --json: each output of a handler becomes a line with an object in JSON,
 *
 *	{"time":81234567890,"cpu":1,"text":"cat reads\n"}
 *
 * for logs that programs read.  The time is in nanoseconds since the machine was started, without
 * the time it was suspended.
 */
#ifndef STAP_JSON_H
#define STAP_JSON_H

#include <stddef.h>

struct output;
struct records_origin;
struct render;

/* RENDER writes to TEXT, which has no file; the lines go to OUT. */
struct json {
	struct render *render;
	struct output *text, *out;
};

/* A records_emit: formats the items and writes the line. */
int json_items(void *json, const struct records_origin *from, const unsigned char *body,
	       size_t bytes);

#endif
