/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and checks a module's file, inserts the module into the kernel, and removes it.
 *
 *	if (!module_read(&m, "reads.ko") && !module_matches_kernel(&m) && !module_insert(&m, ""))
 *		…
 *	module_remove(m.name, -1, 1000);
 */
#ifndef STAP_MODULE_H
#define STAP_MODULE_H

#include <stdbool.h>
#include <stddef.h>

/* The most bytes of a module's name with its NUL, as the kernel limits it. */
#define MODULE_NAME_MAX 56

/* A module's file in memory, and what it says about itself. */
struct module_file {
	const char *path;		/* the caller's */
	char *image;			/* malloc'ed */
	size_t size;
	char name[MODULE_NAME_MAX];	/* letters, digits and '_' */
	const char *vermagic;		/* in image; "" if it has none */
	const char *build_id;		/* of the kernel that it was built for, in hex; "" if unknown */
};

/* Reads the file, and its .modinfo section.  Returns 0, or -1 after a message.  module_insert()
 * passes the same image to the kernel, so that nobody can exchange the file after it was checked. */
int module_read(struct module_file *m, const char *path);

/* Makes *M refer to a loaded module by its name.  Returns false, after a message, if NAME can't be a
 * module's. */
bool module_set_name(struct module_file *m, const char *name);

/* Renames the module in the image to NAME_PID, with this process' number, so that several sessions may
 * load it.  Returns 0, or -1 after a message. */
int module_rename(struct module_file *m);

void module_free(struct module_file *m);

/* Checks that this process may insert modules, and that the kernel accepts modules at all.  Returns 0,
 * or -1 after a message. */
int module_permitted(void);

/* Write to HEX the build-id that is in N bytes of ELF notes, or in a file of ELF notes; "" if there is
 * none.  Return HEX. */
const char *notes_find_build_id(const char *notes, size_t n, char *hex, size_t size);
const char *notes_build_id(const char *path, char *hex, size_t size);

/* Checks that the module was built for the running kernel.  Returns 0, or -1 after a message. */
int module_matches_kernel(const struct module_file *m);

/* Is a module of this name loaded, as code that can be unloaded again? */
bool module_is_loaded(const char *name);

/* Is a module of M's name loaded?  If so, prints a message. */
bool module_name_is_taken(const struct module_file *m);

/* Inserts the module.  Returns 0, or -1 after a message.  REMOVER is the program that the kernel runs
 * to remove the module if the loader's processes are killed; "" for none. */
int module_insert(const struct module_file *m, const char *remover);

/*
 * Removes a module; tries for MS milliseconds while it is in use.  Returns 0, or -errno, which is -ENOENT
 * if the module is gone.  CONTROL is a descriptor of the module's control file, or -1.  With it, a later
 * module of the same name, which belongs to another session, isn't removed.
 */
int module_remove(const char *name, int control, int ms);

#endif
