/* SPDX-License-Identifier: CC0-1.0 */
/*
 * Marks: places in a program that tracers know by name (USDT).
 *
 *	#include <sys/sdt.h>
 *
 *	STAP_PROBE2(shop, sold, item->name, price);
 *
 * compiles to one nop.  An ELF note says where it is, what it is called, and where its arguments
 * are at that moment: "8@%rbx -4@12(%rsp)", an unsigned long in a register and an int in memory.
 * So a mark that isn't probed costs the nop, and the time to compute its arguments.  stap,
 * bpftrace, perf and gdb read the notes:
 *
 *	stap -e 'probe process("./shop").mark("sold") { println(user_string($arg1), " ", $arg2) }'
 *
 * Where an argument is costly, a semaphore tells whether the mark is probed.  The program
 * defines it, one for each mark, and _SDT_HAS_SEMAPHORES before it includes this file; then all
 * marks of that source have one:
 *
 *	unsigned short shop_sold_semaphore __attribute__((section(".probes")));
 *
 *	if (shop_sold_semaphore)
 *		STAP_PROBE2(shop, sold, describe(item), price);
 *
 * dtrace(1) makes semaphores, and macros like SHOP_SOLD() and SHOP_SOLD_ENABLED(), from a
 * description of the marks.
 *
 * Arguments are integers, pointers, arrays (their address), enums; floating-point numbers are
 * passed as their bits.  There are at most 12.  C, C++, and assembly, where an argument is written
 * as the note has it: STAP_PROBE1(shop, opened, -4@%edi).  Source: the notes' layout is described
 * at https://sourceware.org/systemtap/wiki/UserSpaceProbeImplementation.
 */
#ifndef _SYS_SDT_H
#define _SYS_SDT_H 1

/* Programs' marks compile without warnings about macros, whatever warnings are asked for. */
#ifndef __ASSEMBLER__
#pragma GCC system_header
#endif

/* ---- names for all languages ---- */

#define DTRACE_PROBE STAP_PROBE
#define DTRACE_PROBE1 STAP_PROBE1
#define DTRACE_PROBE2 STAP_PROBE2
#define DTRACE_PROBE3 STAP_PROBE3
#define DTRACE_PROBE4 STAP_PROBE4
#define DTRACE_PROBE5 STAP_PROBE5
#define DTRACE_PROBE6 STAP_PROBE6
#define DTRACE_PROBE7 STAP_PROBE7
#define DTRACE_PROBE8 STAP_PROBE8
#define DTRACE_PROBE9 STAP_PROBE9
#define DTRACE_PROBE10 STAP_PROBE10
#define DTRACE_PROBE11 STAP_PROBE11
#define DTRACE_PROBE12 STAP_PROBE12

#ifdef __LP64__
#define _SDT_ADDRESS .8byte
#else
#define _SDT_ADDRESS .4byte
#endif

#define _SDT_TEXT(...) #__VA_ARGS__
#define _SDT_STRING(...) _SDT_TEXT(__VA_ARGS__)

/* ---- assembly ---- */

#ifdef __ASSEMBLER__

#ifdef _SDT_HAS_SEMAPHORES
#define _SDT_SEMAPHORE \provider\()_\name\()_semaphore
#else
#define _SDT_SEMAPHORE 0
#endif

	.macro _sdt_mark provider, name, operands
990:	nop
	.pushsection .note.stapsdt, "?", "note"
	.balign 4
	.4byte 992f - 991f, 994f - 993f, 3
991:	.asciz "stapsdt"
992:	.balign 4
993:	_SDT_ADDRESS 990b, _.stapsdt.base, _SDT_SEMAPHORE
	.asciz "\provider"
	.asciz "\name"
	.asciz "\operands"
994:	.balign 4
	.popsection
	.ifndef _.stapsdt.base
	.pushsection .stapsdt.base, "aG", "progbits", .stapsdt.base, comdat
	.weak _.stapsdt.base
	.hidden _.stapsdt.base
_.stapsdt.base:
	.space 1
	.size _.stapsdt.base, 1
	.popsection
	.endif
	.endm

#define STAP_PROBE(provider, name) \
	_sdt_mark provider, name, ""
#define STAP_PROBE1(provider, name, a1) \
	_sdt_mark provider, name, _SDT_STRING(a1)
#define STAP_PROBE2(provider, name, a1, a2) \
	_sdt_mark provider, name, _SDT_STRING(a1 a2)
#define STAP_PROBE3(provider, name, a1, a2, a3) \
	_sdt_mark provider, name, _SDT_STRING(a1 a2 a3)
#define STAP_PROBE4(provider, name, a1, a2, a3, a4) \
	_sdt_mark provider, name, _SDT_STRING(a1 a2 a3 a4)
#define STAP_PROBE5(provider, name, a1, a2, a3, a4, a5) \
	_sdt_mark provider, name, _SDT_STRING(a1 a2 a3 a4 a5)
#define STAP_PROBE6(provider, name, a1, a2, a3, a4, a5, a6) \
	_sdt_mark provider, name, _SDT_STRING(a1 a2 a3 a4 a5 a6)
#define STAP_PROBE7(provider, name, a1, a2, a3, a4, a5, a6, a7) \
	_sdt_mark provider, name, _SDT_STRING(a1 a2 a3 a4 a5 a6 a7)
#define STAP_PROBE8(provider, name, a1, a2, a3, a4, a5, a6, a7, a8) \
	_sdt_mark provider, name, _SDT_STRING(a1 a2 a3 a4 a5 a6 a7 a8)
#define STAP_PROBE9(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9) \
	_sdt_mark provider, name, _SDT_STRING(a1 a2 a3 a4 a5 a6 a7 a8 a9)
#define STAP_PROBE10(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) \
	_sdt_mark provider, name, _SDT_STRING(a1 a2 a3 a4 a5 a6 a7 a8 a9 a10)
#define STAP_PROBE11(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) \
	_sdt_mark provider, name, _SDT_STRING(a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11)
#define STAP_PROBE12(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) \
	_sdt_mark provider, name, _SDT_STRING(a1 a2 a3 a4 a5 a6 a7 a8 a9 a10 a11 a12)

#else

/* ---- the note ---- */

#ifdef _SDT_HAS_SEMAPHORES
#define _SDT_SEMAPHORE(provider, name) #provider "_" #name "_semaphore"
#else
#define _SDT_SEMAPHORE(provider, name) "0"
#endif

/*
 * The text of a mark for an asm statement of the program's own.  TEMPLATE is
 * STAP_PROBE_ASM_TEMPLATE(N), and the statement has the operands STAP_PROBE_ASM_OPERANDS(N, ...);
 * or it is a string that says where the arguments are.
 */
#define STAP_PROBE_ASM(provider, name, template)				\
	"990: nop\n"								\
	".pushsection .note.stapsdt, \"?\", \"note\"\n"				\
	".balign 4\n"								\
	".4byte 992f - 991f, 994f - 993f, 3\n"					\
	"991: .asciz \"stapsdt\"\n"						\
	"992: .balign 4\n"							\
	"993: " _SDT_STRING(_SDT_ADDRESS) " 990b, _.stapsdt.base, "		\
	_SDT_SEMAPHORE(provider, name) "\n"					\
	".asciz \"" #provider "\"\n"						\
	".asciz \"" #name "\"\n"						\
	".asciz \"" template "\"\n"						\
	"994: .balign 4\n"							\
	".popsection\n"								\
	".ifndef _.stapsdt.base\n"						\
	".pushsection .stapsdt.base, \"aG\", \"progbits\", .stapsdt.base, comdat\n" \
	".weak _.stapsdt.base\n"						\
	".hidden _.stapsdt.base\n"						\
	"_.stapsdt.base: .space 1\n"						\
	".size _.stapsdt.base, 1\n"						\
	".popsection\n"								\
	".endif\n"

/* ---- arguments ---- */

/* Where an argument may be.  A program may define it to force, say, registers. */
#ifndef STAP_SDT_ARG_CONSTRAINT
#if defined(__powerpc__)
#define STAP_SDT_ARG_CONSTRAINT "nZr"
#elif defined(__arm__)
#define STAP_SDT_ARG_CONSTRAINT "g"
#elif defined(__loongarch__)
#define STAP_SDT_ARG_CONSTRAINT "nmr"
#else
#define STAP_SDT_ARG_CONSTRAINT "nor"
#endif
#endif

/* _SDT_SIZE(x): the size of an argument, negative for unsigned ones.  The asm's %n changes the
 * sign, since in the note the signed ones are negative. */
#ifdef __cplusplus

extern "C++" {
template <typename T> char (&_sdt_pointer(T *))[2];
char (&_sdt_pointer(...))[1];

template <bool pointer, typename T> struct _sdt_size {
	enum { value = ((T)-1 < (T)1 ? 1 : -1) * (int)sizeof(T) };
};
template <typename T> struct _sdt_size<true, T> {
	enum { value = -(int)sizeof(void *) };
};
template <> struct _sdt_size<false, float> {
	enum { value = sizeof(float) };
};
template <> struct _sdt_size<false, double> {
	enum { value = sizeof(double) };
};
}

#define _SDT_SIZE(x) (_sdt_size<sizeof(_sdt_pointer(x)) == 2, __typeof__(x)>::value)

#else

#define _SDT_POINTER(x) (__builtin_classify_type(x) == 5)
#define _SDT_NUMBER(x) __typeof__(__builtin_choose_expr(_SDT_POINTER(x), 0UL, (x)))
#define _SDT_SIGNED(x) ((_SDT_NUMBER(x))-1 < (_SDT_NUMBER(x))1)
#define _SDT_SIZE(x) \
	((_SDT_SIGNED(x) ? 1 : -1) * (int)(_SDT_POINTER(x) ? sizeof(void *) : sizeof(x)))

#endif

/* Argument N in the note, and as operands of the asm. */
#define _SDT_OPERAND(n) "%n[_sdt_size" #n "]@%[_sdt_arg" #n "]"
#define _SDT_ARGUMENT(n, x) \
	[_sdt_size##n] "n"(_SDT_SIZE(x)), [_sdt_arg##n] STAP_SDT_ARG_CONSTRAINT(x)

#define _SDT_TEMPLATE_0 ""
#define _SDT_TEMPLATE_1 _SDT_OPERAND(1)
#define _SDT_TEMPLATE_2 _SDT_TEMPLATE_1 " " _SDT_OPERAND(2)
#define _SDT_TEMPLATE_3 _SDT_TEMPLATE_2 " " _SDT_OPERAND(3)
#define _SDT_TEMPLATE_4 _SDT_TEMPLATE_3 " " _SDT_OPERAND(4)
#define _SDT_TEMPLATE_5 _SDT_TEMPLATE_4 " " _SDT_OPERAND(5)
#define _SDT_TEMPLATE_6 _SDT_TEMPLATE_5 " " _SDT_OPERAND(6)
#define _SDT_TEMPLATE_7 _SDT_TEMPLATE_6 " " _SDT_OPERAND(7)
#define _SDT_TEMPLATE_8 _SDT_TEMPLATE_7 " " _SDT_OPERAND(8)
#define _SDT_TEMPLATE_9 _SDT_TEMPLATE_8 " " _SDT_OPERAND(9)
#define _SDT_TEMPLATE_10 _SDT_TEMPLATE_9 " " _SDT_OPERAND(10)
#define _SDT_TEMPLATE_11 _SDT_TEMPLATE_10 " " _SDT_OPERAND(11)
#define _SDT_TEMPLATE_12 _SDT_TEMPLATE_11 " " _SDT_OPERAND(12)

#define _SDT_OPERANDS_0()
#define _SDT_OPERANDS_1(a1) _SDT_ARGUMENT(1, a1)
#define _SDT_OPERANDS_2(a1, a2) \
	_SDT_OPERANDS_1(a1), _SDT_ARGUMENT(2, a2)
#define _SDT_OPERANDS_3(a1, a2, a3) \
	_SDT_OPERANDS_2(a1, a2), _SDT_ARGUMENT(3, a3)
#define _SDT_OPERANDS_4(a1, a2, a3, a4) \
	_SDT_OPERANDS_3(a1, a2, a3), _SDT_ARGUMENT(4, a4)
#define _SDT_OPERANDS_5(a1, a2, a3, a4, a5) \
	_SDT_OPERANDS_4(a1, a2, a3, a4), _SDT_ARGUMENT(5, a5)
#define _SDT_OPERANDS_6(a1, a2, a3, a4, a5, a6) \
	_SDT_OPERANDS_5(a1, a2, a3, a4, a5), _SDT_ARGUMENT(6, a6)
#define _SDT_OPERANDS_7(a1, a2, a3, a4, a5, a6, a7) \
	_SDT_OPERANDS_6(a1, a2, a3, a4, a5, a6), _SDT_ARGUMENT(7, a7)
#define _SDT_OPERANDS_8(a1, a2, a3, a4, a5, a6, a7, a8) \
	_SDT_OPERANDS_7(a1, a2, a3, a4, a5, a6, a7), _SDT_ARGUMENT(8, a8)
#define _SDT_OPERANDS_9(a1, a2, a3, a4, a5, a6, a7, a8, a9) \
	_SDT_OPERANDS_8(a1, a2, a3, a4, a5, a6, a7, a8), _SDT_ARGUMENT(9, a9)
#define _SDT_OPERANDS_10(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) \
	_SDT_OPERANDS_9(a1, a2, a3, a4, a5, a6, a7, a8, a9), _SDT_ARGUMENT(10, a10)
#define _SDT_OPERANDS_11(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) \
	_SDT_OPERANDS_10(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10), _SDT_ARGUMENT(11, a11)
#define _SDT_OPERANDS_12(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) \
	_SDT_OPERANDS_11(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11), _SDT_ARGUMENT(12, a12)

#define STAP_PROBE_ASM_TEMPLATE(n) _SDT_TEMPLATE_##n
#define STAP_PROBE_ASM_OPERANDS(n, ...) _SDT_OPERANDS_##n(__VA_ARGS__)

/* ---- marks ---- */

#define _SDT_MARK(provider, name, n, arguments)					\
	do {									\
		__asm__ __volatile__(STAP_PROBE_ASM(provider, name, _SDT_TEMPLATE_##n)	\
				     :: _SDT_OPERANDS_##n arguments);		\
	} while (0)

#define STAP_PROBE(provider, name) \
	_SDT_MARK(provider, name, 0, ())
#define STAP_PROBE1(provider, name, a1) \
	_SDT_MARK(provider, name, 1, (a1))
#define STAP_PROBE2(provider, name, a1, a2) \
	_SDT_MARK(provider, name, 2, (a1, a2))
#define STAP_PROBE3(provider, name, a1, a2, a3) \
	_SDT_MARK(provider, name, 3, (a1, a2, a3))
#define STAP_PROBE4(provider, name, a1, a2, a3, a4) \
	_SDT_MARK(provider, name, 4, (a1, a2, a3, a4))
#define STAP_PROBE5(provider, name, a1, a2, a3, a4, a5) \
	_SDT_MARK(provider, name, 5, (a1, a2, a3, a4, a5))
#define STAP_PROBE6(provider, name, a1, a2, a3, a4, a5, a6) \
	_SDT_MARK(provider, name, 6, (a1, a2, a3, a4, a5, a6))
#define STAP_PROBE7(provider, name, a1, a2, a3, a4, a5, a6, a7) \
	_SDT_MARK(provider, name, 7, (a1, a2, a3, a4, a5, a6, a7))
#define STAP_PROBE8(provider, name, a1, a2, a3, a4, a5, a6, a7, a8) \
	_SDT_MARK(provider, name, 8, (a1, a2, a3, a4, a5, a6, a7, a8))
#define STAP_PROBE9(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9) \
	_SDT_MARK(provider, name, 9, (a1, a2, a3, a4, a5, a6, a7, a8, a9))
#define STAP_PROBE10(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) \
	_SDT_MARK(provider, name, 10, (a1, a2, a3, a4, a5, a6, a7, a8, a9, a10))
#define STAP_PROBE11(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11) \
	_SDT_MARK(provider, name, 11, (a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11))
#define STAP_PROBE12(provider, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12) \
	_SDT_MARK(provider, name, 12, (a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12))

/* STAP_PROBEV(provider, name, ...) counts its arguments. */
#define STAP_PROBE0 STAP_PROBE
#define _SDT_NTH(name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, n, ...) n
#define _SDT_COUNT(...) _SDT_NTH(__VA_ARGS__, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0)
#define _SDT_NAMED(n, ...) STAP_PROBE##n(__VA_ARGS__)
#define _SDT_COUNTED(n, ...) _SDT_NAMED(n, __VA_ARGS__)
#define STAP_PROBEV(provider, ...) \
	_SDT_COUNTED(_SDT_COUNT(__VA_ARGS__), provider, __VA_ARGS__)

#endif
#endif
