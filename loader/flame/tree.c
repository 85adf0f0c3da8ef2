// SPDX-License-Identifier: GPL-2.0-or-later
/* Adds folded lines to a tree (tree.h). */
#include "tree.h"

#include <ctype.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

/* The largest number in a line; the sum of 2^20 such lines fits in 64 bits. */
#define NUMBER_MOST (1ull << 43)

static struct node *node_new(const char *name, size_t n, unsigned int depth)
{
	struct node *node = calloc(1, sizeof(*node));

	if (!node)
		return NULL;
	node->name = strndup(name, n);
	node->length = n;
	node->depth = depth;
	if (node->name)
		return node;
	free(node);
	return NULL;
}

struct node *tree_new(void)
{
	return node_new("all", 3, 0);
}

static void keep(void *node)
{
	(void)node;
}

/* Frees the nodes in a loop, so that a deep tree takes no stack: appends a node's siblings to the list of
 * its children, and frees that list next. */
void tree_free(struct node *root)
{
	while (root) {
		struct node *child = root->children, *next = child;

		while (child && child->next)
			child = child->next;
		if (child)
			child->next = root->next;
		else
			next = root->next;
		tdestroy(root->index, keep);
		free(root->name);
		free(root);
		root = next;
	}
}

/* Compares two nodes' names, for tsearch(). */
static int compare(const void *a, const void *b)
{
	const struct node *x = a, *y = b;
	int order = memcmp(x->name, y->name, x->length < y->length ? x->length : y->length);

	return order ? order : (x->length > y->length) - (x->length < y->length);
}

/* Returns the child of this name, which is added if there is none; NULL if there is no memory. */
static struct node *child_of(struct node *parent, const char *name, size_t n)
{
	struct node wanted = { .name = (char *)name, .length = n }, *node;
	struct node **found = tfind(&wanted, &parent->index, compare);

	if (found)
		return *found;
	node = node_new(name, n, parent->depth + 1);
	if (!node)
		return NULL;
	if (!tsearch(node, &parent->index, compare)) {
		free(node->name);
		free(node);
		return NULL;
	}
	node->next = parent->children;
	parent->children = node;
	return node;
}

static void append(const void *found, VISIT which, void *end)
{
	struct node *node = *(struct node *const *)found, ***at = end;

	if (which != postorder && which != leaf)
		return;
	node->next = NULL;
	**at = node;
	*at = &node->next;
}

void tree_sort(struct node *root)
{
	struct node **end = &root->children;

	twalk_r(root->index, append, &end);
	for (struct node *child = root->children; child; child = child->next)
		tree_sort(child);
}

/* Reads the number behind the line's last blank.  Sets *N to the length of the part before the blank. */
static bool take_number(const char *line, size_t *n, uint64_t *number)
{
	size_t at = *n;

	while (at && isdigit((unsigned char)line[at - 1]))
		at--;
	if (at == *n || at < 2 || line[at - 1] != ' ')
		return false;
	*number = 0;
	for (size_t i = at; i < *n; i++) {
		*number = *number * 10 + (line[i] - '0');
		if (*number > NUMBER_MOST)
			return false;
	}
	*n = at - 1;
	return true;
}

static void count(struct node *node, uint64_t number, bool before)
{
	*(before ? &node->before : &node->value) += number;
}

int tree_add(struct node *root, const char *line, size_t n, bool before)
{
	struct node *node = root;
	uint64_t number;

	if (*line == ';' || memchr(line, '\0', n) || !take_number(line, &n, &number) ||
	    !memchr(line, ';', n))
		return 1;
	count(root, number, before);
	for (const char *end = line + n; line <= end && node->depth < TREE_DEPTH_MOST;) {
		const char *semicolon = memchr(line, ';', end - line);
		size_t length = (semicolon ? semicolon : end) - line;

		node = child_of(node, line, length);
		if (!node)
			return -1;
		count(node, number, before);
		line += length + 1;
	}
	return 0;
}
