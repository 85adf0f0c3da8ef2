/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family "code" and the three ways in which it probes: ftrace, kprobes, kretprobes.
 *
 * Places are armed in groups.  The places that exist when the session starts are one group; a
 * module loaded later brings another.  Each way has a struct in the group, which is all
 * zeros while nothing is armed.  disarm() returns when no handler runs any more, release()
 * frees the memory.  A place that can't be probed is reported to the user and left out.
 *
 * All functions run in process context, under the modules lock (probes/bases.h).
 */
#ifndef STAP_CODE_H
#define STAP_CODE_H

#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/types.h>

#include "abi/stap_script.h"

struct seq_file;
struct st_carrier;
struct st_kprobes;
struct st_kretprobes;
struct st_slot;
struct st_kprobe;

/* A place of the script's that was found in this kernel, at its run-time address. */
struct st_place {
	const struct st_site *site;
	unsigned long address;
	struct st_carrier *carrier;	/* follows its calls to their returns; NULL: none needed */
	bool gone;			/* the memory that it lies in was freed */
};

/* Is an address in a module, or in a part of it: within_module() or within_module_init(). */
typedef bool st_within(unsigned long address, const struct module *module);

/*
 * Function entries through ftrace, all of a group at once.  At an entry with a carrier the
 * return of the call starts to be followed.
 *
 * st_ftrace_arm() reorders the places, which the caller owns, so that those it armed come
 * first, and returns how many these are, -ENOMEM, or -EBUSY if ftrace is off.
 */
struct st_entries {
	struct st_ftrace_batch {
		struct ftrace_ops ops;
		struct st_entries *entries;
		bool registered;
		struct st_place *taken;
		unsigned int ntaken;
		/* The addresses in the filter, and room for the next ones: conditions and
		 * modules that go change which places are wanted. */
		unsigned long *armed_ips, *wanted_ips;
		unsigned int narmed_ips;
	} *batches;
	unsigned int nbatches;
	unsigned long *ips;		/* memory of all batches' addresses */
	struct st_slot *slots;		/* hash table of the places, by address */
	unsigned int slot_mask;		/* its size, a power of two, less one */
	bool conditional;		/* some probe has a condition */
};

int st_ftrace_arm(struct st_entries *e, struct st_place *places, unsigned int n);
void st_ftrace_refresh(struct st_entries *e);
void st_ftrace_disarm(struct st_entries *e);
void st_ftrace_release(struct st_entries *e);

/* Write a place's line of .places (probes/family.h).  Under the modules lock. */
void st_kprobe_show(struct seq_file *m, const struct kprobe *kprobe, const struct st_site *site,
		    const char *how);
void st_kprobes_show(const struct st_kprobes *k, struct seq_file *m, unsigned int n);
void st_kretprobes_show(const struct st_kretprobes *k, struct seq_file *m, unsigned int n);

/* Can ftrace attach to the function that begins at the address?  Under the modules lock. */
bool st_ftrace_reaches(unsigned long address);

/* Drops the places in a module, or a part of it, whose memory is freed next. */
void st_ftrace_forget(struct st_entries *e, const struct module *module, st_within *within);

/* Any instructions, by kprobes. arm() returns 0 or -ENOMEM. */
struct st_kprobes {
	struct st_kprobe *all;
	struct kprobe **registered;
	unsigned int n;
	unsigned long missed;		/* hits missed by kprobes that are unregistered */
};

int st_kprobes_arm(struct st_kprobes *k, const struct st_place *places, unsigned int n);
void st_kprobes_refresh(struct st_kprobes *k);
void st_kprobes_forget(struct st_kprobes *k, const struct module *module, st_within *within);
void st_kprobes_disarm(struct st_kprobes *k);
void st_kprobes_release(struct st_kprobes *k);
unsigned long st_kprobes_missed(const struct st_kprobes *k);

/*
 * Function returns, each by its own kretprobe.  arm() returns 0, -ENOMEM, or -ENOBUFS if the calls
 * followed at once may take more memory than there is.
 */
struct st_kretprobes {
	struct st_carrier *all;
	struct kretprobe **registered;
	unsigned int n;
	unsigned long missed;
};

int st_kretprobes_arm(struct st_kretprobes *k, const struct st_place *places, unsigned int n);
void st_kretprobes_refresh(struct st_kretprobes *k);
void st_kretprobes_forget(struct st_kretprobes *k, const struct module *module,
			  st_within *within);
void st_kretprobes_disarm(struct st_kretprobes *k);
void st_kretprobes_release(struct st_kretprobes *k);
unsigned long st_kretprobes_missed(const struct st_kretprobes *k);

static inline void st_kprobe_place(struct kprobe *kprobe, const struct st_place *place)
{
	kprobe->addr = (kprobe_opcode_t *)place->address;
	kprobe->flags = KPROBE_FLAG_DISABLED;	/* until all are registered (kprobe.c) */
}

/* Arms a registered kprobe if its probe's condition holds, else disarms it. */
void st_kprobe_refresh(struct kprobe *kprobe, const struct st_site *site);

/*
 * Checks a place before a kprobe is registered there: 0, or -EINVAL if it would break the kernel.
 */
int st_kprobe_ready(const struct st_place *place);

/*
 * Would a kprobe at the place break the kernel, although the kernel accepts it?  Under the modules
 * lock.
 */
bool st_is_unsafe(const struct st_place *place);

/* Would the kernel break where a kprobe steps the instruction there?  (stepping.c) */
bool st_cant_step(unsigned long address);

/* Notes that a place could not be probed, unless it is optional; the group's arming ends with a
 * warning. */
void st_place_failed(const struct st_place *place, int err);

#endif
