// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Opens the files that occur in stacks, asks the namer, and caches its answers (usymbols.h), because a
 * profile meets the same addresses again and again.
 */
#define _GNU_SOURCE
#include "usymbols.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "abi/stap_script.h"
#include "abi/transport.h"
#include "base/printable.h"
#include "base/regular.h"
#include "base/root.h"
#include "binary.h"
#include "common/control.h"
#include "common/say.h"
#include "namer.h"
#include "unwind_tables.h"

#define FILES 65536u		/* NAMER_PROGRAMS */
#define KEPT 512u		/* files that are kept open, because a new namer needs them again */
#define FOUND 16384u		/* addresses in the cache */

/* A file that the records refer to. */
struct file {
	bool asked;			/* the module was asked for it */
	char *path, *shown;		/* as it was mapped, and printable; NULL: it could not be opened */
	struct namer_file named;
};

/* An address in the cache. */
struct found {
	unsigned int file, behind;
	uint64_t offset;
	bool lines;			/* names.places were looked up */
	struct binary_names names;
};

struct usymbols {
	int trace, control;
	const struct usymbols_source *from;	/* instead of a module; or NULL */
	unsigned int asks;		/* ST_ASKS_* */
	unsigned int nopen;		/* files kept open */
	bool used;			/* something is in the tables, whose 4 MB a session may never touch */
	struct namer *namer;
	struct file files[FILES];
	struct found found[FOUND];
};

struct usymbols *usymbols_new(int trace, int control, int signals)
{
	struct usymbols *u = calloc(1, sizeof(*u));

	if (!u)
		return NULL;
	u->trace = trace;
	u->control = control;
	u->namer = namer_new(signals);
	if (u->namer)
		return u;
	free(u);
	return NULL;
}

static void forget(struct found *f)
{
	binary_names_free(&f->names);
	*f = (struct found){ 0 };
}

static void drop_file(struct file *f)
{
	if (f->path)
		close(f->named.fd);
	free(f->path);
	free(f->shown);
}

void usymbols_free(struct usymbols *u)
{
	if (!u)
		return;
	for (unsigned int i = 0; u->used && i < FOUND; i++)
		forget(&u->found[i]);
	for (unsigned int i = 0; u->used && i < FILES; i++)
		drop_file(&u->files[i]);
	namer_free(u->namer);
	free(u);
}

void usymbols_from(struct usymbols *u, const struct usymbols_source *from)
{
	u->from = from;
}

unsigned int usymbols_unwind(struct usymbols *u, const void *raw, size_t bytes, uint64_t time, struct st_uframe *frames)
{
	return u->from ? u->from->unwind(u->from->arg, raw, bytes, time, frames) : 0;
}

void usymbols_meanwhile(struct usymbols *u, void (*what)(void *arg), void *arg)
{
	namer_meanwhile(u->namer, what, arg);
}

void usymbols_hurry(struct usymbols *u)
{
	namer_hurry(u->namer);
}

/* ---- files ---- */

/* Returns the path of an open file, without the kernel's " (deleted)"; malloc'ed. */
static char *path_of(int fd)
{
	static const char deleted[] = " (deleted)";
	char link[64], path[4096];
	ssize_t n;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	if (n < 0)
		return NULL;
	path[n] = '\0';
	n -= strlen(deleted);
	if (n > 0 && !strcmp(path + n, deleted))
		path[n] = '\0';
	return strdup(path);
}

int usymbols_open_vdso(void)
{
	const GElf_Ehdr *eh = (const void *)getauxval(AT_SYSINFO_EHDR);
	int fd = eh ? memfd_create("vdso", MFD_CLOEXEC) : -1;
	size_t bytes = eh ? eh->e_shoff + (size_t)eh->e_shnum * eh->e_shentsize : 0;

	if (fd >= 0 && write(fd, eh, bytes) != (ssize_t)bytes) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Has the file opened.  The module is asked up to three times, because it may not have stored the file yet when its
 * number is in a record. */
static int open_file(struct usymbols *u, unsigned int number)
{
	int fd;

	if (number == ST_FILE_VDSO)
		return usymbols_open_vdso();
	if (u->from)
		return u->from->open(u->from->arg, number);
	for (int tries = 0; tries < 3; tries++) {
		fd = ioctl(u->trace, ST_TRACE_OPEN, (unsigned long)number);
		if (fd >= 0 || errno != ENOENT)
			break;
		usleep(100);
	}
	return fd;
}

/* Takes over the descriptor and the path.  The path is NULL if there was no memory for it. */
static void use_file(struct file *f, unsigned int number, int fd, char *path)
{
	f->asked = true;
	f->path = path;
	f->shown = path ? printable(path, strlen(path), "") : NULL;
	f->named = (struct namer_file){ .number = number, .path = path, .fd = path ? fd : -1 };
	if (!path)
		close(fd);
}

static struct file *file_of(struct usymbols *u, unsigned int number)
{
	struct file *f = &u->files[number % FILES];
	int fd;

	if (f->asked || !number)
		return f;
	u->used = f->asked = true;
	fd = open_file(u, number);
	if (fd < 0)
		return f;
	use_file(f, number % FILES, fd, number == ST_FILE_VDSO ? strdup("vdso") : path_of(fd));
	u->nopen++;
	return f;
}

/* Closes the file, which the namer has now, if too many are open.  A process may have 1,024 descriptors by
 * default, and system() needs some too. */
static void close_some(struct usymbols *u, struct file *f)
{
	if (u->nopen <= KEPT || !f->path || f->named.fd < 0)
		return;
	close(f->named.fd);
	f->named.fd = -1;
	u->nopen--;
}

/* ---- symbols for the module ---- */

void usymbols_asks(struct usymbols *u, unsigned int asks)
{
	u->asks = asks;
}

/* Sends the module the symbols of a file, which it knows as OF: "5" is our descriptor 5, "=7" is file 7 of
 * the records. */
static void give(struct usymbols *u, struct file *f, const char *of)
{
	bool names = u->asks & (ST_ASKS_SYMBOLS | ST_ASKS_LINES);
	int table = f->path && names ? namer_table(u->namer, &f->named, u->asks) : -1;
	char why[256];

	if (table < 0)
		return;
	if (control_send(u->control, why, sizeof(why), "symbols %d %s", table, of))
		say_if(1, "stapio: the names in %s: %s", f->shown, why);
	close(table);
}

void usymbols_give_file(struct usymbols *u, const char *path)
{
	int fd = namer_hurries(u->namer) ? -1 : regular_open(path);
	struct file f = { 0 };
	char of[16];

	if (fd < 0)
		return;
	if (u->asks & ST_ASKS_STACKS)
		unwind_tables_bring(fd);
	use_file(&f, 0, fd, strdup(path + root_length(path)));
	snprintf(of, sizeof(of), "%d", fd);
	give(u, &f, of);
	drop_file(&f);
}

void usymbols_give_number(struct usymbols *u, unsigned int number)
{
	struct file *f = file_of(u, number);
	char of[16];

	snprintf(of, sizeof(of), "=%u", number);
	give(u, f, of);
	close_some(u, f);
}

/* ---- addresses ---- */

static void look_up(struct usymbols *u, struct found *to)
{
	struct file *f = file_of(u, to->file);

	if (!f->path || !namer_find(u->namer, &f->named, to->offset, to->lines, &to->names))
		to->names.in_file = to->offset;
	close_some(u, f);
}

void usymbols_find(struct usymbols *u, unsigned int file, uint64_t offset, unsigned int behind,
		   bool lines, struct usymbol *out)
{
	uint64_t hash = (offset * 0x9e3779b97f4a7c15u ^ file * 0x9e3779b1u) >> 16;
	struct found *f = &u->found[hash % FOUND];

	file %= FILES;
	if (f->file != file || f->offset != offset || f->behind != behind || lines > f->lines) {
		u->used = true;
		forget(f);
		*f = (struct found){ .file = file, .offset = offset, .behind = behind,
				     .lines = lines };
		look_up(u, f);
	}
	*out = (struct usymbol){
		.file = u->files[file].shown,
		.in_file = f->names.in_file + behind,
		.name = f->names.name,
		.offset = f->names.offset + behind, .size = f->names.size,
		.places = f->names.places, .nplaces = f->names.nplaces,
	};
}
