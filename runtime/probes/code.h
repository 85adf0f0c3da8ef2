/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family "code" and the three ways it gets its hits.
 *
 * Places are armed in groups: what is there when the session starts is one, and what a
 * module brings that is loaded later another.  Each way keeps in a struct of the group's
 * what it needs until its disarm (no handler runs after) and release (memory); a group of
 * zeros has nothing armed.  A place that can't be had is told the user and left out.
 *
 * All functions run in process context, under the modules lock (core/bases.h).
 */
#ifndef STAP_CODE_H
#define STAP_CODE_H

#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/types.h>

#include "abi/stap_script.h"

struct st_carrier;
struct st_slot;
struct st_kprobe;

struct st_place {
	const struct st_site *site;
	unsigned long address;		/* 0: by site->symbol */
	struct st_carrier *carrier;	/* who follows calls to their returns; NULL: an entry */
	bool gone;			/* its module was unloaded */
};

/*
 * Function entries through ftrace, all of a group at once; those with a carrier are
 * where returns begin to be followed.  Orders the places, which stay the caller's, so
 * that those taken come first, and returns their number, or -ENOMEM.
 */
struct st_entries {
	struct st_ftrace_batch {
		struct ftrace_ops ops;
		struct st_entries *entries;
		bool registered;
		struct st_place *taken;
		unsigned int ntaken;
		/* The addresses of these in the filter, and room for as many again.
		 * Conditions and modules that go change what is wanted. */
		unsigned long *armed_ips, *wanted_ips;
		unsigned int narmed_ips;
	} *batches;
	unsigned int nbatches;
	unsigned long *ips;		/* of all batches */
	struct st_slot *slots;		/* a hash table of the places, by address */
	unsigned int slot_bits;
	bool conditional;
};

int st_ftrace_arm(struct st_entries *e, struct st_place *places, unsigned int n);
void st_ftrace_refresh(struct st_entries *e);
void st_ftrace_disarm(struct st_entries *e);
void st_ftrace_release(struct st_entries *e);

/* The module goes: its places are no more. */
void st_ftrace_forget(struct st_entries *e, const struct module *module);

/* Any instruction; 0 or -ENOMEM. */
struct st_kprobes {
	struct st_kprobe *all;
	struct kprobe **registered;
	unsigned int n;
	unsigned long missed;		/* by those that were forgotten */
};

int st_kprobes_arm(struct st_kprobes *k, const struct st_place *places, unsigned int n);
void st_kprobes_refresh(struct st_kprobes *k);
void st_kprobes_forget(struct st_kprobes *k, const struct module *module);
void st_kprobes_disarm(struct st_kprobes *k);
void st_kprobes_release(struct st_kprobes *k);
unsigned long st_kprobes_missed(const struct st_kprobes *k);

/* Function returns, by a kretprobe each; 0 or -ENOMEM. */
struct st_kretprobes {
	struct st_carrier *all;
	struct kretprobe **registered;
	unsigned int n;
	unsigned long missed;
};

int st_kretprobes_arm(struct st_kretprobes *k, const struct st_place *places, unsigned int n);
void st_kretprobes_refresh(struct st_kretprobes *k);
void st_kretprobes_forget(struct st_kretprobes *k, const struct module *module);
void st_kretprobes_disarm(struct st_kretprobes *k);
void st_kretprobes_release(struct st_kretprobes *k);
unsigned long st_kretprobes_missed(const struct st_kretprobes *k);

/*
 * Function returns that begin at an entry ftrace tells of.  Their carriers are armed for
 * all of the script's sites, before any group and until after the last: a site has one,
 * or none when that is not to be had.  0 or -ENOMEM.
 */
int st_carriers_arm(const struct st_site *sites, unsigned int n);
struct st_carrier *st_carrier_of(const struct st_site *site);
void st_carriers_disarm(void);
void st_carriers_release(void);
unsigned long st_carriers_missed(void);

/* A function is entered whose return is probed; the caller took the context for that
 * place, and prepared it where the probe has entry code. */
void st_follow_return(struct st_carrier *carrier, struct pt_regs *regs);

static inline void st_kprobe_place(struct kprobe *kprobe, const struct st_place *place)
{
	kprobe->addr = (kprobe_opcode_t *)place->address;
	kprobe->flags = KPROBE_FLAG_DISABLED;	/* until all are there (kprobe.c) */
}

/* Arms or disarms a registered kprobe as its probe's condition wants it. */
void st_kprobe_refresh(struct kprobe *kprobe, const struct st_site *site);

/* Tells that a place could not be probed, unless it is optional. */
void st_place_failed(const struct st_place *place, int err);

#endif
