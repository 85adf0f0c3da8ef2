/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a handler is attached to a place.
 *
 * Pass 2 chooses it for every place (translator/probes/), by what the kernel's image
 * says about the address.  Generated code carries it (struct st_site).  The runtime
 * follows it, or falls back to a kprobe or kretprobe where the running kernel lacks what
 * it needs (runtime/probes/code.c).  Places are armed in this order.
 */
#ifndef STAP_ATTACH_H
#define STAP_ATTACH_H

/*
 * The ways to attach to a place.  Pass 2 chooses one for each place; -v prints how many places each
 * way has.
 */
enum st_attach {
	ST_NO_CODE,		/* no place in code: a timer, a file, an event, … */
	ST_FTRACE,		/* the entry of a function with an ftrace site: all at once */
	ST_FTRACE_RETURN,	/* the return of such a function, if kprobes may touch it */
	ST_KPROBE,		/* any other instruction */
	ST_KRETPROBE,		/* any other return */
	ST_TRACEPOINT,
	ST_UPROBE,		/* an instruction of a program */
	ST_URETPROBE,		/* the return of a program's function */
	ST_URETURNS,		/* the same, by its return instructions */
	ST_GO_RETURN,		/* the same in Go, where goroutines have stacks of their own */
	ST_ATTACHES		/* how many there are */
};

static inline int st_attach_is_return(enum st_attach attach)
{
	return attach == ST_FTRACE_RETURN || attach == ST_KRETPROBE || attach == ST_URETPROBE ||
	       attach == ST_URETURNS || attach == ST_GO_RETURN;
}

/* Is the place in a program, whose handlers may wait for its memory? */
static inline int st_attach_is_user(enum st_attach attach)
{
	return attach == ST_UPROBE || attach == ST_URETPROBE || attach == ST_URETURNS ||
	       attach == ST_GO_RETURN;
}

#endif
