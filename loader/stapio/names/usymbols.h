/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the symbols and lines of addresses in programs and libraries, for the frames of user stacks.
 *
 * The module's records refer to a file by a number.  When a number turns up for the first time, the
 * module opens the file for us: it knows the mapped inode, whatever the path now leads to.  A separate
 * process reads the file (namer.h); this remembers its answers.
 */
#ifndef STAP_USYMBOLS_H
#define STAP_USYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct place;
struct st_uframe;
struct usymbols;

/* What knows the files where no module does, and unwinds stacks that are recorded raw. */
struct usymbols_source {
	/* Opens the file with a NUMBER that its frames have.  Returns a descriptor; -1: it can't be opened. */
	int (*open)(void *arg, unsigned int number);
	/* Unwinds a stack recorded at TIME, ST_FMT_RAW_USTACK's string.  Returns how many FRAMES it has, of at most
	 * ST_USER_DEPTH. */
	unsigned int (*unwind)(void *arg, const void *raw, size_t bytes, uint64_t time, struct st_uframe *frames);
	void *arg;
};

/* What is known of an address.  The strings are printable and stay until the next call. */
struct usymbol {
	const char *file;		/* the path that was mapped; NULL: none is known */
	uint64_t in_file;		/* the address that the ELF file gives it */
	const char *name;		/* the symbol's name; NULL: no symbol is known */
	uint64_t offset, size;		/* the address minus the symbol's; the symbol's size */
	const struct place *places;	/* inlined functions and lines (inlined.h), if asked for; */
	unsigned int nplaces;		/* 0: none is known */
};

/* TRACE is the module's .trace, CONTROL its .control, SIGNALS a descriptor that becomes readable when the
 * session is to end.  NULL if there is no memory. */
struct usymbols *usymbols_new(int trace, int control, int signals);
void usymbols_free(struct usymbols *u);

/* Has FROM, which is kept, take the module's place. */
void usymbols_from(struct usymbols *u, const struct usymbols_source *from);

/* Unwinds a raw stack, as usymbols_source.unwind does; 0 where a module does. */
unsigned int usymbols_unwind(struct usymbols *u, const void *raw, size_t bytes, uint64_t time, struct st_uframe *frames);

/* Makes a file of this process's vdso, which is the same in all processes.  Returns a descriptor, or -1. */
int usymbols_open_vdso(void);

/* Calls WHAT with ARG often while a symbol is waited for: some take seconds. */
void usymbols_meanwhile(struct usymbols *u, void (*what)(void *arg), void *arg);

/* From here on, symbols that take long to find are left out, because the user wants the session to end.
 * Any thread may call it. */
void usymbols_hurry(struct usymbols *u);

/*
 * Finds the symbol, and with LINES the source lines, at OFFSET of file number FILE.  The addresses in OUT
 * are BEHIND bytes larger.  A return address may lie behind the function that makes the call, so for one
 * the byte before is looked up: OFFSET is the return address minus 1, and BEHIND is 1.
 */
void usymbols_find(struct usymbols *u, unsigned int file, uint64_t offset, unsigned int behind,
		   bool lines, struct usymbol *out);

/*
 * Sends a file's table of symbols (utable.h) to the module, for scripts that need them while they run.
 * usymbols_asks() comes first: ASKS is what the script asks for (ST_ASKS_*).  usymbols_give_file() takes a
 * file by its path, usymbols_give_number() by its number in the records.  A file without symbols, or that
 * can't be opened, is left out.
 */
void usymbols_asks(struct usymbols *u, unsigned int asks);
void usymbols_give_file(struct usymbols *u, const char *path);
void usymbols_give_number(struct usymbols *u, unsigned int number);

#endif
