/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Acts that take the kernel's locks, on behalf of handlers: printing to its log, sending signals.
 *
 * The probed code may hold these locks, or the scheduler's, which printing may take.  It holds them
 * with interrupts off, so an interrupt of our own carries out the acts as soon as interrupts are
 * on; in most handlers that is at once.
 *
 * There is room for ST_ACTS at a time, which only handlers with interrupts off can fill.  Then the
 * functions return -EBUSY, else 0.  Any context.
 */
#ifndef STAP_ACTS_H
#define STAP_ACTS_H

#define ST_ACTS 8
#define ST_ACT_TEXT 1000		/* bytes of a message; the kernel cuts longer ones itself */

/* Prints a line to the kernel's log; LEVEL is 0 (an emergency) to 7 (debugging). */
int st_act_print(int level, const char *text, unsigned int len);

/* Prints the current task and n addresses of its stack there, at most ST_STACK_DEPTH. */
int st_act_stack(const unsigned long *frames, unsigned int n);

/* Sends the current task a signal. */
int st_act_signal(int signal);

/* Returns when all is done.  No handler runs any more. */
void st_acts_stop(void);

#endif
