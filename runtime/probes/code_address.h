/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef STAP_CODE_ADDRESS_H
#define STAP_CODE_ADDRESS_H

struct st_point;

/*
 * Returns the address of a place in code, as the script named it; 0 for other places, and for
 * places whose address only the kernel knows.  The handler's registers are less exact, because
 * their ip is behind the call or breakpoint instruction that led to the handler.
 */
unsigned long st_code_address(const struct st_point *point);

#endif
