/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Facts about a file's code outside DWARF: symbols, ftrace sites, and code that
 * the kernel forbids to probe.  Addresses are the file's DWARF's.
 */
#ifndef STAP_SYMBOLS_H
#define STAP_SYMBOLS_H

#include "debuginfo/internal.h"

/* Finds the address of any defined symbol.  Returns false if there is none. */
bool symbol_address(struct dwfile *f, const char *name, uint64_t *addr);

/*
 * A function's symbol; the name is in the file's memory.  READABLE is the name as users know
 * it: demangled, in the arena, or NAME itself.
 */
struct func_symbol {
	const char *name;
	uint64_t addr, size;
	const char *readable;
};

/*
 * Returns the function symbols called NAME, or NAME and a suffix of the
 * compiler's for a clone ("name.isra.0"), or its version ("name@@V1").  In the arena.
 */
struct func_symbol *symbols_named(struct dwfile *f, const char *name, size_t *n);

/*
 * Returns the function symbols whose readable names a pattern matches (match_name()), or whose
 * own it is, by address; one of each address.  In the arena.
 */
struct func_symbol *symbols_matching(struct dwfile *f, const char *pattern, size_t *n);

/* Returns the names of all data symbols; the array is in the arena. */
const char **data_symbols(struct dwfile *f, size_t *n);

/*
 * Returns the data symbol that covers an address, and its *START; NULL if there
 * is none.
 */
const char *data_symbol_at(struct dwfile *f, uint64_t addr, uint64_t *start);

/* Finds the function symbol that covers an address.  Returns false if there is none. */
bool symbol_at(struct dwfile *f, uint64_t addr, struct func_symbol *out);

/*
 * Finds up to MAX anchors of a section: functions and variables spread over it,
 * each the only symbol of its name in the file.  Sorted by offset; returns
 * their number.
 */
size_t symbols_anchor(struct dwfile *f, const struct section *s, struct anchor *out,
		      size_t max);

/* Is it code of another function that rarely runs, which GCC puts elsewhere ("f.cold")? */
bool is_cold_part(const char *symbol);

/* Does the file have function symbols?  Are some mangled, so that names in DWARF differ? */
bool has_symbols(struct dwfile *f);
bool has_mangled_symbols(struct dwfile *f);

/*
 * Can ftrace attach to the function of SIZE bytes at ENTRY?  If so, *PAST is
 * the address behind the site.
 */
bool is_ftrace_site(struct dwfile *f, uint64_t entry, uint64_t size, uint64_t *past);

/*
 * Does the kernel refuse probes at ADDR, or is the code there freed after boot?  The second
 * function asks the same of any address from FROM to TO.
 */
bool is_forbidden(struct dwfile *f, uint64_t addr);
bool is_any_forbidden(struct dwfile *f, uint64_t from, uint64_t to);

#endif
