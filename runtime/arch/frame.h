/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The registers of a program's frame, as the unwinder numbers them, and the frame of a signal.
 *
 * An architecture's frame.h defines:
 *
 *	ST_UNWIND_IP, _SP, _BP		DWARF's numbers of the return address, the stack pointer and
 *					the frame pointer
 *	ST_UNWIND_REGS			how many registers the unwinder follows; numbers above are
 *					passed over
 *	st_arch_sigreturn[]		the code to which a signal handler returns
 *	ST_ARCH_SIGNAL_REGISTERS	there, the distance in bytes from the stack pointer to the
 *					interrupted registers
 *	st_arch_signal_order[]		DWARF's number of each of these, in their order
 *
 * No kernel header is included: the unwinder also runs in a process, for its tests.
 */
#ifndef STAP_ARCH_FRAME_H
#define STAP_ARCH_FRAME_H

#ifdef __x86_64__
#include "x86/frame.h"
#else
#error "the unwinder doesn't know this architecture: see above what it has to supply"
#endif

#endif
