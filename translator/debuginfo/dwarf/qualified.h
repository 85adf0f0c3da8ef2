/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Qualified names: "ns::Class::method" of C++, "crate::module::function" of Rust.
 *
 * DWARF gives a function the name "method".  Its namespaces and classes are the DIEs around
 * its declaration, and a DIE has no link to its parent.  So the DIEs that may contain
 * functions (namespaces, types, functions) form a tree.  Only the nodes on the way to a DIE
 * are read: for one method, its unit's top level, its namespace and its class.
 *
 *	DW_TAG_namespace ns
 *	  DW_TAG_class_type Class
 *	    DW_TAG_subprogram method, a declaration		"ns::Class::" is around it
 *	DW_TAG_subprogram, DW_AT_specification: the declaration, with code
 *
 * Units in C have none of this (DW_AT_language), and cost nothing.  A namespace without a
 * name is "(anonymous namespace)", as in demangled names; a type without one is left out.
 */
#ifndef STAP_QUALIFIED_H
#define STAP_QUALIFIED_H

#include "base/sbuf.h"
#include "origins.h"

struct scope_tree;

/* Trees of the units used so far.  Zeroed at first. */
struct qualified {
	const struct dwsects *sects;
	struct origins units;
	struct scope_tree *own;		/* the tree of the unit of the last call */
	struct scope_tree *others;	/* trees of units that it refers to */
	size_t nothers, room;
};

/* May names of a language (DW_LANG_…) be qualified by "::"? */
bool language_has_scopes(unsigned language);

/*
 * Appends the names around the DIE at OFF: "ns::Class::"; nothing if there are none.  CU is the
 * caller's unit, which need not be OFF's, or NULL.
 */
void qualified_scope(struct qualified *q, const struct dwsects *sects, const struct cu *cu,
		     uint64_t off, struct sbuf *out);

/* Is it a DIE in which functions and types are declared: a namespace, struct, class, …? */
bool tag_is_scope(unsigned tag);

void qualified_release(struct qualified *q);

#endif
