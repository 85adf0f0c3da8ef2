/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The registers of x86-64, by their names and DWARF numbers: which word of struct pt_regs each is, as struct arch
 * (arch.h) says of its functions.
 *
 *	named_reg_x86_64("edi", &size)		14, and size is 4
 */
#ifndef STAP_ARCH_REGISTERS_H
#define STAP_ARCH_REGISTERS_H

int dwarf_reg_x86_64(unsigned regno);
int reg_dwarf_x86_64(int index);
int named_reg_x86_64(const char *name, unsigned *size);
int asm_reg_x86_64(const char *name, unsigned *size, unsigned *shift);

#endif
