/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the table of names (runtime/abi/utable.h) of a program or library, for scripts that ask. */
#ifndef STAP_UTABLE_MAKE_H
#define STAP_UTABLE_MAKE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>

struct plt;

/*
 * Writes the table of a file's symbols, linkage table entries among them, and, as ASKS says (ST_ASKS_*),
 * of its source lines.  False: there is nothing to tell, or no memory, or too much.
 */
bool utable_write(Dwfl_Module *module, const struct plt *plt, unsigned int asks, int to);

#endif
