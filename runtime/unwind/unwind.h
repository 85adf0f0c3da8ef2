/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unwinds the stack of a user program: from the registers of one frame to those of its caller.
 *
 * The program itself says how.  The linker puts call frame information into each program and
 * library, and a sorted table of it, .eh_frame_hdr, which the dynamic linker maps as it maps the
 * code.  For an address
 *
 *	0x7f12'0008'9abc	in a mapping of libc.so.6, whose file begins at 0x7f12'0000'0000
 *	ELF header there	program header PT_GNU_EH_FRAME: the table is at 0x1c'8000
 *	binary search		the function is described by the entry (FDE) at 0x1d'2340
 *	FDE and its CIE		instructions (DW_CFA_*), run up to the address; they give a row
 *	the row			caller's sp = rsp + 32, ip at sp - 8, rbx at sp - 16
 *
 * Code without such information (a just-in-time compiler's, Go's) is followed by frame pointers.
 *
 *	struct st_unwind u = { .regs = …, .word = 8 };
 *
 *	n = st_unwind(&u, frames, 64);		u.end says why there are no more frames
 *
 * The program may lie: every read is checked, every loop has a bound, and whatever comes out is
 * only numbers.  Nothing here belongs to the kernel: testsuite/unit/unwind.c and the fuzz target
 * run the same code in an ordinary program.
 *
 * Follows DWARF 5, section 6.4 (call frame information); the Linux Standard Base, Core,
 * "Exception Frames" (.eh_frame, .eh_frame_hdr).
 */
#ifndef STAP_UNWIND_H
#define STAP_UNWIND_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stdint.h>
typedef uint8_t u8;
typedef uint32_t u32;
#endif

#include "arch/frame.h"

/* Bounds of what a program can make the unwinder do for one frame. */
enum {
	ST_UNWIND_HEADERS = 32,		/* program headers */
	ST_UNWIND_STEPS = 4096,		/* DW_CFA_* instructions, the CIE's included */
	ST_UNWIND_REMEMBERED = 4,	/* DW_CFA_remember_state, nested */
	ST_UNWIND_OPERATIONS = 128,	/* DW_OP_* of one expression */
	ST_UNWIND_STEPS_ALL = 32768,	/* instructions and operations for all frames of a stack */
	ST_UNWIND_OPERANDS = 16,	/* values on an expression's stack */
	ST_UNWIND_TABLES = 8,		/* images whose tables are remembered */
	ST_UNWIND_KNOWN = 64,		/* places whose rules are, in sets; a power of two, */
	ST_UNWIND_WAYS = 4,		/* and how many are in a set */
	ST_UNWIND_SAVED = 8,		/* words below the CFA that they reach, 64 bytes */
	ST_UNWIND_AHEAD = 64,		/* bytes read at once, of tables */
	ST_UNWIND_WINDOW = 256,		/* and of the stack, the most */
};

/* A mapping of the program's memory. */
struct st_unwind_map {
	unsigned long start, end;	/* the mapping's addresses */
	unsigned long offset;		/* in the file, of the start */
	unsigned long image;		/* where the file's first page is mapped: st_unwind_image()
					   finds it, if it is needed; 0: not known */
	unsigned long file;		/* tells the file apart from others */
	bool executable;
};

/* Why a stack has no more frames. */
enum st_unwind_end {
	ST_UNWIND_GOES_ON,
	ST_UNWIND_OUTERMOST,		/* the program says that there is no caller */
	ST_UNWIND_UNREADABLE,		/* memory could not be read */
	ST_UNWIND_CORRUPT,		/* frames or their information make no sense */
	ST_UNWIND_UNMAPPED,		/* no code is mapped at the address */
	ST_UNWIND_DEEP,			/* there are more frames than were asked for */
};

/* How a register of the caller is found.  The first is the one without an instruction. */
enum st_rule {
	ST_RULE_SAME,
	ST_RULE_UNDEFINED,
	ST_RULE_OFFSET,			/* saved at CFA + value */
	ST_RULE_VAL_OFFSET,		/* is CFA + value */
	ST_RULE_REGISTER,		/* is in the register value */
	ST_RULE_EXPRESSION,		/* saved where the expression at address value says */
	ST_RULE_VAL_EXPRESSION,		/* is what the expression at address value says */
};

/* The rules at one address.  The CFA (canonical frame address) is the caller's sp. */
struct st_unwind_row {
	u8 kinds[ST_UNWIND_REGS];	/* enum st_rule */
	u8 cfa_register;		/* CFA = this register + cfa; or */
	bool cfa_expression;		/* what the expression at address cfa says */
	long cfa;
	long values[ST_UNWIND_REGS];
};

/* An image's .eh_frame_hdr. */
struct st_unwind_table {
	unsigned long file, image;	/* the image that it belongs to */
	unsigned long at;		/* its address; 0: the image has none */
	unsigned long entries;		/* the address of its entries */
	u32 count;			/* how many */
};

/* Where a caller's register was saved. */
struct st_unwind_saved {
	u8 reg, at;			/* which one, and at which byte of the words below the CFA */
};

/* The rules at a place of a file, of the usual kind (known.c). */
struct st_unwind_known {
	unsigned long file, offset;	/* which file, and where in it */
	long cfa;			/* CFA = this register + cfa */
	u8 cfa_register;
	bool outermost;			/* there is no caller; nothing below is set */
	u8 words;			/* below the CFA, that are read; */
	u8 count;			/* how many registers are among them */
	struct st_unwind_saved saved[ST_UNWIND_SAVED];
};

/* One entry of .eh_frame, with what it takes from its CIE. */
struct st_unwind_entry {
	unsigned long start, size;	/* the code it is about */
	unsigned long initial, initial_end;	/* addresses of the CIE's instructions */
	unsigned long program, program_end;	/* of its own */
	unsigned long code_align;
	long data_align;
	u8 return_column;
	u8 encoding;			/* DW_EH_PE_* of addresses */
	bool signal;			/* a signal handler returns here: not behind a call */
};

/* Memory of the program that was read ahead; it never reaches into the next page, which may not be
 * there. */
struct st_unwind_window {
	unsigned long at;		/* the address of */
	unsigned int filled;		/* how many bytes */
	unsigned char bytes[ST_UNWIND_WINDOW];
};

/* A frame of a stack. */
struct st_frame {
	unsigned long ip;
	bool called;			/* ip is behind a call; else it was interrupted there */
};

/* An unwinder.  It takes 16 kilobytes, and is meant to be kept: it remembers tables and rules. */
struct st_unwind {
	unsigned long regs[ST_UNWIND_REGS];	/* the current frame's */
	unsigned int word;		/* bytes of an address: 8; or 4, a 32-bit program */
	bool interrupted;		/* the frame was interrupted at ip; else ip is behind a
					   call */
	enum st_unwind_end end;
	void *surroundings;		/* for st_unwind_find() and the like, or NULL */
	bool replaced;			/* return addresses may be replaced: ask for real ones */

	/* private */
	struct st_unwind_map map;	/* the last one found for this stack; start == end: none */
	struct st_unwind_table tables[ST_UNWIND_TABLES];
	struct st_unwind_known known[ST_UNWIND_KNOWN][ST_UNWIND_WAYS];
	unsigned int kept;		/* rules that took the place of others */
	struct st_unwind_entry entry;
	struct st_unwind_row row, first;	/* the current one; the CIE's */
	struct st_unwind_row remembered[ST_UNWIND_REMEMBERED];
	unsigned long operands[ST_UNWIND_OPERANDS];
	unsigned long callers[ST_UNWIND_REGS];	/* registers being found */
	unsigned int steps;		/* instructions and operations for this stack so far */
	struct st_unwind_window tables_window, stack_window;
};

/*
 * Functions that the unwinder's surroundings define.  Reading copies n bytes (ST_UNWIND_WINDOW at
 * most) of the program's memory; find() finds the mapping that contains an address; image() the
 * mapping's image; all return false if there is none. real_return() returns IP, a return address
 * that lay at address AT, or what stood there before a tracer replaced it.
 */
bool st_unwind_read(struct st_unwind *u, void *to, unsigned long addr, unsigned int n);
bool st_unwind_find(struct st_unwind *u, unsigned long addr, struct st_unwind_map *map);
bool st_unwind_image(struct st_unwind *u, struct st_unwind_map *map);
unsigned long st_unwind_real_return(unsigned long ip, unsigned long at);

/*
 * Stores at most MOST frames, innermost first, beginning with u->regs'; returns how many,
 * and sets u->end.  The caller has set regs and word.
 */
unsigned int st_unwind(struct st_unwind *u, struct st_frame *frames, unsigned int most);

#endif
