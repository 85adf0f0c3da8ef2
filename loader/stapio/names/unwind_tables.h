/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads programs' unwind tables into the page cache before the session starts.
 *
 * The module unwinds a program's stack by the program's .eh_frame_hdr and .eh_frame. No program
 * touches them, so they are in memory only if somebody has read them; a handler can't wait for a
 * disk, and would cut the first stacks short. For instance write() of glibc 2.43 is three functions
 * deep, of which a probe at the system call sees only the innermost without the tables.
 *
 * Follows the Linux Standard Base, Core, "Exception Frames".
 */
#ifndef STAP_UNWIND_TABLES_H
#define STAP_UNWIND_TABLES_H

#include <elf.h>
#include <stdbool.h>
#include <sys/types.h>

/* Finds the first program header of a type in an ELF file of 64 bits. Returns false if there is none. */
bool find_program_header(int fd, unsigned int type, Elf64_Phdr *ph);

/* Returns the file offset at which the unwind tables begin, or -1 if there are none. */
off_t unwind_tables_begin(int fd);

/* Waits until the unwind tables of a file are in the page cache, or as much as may help of large ones. */
void unwind_tables_bring(int fd);

#endif
