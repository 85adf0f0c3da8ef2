/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shared by the files of pass 4. */
#ifndef STAP_BUILD_INTERNAL_H
#define STAP_BUILD_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/problem.h"
#include "base/proc.h"
#include "base/sbuf.h"
#include "base/vec.h"

struct kit_commands;
struct session;

/* ---- saved.c: the commands that kbuild saved ---- */

/* A command's words; NULL-terminated where a function says so. */
typedef vec(char *) words;

/*
 * Returns the shell command with which kbuild made TARGET in directory DIR,
 * from DIR/.TARGET.cmd with make's escapes undone; or NULL.
 */
char *saved_command(const char *dir, const char *target);

/*
 * Runs a command's programs one after another, in one environment and
 * directory, until one fails.  Uses a shell only if the command is more than
 * programs and words.  Appends what is printed to OUTPUT and returns the exit
 * status.
 */
int saved_run(const char *command, char *const *envp, const char *cwd, struct sbuf *output);

/*
 * Returns the words of the command's first program, NULL-terminated; none if
 * only a shell can tell.
 */
words saved_first(const char *command);

/* ---- kit.c, kitmake.c, kitunits.c, kitsave.c, kitcommands.c, kitkernel.c ---- */

/*
 * The module name of the kit itself.  It is as long as a name can be, so that
 * any name fits over it.
 */
#define KIT_NAME "stap_kit_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
_Static_assert(sizeof(KIT_NAME) == 56, "MODULE_NAME_LEN");
#define KIT_SCRIPT "stap_script"	/* the stand-in, and each script's object */
#define KIT_UNIT "stap_unit"		/* with a number: the runtime's objects */
#define KIT_RUNTIME "stap_runtime"	/* these linked into one */
#define KIT_MANIFEST "manifest"
#define KIT_COMMANDS "commands"
#define KIT_UNDEFINED "undefined"

/*
 * The runtime kit of one kernel build: a directory with
 *
 *	manifest	the compiler; each file's SHA-256, size and name
 *	commands	kbuild's commands (struct kit_commands)
 *	undefined	symbols that the kit's module imports, sorted, one a line
 *	work/		the files a replay needs in its directory: the runtime's
 *			headers and makefiles, its one object, the .mod files; in kernel/ copies
 *			of the kernel's own, for where these are not installed any more
 */
struct kit {
	const char *dir;
	bool copies;			/* a replay takes the copies of the kernel's files */
	const char *key;		/* hash of the inputs */
	const char *id;			/* hash of the manifest, so of the result */
};

/* Returns the target kernel's kit, from the cache or built now.  NULL after a message. */
struct kit *kit_open(struct session *s);

/* Returns the kit if it is there and still right; NULL: it has to be built. */
struct kit *kit_at_hand(struct session *s);

/* Returns the compiler that the kernel was built with, by its configuration; or NULL. */
const char *kit_compiler(struct session *s);

/* Are the target kernel's headers here?  Says so if not. */
bool kit_has_headers(struct session *s);

/* Are all files unchanged?  Reads them all, so call it only before a build. */
bool kit_verify(const struct kit *k);

/* Removes the kit and builds it again.  NULL after a message. */
struct kit *kit_rebuild(struct session *s);

/* The inputs of a kit. */
struct kit_inputs {
	vec(const char *) kernel;	/* the kernel's files, full paths */
	vec(const char *) sources;	/* below s->runtime_dir, relative */
	vec(const char *) dirs;		/* of sources, full paths: a new file changes their time */
	const char *cc;			/* the compiler's name by the kernel's configuration, or
					   NULL */
};

/*
 * Finds the runtime's sources; adds what is in them to a hash; puts links to them into WORK, with the units and
 * the makefile.  Return 0, or -1 after a message.
 */
int kit_find_sources(struct session *s, struct kit_inputs *in);
void kit_hash_sources(struct session *s, const struct kit_inputs *in, struct hash *h);
int kit_lay_out(struct session *s, const struct kit_inputs *in, const char *work);

/*
 * The texts of translation units, which include the N FILES below DIR, each once and
 * in order.
 */
typedef vec(const char *) kit_units;
kit_units kit_plan(const char *dir, const char *const *files, size_t n);

/*
 * kitmake.c: builds a kit in the directory OUT, which it makes.  Returns 0, or
 * -1 after a message.
 */
int kit_make(struct session *s, const struct kit_inputs *in, const char *out);

/* Are make and the compiler CC (NULL: any) installed?  Else false with WHY filled in. */
bool kit_has_tools(const char *cc, struct problem *why);

/*
 * kitsave.c: writes to OUT what a replay of the build in WORK needs.  PRINTED
 * is the build's output.  Returns 0, or -1 after a message.
 */
int kit_save(const struct kit_inputs *in, const char *work, const char *printed, const char *out);

/*
 * kitkernel.c: the directories that the kernel's files are in, by the environment of kbuild's commands; the
 * length of the one that TEXT begins with, or 0; and the copy of what a replay reads.  kit_copy_kernel()
 * returns 0, or -1 after a message.
 */
text_list kit_kernel_dirs(const struct kit_commands *c, const char *work);
size_t kit_kernel_dir_at(const text_list *dirs, const char *text);
int kit_copy_kernel(const struct kit_commands *c, const char *work, const char *out);

/*
 * Write a buffer, which is freed, or copy a file to DIR/REL, making directories
 * as needed.  Return 0, or -1 after a message.
 */
int kit_write(const char *path, struct sbuf *b);
int kit_copy(const char *from, const char *dir, const char *rel);

/*
 * Makes runtime/NAME the makefile of the module in WORK, which kbuild_run() builds.
 * Returns 0, or -1 after a message.
 */
int kit_use_makefile(const char *work, const char *name);

/*
 * Returns the environment in which the kernel's build and compilers run: it names no
 * directories but PATH's and TMPDIR.
 */
char *const *kit_environment(void);

/* Adds to a hash what kitmake.c itself contributes to a kit. */
void kit_hash_recipe(struct hash *h);

#define KIT_COPIES "kernel"		/* below the work directory */

/* In a kit's file of commands: the path of the work directory; what stands before a path of the kernel's. */
#define KIT_WORK '\1'
#define KIT_KERNEL '\2'

/* The commands that kbuild ran for the stand-in, to be replayed for a script. */
struct kit_commands {
	char *cwd;			/* kbuild's working directory */
	vec(char *) env;		/* NULL-terminated */
	char *compile, *combine, *link;	/* script object; the runtime added; module */
	char *objects;			/* text of the .mod file that 'combine' reads */
};

/*
 * kitcommands.c: writes the commands into the kit OUT, with marks for WORK and for the kernel's paths.  Returns
 * 0, or -1 after a message.  Reads them, with paths for these marks.  Returns 0, or -1.
 */
int kit_write_commands(const struct kit_commands *c, const char *work, const char *out);
int kit_commands(const struct kit *k, const char *work, struct kit_commands *c);

/* ---- compile.c, link.c ---- */

/*
 * Makes and returns a directory that kbuild can work in: its path has only
 * characters that mean nothing to make and the shell.  Removed with the
 * session.  NULL after a message.
 */
const char *work_dir(struct session *s);

/*
 * Returns the command that links the module from its objects, where kbuild combines them only to link the
 * result; NULL where a program such as objtool reads the result before.
 *
 *	ld -r -o X.o @X.mod		combines the objects,
 *	ld -r … -o X.ko X.o X.mod.o	links the module,
 *	ld -r … -o X.ko @X.mod X.mod.o	and this does both
 */
const char *link_at_once(const struct kit_commands *c);

/*
 * Links OBJECTS into the object TO, with the linker and options of the kit's module.  Appends
 * what the linker prints to OUTPUT.  Returns 0, or -1.
 */
int link_objects(const struct kit_commands *c, const words *objects, const char *to,
		 struct sbuf *output);

/*
 * Links WORK/stap_script.o into a module and names it.  Returns its path.
 * Returns NULL with *RETRY set if the script's object imports a symbol that the
 * kit doesn't, so that full kbuild must do it; else NULL after a message.
 */
const char *link_script(struct session *s, const struct kit *k, const struct kit_commands *c,
			const char *work, bool *retry);

/*
 * Runs make in the kernel's build directory for MODULE, which the makefile in WORK
 * names $(stap-module), with more arguments.  LINE is called with ARG for each line of output.  Returns the
 * exit status.
 */
int kbuild_run(struct session *s, const char *work, const char *module, char *const *more,
	       size_t nmore, void (*line)(const char *, void *), void *arg, struct sbuf *output);

/* Returns the words of such a run in the directory BUILD, without a NULL at the end. */
words kbuild_command(const char *build, const char *work, const char *module, char *const *more, size_t nmore);

/* Prints the errors of a build; with -v all of its OUTPUT. */
void kit_show_errors(struct session *s, const char *output);

/*
 * Is this a line of kbuild itself (" CC [M] …", "make[1]: …") rather than a
 * compiler's?
 */
bool kbuild_chatter(const char *line);

/* GCC takes quadratic time for the first; frames.c reads what the second makes. */
#define NO_INDENTATION "-Wno-misleading-indentation"
#define TELL_FRAMES "-fstack-usage"

/* ---- sandbox.c, confined.c ---- */

/* A run of a stranger's programs. */
struct sandbox {
	words command;			/* a program, found in /usr/bin, and its arguments; no NULL */
	const char *headers, *sources;	/* files that go in, as /in/headers and /in/sources */
	const char *module, *frames;	/* files that come out, by descriptors 9 and 8 */
};

/*
 * Runs it, for ten minutes at most, and appends what it prints to MESSAGES, cut and made printable.  Returns the
 * exit status: SANDBOX_TIME_OVER, or 127 if nothing could be started.
 */
enum { SANDBOX_TIME_OVER = 124 };
int sandbox_run(const struct sandbox *b, struct sbuf *messages);

/*
 * Builds the script's module for S->options.host_headers, or takes it from the cache.  Returns 0, or -1 after
 * a message.
 */
int confined_build(struct session *s, bool *cached);

/* ---- frames.c ---- */

/*
 * Does every function compiled in WORK leave enough of the kernel's stack?
 * Returns 0, or -1 after messages.
 */
int check_frames(struct session *s, const char *work);

/* ---- elf.c ---- */

/* Appends an object's undefined global symbols, sorted, one a line.  Returns 0, or -1. */
int elf_undefined(const char *path, struct sbuf *out);

/* Appends a section's contents.  Returns 0, or -1. */
int elf_section(const char *path, const char *name, struct sbuf *out);

/* Replaces the module name OLD by NAME, which may not be longer.  Returns 0, or -1. */
int elf_rename(const char *path, const char *old, const char *name);

/* ---- signed.c ---- */

/*
 * Signs the module that pass 4 leaves, if the user or the running kernel asks for it: a copy in the
 * work directory, where no other user can exchange it, becomes S->ko_file.  Returns 0, or -1 after
 * a message.
 */
int kit_sign(struct session *s);

/* Does the same for KO, a file of the work directory that pass 5 is about to load. */
int kit_sign_copy(struct session *s, const char *ko);

/*
 * Does the running kernel load what these leave: any module, or one that is signed with a key that it
 * knows?  Else false with WHY filled in.
 */
bool kit_is_trusted(struct session *s, struct problem *why);

#endif
