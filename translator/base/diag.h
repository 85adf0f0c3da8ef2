/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every message a user of the translator sees.
 *
 * A diagnostic says where (file:line:col, the source line, a caret), what is
 * wrong in the user's words, and what to do.  Printed to standard error at
 * once, in SystemTap's spelling:
 *
 *	parse error: expected statement
 *	        saw: identifier 'x' at foo.stp:3:7
 *	     source: y = = x
 *	                 ^
 *
 *	semantic error: unresolved function foo: identifier 'foo' at <input>:1:15
 *	        source: probe begin { foo() }
 *	                              ^
 *	        hint: did you mean 'fop'?
 */
#ifndef STAP_DIAG_H
#define STAP_DIAG_H

#include <stdbool.h>
#include <stddef.h>

/* A text that was read: a script, a tapset file, -e's argument. */
struct source {
	const char *name;	/* as shown to the user: path, "<input>", "<stdin>" */
	const char *text;	/* NUL-terminated */
	size_t len;
	bool library;		/* from the tapset: embedded C and writes allowed */
	bool tapset;		/* … and from our own, not a user's -I */
};

/*
 * Where something stands.  A token that came out of a macro has the place in
 * the macro's body, and 'via' is the place where the macro was used.
 */
struct loc {
	const struct source *src;	/* NULL: nowhere (made by the translator) */
	unsigned line, col;		/* from 1 */
	const struct loc *via;
};

/* "foo.stp:3:7", in the arena; "<unknown>" for no source. */
const char *loc_text(struct loc at);
/* The word or character of the script at a place, in the arena; "" for none. */
const char *loc_word(struct loc at);

/* Kinds of message; each error is counted. */
enum diag_kind {
	DIAG_PARSE_ERROR,	/* "parse error: " */
	DIAG_SEMANTIC_ERROR,	/* "semantic error: " */
	DIAG_ERROR,		/* "ERROR: ": the machine, files, options */
	DIAG_WARNING,		/* "WARNING: "; not under -w */
};

/*
 * Prints a message with its place (at.src may be NULL).  Returns the message's
 * handle for diag_note()/diag_hint(), which add a line below it.
 */
void diag_at(enum diag_kind kind, struct loc at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Without a place. */
void diag(enum diag_kind kind, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Further lines of the last message: another place that matters; advice. */
void diag_also(struct loc at, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void diag_hint(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Errors so far; a pass stops when it is not 0. */
extern unsigned diag_errors;

/*
 * -w: no warnings; -W: warnings are errors; -v: all warnings.  Without the last
 * a warning whose text was given before, of another place, is only counted.
 */
extern bool diag_no_warnings, diag_warnings_are_errors, diag_all_warnings;

/* Says how many warnings were only counted since it was last called. */
void diag_summary(void);

/* As before the first message; for who frees the arena and begins again. */
void diag_reset(void);

/*
 * Holds messages back while something is tried that may fail without the user
 * having to know (an optional probe point, @defined).  diag_quiet_begin()
 * nests; between the two, messages go nowhere and count nowhere.
 */
void diag_quiet_begin(void);
void diag_quiet_end(void);

/* The first message swallowed since the outermost diag_quiet_begin(), or NULL. */
const char *diag_quiet_first(void);

/*
 * "did you mean": up to LIMIT of the names nearest to NAME in NAMES, joined by
 * ", ", in the arena; NULL when none is near (distance over a third of the
 * length).
 */
const char *nearest_names(const char *name, const char *const *names, size_t n,
			  unsigned limit);

#endif
