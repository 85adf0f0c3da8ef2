/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tells where in the kernel a kprobe is harmless: in functions that the kernel lets tracers into.
 */
#ifndef STAP_TRACEABLE_H
#define STAP_TRACEABLE_H

#include "debuginfo/symbols/symbols.h"

/*
 * Does the kernel let tracers into the function of a symbol?  True for a module's function.  DIE is
 * a DIE in the function, or 0.
 */
bool is_traceable(struct dwfile *f, const struct func_symbol *sym, Dwarf_Off die);

#endif
