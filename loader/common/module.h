/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A module: its file, and inserting it into the kernel and removing it. */
#ifndef STAP_MODULE_H
#define STAP_MODULE_H

#include <stdbool.h>
#include <stddef.h>

/* The kernel's own limit, with the NUL. */
#define MODULE_NAME_MAX 56

struct module_file {
	const char *path;
	char *image;			/* malloc'ed */
	size_t size;
	char name[MODULE_NAME_MAX];	/* letters, digits and '_' */
	const char *vermagic;		/* in image; "" when it has none */
	const char *build_id;		/* of the kernel it was built against, hex; "" */
};

/* Reads the file and what it says about itself.  Returns 0, or -1 after a message.
 * module_insert() passes the same image to the kernel, so that nobody can exchange the file
 * between the check and the use. */
int module_read(struct module_file *m, const char *path);

/* Uses a loaded module's name instead of a file.  False after a message: it can't be one. */
bool module_set_name(struct module_file *m, const char *name);

/* Gives the module another name, which no other process's module has: its own and this process's
 * number.  0, or -1 after a message. */
int module_rename(struct module_file *m);

void module_free(struct module_file *m);

/* Checks that this process may insert modules, and that the kernel accepts any.  0, or -1 after a
 * message. */
int module_permitted(void);

/* The build-id in N bytes of ELF notes, or in a file of them, in hex, written to HEX; "" if there
 * is none. */
const char *notes_find_build_id(const char *notes, size_t n, char *hex, size_t size);
const char *notes_build_id(const char *path, char *hex, size_t size);

/* Was it built for the running kernel?  0, or -1 after a message. */
int module_matches_kernel(const struct module_file *m);

/* Is a module of its name loaded?  If so, prints a message. */
bool module_is_loaded(const struct module_file *m);

/* Inserts the module: 0, or -1 after a message.  REMOVER is the program that the kernel may run
 * to remove the module if the loader's processes are killed; "" for none. */
int module_insert(const struct module_file *m, const char *remover);

/*
 * Tries to remove a module for MS milliseconds.  0 or -errno; -ENOENT if it is gone.  CONTROL, a
 * descriptor of its control file or -1, tells it from a later module of the same name, which is
 * another session's.
 */
int module_remove(const char *name, int control, int ms);

#endif
