/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The current process's address space, looked at from any context: which mapping contains an
 * address, and the memory there.
 *
 * Finding a mapping takes the lock of the process's mappings for reading.  It is only tried:
 * while a thread of the process is changing them, they can't be found.  Giving it back may wake
 * that thread, which must not be done with interrupts off, where the interrupted code may hold
 * a lock of the scheduler's; so an irq_work does it, as soon as they are on.  Until then the
 * lock stays with this CPU and level, which may look up more.
 *
 * Memory whose page the process has never touched can't be read by its address without waiting:
 * of .eh_frame no program touches much, and a constant string may be met first by the system call
 * that gets it.  But if a file is mapped there, the page usually is in the page cache: it is read
 * from that.
 */
#ifndef STAP_USER_SPACE_H
#define STAP_USER_SPACE_H

#include <linux/types.h>

struct inode;

/* A mapping, as it was when it was found. */
struct st_mapping {
	unsigned long start, end;
	unsigned long page;		/* which page of the file is at the start */
	unsigned long file;		/* tells the file apart from others; 0: there is none */
	unsigned int id;		/* see files.h; 0: the file has none */
	bool executable;
};

/*
 * Prepares what is done later, and waits until nothing of it is left.  Process context, before the
 * first handler and after the last.  start() returns 0, or -ENOMEM with st_message set.
 */
int st_space_start(void);
void st_space_stop(void);

/*
 * Finds the mapping that contains an address; false if there is none, or it can't be found now.
 * An executable mapping's file gets an id, if it has none.
 */
bool st_space_find(unsigned long addr, struct st_mapping *m);

/* Finds where the first page of the file mapped at an address is mapped; 0: not known. */
unsigned long st_space_image(unsigned long addr);

/* Returns what st_mapping.file is for a mapping of this file. */
unsigned long st_space_identity(const struct inode *inode);

/* Writes the name of the file mapped at an address, without its directory and with '?' for control
 * characters, or "vdso"; returns its length, 0 if there is none. */
unsigned int st_space_name(unsigned long addr, char *to, unsigned int room);

/* Returns the NUMA node of the memory at an address, -1 if it isn't present. */
int st_space_node(unsigned long addr);

/*
 * Copies N bytes of user memory, each page of it from where the process has it, else from the page
 * cache if the process can't have changed it; false if that isn't possible.  What the page cache lacks
 * is read in for the next time.
 */
bool st_space_copy(void *to, unsigned long addr, unsigned int n);

/* Does the same for tables that no program changes, within two pages.  Preemption is off. */
bool st_space_read(void *to, unsigned long addr, unsigned int n);

#endif
