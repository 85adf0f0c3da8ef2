/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws a flame graph as a self-contained SVG image.  A function is a rectangle above its caller; the
 * more samples it was in, the wider it is.  An icicle graph has callees below their callers.
 *
 * In a browser, hovering over a function shows its name and share, a click zooms in on it, and "search"
 * marks the functions whose names match and shows the share of samples that contain one.
 *
 * A difference has the widths of the second profile; colours show which shares have grown (red) or
 * shrunk (blue).
 */
#ifndef STAP_FLAME_SVG_H
#define STAP_FLAME_SVG_H

#include <stdbool.h>
#include <stdio.h>

struct node;

/* What to draw beside the tree. */
struct picture {
	const char *title;
	const char *unit;		/* what the numbers count, such as "samples"; "" if not known */
	bool icicle, difference;
};

/* Draws the tree of ROOT to F.  The caller checks ferror(). */
void svg_draw(FILE *f, const struct node *root, const struct picture *picture);

#endif
