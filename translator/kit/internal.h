/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of pass 4 share among themselves.
 */
#ifndef STAP_BUILD_INTERNAL_H
#define STAP_BUILD_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/proc.h"
#include "base/sbuf.h"
#include "base/vec.h"

struct session;

/* ---- saved.c: the commands kbuild saved ---- */

typedef vec(char *) words;

/*
 * The command that kbuild ran to make TARGET in directory DIR (from
 * DIR/.TARGET.cmd), with make's escapes undone: shell text in the arena, or
 * NULL.
 */
char *saved_command(const char *dir, const char *target);

/*
 * Runs a command in one environment and directory, stopping at the first
 * program that fails; through the shell only when it has more in it than
 * programs and words.  What is printed is appended to output.  Returns the
 * exit status.
 */
int saved_run(const char *command, char *const *envp, const char *cwd, struct sbuf *output);

/* Splits off the plain words of the command's first program; NULL-terminated. */
words saved_first(const char *command);

/* ---- kit.c, kitmake.c, kitunits.c, kitsave.c ---- */

/* The module name the kit is built with: as long as a name can be, so that any
 * other fits over it. */
#define KIT_NAME "stap_kit_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
_Static_assert(sizeof(KIT_NAME) == 56, "MODULE_NAME_LEN");
#define KIT_SCRIPT "stap_script"	/* the stand-in, and each script's object */
#define KIT_UNIT "stap_unit"		/* and a number: the runtime's objects */
#define KIT_RUNTIME "stap_runtime"	/* those, linked into one */
#define KIT_MANIFEST "manifest"
#define KIT_COMMANDS "commands"
#define KIT_UNDEFINED "undefined"

/*
 * The runtime kit of one kernel build: a directory with
 *
 *	manifest		compiler, and each file's SHA-256, size and name
 *	commands		how kbuild compiled and linked (struct kit_commands)
 *	undefined		symbols the kit's module refers to, sorted, one a line
 *	work/			what a replay finds in its directory: the runtime's
 *				headers, its one object, the .mod files
 */
struct kit {
	const char *dir;
	const char *key;		/* of what it was made from */
	const char *id;			/* of what it is: hash of the manifest */
};

/* The target kernel's kit: the cache's, or built now.  NULL after a message. */
struct kit *kit_open(struct session *s);

/* All files are as they were written?  (Costs reading them: for a build.) */
bool kit_verify(const struct kit *k);

/* Throws the kit away and makes it anew.  NULL after a message. */
struct kit *kit_rebuild(struct session *s);

/* What a kit is made from. */
struct kit_inputs {
	vec(const char *) kernel;	/* files, full paths */
	vec(const char *) sources;	/* below s->runtime_dir, relative */
	vec(const char *) dirs;		/* where sources may appear, full paths */
	const char *cc;			/* the compiler by the kernel's configuration: its
					   name there; NULL: it doesn't say */
};

/* Is a file of the runtime compiled without the precompiled header and kit_features.h? */
bool kit_is_plain(const char *file);

/* A few C files that together are all of FILES, which lie below DIR. */
struct kit_unit {
	const char *text;
	bool plain;			/* all its files are */
};
typedef vec(struct kit_unit) kit_units;
kit_units kit_plan(const char *dir, const char *const *files, size_t n);

/* kitmake.c: builds a kit in the directory OUT (made here).  0, or -1 after a message. */
int kit_make(struct session *s, const struct kit_inputs *in, const char *out);

/* kitsave.c: writes out what a replay of the build in WORK needs; told: what the build
 * printed.  0, or -1 after a message. */
int kit_save(const struct kit_inputs *in, const char *work, const char *told, const char *out);

/* A file's contents; the directories of REL below DIR are made.  0, or -1 after a message. */
int kit_write(const char *path, struct sbuf *b);
int kit_copy(const char *from, const char *dir, const char *rel);

/* Decides, besides the inputs, what a kit is: the texts kitmake.c writes itself. */
void kit_hash_recipe(struct hash *h);

/* Identity of a file without reading it: device, inode, size, times; "-" for none. */
const char *file_stamp(const char *path);

/* How kbuild did it; WORK in each text stands for its directory. */
#define KIT_WORK '\1'

struct kit_commands {
	char *cwd;
	vec(char *) env;		/* ends with NULL */
	char *compile, *combine, *link;	/* script object; with the runtime; module */
	char *objects;			/* what @NAME.mod lists for combine */
};

/* Reads it with WORK put in.  Returns 0, or -1. */
int kit_commands(const struct kit *k, const char *work, struct kit_commands *c);

/* ---- compile.c, link.c ---- */

/* A directory in which kbuild can work: no character in its path that make or a
 * shell would take for its own.  Ends with the session. */
const char *work_dir(struct session *s);

/* WORK/stap_script.o from the C file, through the kit.  0, or -1 after a message. */
int compile_script(struct session *s, const struct kit *k, const struct kit_commands *c,
		   const char *work);

/* The module from WORK/stap_script.o, named.  Its path; or NULL: *retry when the
 * script's object needs what the kit does not have, else after a message. */
const char *link_script(struct session *s, const struct kit *k, const struct kit_commands *c,
			const char *work, bool *retry);

/* The module through full kbuild.  Its path, or NULL after a message. */
const char *kbuild_script(struct session *s, const struct kit *k, const char *work);

/* The kernel's own make in its build directory, with more arguments. */
int kbuild_run(struct session *s, const char *work, char *const *more, size_t nmore,
	       void (*line)(const char *, void *), void *arg, struct sbuf *output);

/* A line of kbuild's own: "  CC [M]  …", "make[1]: …", and not a compiler's. */
bool kbuild_chatter(const char *line);

/* ---- frames.c ---- */

/* Does every function that was compiled in WORK leave enough of the kernel's stack?  0, or
 * -1 after a message. */
int check_frames(struct session *s, const char *work);

/* ---- elf.c ---- */

/* The undefined global symbols of an object, sorted, one a line.  0, or -1. */
int elf_undefined(const char *path, struct sbuf *out);

/* A section's contents, appended.  0, or -1. */
int elf_section(const char *path, const char *name, struct sbuf *out);

/* Puts another module name, no longer, in place of the old one.  0, or -1. */
int elf_rename(const char *path, const char *old, const char *name);

#endif
