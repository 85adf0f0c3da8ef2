/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A module file, before and while it is in the kernel. */
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

/* Reads the file and finds in it what it says about itself.  0, or -1 after a
 * message.  The image read is also what module_insert() hands to the kernel, so
 * that nothing can be exchanged between the check and the use. */
int module_read(struct module_file *m, const char *path);

/* A loaded module's name instead of a file.  False after a message: no such name. */
bool module_set_name(struct module_file *m, const char *name);

void module_free(struct module_file *m);

/* May this process insert modules, and does the kernel take any?  0, or -1 after
 * a message. */
int module_permitted(void);

/* The build-id in a file of ELF notes in hex; "" when there is none. */
const char *notes_build_id(const char *path, char *hex, size_t size);

/* Was it built for the running kernel?  0, or -1 after a message. */
int module_matches_kernel(const struct module_file *m);

/* Is a module of its name loaded?  Then after a message. */
bool module_is_loaded(const struct module_file *m);

/* remover: the program the kernel may run to remove the module when all who would were
 * killed; "": none.  0, or -1 after a message. */
int module_insert(const struct module_file *m, const char *remover);

/* Tries until it is gone or MS milliseconds are over.  0 or -errno. */
int module_remove(const char *name, int ms);

#endif
