/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STAP_ARCH_WORDS_H
#define STAP_ARCH_WORDS_H

/* Words of struct pt_regs, of x86-64. */
enum {
	R15, R14, R13, R12, BP, BX, R11, R10, R9, R8, AX, CX, DX, SI, DI,
	ORIG_AX, IP, CS, FLAGS, SP, SS,
};

#endif
