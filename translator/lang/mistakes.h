/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Recognises other languages' words: bpftrace's names and probes, C's declarations.  Each
 * function returns what to write here instead, as a hint's text in the arena, or NULL if it
 * doesn't know the name.
 *
 *	mistake_of_variable("comm")	"execname() is the process's name"
 *	mistake_of_function("str")	"user_string(address) or kernel_string(address)"
 *	mistake_of_point("kprobe:vfs_read { … }")
 *		"this is bpftrace's; here: probe kernel.function("vfs_read") { … }"
 */
#ifndef STAP_LANG_MISTAKES_H
#define STAP_LANG_MISTAKES_H

/* Explains a variable that was never assigned. */
const char *mistake_of_variable(const char *name);

/* Explains a call of a function that isn't defined. */
const char *mistake_of_function(const char *name);

/* Explains a word where the grammar has no place for one, or the word before such a place. */
const char *mistake_of_word(const char *word);

/* Explains "@name", which is neither an operator nor a macro; NAME is what follows the '@'. */
const char *mistake_of_map(const char *name);

/* Explains the text that stands where 'probe', 'global' or 'function' was expected. */
const char *mistake_of_point(const char *text);

/* Explains a component that no probe point has there. */
const char *mistake_of_part(const char *name);

#endif
