/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of a flame graph: stacks that begin alike share their first nodes.
 *
 *	cat;main;read 2			all 3 ── cat 3 ── main 3 ┬─ read 2
 *	cat;main;write 1					 └─ write 1
 */
#ifndef STAP_FLAME_TREE_H
#define STAP_FLAME_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TREE_DEPTH_MOST 512	/* nodes of a stack; those further in are left out */

struct node {
	char *name;
	size_t length;			/* of the name */
	uint64_t value;			/* the sum of the stacks that come through here */
	uint64_t before;		/* the same of the profile that this one is compared with */
	struct node *children, *next;	/* children; by name after tree_sort() */
	void *index;			/* the children, for tsearch() */
	unsigned int depth;		/* of the root: 0 */
};

/* Returns a tree without stacks; NULL if there is no memory.  tree_free() frees it. */
struct node *tree_new(void);
void tree_free(struct node *root);

/*
 * Adds a line "name;name;name NUMBER" of N bytes to the values, or to those BEFORE.  0; 1 if it has
 * not this form, which changes nothing; -1 if there is no memory.
 */
int tree_add(struct node *root, const char *line, size_t n, bool before);

/* Puts all children in the order of their names. */
void tree_sort(struct node *root);

#endif
