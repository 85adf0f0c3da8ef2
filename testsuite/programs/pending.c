/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Ends while an exception of the x87 is pending: the kernel gets it when it drops the registers. */
#include <unistd.h>

int main(void)
{
	const unsigned short divisions_trap = 0x37b;

	__asm__ volatile("fldcw %0; fld1; fldz; fdivrp" : : "m"(divisions_trap));
	_exit(0);
}
