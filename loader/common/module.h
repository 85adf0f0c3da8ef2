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
#include <sys/types.h>

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

/*
 * Reads the file, and its .modinfo section.  Returns 0, or -1 after a message. module_insert()
 * passes the same image to the kernel, so the file can't be exchanged after it was checked.
 */
int module_read(struct module_file *m, const char *path);

/* The same from the descriptor FD, which is closed.  Messages call the file PATH. */
int module_read_open(struct module_file *m, const char *path, int fd);

/* Takes IMAGE, SIZE bytes from malloc(), for a module's file, which messages call PATH.  Returns 0; or -1,
 * with the image freed, after a message. */
int module_take(struct module_file *m, const char *path, char *image, size_t size);

/* Makes *M refer to a loaded module by its name.  Returns false, after a message, if NAME can't be a
 * module's. */
bool module_set_name(struct module_file *m, const char *name);

/* Renames the module in the image to NAME_PID, with this process' number, so that several sessions may
 * load it.  Returns 0, or -1 after a message. */
int module_rename(struct module_file *m);

void module_free(struct module_file *m);

/* Does this process have the right to insert modules? */
bool module_may_insert(void);

/* Checks that this process may insert modules, and that the kernel accepts modules at all.  Returns 0,
 * or -1 after a message. */
int module_permitted(void);

/* Write to HEX the build-id that is in N bytes of ELF notes, or in a file of ELF notes; "" if there is
 * none.  Return HEX. */
const char *notes_find_build_id(const char *notes, size_t n, char *hex, size_t size);
const char *notes_build_id(const char *path, char *hex, size_t size);

/* The kernel of this machine. */
struct running_kernel {
	char release[65];
	char build_id[129];		/* in hex; "" if unknown */
};
void module_find_running(struct running_kernel *k);

/* Was the module built for kernel K?  Modules of another build of a release may be off by some bytes. */
enum module_fit { MODULE_FITS, MODULE_OTHER_RELEASE, MODULE_OTHER_BUILD };
enum module_fit module_fit(const struct module_file *m, const struct running_kernel *k);

/* Returns the length of the release that M's vermagic begins with. */
int module_release_length(const struct module_file *m);

/* Checks that the module was built for the running kernel.  Returns 0, or -1 after a message. */
int module_matches_kernel(const struct module_file *m);

/* Is a module of this name loaded, as code that can be unloaded again? */
bool module_is_loaded(const char *name);

/* Is a module of M's name loaded?  If so, prints a message. */
bool module_name_is_taken(const struct module_file *m);

/* May only root change the program at PATH, and the directories that lead to it?  Then the kernel may run it. */
bool module_is_roots(const char *path);

/* Inserts the module.  Returns 0, or -1 after a message.  REMOVER is the program that the kernel runs
 * to remove the module if the loader's processes are killed; "" for none.  OWNER is the user who may drive
 * the session without the right to load modules; MODULE_OWNERLESS for none. */
#define MODULE_OWNERLESS ((uid_t)-1)
int module_insert(const struct module_file *m, const char *remover, uid_t owner);

/*
 * Removes a module; tries for MS milliseconds while it is in use.  Returns 0, or -errno, which is -ENOENT
 * if the module is gone.  CONTROL is a descriptor of the module's control file, or -1.  With it, a later
 * module of the same name, which belongs to another session, isn't removed.
 */
int module_remove(const char *name, int control, int ms);

#endif
