/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the hand-written programs here have in common. */
#ifndef TEST_SCRIPT_H
#define TEST_SCRIPT_H

#include "abi/stap_script.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

/* Addresses are given when loaded, as base 1: a site of offset 0 there. */
#define BASE_KERNEL { "kernel", "", 0 }

#define LIMITS						\
	.maxstringlen = 128, .maxnesting = 10,		\
	.maxerrors = 0, .maxskipped = 100,		\
	.scratch = 8192, .maxtrylock = 1000,		\
	.hist_width = 50, .hist_elision = 2,		\
	.overload = 1, .overload_interval = 1000000000,	\
	.overload_threshold = 500000000

#define PROBE(name, fn, ...)				\
	static const struct st_probe name = {		\
		.handler = fn,				\
		.where = "test.stp:1:1", .budget = 1000, __VA_ARGS__ }

/* A place: SITE(probe, "name", ST_FTRACE, base, .optional = 1). */
#define SITE(p, text, how, which, ...) \
	{ .point = { .probe = &p, .pp = text, .func = "", .module = "" }, .attach = how, \
	  .base = which, ##__VA_ARGS__ }
#endif
