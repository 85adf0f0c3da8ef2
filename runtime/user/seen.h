/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Code that stacks were seen in, for addresses that a script keeps as text: ubacktrace() as an
 * array's key, printed by print_usyms() when its process is gone.
 *
 *	a handler:	ubacktrace() = "0x5600d4a7cd96 …"	notes: page 0x5600d4a7c of this
 *								process is page 6 of file 3
 *	at the end:	print_usyms("0x5600d4a7cd96 …")		finds that page: file 3, page 6
 *
 * Addresses alone don't tell processes apart; two that have different files at the same address,
 * as programs with fixed addresses may, are named by the one that was seen last.
 */
#ifndef STAP_USER_SEEN_H
#define STAP_USER_SEEN_H

#include <linux/types.h>

/* Notes the file that the current process has mapped at an address of its code.  Any context. */
void st_seen_note(unsigned long addr);

/* Finds the file's number (files.h) and the page in it; false if no such address was noted. */
bool st_seen_find(unsigned long addr, unsigned int *file, unsigned long *page);

#endif
