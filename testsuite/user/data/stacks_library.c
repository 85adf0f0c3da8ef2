// SPDX-License-Identifier: GPL-2.0-or-later
/* A shared library of stacks.c. */
static volatile int after;

void library_call(void (*callback)(int), int which)
{
	callback(which);
	after++;
}
