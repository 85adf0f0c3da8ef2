/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls of programs' functions that are under way: what a return probe's entry code saves
 * until the function returns.
 *
 *	entry of f(), stack pointer S:	call = st_user_call_begin(site, &key) with the key of this thread
 *					and S; fill call->saved; or give up
 *	return of f(), to S + 8:	call = st_user_call_end(site, &key) with the same key; the handler
 *					reads call->saved; st_user_call_drop(call)
 *
 * There is room for a fixed number of calls.  A call may never return: the thread is killed, or
 * longjmp() leaves the function.  So when there is no room the oldest call is dropped; should it
 * return after all, that is a missed hit.
 */
#ifndef STAP_CALLS_H
#define STAP_CALLS_H

#include <linux/list.h>
#include <linux/types.h>

struct st_uprobe;

/*
 * Identifies a call of a function.  A goroutine runs on one thread, then on another, and its stack
 * is moved when it grows.  The address of its struct g in the process stays the same, and so does a
 * frame's distance from the stack's end.
 *
 *	in C	whose: the thread		g: 0	sp: the stack pointer at the entry
 *	in Go	whose: the process		g	sp: the same, minus the stack's end
 *
 * In both a function's callees have a lower sp.  Pointers are only compared; another thread may have
 * the same one later, and another program the same thread, so when the thread began and how many
 * programs it has executed belong to the key.
 */
struct st_call_key {
	const void *whose;
	u64 born, execs;
	unsigned long g, sp;
};

/* A call that is under way.  The table owns it; begin() to end() or drop(). */
struct st_user_call {
	struct hlist_node node;
	struct list_head age;		/* in the list of calls, oldest first, or of free ones */
	const struct st_uprobe *site;
	struct st_call_key key;
	bool filled;			/* the entry code has run */
	char saved[] __aligned(sizeof(long));
};

/* Allocates room for calls with SIZE saved bytes at most: 0, or -ENOMEM with st_message set. */
int st_user_calls_alloc(unsigned int size);
void st_user_calls_free(void);

/*
 * Return the key of the current thread's call with this stack pointer; and of a call of goroutine G
 * in the current process.
 */
struct st_call_key st_thread_call(unsigned long sp);
struct st_call_key st_goroutine_call(unsigned long g, unsigned long sp);

/*
 * All in task context, with preemption disabled.
 *
 * begin() returns a call that only the caller knows; add() makes it known.  end() finds a known
 * call and takes it back; open() finds the newest call of SITE that isn't filled yet and takes it
 * back.  NULL: there is none.  A call that begins with the key of another one replaces it.
 */
struct st_user_call *st_user_call_begin(const struct st_uprobe *site, const struct st_call_key *key);
void st_user_call_add(struct st_user_call *call);
struct st_user_call *st_user_call_open(const struct st_uprobe *site);
struct st_user_call *st_user_call_end(const struct st_uprobe *site, const struct st_call_key *key);
void st_user_call_drop(struct st_user_call *call);

#endif
