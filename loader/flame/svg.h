/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws a flame graph as an SVG image that needs nothing else: a rectangle for each function, as wide
 * as it was often on a stack, above those that called it; an icicle graph has them below.
 *
 * In a browser the pointer shows a function's name and share, a click makes it as wide as the picture,
 * and "search" marks the functions whose names match, and tells the share of the stacks they are in.
 *
 * A difference has the widths of its second profile; colours tell whose share has grown or shrunk.
 */
#ifndef STAP_FLAME_SVG_H
#define STAP_FLAME_SVG_H

#include <stdbool.h>
#include <stdio.h>

struct node;

struct picture {
	const char *title;
	const char *unit;		/* what the numbers count, "samples"; "": that isn't known */
	bool icicle, difference;
};

/* Draws a tree.  The caller looks at ferror(). */
void svg_draw(FILE *f, const struct node *root, const struct picture *picture);

#endif
