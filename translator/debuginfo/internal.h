/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of debuginfo/ share: opened debug files and scopes.
 */
#ifndef STAP_TARGET_INTERNAL_H
#define STAP_TARGET_INTERNAL_H

#include <elfutils/libdw.h>
#include <gelf.h>

#include "arch/arch.h"
#include "base/sbuf.h"
#include "base/table.h"
#include "debuginfo/dwarf/dwread.h"
#include "debuginfo.h"

struct btf;
struct symbols;
struct index;
struct tracepoints;
struct sources;
struct enclosing;

/* A section of the file that is in memory at run time. */
struct section {
	const char *name;
	uint64_t addr, size;		/* as in the DWARF of the file */
	const unsigned char *data;	/* NULL: none in the file */
	unsigned index;			/* in the ELF file */
	bool exec;
};

/* One ELF file with its debug information: vmlinux or a module's .ko.  A module
 * is relocatable: libdwfl lays its sections out one after the other and
 * relocates the DWARF to that, so the addresses in it mean something only
 * through 'sections' (dwfile_section()). */
struct dwfile {
	struct target *target;
	const char *module;		/* "kernel", "ext4" */
	const char *path;		/* where the DWARF was read */
	bool is_kernel;
	bool is_user;			/* its types are of things in user space */
	unsigned base;			/* number among the target's files: 0 is the kernel */
	Elf *elf;
	Dwarf *dw;			/* NULL: no DWARF */
	const struct arch *arch;

	const char *build_id;		/* hex, or NULL */
	struct dwsects sects;		/* the same DWARF, for walks (dwread.h) */
	vec(struct section) sections;	/* in memory at run time, by address */
	void *map;			/* the mapped file, when pages may be dropped */
	size_t map_size;
	void *dwfl, *dwfl_module;	/* of a module */
	int fd;
	Dwarf_CFI *eh_frame;		/* of .eh_frame; NULL: not read yet */
	struct sbuf image;		/* of a file made in memory */
	Elf *joined;			/* in it, dw and sects: parts of several files (join.h),
					   the first of which 'elf' and 'first' are */
	Dwarf *first;
	struct btf *btf;		/* what it was made from */
	bool by_symbol;			/* its addresses only stand for the symbols that have
					   them: real ones are known when loaded */
	struct symbols *symbols;	/* symbols.c; NULL: not read yet */
	struct index *index;		/* index.c; NULL: not opened yet */
	struct enclosing *enclosing;	/* enclosing.c; NULL: not asked yet */
	struct sources *sources;	/* source.c; NULL: none read yet */
	Dwarf_Off reached;		/* libdw knows the units up to here */
};

/* Where variables are looked up: a DIE and a place in its code. */
struct scope {
	struct dwfile *file;
	Dwarf_Off die;			/* DW_TAG_subprogram (concrete) or
					   DW_TAG_inlined_subroutine */
	Dwarf_Addr pc;			/* as in the DWARF of the file */
	Dwarf_Addr past_site;		/* behind the ftrace site there; 0: none */
	bool at_entry;			/* pc is a real function's first instruction */
	bool calling;			/* probed just before it is called */
	Dwarf_Off label;		/* the DIE of the label it is; 0: none */
	enum tracepoint_view {
		NO_TRACEPOINT,
		TRACEPOINT_NAMES,	/* only its parameters after the first are seen */
		TRACEPOINT_NUMBERS,	/* … as arg1, arg2, … */
	} tracepoint;
	bool outermost;			/* variables of blocks within are not: none of them has
					   begun */
};

struct target {
	struct session *session;
	const struct arch *arch;
	vec(struct dwfile *) files;	/* opened so far */
	const char **module_names;	/* sorted; NULL: not read yet */
	const char **module_paths;	/* of each, under /lib/modules/RELEASE */
	size_t nmodules;
	bool told;			/* that there is no debug information */
	base_list bases;		/* bases.c */
	struct table base_table;	/* of bases, by module and section */
	struct tracepoints *tracepoints;	/* tracepoints.c; NULL: not read yet */
};

/* The kernel's or a module's debug file, opened once; NULL and *why. */
struct dwfile *target_file(struct target *t, const char *module, const char **why);

/* The same for a relocatable file, not kept among the target's: NULL with *why, which
 * is NULL when there is no such file. */
struct dwfile *open_relocatable(struct target *t, const char *module, const char *path,
				const char **why);

/* And for what is compiled of "kernel<a.h><b.h>" or "<a.h>" (headers.c). */
struct dwfile *headers_file(struct target *t, const char *spec, const char **why);

/*
 * FN on the file of each of MODULES ("a:b", "kernel<x.h>"; NULL: the kernel) and
 * the kernel's until it is true.  False with *why: "WHAT not found in 'a'".
 */
typedef bool find_fn(struct dwfile *f, void *arg);
bool target_search(struct target *t, const char *modules, const char *what, find_fn *fn,
		   void *arg, const char **why);

/* A module's file: the path it is, or its own under /lib/modules; NULL: none. */
const char *target_module_file(struct target *t, const char *module);

/* Why there is no such module, and what there is. */
const char *target_no_module(struct target *t, const char *module);

/* The debug file that an ELF image in memory is; takes the image over. */
struct dwfile *target_memory_file(struct target *t, const char *module, const char *path,
				  struct sbuf *image, const char **why);

/* Closes the file opened last, of which nothing is in use. */
void target_close_last(struct target *t);

/* The section that holds an address of the file's DWARF, or NULL. */
const struct section *dwfile_section(const struct dwfile *f, uint64_t addr);

/*
 * libdw's view of the DIE at an offset.  Use this, not dwarf_offdie(): libdw
 * finds a unit by going through all before it, which maps most of a vmlinux
 * into memory unless pages are given back on the way.  False on damage.
 */
bool dwfile_die(struct dwfile *f, Dwarf_Off off, Dwarf_Die *out);

/* The function, a DIE of a unit's top level, that a DIE lies in: enclosing.c.  False
 * when there is none. */
bool dwfile_enclosing(struct dwfile *f, Dwarf_Die *die, Dwarf_Die *out);

/* open() for reading; of a file with sections that zstd has packed, of a copy in memory
 * with them unpacked. */
int debug_file_open(const char *path);

/* The debug sections of an ELF file, whose names end so. */
void dwsects_read(Elf *elf, const char *suffix, struct dwsects *out);

/*
 * Puts what the file's DWARF refers to in other files into it: split units (.dwo,
 * .dwp), what dwz has moved to a common file.  A part that isn't there is warned of;
 * false with *why when there is nothing without it.
 */
bool dwfile_complete(struct dwfile *f, const char **why);

/* Gives back the pages of the file that are in memory; they return when
 * touched.  What was read stays valid. */
void dwfile_drop_pages(const struct dwfile *f);

/* The DIE of the first complete definition of a type ("struct file", "file",
 * "u64", "union x", "enum y") or of a file-scope variable, through the name
 * index: index.c.  Where no file defines a variable, a declaration.  Returns false
 * when there is none. */
bool index_find_type(struct dwfile *f, const char *name, Dwarf_Die *out);
bool index_find_variable(struct dwfile *f, const char *name, const char *cu_glob,
			 Dwarf_Die *out);
bool index_find_enumerator(struct dwfile *f, const char *name, int64_t *out);

/* The declaration of a variable that has a symbol and no definition: declared.c. */
bool declared_variable(struct dwfile *f, const char *name, Dwarf_Die *out);

#endif
