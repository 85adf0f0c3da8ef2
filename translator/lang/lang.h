/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass 1: source text to syntax trees, and the tapset library.
 *
 * lexer.l makes tokens; macro.c is the preprocessor, a filter on them (%( … %),
 * @define, $1 @1 $# @#); grammar.y builds the tree. print.c turns a tree back
 * into a script that parses to the same tree. library.c knows which tapset file
 * defines a name without parsing the files.
 */
#ifndef STAP_LANG_H
#define STAP_LANG_H

#include <stdio.h>

#include "ast.h"

struct session;

/*
 * Parses SRC; LIBRARY says that it belongs to the tapset or -I.  Returns the
 * tree; or NULL after one or more messages, for the parser goes on behind an
 * error.  Takes the script's arguments (options.args) and facts about the target
 * from S, and sets S->arg_used for the arguments that SRC uses.
 */
struct file *lang_parse(struct session *s, const struct source *src, bool library);

/*
 * source_read() reads a file ("-" is standard input), or prints a message and
 * returns NULL.  SHOWN_AS is the name that messages give it.
 */
const struct source *source_read(const char *path, const char *shown_as);
const struct source *source_from_text(const char *name, const char *text);

/*
 * Returns the position of byte OFFSET of a string literal's value.  AT is the
 * position of the literal; escapes, and literals joined to it, are taken into
 * account: in "a\tb" byte 2 is 4 columns after AT.  Returns AT if the literal
 * is not in the source as such.
 */
struct loc string_place(struct loc at, size_t offset);

/*
 * Print a tree as a script: a file (-p1), an expression, a statement.
 * Parentheses appear only where precedence needs them. expr_text() returns the
 * text, in the arena.
 */
void print_file(FILE *out, const struct file *f);
void print_expr(FILE *out, const struct expr *e);
const char *expr_text(const struct expr *e);
void print_stmt(FILE *out, const struct stmt *s, int indent);

/* Kinds of names that the library defines. */
enum lib_kind { LIB_FUNCTION, LIB_GLOBAL, LIB_ALIAS, LIB_MACRO };

/*
 * Finds the library's files: every .stp and .stpm of the tapset directory and
 * of each -I, and of their subdirectories that fit the target.  These are
 * VERSION/ARCH and VERSION for the release and each shorter form of it
 * ("6.1.0-56-cloud-amd64", "6.1.0-56-cloud", … "6.1", "6"), then ARCH.  Among
 * files of one tree with the same name, the one in the most specific directory
 * replaces the others.
 *
 * Names come from an index in the cache directory; files whose size or time
 * changed are scanned again.  Without a writable cache all are scanned each
 * time.
 */
void library_open(struct session *s);

/*
 * Parses the files that define NAME, unless they are parsed already, and adds
 * them to S->library_files.  Returns the number of files added; a file with
 * errors is reported and skipped.
 *
 * For LIB_ALIAS, NAME is a probe point's components without arguments, joined
 * by dots.  It may hold wildcards, and may be shorter or longer than the alias:
 * "syscall", "syscall.open*.return".  A more precise name loads fewer files.
 */
unsigned library_load(struct session *s, enum lib_kind kind, const char *name);

/*
 * Returns the first macro file that defines @NAME, for the preprocessor to
 * read; NULL if there is none.
 */
const struct source *library_macro_source(struct session *s, const char *name);

/*
 * Returns all N names of a kind, for "did you mean" and listings.  An alias's
 * name is "a.b.c".
 */
const char *const *library_names(struct session *s, enum lib_kind kind, size_t *n);

#endif
