/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every message the translator prints for its user.
 *
 * A message says where (file:line:col, the source line, a caret), what is wrong
 * in the user's words, and what to do about it.  It goes to standard error at
 * once, laid out as SystemTap does:
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

/* One text that was read: a script, a tapset file, or -e's argument. */
struct source {
	const char *name;	/* as users see it: path, "<input>", "<stdin>" */
	const char *text;	/* NUL-terminated */
	size_t len;
	bool library;		/* from the tapset or -I: embedded C is allowed */
	bool tapset;		/* from the tapset that comes with stap, not from -I */
};

/*
 * A position in a source.  A token that a macro produced has its position in
 * the macro's body; 'via' is the position of the macro's use, which may itself
 * lie in another macro's body.
 */
struct loc {
	const struct source *src;	/* NULL: made by the translator, in no source */
	unsigned line, col;		/* both from 1; col counts bytes */
	const struct loc *via;
};

/* Returns "foo.stp:3:7", or "<unknown>" without a source.  In the arena. */
const char *loc_text(struct loc at);
/* Returns the word or single character at AT, or "" if there is none.  In the arena. */
const char *loc_word(struct loc at);

/* Kinds of messages, by their first words.  All but warnings count as errors. */
enum diag_kind {
	DIAG_PARSE_ERROR,	/* "parse error:" */
	DIAG_SEMANTIC_ERROR,	/* "semantic error:" */
	DIAG_ERROR,		/* "ERROR:": options, files, the machine */
	DIAG_WARNING,		/* "WARNING:"; silenced by -w, counted as an error under -W */
};

/*
 * Prints a message, its position (unless at.src is NULL), and the macros it
 * came through. diag_also() and diag_hint() add to the message printed last.
 */
void diag_at(enum diag_kind kind, struct loc at, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Prints a message without a position. */
void diag(enum diag_kind kind, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Add lines to the last message, if it was printed: a second position that
 * matters, or advice.
 */
void diag_also(struct loc at, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void diag_hint(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * --semantic-keep-going: keep semantic errors for diag_print_catalog(), which
 * prints them for programs to read, if there are any: fields are separated by
 * tabs, and a message without a position has the file "-".
 *
 *	SEMANTIC_ERRORS: 1
 *	SEMANTIC_ERROR	foo.stp	3	7	foo	unresolved function foo
 *	SEMANTIC_ERRORS_END
 */
extern bool diag_keep_catalog;
void diag_print_catalog(void);

/* The number of errors so far.  A pass that leaves it above 0 has failed. */
extern unsigned diag_errors;

/* Were there so many that no more are shown?  Then the rest of the text need not be read. */
bool diag_enough(void);

/*
 * -w: print no warnings. -W: count warnings as errors. -v: print all warnings;
 * otherwise a warning whose text was printed before, for another position, is
 * only counted.
 */
extern bool diag_no_warnings, diag_warnings_are_errors, diag_all_warnings;

/* Prints how many warnings were counted but not printed since the last call, if any. */
void diag_summary(void);

/*
 * Forgets all messages and counts.  Call it with arena_free_all(), before
 * another session.
 */
void diag_reset(void);

/*
 * Silence messages while the translator tries something that may fail, such as
 * an optional probe point or @defined's operand.  In between, messages are
 * neither printed nor counted.  Calls nest.
 */
void diag_quiet_begin(void);
void diag_quiet_end(void);

/*
 * Returns the first error silenced since the outermost diag_quiet_begin(),
 * without its position, or NULL.
 */
const char *diag_quiet_first(void);

/*
 * Finds names for "did you mean": returns up to LIMIT (at most 8) of the N
 * NAMES nearest to NAME, nearest first, joined by ", ", in the arena.  Returns
 * NULL if all are too far: more than one letter differs in a short name, more than
 * a quarter in one of eight letters or more.  Names that differ in two letters more
 * than the nearest are left out.
 */
const char *diag_nearest(const char *name, const char *const *names, size_t n,
			 unsigned limit);

#endif
