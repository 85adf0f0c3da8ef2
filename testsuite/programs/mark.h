/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marks as <sys/sdt.h> makes them (translator/debuginfo/debuginfo.h says how), with the
 * operands written out, so that a test says which form they have:
 *
 *	MARK("app", "done", "-4@%0 8@%1", "r"(n), "m"(total));
 */
#ifndef MARK_H
#define MARK_H

#ifdef __LP64__
#define MARK_ADDRESS ".8byte"
#else
#define MARK_ADDRESS ".4byte"
#endif

#define MARK_NOTE(provider, name, semaphore, operands)				\
	"990: nop\n"								\
	".pushsection .note.stapsdt,\"?\",@note\n .balign 4\n"			\
	".4byte 992f - 991f, 994f - 993f, 3\n 991: .asciz \"stapsdt\"\n"	\
	"992: .balign 4\n 993: " MARK_ADDRESS " 990b, mark.base, " semaphore "\n"	\
	".asciz \"" provider "\"\n .asciz \"" name "\"\n .asciz \"" operands "\"\n" \
	"994: .balign 4\n .popsection\n"					\
	".ifndef mark.base\n"							\
	".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n"	\
	".weak mark.base\n .hidden mark.base\nmark.base: .space 1\n"		\
	".size mark.base, 1\n .popsection\n .endif\n"

#define MARK(provider, name, operands, ...) \
	asm volatile(MARK_NOTE(provider, name, "0", operands) :: __VA_ARGS__)
#define MARK_COUNTED(provider, name, semaphore, operands, ...) \
	asm volatile(MARK_NOTE(provider, name, #semaphore, operands) :: __VA_ARGS__)

/* A counter of who probes a mark. */
#define SEMAPHORE(name) \
	__attribute__((section(".probes"))) volatile unsigned short name

#endif
