/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The runtime's private header: what its own files share.
 *
 * A session is one loaded module's life:
 *
 *	loaded → starting → running → exiting → stopping → stopped
 *
 * Everything is allocated when it starts, before the first handler; probes
 * are armed after the begin probes have run and disarmed before the end probes
 * run.  Going from running to exiting is all that a handler can do; the rest
 * happens in process context under st_session_mutex (session.c).
 */
#ifndef STAP_RUNTIME_H
#define STAP_RUNTIME_H

#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/atomic.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/smp.h>
#include <linux/types.h>

#include "abi/data.h"
#include "abi/families.h"
#include "abi/stap_script.h"
#include "abi/transport.h"
#include "compat.h"

/* ---- the session (session.c) -------------------------------------------- */

enum st_state {
	ST_LOADED, ST_STARTING, ST_RUNNING, ST_EXITING, ST_STOPPING, ST_FAILING, ST_STOPPED,
};

/*
 * Handlers run in the state that is theirs: begin probes in ST_STARTING, end
 * probes in ST_STOPPING, error probes in ST_FAILING, all others in ST_RUNNING.
 */
extern enum st_state st_state;

/* A begin probe called exit(): those with its sequence number still run. */
extern bool st_leaving;

/* target(); 0: none given. */
extern int st_target;

struct st_counts {
	atomic_long_t errors;		/* handlers that failed */
	atomic_long_t skipped;		/* not run: a lock, the stack */
	atomic_long_t reentrant;	/* not run: hit by another handler's work */
	atomic_long_t idle;		/* not run: hit where RCU did not watch */
	atomic_long_t missed;		/* the kernel could not deliver (kprobes' nmissed) */
	atomic_long_t unread;		/* outputs too big for any buffer */
	unsigned int ftrace, kprobes, kretprobes;	/* places armed so at the start */
	unsigned int late;		/* armed in modules that were loaded later */
};

extern struct st_counts st_counts;

/*
 * The session is to end: from running (or starting) to exiting; failed says
 * error probes run instead of end probes, and why is told the user (NULL: he
 * knows).  Any context.
 */
void st_session_end(bool failed, const char *why);
bool st_session_failed(void);

/*
 * Between the steps of arming many places, or of arming them again, which may
 * sleep: false if the session has ended meanwhile, or who starts it was killed.
 */
bool st_arming_goes_on(void);

/* Commands of the control file; 0 or -errno with a message in st_message. */
int st_session_start(void);
void st_session_stop(void);
int st_session_set(const char *name, const char *value);
int st_session_detach(void);
int st_session_attach(void);
bool st_session_detached(void);
int st_session_base(unsigned int base, unsigned long address, bool kprobes_may);

/* 0 in a session that is yet to start; else -EBUSY, or -ECANCELED after its end. */
int st_not_started(void);

/* 0, or -EINVAL with st_message set: the script asks for more than bounds.h allows. */
int st_program_check(void);

/* What the last failed command said; "" after one that worked. */
extern char st_message[256];
int st_fail(int err, const char *fmt, ...) __printf(2, 3);

/* A warning or error of the session itself (not of a handler) for the user;
 * from process context, buffers allocated. */
void st_tell(unsigned short format, const char *fmt, ...) __printf(2, 3);

/* ---- bases (bases.c) ------------------------------------------------------ */

/* Where base is; false: not loaded, or unknown.  Any context. */
bool st_base_address(unsigned int base, unsigned long *address);

/* Is it one of this module's? */
bool st_base_of(unsigned int base, const struct module *module);

/* The loader says where a base is, 0: its module is not loaded, and whether it is a symbol
 * known to be none that kprobes may not touch.  0, or -EINVAL with st_message set. */
int st_base_told(unsigned int base, unsigned long address, bool kprobes_may);

/*
 * Modules that the script has bases in are watched from watch() to unwatch(), both in
 * process context; watch() returns 0 or -errno.  What changes when one comes or goes
 * changes under the lock: the bases, and which places are armed.  It is taken inside all
 * other locks of ours, may be held for long, and never while the watch begins or ends.
 */
int st_modules_watch(void);
void st_modules_unwatch(void);
void st_modules_lock(void);
void st_modules_unlock(void);

/* ---- probe families (probes/) ------------------------------------------- */

/*
 * One family of probes.  prepare() allocates for the script's n descriptors,
 * arm() begins delivering hits, disarm() ends it and returns when no handler
 * of the family is running, release() undoes prepare().  disarm() and
 * release() are also called after a failed arm() or prepare().  All in process
 * context; prepare() and arm() return 0 or -errno with st_message set.
 * missed(), if any, is how many hits the kernel could not deliver so far.
 * refresh(), if any, arms and disarms what st_wanted() says otherwise of than
 * before; a family without it delivers hits that st_enter() turns away.
 */
struct st_family {
	const char *name;
	int (*prepare)(const void *items, unsigned int n);
	int (*arm)(void);
	void (*refresh)(void);
	void (*disarm)(void);
	void (*release)(void);
	unsigned long (*missed)(void);
};

#define ST_DECLARE(name) extern const struct st_family st_##name##_family;
#define ST_NOTHING(name)
ST_FAMILIES(ST_DECLARE, ST_NOTHING)
#undef ST_DECLARE

/*
 * The address of a place in code, as the script named it; 0: no place in code, or one
 * only the kernel knows.  Registers say less: there the call or breakpoint that brought
 * us to the handler was executed already.
 */
unsigned long st_code_address(const struct st_point *point);

/* Calls refresh() of all families, while the session runs; process context. */
void st_families_refresh(void);

/* ---- conditions of probes (conditions.c) --------------------------------- */

/* Does the probe's condition hold, as far as known? */
static __always_inline bool st_wanted(const struct st_probe *probe)
{
	return likely(!probe->armed) || READ_ONCE(*probe->armed);
}

/*
 * Works the condition of the point's probe out, while no handler runs that
 * could change it: for begin and end probes, each when it is its turn.
 */
bool st_condition_holds(const struct st_point *point, enum st_state when);

/* 0 or -ENOMEM.  start() works all conditions out, after the begin probes;
 * stop() is called after the families are disarmed, and waits for the last refresh. */
int st_conditions_prepare(void);
void st_conditions_start(void);
void st_conditions_stop(void);
void st_conditions_release(void);

/* Run the handlers in their order: begin in the state ST_STARTING; end and error
 * ones in ST_STOPPING or ST_FAILING, as the session has not or has failed. */
void st_run_begin_probes(void);
void st_run_end_probes(void);

/* ---- the trace (transport.c) -------------------------------------------- */

/* Per-CPU buffer size in MB asked for, 0: the default. */
extern unsigned long st_buffer_mb;

int st_transport_alloc(void);
void st_transport_free(void);

/* From here on nobody reads, and the oldest records give way to new ones, until it
 * is taken back.  0, or -EBUSY with st_message set. */
int st_transport_detach(void);
void st_transport_attach(void);

/* No record follows: the reader gets the end when all is read. */
void st_transport_close(void);

/*
 * Puts a record of bytes at body (in whole words of memory) into this CPU's
 * buffer, whole.  Preemption is disabled; any context, NMI too.  0, or -1: no room,
 * counted as lost.  'more' says another piece follows (ST_REC_MORE); 'begun' that
 * pieces of this output went before: then a failure ends the output there.
 */
int st_commit(unsigned int level, bool more, bool begun, const u64 *body, unsigned int bytes);

/* Records lost so far, on all CPUs; outputs that gave way while nobody read. */
unsigned long st_lost(void);
unsigned long st_overwritten(void);

/* Wakes whoever waits for the trace or for the state; any context. */
void st_wake(void);

extern const struct proc_ops st_trace_ops;

/* The caller's eventfd is told when the session is to end, instead of any that was told
 * before; 0, or -errno with st_message set.  forget(): none, from now on. */
int st_transport_notify(int fd);
void st_transport_forget(void);

/* ---- /proc (control.c) -------------------------------------------------- */

int st_control_create(void);
void st_control_remove(void);

/* The module's directory. */
struct proc_dir_entry *st_control_dir(void);

/* Of the control and trace files.  The last close of one that was open for writing
 * disarms, and has the module removed. */
struct inode;
struct file;
int st_open(struct inode *inode, struct file *file);
int st_release(struct inode *inode, struct file *file);
void st_opened(void);
void st_closed(void);

/* Has anybody the session, or was it left to itself? */
bool st_session_watched(void);

/* ---- the loader (loader.c) ------------------------------------------------ */

/* The process we are in is the loader from now on. */
void st_loader_take(void);
void st_loader_forget(void);

/* Its number, where the caller sees it. */
int st_loader_number(void);

/* Was it staprun, and has it ended? */
bool st_loader_gone(void);

/* Was the module left behind, with nobody to remove it? */
bool st_loader_left(void);

/* Looks whether it was, soon, and has it removed then. */
void st_loader_look(void);

#endif
