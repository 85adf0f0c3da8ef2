/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tree of a flame graph.  A node is a function; stacks that begin with the same functions share nodes.
 *
 *	cat;main;read 2			all 3 ── cat 3 ── main 3 ┬─ read 2
 *	cat;main;write 1					 └─ write 1
 */
#ifndef STAP_FLAME_TREE_H
#define STAP_FLAME_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TREE_DEPTH_MOST 512	/* nodes of a stack; the innermost beyond that are left out */

/* A function, as the stacks that begin with the same callers have it. */
struct node {
	char *name;
	size_t length;			/* the name's */
	uint64_t value;			/* the sum of the stacks that contain this node */
	uint64_t before;		/* the same sum for the profile of before, in a difference */
	struct node *children, *next;	/* the first child, the next sibling; by name after tree_sort() */
	void *index;			/* the children, for tsearch() */
	unsigned int depth;		/* the root's is 0 */
};

/* Returns a tree without stacks; NULL if there is no memory.  tree_free() frees it. */
struct node *tree_new(void);
void tree_free(struct node *root);

/*
 * Adds a line "name;name;name NUMBER", of N bytes, to the nodes' values, or with BEFORE to their 'before'.
 * Returns 0; 1, and adds nothing, if the line hasn't this form; or -1 if there is no memory.
 */
int tree_add(struct node *root, const char *line, size_t n, bool before);

/* Sorts the children of all nodes by name. */
void tree_sort(struct node *root);

#endif
