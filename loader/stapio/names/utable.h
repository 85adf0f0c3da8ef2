/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a program's or library's table of symbols (runtime/abi/utable.h), for scripts that ask for it. */
#ifndef STAP_UTABLE_MAKE_H
#define STAP_UTABLE_MAKE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>

struct plt;

/*
 * Writes the table of a file's symbols and PLT entries, and of its source lines if ASKS says so
 * (ST_ASKS_*), to the descriptor TO.  Returns false if the table would be empty or too large, or there is
 * no memory.
 */
bool utable_write(Dwfl_Module *module, const struct plt *plt, unsigned int asks, int to);

#endif
