/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions whose return is probed at their return instructions.
 *
 * The kernel's return probes replace return addresses, but some programs need those: Go walks
 * and moves stacks, and an exception of C++ or a panic of Rust unwinds by them.  A probe at the
 * return instruction replaces no address, and the stack pointer is as at the function's entry.
 * That is possible if all ways out of the function are known:
 *
 *	f:	sub $8,%rsp
 *		…
 *		je f.cold		a part of f elsewhere
 *		jmp *table(,%rax,8)	in a frame: a switch
 *		add $8,%rsp
 *		jmp g			a tail call: g's return is f's, and g has other callers
 *		…
 *		ret
 *
 * Go has no tail calls.  Elsewhere a function with one has its return address replaced.
 */
#ifndef STAP_RETURNS_H
#define STAP_RETURNS_H

#include "places.h"

/*
 * Sets returns, nreturns, no_returns and breaks_exceptions of a program's place, if its return
 * is probed.
 */
void set_returns(struct search *s, struct place *p, uint64_t entry, Dwarf_Off die);

#endif
