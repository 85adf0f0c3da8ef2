/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operands of marks: where a mark's argument is, as an assembler operand.
 *
 *	N@OPERAND	N bytes, unsigned; -N: signed; Nf: floating point, whose bits are read
 *	OPERAND		as many bytes as the register has, or a pointer's
 *
 *	-4@%edi			a register, or a part of one: %dil, %ah
 *	8f@%xmm0		the lowest bytes of a vector register
 *	4@$5			a constant
 *	8@-8(%rbp)		memory: at a register's value and a displacement,
 *	4@8(%rbp,%rcx,4)	… and an index register's, times 1, 2, 4 or 8,
 *	4@count+4(%rip)		… and a symbol's address; from %rip on, it's just that
 *	8@count			the same in a program at a fixed address
 *	8@$count		the symbol's address itself
 *	8@f@GOTPCREL(%rip)	the same, from a table of the dynamic linker's
 *	4@%fs:-8, 4@%fs:(%rax)	memory: counted from the thread pointer
 *	4@%fs:level@tpoff	a thread-local variable
 *
 * Source: the syntax of GNU as for x86, which compilers print.
 */
#ifndef STAP_OPERAND_H
#define STAP_OPERAND_H

#include "arch/arch.h"
#include "base/problem.h"
#include "fetch.h"

/*
 * An operand, taken apart: "4@8(%rbp,%rcx,4)" is OPERAND_MEMORY of 4 bytes with base rbp, index rcx,
 * scale 4 and number 8.
 */
struct operand {
	enum { OPERAND_REGISTER, OPERAND_VECTOR, OPERAND_CONSTANT, OPERAND_MEMORY } kind;
	unsigned word;			/* bytes of an address */
	unsigned size;			/* bytes of the value */
	bool is_signed;
	int base, index;		/* registers (arch.h), -1: none; the operand itself is
					   in 'base' */
	unsigned shift;			/* first bit in the register */
	unsigned scale;
	bool thread;			/* memory: a distance from the thread pointer, or a
					   thread-local symbol */
	const char *symbol;		/* NULL: none; interned */
	uint64_t number;		/* the constant, or the displacement */
};

/*
 * Takes apart the text of an operand in a program whose addresses have WORD bytes.
 * Returns false with *WHY, a phrase.
 */
bool operand_parse(const char *text, const struct arch *arch, unsigned word, struct operand *out,
		   struct problem *why);

/*
 * Returns the term that fetches it.  SYMBOL is the run-time address of o->symbol, if there is
 * one; of a thread-local one, in the current thread.
 */
const struct term *operand_term(const struct operand *o, const struct term *symbol);

#endif
