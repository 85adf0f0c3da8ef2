/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a file says of its code outside DWARF: symbols, the entries ftrace can
 * use, and the code the kernel forbids to probe.  Addresses are those of the
 * file's DWARF.
 */
#ifndef STAP_SYMBOLS_H
#define STAP_SYMBOLS_H

#include "debuginfo/internal.h"

/* Address of a symbol of any kind but undefined. */
bool symbol_address(struct dwfile *f, const char *name, uint64_t *addr);

/* A function's symbol. */
struct func_symbol {
	const char *name;
	uint64_t addr, size;
};

/*
 * All function symbols called NAME, or NAME and a suffix the compiler gave to
 * a clone of it ("name.isra.0"); in the arena.
 */
struct func_symbol *symbols_named(struct dwfile *f, const char *name, size_t *n);

/* The names of all data symbols, in the arena. */
const char **data_symbols(struct dwfile *f, size_t *n);

/* The name of the data symbol that covers an address, and where it begins; NULL: none. */
const char *data_symbol_at(struct dwfile *f, uint64_t addr, uint64_t *start);

/* The function symbol that covers an address; false when there is none. */
bool symbol_at(struct dwfile *f, uint64_t addr, struct func_symbol *out);

/*
 * Up to max functions and variables of a section, far from one another and each the only
 * symbol of its name in the file; by offset.
 */
size_t symbols_anchor(struct dwfile *f, const struct section *s, struct anchor *out,
		      size_t max);

/* Whether the file has function symbols at all. */
bool has_symbols(struct dwfile *f);

/* Whether ftrace can attach to the function of SIZE bytes that starts at ENTRY: then
 * *past is the address behind the site. */
bool is_ftrace_site(struct dwfile *f, uint64_t entry, uint64_t size, uint64_t *past);

/* Whether the kernel refuses a probe there, or the code is gone after boot. */
bool is_forbidden(struct dwfile *f, uint64_t addr);

#endif
