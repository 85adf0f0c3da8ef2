/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The family "code" and the three ways it gets its hits.  Each arms the places
 * it is given and keeps what it needs until its disarm (no handler runs after)
 * and release (memory).  A place that can't be had is told the user and left
 * out.
 */
#ifndef STAP_CODE_H
#define STAP_CODE_H

#include "../context.h"

struct st_carrier;

struct st_place {
	const struct st_site *site;
	unsigned long address;		/* 0: by site->symbol */
	struct st_carrier *carrier;	/* who follows calls to their returns; NULL: an entry */
	bool gone;			/* its module was unloaded */
};

/*
 * Function entries through ftrace, all in one batch; those with a carrier are
 * where returns begin to be followed.  Orders the places so that
 * those taken come first and returns their number, or -ENOMEM.
 */
int st_ftrace_arm(struct st_place *places, unsigned int n);
void st_ftrace_refresh(void);
void st_ftrace_disarm(void);
void st_ftrace_release(void);

/* Any instruction; 0 or -ENOMEM. */
int st_kprobes_arm(const struct st_place *places, unsigned int n);
void st_kprobes_refresh(void);
void st_kprobes_disarm(void);
void st_kprobes_release(void);
unsigned long st_kprobes_missed(void);

/*
 * Function returns.  Carriers: gives each of these places one, or none when that
 * is not to be had; the rest by a kretprobe each.  0 or -ENOMEM.
 */
int st_carriers_arm(struct st_place *places, unsigned int n);
int st_kretprobes_arm(const struct st_place *places, unsigned int n);
void st_returns_refresh(void);
void st_returns_disarm(void);
void st_returns_release(void);
unsigned long st_returns_missed(void);

/* A function is entered whose return is probed; the caller took the context for that
 * place, and prepared it where the probe has entry code. */
void st_follow_return(struct st_carrier *carrier, struct pt_regs *regs);

static inline void st_kprobe_place(struct kprobe *kprobe, const struct st_place *place)
{
	if (place->address) {
		kprobe->addr = (kprobe_opcode_t *)place->address;
	} else {
		kprobe->symbol_name = place->site->symbol;
		kprobe->offset = place->site->offset;
	}
	kprobe->flags = KPROBE_FLAG_DISABLED;	/* until all are there (kprobe.c) */
}

/* Arms or disarms a registered kprobe as its probe's condition wants it. */
void st_kprobe_refresh(struct kprobe *kprobe, const struct st_site *site);

/* Tells that a place could not be probed, unless it is optional. */
void st_place_failed(const struct st_place *place, int err);

#endif
