/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of debuginfo/ share: open debug files, and the scopes of places. */
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
struct qualified;

/* A section that is in memory at run time. */
struct section {
	const char *name;
	uint64_t addr, size;		/* in the addresses of the file's DWARF */
	const unsigned char *data;	/* NULL: no contents in the file */
	unsigned index;			/* its ELF section number */
	bool exec;
};

/* A segment of a program, which the kernel maps (PT_LOAD). */
struct segment {
	uint64_t addr, offset, size;	/* linked address; place and bytes in the file */
	bool exec;
};

typedef vec(struct segment) segment_list;

/* What was at a program's path when that was found. */
struct met_program {
	const char *path;
	const char *identity;		/* base/regular.h; NULL: nothing was there */
	uint64_t size;
	unsigned owner;
};

/* A program that is open for its code (program_code.c). */
struct code_file {
	const char *path;		/* NULL: none is */
	int fd;
	segment_list segments;
};

/*
 * An ELF file with its debug information: vmlinux, a module's .ko, a program or
 * shared library, or compiled headers.  A module is a relocatable object: libdwfl
 * lays its sections out one after another and relocates the DWARF accordingly.  So the
 * DWARF's addresses mean nothing outside of stap; dwfile_section() translates them.  A
 * program's are link addresses; program_offset() translates them to offsets in its file.
 */
struct dwfile {
	struct target *target;
	const char *module;		/* "kernel", "ext4" */
	const char *path;		/* the file the DWARF came from */
	bool is_kernel;
	bool is_program;		/* a program or a shared library; then 'module' is its path */
	bool is_user;			/* its types describe user space */
	unsigned base;			/* number among the target's files; 0 is the kernel */
	Elf *elf;
	Dwarf *dw;			/* NULL: no DWARF */
	Elf *own;			/* a program's own file, if 'elf' is its separate debug
					   file; else NULL */
	int own_fd;
	Elf *mini;			/* program_mini_debuginfo()'s, and its memory */
	void *mini_bytes;
	segment_list segments;		/* of a program, by address */
	const struct arch *arch;

	const char *build_id;		/* in hex, or NULL */
	struct dwsects sects;		/* the same DWARF, for fast walks (dwread.h) */
	vec(struct section) sections;	/* sorted by address */
	void *map;			/* the mapped file, if its pages may be dropped */
	size_t map_size;
	void *dwfl, *dwfl_module;	/* libdwfl's handles of a relocatable file */
	int fd;
	Dwarf_CFI *eh_frame;		/* from .eh_frame; NULL: not read yet */
	struct sbuf image;		/* the bytes of a file made in memory */
	Elf *joined;			/* the image that 'dw' and 'sects' describe if DWARF from
					   several files was joined (join.h); 'elf' and 'first'
					   are then the original */
	Dwarf *first;
	struct btf *btf;		/* the BTF that the DWARF was made from, or NULL */
	bool by_symbol;			/* addresses are placeholders for symbols, whose real
					   addresses are known when the script is loaded */
	struct symbols *symbols;	/* NULL: not read yet */
	const char *source_root;	/* of a kernel (places/traceable.c), or NULL */
	bool sought_root;
	struct code_tables *code_tables;	/* places/steppable.c's; NULL: not read yet */
	struct index *index;		/* NULL: not opened yet */
	unsigned int names_sought;	/* names looked up in indexes of some units; a few more, and
					   one of all units is made */
	struct enclosing *enclosing;	/* NULL: not used yet */
	struct qualified *qualified;	/* NULL: not used yet */
	struct sources *sources;	/* NULL: none read yet */
	Dwarf_Off reached;		/* libdw has read the units up to here */
};

/* Where variables are looked up: a DIE, and an address in its code. */
struct scope {
	struct dwfile *file;
	Dwarf_Off die;			/* a DW_TAG_subprogram with code, or a
					   DW_TAG_inlined_subroutine */
	Dwarf_Addr pc;			/* in the addresses of the file's DWARF */
	Dwarf_Addr past_site;		/* the address behind the ftrace site at pc; 0: no site */
	bool at_entry;			/* pc is a function's first instruction */
	bool calling;			/* the probe is at the call instruction, so the return
					   address is not on the stack yet */
	bool go_return;			/* the probe is at a Go function's return instructions */
	Dwarf_Off label;		/* the DIE of the label, if the place is one; else 0 */
	enum tracepoint_view {
		NO_TRACEPOINT,
		TRACEPOINT_NAMES,	/* its parameters but the first */
		TRACEPOINT_NUMBERS,	/* these, as arg1, arg2, … */
	} tracepoint;
	bool outermost;			/* the function begins here, so no inner block's
					   variables are visible */
};

/* The session's kernel.  target_open() makes it; files are added as they are opened. */
struct target {
	struct session *session;
	const struct arch *arch;
	vec(struct dwfile *) files;	/* opened so far */
	const char **module_names;	/* sorted; NULL: not read yet */
	const char **module_paths;	/* relative to /lib/modules/RELEASE, parallel to the
					   names */
	size_t nmodules;
	bool told;			/* the lack of debug information was reported */
	base_list bases;		/* bases.c */
	struct table base_table;	/* of 'bases', by module and section */
	program_file_list programs;	/* by number (program.c) */
	vec(struct met_program) met;	/* program_code.c */
	struct table met_table;		/* of 'met', by path */
	struct code_file code;		/* the program whose code was read last */
	struct tracepoints *tracepoints;	/* NULL: not read yet */
};

/*
 * Returns the kernel's or a module's debug file, opened once.  MODULE is
 * "kernel", a name, a path, or headers such as "kernel<linux/fs.h>".  NULL with
 * *WHY.
 */
struct dwfile *target_file(struct target *t, const char *module, struct problem *why);

/*
 * Opens a program or shared library by its path, with its separate debug file if it
 * is stripped (program.c).  One without DWARF has symbols only.  Returns NULL with
 * *WHY.
 */
struct dwfile *program_open(struct target *t, const char *path, struct problem *why);

/* Adds the segments that are mapped from a program's file. */
void read_segments(Elf *elf, segment_list *out);

void target_close_code(struct target *t);

/* Is the file at PATH a program or a shared library? */
bool is_program(const char *path);

/*
 * Opens an ELF file that is not relocatable, without adding it to the target's list.
 * Returns NULL with *WHY, which is NULL if there is no such file.  A program may lack
 * DWARF.
 */
struct dwfile *open_linked(struct target *t, const char *module, const char *path,
			   bool program, struct problem *why);

/*
 * Programs in Go (go.c).  Is a DIE's unit in Go, and does it pass arguments in registers?
 * Was a program, perhaps stripped, compiled by Go?  At which offset in a goroutine's struct
 * is its number (0 if unknown)?
 */
bool die_is_go(Dwarf_Die *die);
bool die_has_go_registers(Dwarf_Die *die);
bool program_is_go(const struct dwfile *f);
unsigned program_goid(struct dwfile *f);

/*
 * Returns the ELF image packed into a program's .gnu_debugdata, which has the symbols
 * of its functions; NULL if there is none.
 */
Elf *program_mini_debuginfo(struct dwfile *f);

/* Translates a linked address of a program to an offset in its file. */
bool program_offset(const struct dwfile *f, uint64_t addr, uint64_t *offset);

/*
 * Opens a relocatable file that is not added to the target's list.  Returns
 * NULL with *WHY, which is NULL if there is no such file.
 */
struct dwfile *open_relocatable(struct target *t, const char *module, const char *path,
				struct problem *why);

/*
 * Opens the kernel's BTF (MODULE is "kernel"), or a module's, translated to DWARF, from the cache if it is there
 * (kernel_btf.c).  The file isn't added to the target's list.  Returns NULL with *WHY.
 */
struct dwfile *open_btf(struct target *t, const char *module, struct problem *why);

/* Compiles headers, "kernel<a.h><b.h>" or "<a.h>", and opens the object (headers.c). */
struct dwfile *headers_file(struct target *t, const char *spec, struct problem *why);

/*
 * Calls FN on the file of each of MODULES until it returns true; the kernel's
 * comes last unless it is in the list.  MODULES is "a:b:kernel<x.h>", or NULL
 * for the kernel alone.  Returns false with *WHY: "WHAT not found in 'a'".
 */
typedef bool find_fn(struct dwfile *f, void *arg);
bool target_search(struct target *t, const char *modules, const char *what, find_fn *fn,
		   void *arg, struct problem *why);

/*
 * Returns the path of a module's file: the argument if it is a path, else the
 * file under /lib/modules; NULL if there is none.
 */
const char *target_module_file(struct target *t, const char *module);

/* Returns a message for a module that doesn't exist, with similar names. */
const char *target_no_module(struct target *t, const char *module);

/* Is the module built into the kernel? */
bool target_is_builtin(struct target *t, const char *module);

/*
 * Makes a debug file of an ELF image in memory, and takes over the image.  NULL
 * with *WHY.
 */
struct dwfile *target_memory_file(struct target *t, const char *module, const char *path,
				  struct sbuf *image, struct problem *why);

/* Closes the file opened last; nothing may refer to it any more. */
void target_close_last(struct target *t);

/* Returns the section that contains an address of the file's DWARF, or NULL. */
const struct section *dwfile_section(const struct dwfile *f, uint64_t addr);

/*
 * Gives libdw's view of the DIE at an offset.  Use it instead of
 * dwarf_offdie(): libdw walks all units up to the one it looks for, and would
 * map most of a vmlinux into memory; this function drops pages on the way.
 * Returns false on damage.
 */
bool dwfile_die(struct dwfile *f, Dwarf_Off off, Dwarf_Die *out);

/*
 * Returns how the frame of a function is found at an address (.debug_frame or .eh_frame), or
 * NULL.  free() it.
 */
Dwarf_Frame *dwfile_frame(struct dwfile *f, uint64_t addr);

/*
 * Finds the top-level function that contains a DIE (enclosing.c).  Returns
 * false if there is none.
 */
bool dwfile_enclosing(struct dwfile *f, Dwarf_Die *die, Dwarf_Die *out);

/*
 * Returns a DIE's name behind the names of the namespaces and classes around its declaration,
 * "ns::Class::method"; NULL if it has no name (names.c).
 */
const char *dwfile_name(struct dwfile *f, Dwarf_Die *die);
void dwfile_names_release(struct dwfile *f);

/*
 * Opens a file for reading.  If it has sections compressed by zstd, the
 * descriptor is of a copy in memory with these decompressed (unpack.c).
 */
int debug_file_open(const char *path);

/* Finds the debug sections of an ELF file whose names end with SUFFIX ("" or ".dwo"). */
void dwsects_read(Elf *elf, const char *suffix, struct dwsects *out);

/*
 * Joins the parts of a file's DWARF that lie in other files: split units (.dwo,
 * .dwp) and dwz's common file.  Warns about missing parts; returns false with
 * *WHY if nothing is left without them.
 */
bool dwfile_complete(struct dwfile *f, struct problem *why);

/*
 * Drops the file's pages from memory.  They are read again when touched, so
 * pointers into the file stay valid.
 */
void dwfile_drop_pages(const struct dwfile *f);

/*
 * Find a DIE through the name index (index.c): the first complete definition of
 * a type ("struct file", "file", "u64", "union x", "enum y"), or of a
 * file-scope variable, in a unit whose path matches CU_GLOB unless that is
 * NULL; or an enumerator's value.  A variable that no unit defines may be found
 * as a declaration.  Return false if there is none.
 */
bool index_find_type(struct dwfile *f, const char *name, Dwarf_Die *out);
bool index_find_variable(struct dwfile *f, const char *name, const char *cu_glob,
			 Dwarf_Die *out);
bool index_find_enumerator(struct dwfile *f, const char *name, int64_t *out);

/*
 * Finds the declaration of a variable that has a symbol but no definition in
 * DWARF, as assembler variables have (declared.c).
 */
bool declared_variable(struct dwfile *f, const char *name, Dwarf_Die *out);

#endif
