/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Thread-local variables of programs.
 *
 * Each program file has a block of them in every thread; debug information says how far a
 * variable is into it.  A program's own block lies just below the thread pointer:
 *
 *	level		4 bytes into the block of 64 bytes: thread pointer - 64 + 4
 *
 * A library's is found as the library's code finds it.  The dynamic linker has put a number
 * for the library, or the block's distance from the thread pointer, into the library's data:
 *
 *	R_X86_64_DTPMOD64	a module's number; the thread's vector has the block's address
 *	R_X86_64_TPOFF64	a variable's distance from the thread pointer
 *
 * Follows U. Drepper, "ELF Handling For Thread-Local Storage", variant II.
 */
#ifndef STAP_TARGET_TLS_H
#define STAP_TARGET_TLS_H

#include "object.h"

/*
 * Returns the address, in the current thread, of what lies OFFSET bytes into the file's block;
 * NULL with *WHY, a phrase that follows the variable's name.
 */
const struct term *tls_address(struct dwfile *f, const struct term *offset, const char **why);

#endif
