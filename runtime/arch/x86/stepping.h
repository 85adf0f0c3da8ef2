/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Instructions of x86 that a kprobe can't step in a copy, because they wait, or may fault in the
 * kernel by other exceptions than page faults.  The Intel SDM's volume 2 has each one's "Protected
 * Mode Exceptions".
 *
 *	f4		hlt		waits, for ever on a CPU that goes offline
 *	0f 30		wrmsr		#GP: there is no such register
 *	8e e0		mov %eax,%fs	#GP: the segment is gone
 *	48 0f ae 2f	xrstor64 (%rdi)	#GP: a bad header
 *	9b		fwait		#MF: an exception of the x87 is pending
 */
#ifndef STAP_STEPPING_H
#define STAP_STEPPING_H

/* The bytes that st_opcode_cant_step() looks at, at most. */
#define ST_OPCODE_BYTES 8

/* Tells it of the opcodes that begin with 0f. */
static inline int st_0f_cant_step(const unsigned char *code)
{
	unsigned int modrm = code[1], is_memory = modrm < 0xc0, reg = modrm >> 3 & 7;

	switch (code[0]) {
	case 0x00:			/* lldt, ltr */
	case 0x22: case 0x23:		/* to control and debug registers */
	case 0x30: case 0x32: case 0x33: /* wrmsr, rdmsr, rdpmc */
	case 0x78: case 0x79:		/* vmread, vmwrite */
	case 0xa1: case 0xa9:		/* pop %fs, pop %gs */
	case 0xb2: case 0xb4: case 0xb5: /* lss, lfs, lgs */
		return 1;
	case 0x01:			/* tables, virtual machines, mwait, encls; not clac and stac */
		return modrm != 0xca && modrm != 0xcb;
	case 0x38:			/* invept to invpcid, wruss to enqcmd */
		return (modrm >= 0x80 && modrm <= 0x82) || (modrm >= 0xf5 && modrm <= 0xf8);
	case 0xae:			/* fxsave to xsaveopt; not fences */
		return is_memory;
	case 0xc7:			/* xrstors to vmptrst; not cmpxchg8b */
		return is_memory && reg != 1;
	default:
		return 0;
	}
}

/* CODE: the first ST_OPCODE_BYTES bytes from an instruction's beginning on. */
static inline int st_opcode_cant_step(const unsigned char *code)
{
	const unsigned char *last = code + ST_OPCODE_BYTES - 3;

	for (; code < last; code++)
		switch (*code) {
		case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x64: case 0x65:	/* segments */
		case 0x66: case 0x67: case 0xf2: case 0xf3:
		case 0x40 ... 0x4f:							/* REX */
			continue;
		case 0x0f:
			return st_0f_cant_step(code + 1);
		case 0x8e:			/* mov to a segment register */
		case 0x9b:			/* fwait */
		case 0xf4:			/* hlt */
		case 0xd8 ... 0xdf:		/* the x87's */
			return 1;
		default:
			return 0;
		}
	return 0;
}

#endif
