/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses places as users write them:
 *
 *	FUNCTION
 *	FUNCTION@FILE
 *	FUNCTION@FILE:N		a line; also N-M, and several of both with commas
 *	FUNCTION@FILE:*		all lines
 *	FUNCTION@FILE+N		N lines below the function's first
 *	FUNCTION[@FILE];TEXT	lines that contain this text; blanks don't matter
 *	FUNCTION;TEXT@FILE	the same
 */
#ifndef STAP_PROBES_PATTERN_H
#define STAP_PROBES_PATTERN_H

#include "debuginfo/debuginfo.h"

/* Sets Q's function, file, line_kind, lines and text.  Returns NULL, or a message on failure. */
const char *pattern_parse(const char *text, struct place_query *q);

#endif
