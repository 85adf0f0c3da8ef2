/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws a flame graph as an SVG image that needs nothing else: a rectangle for each function, as wide
 * as it was often on a stack, above those that called it.  The pointer shows its name and share; a
 * click makes it as wide as the picture, and one on a function below goes back.
 */
#ifndef STAP_FLAME_SVG_H
#define STAP_FLAME_SVG_H

#include <stdio.h>

struct node;

/* Draws a tree, under a title.  The caller looks at ferror(). */
void svg_draw(FILE *f, const struct node *root, const char *title);

#endif
