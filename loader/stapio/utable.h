/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the table of names (runtime/abi/utable.h) of a program or library, for scripts that ask. */
#ifndef STAP_UTABLE_MAKE_H
#define STAP_UTABLE_MAKE_H

#include <elfutils/libdwfl.h>

/*
 * Makes the table of a file's symbols, linkage table entries among them, and, as ASKS says (ST_ASKS_*),
 * of its source lines.  Returns the descriptor of a memory file; -1 if there is nothing to tell, or no
 * memory.
 */
int utable_make(Dwfl_Module *module, unsigned int asks);

#endif
