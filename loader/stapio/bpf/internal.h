/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Inside the loader of BPF handlers (handlers.h). */
#ifndef STAP_HANDLERS_INTERNAL_H
#define STAP_HANDLERS_INTERNAL_H

#include "base/vec.h"
#include "bpf/bpf.h"
#include "handlers.h"

/* So many handlers or places take a while. */
enum { MANY = 100 };

struct ir_place;
struct left_out;
struct mappings;
struct ring;

struct handlers {
	const struct bpf_plan *plan;
	unsigned cpus;			/* parts of a value that each CPU has: as many as CPUs may be there */
	int *maps;			/* descriptors */
	vec(int) programs, links;
	vec(int) of_many;		/* programs that are loaded for links for many places */
	bool at_trace_events;		/* programs that may be are attached to tracepoints' events (trace_events.c) */
	bool many;			/* places of functions are attached by one link for each program */
	int *files;			/* descriptors of programs; -1: the places in it are left out */
	long target;			/* target()'s process; 0: none */
	char *words;			/* the mapped words (bpf.h) */
	size_t words_bytes;
	struct ring *ring;
	struct mappings *mappings;	/* what processes map, if stacks of programs are named; or NULL */
	uint64_t *bases;		/* addresses */
	const char **points;		/* pp of each place, by number */
	size_t npoints;
	vec(struct left_out *) left_out;
	unsigned *waiting;		/* by probe: how many of its places are in modules that aren't loaded */
	struct sbuf *pieces;		/* of the outputs that are not complete, by their frames */
};

static inline volatile struct bpf_control *control(const struct handlers *h)
{
	return (volatile struct bpf_control *)h->words;
}

/* addresses.c: finds the addresses of the program's bases in the running kernel.  NULL after a message. */
uint64_t *find_bases(const struct ir_program *ir);

/* Is a module loaded?  "kernel" is. */
bool is_loaded(const char *module);

/*
 * addresses.c: finds the code that runs programs at tracepoints (struct bpf_system).  Returns 0, or -1 after
 * a message.
 */
int find_trace_run(uint64_t range[2]);

/*
 * names.c: has handlers in this process name the kernel's code (port/user/engine.h).  Returns 0, or -1 after
 * a message.
 */
int name_kernel(void);

/*
 * peek.c: lets handlers in this process read the kernel's memory (port/user/engine.h), at addresses that may count from
 * these BASES.  Returns 0, or -1 after a message.
 */
int peek_kernel(const uint64_t *bases);

/*
 * handlers.c: loads a program, for one place at a time or for MANY.  Returns its descriptor, or -1 with errno
 * set; LOG, unless it is NULL, gets why the verifier refuses it.
 */
int load_program(const struct handlers *h, const struct bpf_program *p, bool many, char *log, unsigned room);

/* refused.c: say why the kernel, with this error, takes no map, program, or probe at a place; what to do. */
void say_refused(const char *what, int err);
void say_program_refused(const struct handlers *h, const struct bpf_program *p, int err);
void say_place_refused(const struct ir_place *place, int err);

void say_waits(const char *point);

/* Is the refusal about the place?  Others are about the user, or what the kernel has left, and end the session. */
bool is_about_place(int err);

/* Returns the number in /proc/sys/kernel/NAME; OTHERWISE if there is none. */
long kernel_setting(const char *name, long otherwise);

/* unsafe.c: returns 0 if a kprobe may be set there; or why not, as an errno: EBUSY if ftrace is off. */
int why_unsafe(const struct ir_place *place, uint64_t address);

/*
 * attach.c: attaches a program to its places; to one, its place I, at its address.  Return 0, or -1 after a
 * message, or without one if the session is to end before it has begun.
 */
int attach_program(struct handlers *h, size_t program);
int attach_address(struct handlers *h, size_t program, unsigned i, uint64_t address);

/* Finds a place's address, 0 if it isn't there.  Returns 0, or why no probe may be there, as an errno. */
int find_address(const struct handlers *h, const struct ir_place *place, uint64_t *address);

/*
 * left_out.c: leaves out place I of a program, at an address where no probe can be, because of ERR.  Returns 0,
 * or -1 after a message if the session can't go on without it.
 */
int leave_out(struct handlers *h, size_t program, unsigned i, uint64_t address, int err);

/* Warns of the places; returns -1 after a message if a probe has none but in modules that aren't loaded. */
int tell_left_out(struct handlers *h);

/*
 * Keeps a link, or another descriptor.  If it is -1, errno says why: returns -1 after a message, or 0 if the
 * place may be left out.
 */
int keep_link(struct handlers *h, int fd, const struct ir_place *place);

/* detach.c: closes all links and events. */
void close_links(struct handlers *h);

/* Is the session to end before it has begun?  The main thread reads signals only then. */
bool is_interrupted(void);

/* Is the kernel of this version or newer? */
bool is_since(unsigned major, unsigned minor);

/*
 * trace_events.c: are programs that may be to be attached to tracepoints' events, and is this one?  Attaches it, and
 * returns as attach_event() does.
 */
bool takes_trace_events(const struct handlers *h);
bool is_at_trace_event(const struct handlers *h, const struct bpf_program *p);
int attach_trace_event(struct handlers *h, size_t program);

/* many.c: attaches a program to its places by one link, as far as they are functions' entries.  Returns as
 * attach_program() does. */
bool may_be_many(const struct bpf_program *p);
int attach_many(struct handlers *h, size_t program);

/* Returns the number of a kind of performance event, "kprobe", "uprobe"; -1 after a message. */
int event_type(const char *kind);

/*
 * Attaches a loaded program to an event, whose descriptor it keeps with the link's; EVENT may be -1.
 * Returns 0, or -1 with errno set.
 */
int attach_event(struct handlers *h, int event, int program, unsigned point);

/*
 * programs.c: opens the files that are probed, warning of each that is not as expected; attaches a program
 * to a place in one, returning 0, or -1 after a message; closes the files.
 */
void open_programs(struct handlers *h);
int attach_in_program(struct handlers *h, size_t program, const struct ir_place *place, unsigned point);
void close_programs(struct handlers *h);

/*
 * Has PROGRAM (BPF_TELLS) note which files are open, and what this process runs.  Returns 0, or -1 after
 * a message.
 */
int tell_programs(struct handlers *h, int program);

/* events.c: attaches a program to a performance event on each CPU.  Returns 0, or -1 after a message. */
int attach_to_event(struct handlers *h, int program, const struct ir_place *place, unsigned point);

/* target.c: tells the kernel's handlers which threads the process TARGET and its descendants have.
 * Returns 0, or -1 after a message. */
int find_target(struct handlers *h, long target);

/* ring.c */
struct ring *ring_open(int map, size_t bytes);
void ring_read(struct ring *r, void (*take)(void *arg, const char *record, size_t bytes), void *arg);

/* shared.c: hands the script's variables to the kernel, and takes them back; the interpreter's hooks. */
void give_all(struct handlers *h);
void take_all(struct handlers *h);
void share_with(struct handlers *h);

#endif
