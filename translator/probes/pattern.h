/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places as users write them, taken apart:
 *
 *	FUNCTION
 *	FUNCTION@FILE
 *	FUNCTION@FILE:N		a line; also N-M, and several of both with commas
 *	FUNCTION@FILE:*		all lines
 *	FUNCTION@FILE+N		N lines below the function's first
 *	FUNCTION[@FILE];TEXT	lines that read so, whatever their blanks
 *	FUNCTION;TEXT@FILE	the same
 */
#ifndef STAP_PROBES_PATTERN_H
#define STAP_PROBES_PATTERN_H

#include "debuginfo/debuginfo.h"

/* Sets function, file, line_kind and lines, text.  NULL, or why it is none. */
const char *pattern_parse(const char *text, struct place_query *q);

#endif
