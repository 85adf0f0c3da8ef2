/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A host of --remote, and the conversation with it.  All goes over one connection:
 *
 *	stap				the host (far_side.c)		step there
 *					N kernel 6.1.0 x86_64		ASKED
 *	if it is unknown here: its BTF, and its headers (types.c)	DESCRIBED, FETCHED while they come
 *	DIGEST SIZE ENGINE [input]	N need				OFFERED
 *	the bundle's bytes		N got 65536			SENT: while they come slowly, how many have
					N have				SENT; or at once, if it has that bundle
 *	?				N clock 81234567890		TIMED
 *	end of a line			N run
 *	if it is to be: standard input	stamped output (lib/stamp.h)	RUNNING
 *					N took 4096: so much of the input; among the messages
 *	end of the input		the script ends
 *
 * Over a socket (socket.c) there is a shell first; then output and messages share the stream:
 *
 *	a line for it			N ready				CALLED
 *	the command
 *					N status 0: at the end, or where it fails
 *
 * N is a number of this run, drawn at random: login scripts may print what they want in between.
 * Standard error is text at all times. What the host sends is hostile: a line that makes no sense ends
 * the connection.
 */
#ifndef STAP_REMOTE_HOST_H
#define STAP_REMOTE_HOST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/sbuf.h"
#include "base/vec.h"
#include "remote/remote.h"
#include "stamp.h"
#include "streams.h"

#define SECOND INT64_C(1000000000)
#define ANSWER ((30 + (int64_t)nhosts) * SECOND)	/* so long may an answer take: hosts share this machine */

enum { OUT, ERR, STREAMS };

enum step { CALLED, ASKED, DESCRIBED, FETCHED, OFFERED, SENT, TIMED, RUNNING, ENDED };

/* A line that waits for its turn (merge.c). */
struct line {
	struct line *next;
	int64_t time, arrived;		/* by our clock, in ns */
	size_t n;
	char text[];
};

/* A bundle that was made. */
struct bundle_for {
	const char *kernel;		/* as -r takes it; "": any */
	struct sbuf image;		/* empty: it could not be made */
	const char *offer;		/* "DIGEST SIZE ENGINE\n", or with " input" in front of the line's end */
	bool reads_input;		/* the script has probes of standard input */
	bool lacks_headers;		/* it is empty: its kernel's headers are needed, which the host may send */
};

struct host {
	const char *name;		/* as --remote has it */
	enum step step;
	int status;			/* 0, or the exit status */
	bool stopped;			/* it was ended from here, without waiting for its script */
	const char *what;		/* why it ended */
	char *last;			/* the last message from there; malloc'ed */

	const char *release;		/* of its kernel */
	const char *headers;		/* of that kernel, from -r, or NULL */
	struct types *types;		/* that kernel's, if it is unknown here; NULL before it has told of them */
	struct types *btf;		/* those that its own headers go with, once it is asked for these */
	const struct bundle_for *bundle;	/* for its kernel */

	/* the connection */
	pid_t pid;			/* ssh's, or stap-vm's */
	bool is_socket;			/* and no process: it has one stream each way, and from[ERR] is -1 */
	int pidfd, to, from[STREAMS];	/* -1: closed */
	const char *out;		/* what is to be written still */
	size_t left;
	size_t untaken;			/* bytes of standard input that it has not told to have taken */
	int64_t deadline;		/* when an answer is overdue; INT64_MAX: never */
	struct sbuf text[STREAMS];	/* what has come of a line */
	size_t noise;			/* bytes that were no answers */
	size_t got;			/* bytes of the bundle that it has told of */
	int64_t all_by;			/* when all of the bundle has to be there, however often it tells of some */

	/* its clock minus ours, in ns, and how long the question for it took, at best */
	int64_t offset, asked_at, took;
	int questions;

	/* the piece of output that is coming, and over a socket the piece of the stream */
	struct piece piece;
	size_t piece_got;
	bool streams_ended;		/* what comes is text again */
	struct stamp stamp;
	size_t stamp_got;
	struct sbuf object;		/* --merge: what has come of an object, which becomes text */
	int64_t line_time;		/* of the line in text[OUT] */
	struct line *first, *end;	/* those that wait, in order */
	size_t waiting;			/* their bytes */
	uint64_t lines;			/* that were printed */
	FILE *file;			/* where they go */
};

/* The hosts of this run. */
extern struct host *hosts;
extern size_t nhosts;

/* CLOCK_MONOTONIC. */
int64_t now_ns(void);

/* remote.c: puts off all deadlines, as nobody has heard the hosts since a time. */
void hosts_were_unheard(int64_t since);

/* remote.c: gives up the host, and says WHY in the table at the end. */
void host_fail(struct host *h, const char *why);

/*
 * conversation.c: conversation_begin() returns N, NULL if it can't be had; with PREFIX messages have the host's
 * name in front.  conversation_take() takes bytes that have come on a stream, conversation_end() the end of
 * messages.
 */
const char *conversation_begin(bool prefix, bool tell_clocks);
void conversation_take(struct host *h, int stream, const char *p, size_t n);
void conversation_end(struct host *h);

/* Offers it the bundle for KERNEL, which is its own, as -r takes it. */
void conversation_offer(struct host *h, const char *kernel);

/* Says TEXT to the host, which stays the caller's until h->left is 0. */
void conversation_say(struct host *h, const char *text, size_t n);

/* Puts off a host's deadline, because something has come or gone. */
void conversation_goes_on(struct host *h);

/*
 * input.c: standard input, for hosts whose scripts read it.  stdin_wanted() returns the descriptor, or -1 while
 * nobody is ready for more; stdin_relay() reads a portion.
 */
int stdin_wanted(void);
void stdin_relay(void);

/*
 * types.c: asks a host for its BTF, which goes with HEADERS, unless that is NULL; takes its answer, which begins with
 * WORD, false if that makes no sense; takes bytes of what it sends, and returns how many.  types_go_on() goes on with
 * the hosts that have waited for it.
 */
void types_begin(struct session *s);
void types_ask(struct host *h, const char *headers);
bool types_described(struct host *h, const char *word, const char *words);
size_t types_take(struct host *h, const char *p, size_t n);
void types_go_on(void);

/*
 * bundles.c: returns the bundle for a kernel, which is as -r takes it, compiled on first use.  The deadlines of all
 * hosts wait meanwhile.  bundle_is_for_kernel() returns whether it is for one only, bundle_has_module() whether
 * nothing but a module will do; bundle_kernel_given() what -r has given for a release, or NULL.
 */
void bundles_begin(struct session *s, int (*passes)(struct session *), remote_make *make);
const struct bundle_for *bundle_of(const char *kernel);
bool bundle_is_for_kernel(void);
bool bundle_has_module(void);
const char *bundle_kernel_given(const char *release);

/* Prints a line of a host's messages. */
void print_message(struct host *h, const char *text, size_t n);

struct command;

/* far_side.c: the command for the host's shell.  NONCE is N; OPTIONS are the bundle's, in front of them its OWN ones, if
 * it has a module.  With ONE_STREAM it is for a socket. */
const char *far_side_command(const char *nonce, bool one_stream, const struct command *own,
			     const struct command *options);

/* connection.c: starts the process that runs COMMAND there.  Returns false after a message. */
bool connection_open(struct host *h, const char *command);

/*
 * socket.c: connects to the host's socket, whose shell will run COMMAND, when it has answered: then
 * socket_greet() says it.  Returns NULL, or why there is no connection.  socket_path() returns the path that a
 * host's name has, or NULL.
 */
const char *socket_path(const char *name);
const char *socket_open(struct host *h, const char *nonce, const char *command);
void socket_greet(struct host *h);

/* Tells the host that standard input has ended; ends the connection, whatever is under way. */
void socket_end_input(struct host *h);
void socket_break(struct host *h);

/* Writes what the host takes of h->out.  Returns false if it takes no more. */
bool connection_write(struct host *h);

/* Ends the host's input; the whole connection, whose process has ended or is about to, for its status.
 * */
void connection_end_input(struct host *h);
void connection_close(struct host *h);

struct options;

/*
 * merge.c: prints the output of all hosts in the order of time.
 *
 * merge_begin() opens the files; returns false after a message.  merge_take() takes bytes of a host's
 * output, merge_end() its end.  merge_print() prints what need not wait any more; it returns when it is
 * to be called again, INT64_MAX: when there is more.  merge_flush() returns false if it can't be
 * written.
 */
bool merge_begin(const struct options *o);
void merge_take(struct host *h, int64_t time, const char *p, size_t n);
void merge_end(struct host *h);
int64_t merge_print(int64_t now);
bool merge_flush(void);

/* At the end: prints the sums of --merge. */
void merge_sums(void);

/* Returns how many lines came too late for their place. */
uint64_t merge_late(void);

#endif
