/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass 1: text to trees, and the tapset library.
 *
 * lexer.l makes tokens, macro.c filters them (%( … %), @define, $1 @1 $# @#),
 * grammar.y builds the AST; print.c writes an AST back as a script that parses
 * to the same AST; library.c knows which tapset file defines a name, without
 * having parsed it.
 */
#ifndef STAP_LANG_H
#define STAP_LANG_H

#include <stdio.h>

#include "ast.h"

struct session;

/*
 * Parses SRC.  Errors are reported (diag.h) and NULL returned; the parser
 * recovers at the next declaration to report more than one.  Script arguments
 * (session->options.args) and preprocessor facts come from the session.  Marks the
 * arguments it used in session->arg_used.
 */
struct file *parse(struct session *s, const struct source *src, bool library);

/* Reads a file whole.  NULL and a message when it can't be read. */
const struct source *source_read(const char *path, const char *shown_as);
const struct source *source_from_text(const char *name, const char *text);

/* Where byte OFFSET of a literal's value stands, escapes and joined literals counted
 * through; AT is the literal's place.  AT itself where that can't be told. */
struct loc string_place(struct loc at, size_t offset);

/* -p1: FILE as a script. */
void print_file(FILE *out, const struct file *f);
void print_expr(FILE *out, const struct expr *e);	/* fully parenthesised only
							   where precedence needs it */
const char *expr_text(const struct expr *e);		/* the same, in the arena */
void print_stmt(FILE *out, const struct stmt *s, int indent);

/* What the library defines, by kind of name. */
enum lib_kind { LIB_FUNCTION, LIB_GLOBAL, LIB_ALIAS, LIB_MACRO };

/*
 * Opens the library: every .stp and .stpm of the tapset directory and of each
 * -I, with their subdirectories that fit the target: VERSION/ARCH and VERSION
 * for the whole release and for each shorter one ("6.1.0-56-cloud-amd64",
 * "6.1.0-56-cloud", … "6.1", "6"), then ARCH.  A file in a more specific
 * directory stands in for those of its name in the others of its tree.  Names
 * are taken from an index kept in the cache directory, made anew when a file's
 * size or time changed; without a writable cache they are scanned each time.
 */
void library_open(struct session *s);

/*
 * The files that define NAME, parsed (once) and added to session->library.
 * For LIB_ALIAS the name is a probe point's components joined by dots, without
 * arguments: all of them or the first few ("syscall.open*.return", "syscall").
 * It may hold wildcards, and go on after the alias's end.  The fewer files it
 * can mean the fewer are parsed.  Returns the number of files newly parsed; a
 * file that does not parse is reported.
 */
unsigned library_load(struct session *s, enum lib_kind kind, const char *name);

/*
 * The macro files that define @NAME, as sources for the preprocessor;
 * false when there is none.
 */
const struct source *library_macro_source(struct session *s, const char *name);

/* All names of a kind, for "did you mean" and listings; of aliases "a.b.c". */
const char *const *library_names(struct session *s, enum lib_kind kind, size_t *n);

#endif
