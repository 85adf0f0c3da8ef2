// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finding names with libdwfl (usymbols.h).  It searches a file's symbols one after the other, so
 * what it found is remembered: a profile meets the same addresses again and again.
 */
#define _GNU_SOURCE
#include "usymbols.h"

#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libiberty/demangle.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "abi/transport.h"
#include "base/regular.h"
#include "inlined.h"
#include "common/control.h"
#include "common/say.h"
#include "plt.h"
#include "utable.h"

#define FILES 65536u
#define FOUND 16384u		/* addresses remembered */

/* A file; without a module no more is known than its path. */
struct file {
	bool asked;
	char *path;			/* NULL: it could not be opened */
	Dwfl *dwfl;
	Dwfl_Module *module;
};

/* An address that was looked up. */
struct found {
	unsigned int file, behind;
	uint64_t offset;
	bool lines;			/* symbol.places were looked up */
	char *name;			/* symbol.name; or NULL */
	struct place *places;		/* symbol.places, with names of their own */
	struct usymbol symbol;
};

struct usymbols {
	int trace, control;
	unsigned int asks;		/* ST_ASKS_* */
	struct file files[FILES];
	struct found found[FOUND];
};

/* ---- files that shrink ---- */

/*
 * libdwfl maps files.  Where the owner of one cuts it off meanwhile, reading the rest raises
 * SIGBUS, which must not end a session: whoever is traced could.  What reads a file runs as a
 * READING, which such a signal leaves; its memory is lost, as libdwfl's state isn't known then.
 */
static __thread sigjmp_buf *reading;

static void file_shrank(int sig)
{
	if (reading)
		siglongjmp(*reading, 1);
	signal(sig, SIG_DFL);		/* the instruction is executed again, and ends us */
}

static void catch_shrinking(void)
{
	struct sigaction sa = { .sa_handler = file_shrank, .sa_flags = SA_NODEFER };

	sigaction(SIGBUS, &sa, NULL);
}

/* Calls READ(F, ARG); a file that has shrunk is given up. */
static void read_safely(struct file *f, void (*read)(struct file *f, void *arg), void *arg)
{
	sigjmp_buf back;

	if (sigsetjmp(back, 0)) {
		say_if(1, "stapio: %s was cut off: it is not looked at any more", f->path);
		f->dwfl = NULL;
		f->module = NULL;
	} else {
		reading = &back;
		read(f, arg);
	}
	reading = NULL;
}

/* ---- debug files ---- */

/* Opens DIRECTORY's debug file LINK, in PREFIX if that isn't empty; -1 if there is none. */
static int open_linked(const char *prefix, const char *directory, size_t length,
		       const char *between, const char *link)
{
	char path[4096];

	if ((size_t)snprintf(path, sizeof(path), "%s%.*s%s%s", prefix, (int)length, directory,
			     between, link) >= sizeof(path))
		return -1;
	return regular_open(path);
}

/* Opens the debug file that FILE's debug link names; -1 if there is none. */
static int open_link(const char *file, const char *link)
{
	const char *slash = file ? strrchr(file, '/') : NULL;
	int fd;

	if (!link || !slash)
		return -1;
	fd = open_linked("", file, slash - file, "/", link);
	if (fd < 0)
		fd = open_linked("", file, slash - file, "/.debug/", link);
	return fd < 0 ? open_linked("/usr/lib/debug", file, slash - file, "/", link) : fd;
}

/*
 * Finds a file's debug file by build-id, else by its debug link, else on the servers of debuginfod.
 * libdwfl asks those, but loads its client first, which takes half a second.  It is not given the
 * link: it would open whatever that leads to, and wait where it is a FIFO.
 */
static int find_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base,
			  const char *file, const char *link, GElf_Word crc, char **found)
{
	const char *servers = getenv("DEBUGINFOD_URLS");
	int fd = dwfl_build_id_find_debuginfo(module, data, name, base, file, link, crc, found);

	if (fd < 0)
		fd = open_link(file, link);
	if (fd >= 0 || !servers || !*servers)
		return fd;
	return dwfl_standard_find_debuginfo(module, data, name, base, file, NULL, 0, found);
}

/* No directory that belongs to a file's owner. */
static char *debug_path = "/usr/lib/debug";

static const Dwfl_Callbacks callbacks = {
	.debuginfo_path = &debug_path,
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = find_debuginfo,
	.section_address = dwfl_offline_section_address,
};

struct usymbols *usymbols_new(int trace, int control)
{
	struct usymbols *u = calloc(1, sizeof(*u));

	catch_shrinking();
	if (u) {
		u->trace = trace;
		u->control = control;
	}
	return u;
}

static void forget(struct found *f)
{
	for (unsigned int i = 0; i < f->symbol.nplaces; i++) {
		free((char *)f->places[i].function);
		free((char *)f->places[i].source);
	}
	free(f->places);
	free(f->name);
	*f = (struct found){ 0 };
}

void usymbols_free(struct usymbols *u)
{
	if (!u)
		return;
	for (unsigned int i = 0; i < FOUND; i++)
		forget(&u->found[i]);
	for (unsigned int i = 0; i < FILES; i++) {
		dwfl_end(u->files[i].dwfl);
		free(u->files[i].path);
	}
	free(u);
}

/* ---- files ---- */

/* The path of an open file, as it was mapped. */
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

/* The vdso is the same in all processes: a file with that of ours. */
static int open_vdso(void)
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

/* The module may still be about to store the file: it is asked a few times. */
static int open_file(struct usymbols *u, unsigned int number)
{
	int fd;

	if (number == ST_FILE_VDSO)
		return open_vdso();
	for (int tries = 0; tries < 3; tries++) {
		fd = ioctl(u->trace, ST_TRACE_OPEN, (unsigned long)number);
		if (fd >= 0 || errno != ENOENT)
			break;
		usleep(100);
	}
	return fd;
}

static void begin_file(struct file *f, void *arg)
{
	const int *fd = arg;

	f->dwfl = f->path ? dwfl_begin(&callbacks) : NULL;
	if (f->dwfl)
		f->module = dwfl_report_offline(f->dwfl, f->path, f->path, *fd);
	if (f->module)
		dwfl_report_end(f->dwfl, NULL, NULL);
	else
		close(*fd);
}

/* Takes over the descriptor and the path, which may be NULL: no memory. */
static void use_file(struct file *f, int fd, char *path)
{
	f->path = path;
	read_safely(f, begin_file, &fd);
}

static void load_file(struct usymbols *u, struct file *f, unsigned int number)
{
	int fd = open_file(u, number);

	f->asked = true;
	if (fd >= 0)
		use_file(f, fd, number == ST_FILE_VDSO ? strdup("vdso") : path_of(fd));
}

/* ---- names for the module ---- */

void usymbols_asks(struct usymbols *u, unsigned int asks)
{
	u->asks = asks;
}

/* A table of a file's names. */
struct table {
	unsigned int asks;
	int fd;				/* -1: there is none */
};

static void make_table(struct file *f, void *arg)
{
	struct table *t = arg;

	if (f->module)
		t->fd = utable_make(f->module, t->asks);
}

/* Sends the names in a file, which the module knows as OF. */
static void give(struct usymbols *u, struct file *f, const char *of)
{
	struct table t = { .asks = u->asks, .fd = -1 };
	char why[256];

	read_safely(f, make_table, &t);
	if (t.fd < 0)
		return;
	if (control_send(u->control, why, sizeof(why), "symbols %d %s", t.fd, of))
		say_if(1, "stapio: the names in %s: %s", f->path, why);
	close(t.fd);
}

void usymbols_give_file(struct usymbols *u, const char *path)
{
	int fd = regular_open(path), copy;
	struct file f = { .asked = true };
	char of[16];

	if (fd < 0)
		return;
	copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	if (copy >= 0)
		use_file(&f, copy, strdup(path));
	snprintf(of, sizeof(of), "%d", fd);
	give(u, &f, of);
	dwfl_end(f.dwfl);
	free(f.path);
	close(fd);
}

void usymbols_give_number(struct usymbols *u, unsigned int number)
{
	struct file *f = &u->files[number % FILES];
	char of[16];

	if (!f->asked)
		load_file(u, f, number);
	snprintf(of, sizeof(of), "=%u", number);
	give(u, f, of);
}

/* ---- addresses ---- */

/* Translates an offset in the file to the address that its program headers give it. */
static bool address_of(Elf *elf, uint64_t offset, uint64_t *address)
{
	GElf_Phdr ph;
	size_t n;

	if (!elf || elf_getphdrnum(elf, &n))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (!gelf_getphdr(elf, i, &ph) || ph.p_type != PT_LOAD ||
		    offset - ph.p_offset >= ph.p_filesz)
			continue;
		*address = offset - ph.p_offset + ph.p_vaddr;
		return true;
	}
	return false;
}

char *usymbols_readable(const char *name, const char *suffix)
{
	char *copy = strndup(name, strcspn(name, "@")), *text = NULL;
	char *demangled = copy ? cplus_demangle(copy, DMGL_PARAMS | DMGL_ANSI | DMGL_AUTO) : NULL;

	if (copy && asprintf(&text, "%s%s", demangled ? demangled : copy, suffix) < 0)
		text = NULL;
	free(demangled);
	free(copy);
	return text;
}

/* ADDRESS is the file's own, and BIAS what libdwfl adds to it. */
static void find_symbol(struct file *f, struct found *to, Elf *elf, uint64_t address,
			GElf_Addr bias)
{
	struct plt_entry entry;
	const char *name;
	GElf_Sym sym;
	GElf_Off offset;

	if (plt_find(elf, address, &entry)) {
		to->name = usymbols_readable(entry.name, "@plt");
		offset = address - entry.start;
		sym.st_size = entry.size;
	} else {
		name = dwfl_module_addrinfo(f->module, address + bias, &offset, &sym, NULL, NULL,
					    NULL);
		if (!name)
			return;
		to->name = usymbols_readable(name, "");
	}
	to->symbol.name = to->name;
	to->symbol.offset = offset + to->behind;
	to->symbol.size = sym.st_size;
}

static void find_lines(struct file *f, struct found *to, Dwarf_Addr address)
{
	struct place places[INLINED_MOST];
	unsigned int n = inlined_find(f->module, address, places);

	to->places = n ? calloc(n, sizeof(*places)) : NULL;
	if (!to->places)
		return;
	memcpy(to->places, places, n * sizeof(*places));
	for (unsigned int i = 0; i < n; i++) {
		if (places[i].function)
			to->places[i].function = usymbols_readable(places[i].function, "");
		if (places[i].source)
			to->places[i].source = strdup(places[i].source);
	}
	to->symbol.places = to->places;
	to->symbol.nplaces = n;
}

static void find_names(struct file *f, void *arg)
{
	struct found *to = arg;
	uint64_t address;
	GElf_Addr bias;
	Elf *elf = f->module ? dwfl_module_getelf(f->module, &bias) : NULL;

	if (!address_of(elf, to->offset, &address))
		return;
	to->symbol.in_file = address + to->behind;
	find_symbol(f, to, elf, address, bias);
	if (to->lines)
		find_lines(f, to, address + bias);
}

static void look_up(struct usymbols *u, struct found *to)
{
	struct file *f = &u->files[to->file];

	to->symbol = (struct usymbol){ .in_file = to->offset + to->behind };
	if (to->file && !f->asked)
		load_file(u, f, to->file);
	to->symbol.file = f->path;
	read_safely(f, find_names, to);
}

void usymbols_find(struct usymbols *u, unsigned int file, uint64_t offset, unsigned int behind,
		   bool lines, struct usymbol *out)
{
	uint64_t hash = (offset * 0x9e3779b97f4a7c15u ^ file * 0x9e3779b1u) >> 16;
	struct found *f = &u->found[hash % FOUND];

	file %= FILES;
	if (f->file != file || f->offset != offset || f->behind != behind || lines > f->lines) {
		forget(f);
		*f = (struct found){ .file = file, .offset = offset, .behind = behind,
				     .lines = lines };
		look_up(u, f);
	}
	*out = f->symbol;
}
