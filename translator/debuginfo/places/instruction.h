/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tells where a program's instructions begin.
 *
 * A breakpoint replaces the first byte of an instruction.  Set inside an instruction, it would
 * silently change what the program does.  The kernel decodes its own functions before it sets a
 * kprobe, but doesn't check uprobes.  Statements that debug information describes begin
 * with an instruction.  For any other address the code is decoded from the nearest place before
 * it where an instruction is known to begin: a row of call frame information, or a function's
 * symbol.  In
 *
 *	1020:	48 83 ec 08	sub $8,%rsp
 *	1024:	c3		ret
 *
 * 0x1024 is fine and 0x1021 is not.
 */
#ifndef STAP_INSTRUCTION_H
#define STAP_INSTRUCTION_H

#include "debuginfo/internal.h"

/*
 * Returns NULL if an instruction of the program begins at ADDR; else a message that calls the
 * address SHOWN and says why not, or why that can't be told.
 */
const char *no_instruction(struct dwfile *f, uint64_t addr, uint64_t shown);

#endif
