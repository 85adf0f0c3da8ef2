/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Statically defined marks of programs (USDT, <sys/sdt.h>).
 *
 * A program marks a point of interest by a macro:
 *
 *	DTRACE_PROBE2(python, gc__done, generation, n);
 *
 * which compiles to one nop, and a note in the section .note.stapsdt that says where
 * the nop is and where its arguments are at that moment:
 *
 *	pc 0x42873b   base 0x8cc5a0   semaphore 0xa84270   python gc__done "-8@%r12 4@$3"
 *
 * The note stays in a stripped program.  A mark that a compiler copied, by inlining for
 * example, has a note for each copy.  "base" is what the address of section
 * .stapsdt.base was when the program was linked: where it has moved since (prelink),
 * all addresses have.  A semaphore is a 16-bit counter of probes at the mark, which the
 * program may test before it works out expensive arguments; the kernel counts in it.
 *
 * Sources: <sys/sdt.h>; "UserSpaceProbeImplementation" of SystemTap's wiki.
 */
#ifndef STAP_MARKS_H
#define STAP_MARKS_H

#include <stdint.h>

#include "arch/arch.h"
#include "base/problem.h"
#include "base/vec.h"
#include "fetch.h"

/* One mark at one address; all texts are in the arena. */
struct mark {
	const char *path;		/* the file that has it */
	const char *provider, *name;
	uint64_t address;		/* the nop's link address */
	uint64_t offset;		/* its offset in the file */
	uint64_t semaphore;		/* the counter's offset in the file; 0: none */
	unsigned word;			/* bytes of the program's addresses */
	text_list operands;		/* of $arg1, …: "-8@%r12" */
};

typedef vec(struct mark) mark_list;

/*
 * Appends the marks of a program or library, sorted by provider, name and address.  A
 * mark whose note makes no sense, or that is not in code, is left out.  Returns false
 * with *WHY if the file can't be read; a file may have no marks.
 */
bool marks_read(const char *path, const struct arch *arch, mark_list *out, struct problem *why);

/*
 * Says how $argN, from 1 to m->operands.n, is fetched (values/operand.h).  Returns
 * false with *WHY, for example if it is in a floating-point register.
 */
bool mark_argument(const struct mark *m, const struct arch *arch, unsigned n,
		   const struct term **out, struct problem *why);

#endif
