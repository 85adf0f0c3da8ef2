/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The instructions of x86-64 code: how long they are, and how they leave a function.
 *
 *	for (at = 0; at < n; at += insn.size)
 *		if (!decode_x86_64(code + at, n - at, &insn))
 *			break;
 *
 * Zydis decodes them.
 */
#ifndef STAP_DECODE_H
#define STAP_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where an instruction goes on. */
enum insn_kind {
	INSN_OTHER,		/* goes on with the next one; calls too */
	INSN_RETURN,
	INSN_JUMP,		/* to 'to', always or on a condition */
	INSN_JUMP_SOMEWHERE,	/* where a register or memory says */
};

/* An instruction: what decode_x86_64() fills in. */
struct insn {
	enum insn_kind kind;
	size_t size;
	int64_t to;		/* a jump: distance of its target from its own first byte */
};

/* Returns false if CODE, of N bytes, doesn't begin with an instruction. */
bool decode_x86_64(const unsigned char *code, size_t n, struct insn *insn);

#endif
