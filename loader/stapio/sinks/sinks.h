/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sinks: what becomes of the output of a session.
 *
 * The formatter (records/render.h) makes text of the items of a piece of output and puts it into the
 * sink's 'text'.  The sink is told where the piece came from before and after, and does with the text
 * what its kind is for:
 *
 *	text	'text' is the output: nothing is left to do
 *	json	a line with an object in JSON for each piece
 *	containers	'text' again, lines with the container in front
 *	bulk	a packet for each piece, in a file for each CPU
 *
 *	sink = sink_open(kind, &target);
 *	render = render_new(formats, bytes, sink, …);		calls begin(), …, end() for each piece
 *	…
 *	sink_flush(sink);			after each batch of pieces
 *	if (sink->text->error)
 *		the rest is lost
 *	…
 *	sink_finish(sink);			at the end
 *	sink_close(sink);
 *
 * Another kind is a file here, a row in sinks.c, and its name among the output formats of
 * runtime/session/control.c.  The kind is known by the name that the module was told (stap --json,
 * staprun --format; "format" in abi/transport.h).
 *
 * A kind's begin(), origin() and end() are NULL if they have nothing to do.  All but open() and close()
 * are called in the reader's thread.
 */
#ifndef STAP_SINKS_H
#define STAP_SINKS_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/stap_script.h"
#include "output.h"
#include "stamped.h"

struct records_origin;
struct sink;
struct st_histogram;

/* Where the output goes, as the user said. */
struct sink_target {
	const char *path;		/* the file's name; NULL: standard output, or the kind's own name */
	unsigned long limit;		/* of a file, in bytes, and how many are kept: struct output_files */
	unsigned int keep;
	bool background;		/* the session outlives its terminal */
	bool stamped;			/* standard output is in stamped pieces */
	bool kept;			/* so are the files, which have the messages, too */
};

/* The functions of a kind that makes objects of outputs, not text. */
struct sink_objects {
	/* Between these calls, the formatter puts the members of an object into 'text'. */
	void (*begin)(struct sink *s);
	void (*end)(struct sink *s);
	void (*string)(struct output *o, const char *p, size_t n);	/* adds one, quoted */
	void (*histogram)(struct output *o, const struct st_histogram *h);	/* adds a member */
};

/* A kind of sink: the functions that make it, see above for when they are called. */
struct sink_kind {
	const char *name;		/* of the output format */
	struct sink *(*open)(const struct sink_target *target);	/* NULL after a message */
	void (*close)(struct sink *s);
	void (*begin)(struct sink *s, const struct records_origin *from);
	bool (*origin)(struct sink *s, const struct st_str *item);	/* ST_FMT_ORIGIN; false: malformed */
	void (*end)(struct sink *s, const struct records_origin *from);
	const struct sink_objects *objects;	/* or NULL: all is text */
	void (*each)(struct sink *s, void (*call)(struct output *o));	/* calls it for each file's output */
	struct output *(*stream)(struct sink *s);	/* the output, if it is only one; NULL: no stamps */
};

/* A sink; a kind's own members follow in a larger struct. */
struct sink {
	const struct sink_kind *kind;
	struct output *text;		/* where the formatter puts what a handler printed; its 'error' is
					   the sink's: what could not be written, or found no memory */
	struct stamped *stamped;	/* where each piece goes; until then it is in memory; or NULL */
};

/* Returns the I-th kind, or NULL behind the last. */
const struct sink_kind *sink_kind(size_t i);

/* Opens a sink of that kind.  Returns NULL after a message. */
struct sink *sink_open(const struct sink_kind *kind, const struct sink_target *target);

/* Returns 0, or the errno of what could not be written; that of a stamped output's last pieces comes out only here. */
int sink_close(struct sink *s);

/* Stamps the piece so far, if the output is stamped. */
void sink_stamp(struct sink *s, const struct records_origin *from);

/* Returns the file that a command of system() writes to: that of the text; or standard error, if the
 * sink makes something else of text, which a command's would damage. */
int sink_for_commands(const struct sink *s);

/* Writes what is complete: whole lines, if a file's size is limited; at the end everything, and
 * collects errors that come late (output_settle()). */
void sink_flush(struct sink *s);
void sink_finish(struct sink *s);

/* For kinds: allocates a zeroed struct of SIZE bytes, which begins with the sink.  Returns NULL after a
 * message. */
void *sink_new(const struct sink_kind *kind, size_t size);

/* Opens the file, or standard output, for O.  Returns 0, or -1 after a message. */
int sink_open_output(struct output *o, const struct sink_target *target);

/* The kinds. */
extern const struct sink_kind text_sink, json_sink, containers_sink, bulk_sink;

#endif
