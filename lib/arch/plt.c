// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads an entry of a procedure linkage table: plt.h. */
#include "plt.h"

#include <string.h>

uint64_t plt_slot_x86_64(const unsigned char *code, size_t n, uint64_t address)
{
	static const unsigned char endbr[] = { 0xf3, 0x0f, 0x1e, 0xfa }, jump[] = { 0xff, 0x25 };
	enum { BND = 0xf2 };
	size_t at = 0;
	int32_t displacement;

	if (n >= sizeof(endbr) && !memcmp(code, endbr, sizeof(endbr)))
		at += sizeof(endbr);
	if (at < n && code[at] == BND)
		at++;
	if (n - at < sizeof(jump) + sizeof(displacement) || memcmp(code + at, jump, sizeof(jump)))
		return 0;
	at += sizeof(jump);
	memcpy(&displacement, code + at, sizeof(displacement));
	return address + at + sizeof(displacement) + displacement;
}
