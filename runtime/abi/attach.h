/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a place is attached to.
 *
 * The translator decides it for every place in pass 2 (translator/probes/), by what
 * the kernel's image says of the address; generated code carries it (struct st_site);
 * the runtime follows it, or does with less where the kernel it runs on hasn't what it
 * takes (runtime/probes/code.c).  Places are armed in this order.
 */
#ifndef STAP_ATTACH_H
#define STAP_ATTACH_H

enum st_attach {
	ST_NO_CODE,		/* not to code: a timer, a file, an event, … */
	ST_FTRACE,		/* the entry of a function with an ftrace site: all at once */
	ST_FTRACE_RETURN,	/* the return of such a function, which is no code that kprobes
				   may not touch */
	ST_KPROBE,		/* any other instruction */
	ST_KRETPROBE,		/* any other return */
	ST_TRACEPOINT,
	ST_ATTACHES		/* how many there are */
};

static inline int st_attach_is_return(enum st_attach attach)
{
	return attach == ST_FTRACE_RETURN || attach == ST_KRETPROBE;
}

#endif
