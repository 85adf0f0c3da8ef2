/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes characters as quoted text shows them (string.c). */
#ifndef STAP_SHOW_H
#define STAP_SHOW_H

/* Writes a Unicode character as it appears in quoted text, escaped if necessary: 10 bytes at most;
 * returns how many. */
unsigned int st_show_wide(char *to, unsigned int character);

#endif
