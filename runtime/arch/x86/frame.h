/* SPDX-License-Identifier: GPL-2.0-or-later */
/* x86-64's part of arch/frame.h.  The System V ABI for x86-64 has the numbers of registers. */
enum {
	ST_UNWIND_AX, ST_UNWIND_DX, ST_UNWIND_CX, ST_UNWIND_BX, ST_UNWIND_SI, ST_UNWIND_DI,
	ST_UNWIND_BP, ST_UNWIND_SP, ST_UNWIND_R8, ST_UNWIND_IP = 16, ST_UNWIND_REGS
};

/* mov $15, %rax; syscall */
static const unsigned char st_arch_sigreturn[] = { 0x48, 0xc7, 0xc0, 15, 0, 0, 0, 0x0f, 0x05 };

/* sp points to struct ucontext, which has the registers in struct sigcontext. */
#define ST_ARCH_SIGNAL_REGISTERS 40

static const unsigned char st_arch_signal_order[] = {
	8, 9, 10, 11, 12, 13, 14, 15, ST_UNWIND_DI, ST_UNWIND_SI, ST_UNWIND_BP, ST_UNWIND_BX,
	ST_UNWIND_DX, ST_UNWIND_AX, ST_UNWIND_CX, ST_UNWIND_SP, ST_UNWIND_IP,
};
