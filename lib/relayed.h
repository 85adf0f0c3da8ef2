/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The options that stap hands on to staprun, and staprun to stapio.  All three know them by this table:
 *
 *	RELAYED(WHOSE, member, KIND, most, "letter", 's', "name", "argument", "what it is for")
 *
 * WHOSE is BOTH, or PROGRAM: staprun does not take it, but stapio where it runs a program's file (NAME.stpi).
 * 's' is stap's letter; 0: stap has another option for it, or none (run/run.c fills the member in).
 *
 * A kind says what the member of struct relayed is, and what its argument may be:
 *
 *	FLAG	a bool; no argument
 *	COUNT	an int: how often it was given, up to MOST
 *	TEXT	a string; anything
 *	NUMBER	a string; from 1 to MOST, in decimals
 *	SECONDS	a string; from 0.001 on
 *	SIZE	a string; "MB[,N]", a file's size and how many are kept
 *	NAME	a string; of a session that is kept
 *
 * staprun has root's rights where sudo runs it, so an argument is checked as it is taken:
 *
 *	relayed_letters(letters, sizeof(letters), FOR_STAPRUN);
 *	…
 *	if (relayed_take(&r, FOR_STAPRUN, option, optarg, &why))	getopt_long() has returned the letter
 *		…						it is one of these; why.text: its argument is bad
 *	…
 *	n += relayed_words(&r, FOR_STAPIO, argv + n);	for stapio: "-o" "out" "-x" "4711"
 *
 * An option with another word for users has a NAME, which staprun takes; stapio takes the letter as well.
 */
#ifndef STAP_RELAYED_H
#define STAP_RELAYED_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "abi/bounds.h"

#define RELAYED_OPTIONS(RELAYED) \
	RELAYED(BOTH, verbose, COUNT, 4, "v", 0, NULL, NULL, "say more (may be repeated)") \
	RELAYED(BOTH, no_warnings, FLAG, 0, "w", 0, NULL, NULL, "no warnings") \
	RELAYED(BOTH, output, TEXT, 0, "o", 'o', NULL, "FILE", \
		"output to FILE (strftime(3) formats are filled in)") \
	RELAYED(BOTH, command, TEXT, 0, "c", 'c', NULL, "CMD", \
		"run CMD once the probes are armed, end when it does; its pid is target()") \
	RELAYED(BOTH, target, NUMBER, INT_MAX, "x", 'x', NULL, "PID", "PID is target(); end when it does") \
	RELAYED(BOTH, seconds, SECONDS, 0, "E", 'T', "end-after", "SECONDS", "end after so many seconds") \
	RELAYED(BOTH, size, SIZE, ST_OUTPUT_MOST, "S", 'S', NULL, "MB[,N]", \
		"-o's file of that size at most, then the next; the last N are kept") \
	RELAYED(BOTH, stamped, FLAG, 0, "p", 0, "stamped", NULL, \
		"write the time and length before each piece of output, as stap reads it") \
	RELAYED(BOTH, detach, NAME, 0, "K", 0, "detach", "NAME", \
		"go on in the background, keep the output until it is read (--attach=NAME)") \
	RELAYED(BOTH, attach, FLAG, 0, "A", 0, NULL, NULL, \
		"attach to a module, by name, that was left running") \
	RELAYED(BOTH, format, TEXT, 0, "f", 0, "format", "FORMAT", \
		"write text, json, or bulk, a file for each CPU") \
	RELAYED(PROGRAM, untimed, FLAG, 0, "U", 0, "suppress-time-limits", NULL, \
		"let a program's handlers take any time, if its script said so")

#define RELAYED_FLAG bool
#define RELAYED_COUNT int
#define RELAYED_TEXT const char *
#define RELAYED_NUMBER const char *
#define RELAYED_SECONDS const char *
#define RELAYED_SIZE const char *
#define RELAYED_NAME const char *

/* What the options say; texts are argv's, NULL without the option. */
struct relayed {
#define RELAYED(whose, member, kind, most, letter, stap, name, argument, summary) RELAYED_##kind member;
	RELAYED_OPTIONS(RELAYED)
#undef RELAYED
};

/* The most words that they become, without the NULL at the end. */
#define RELAYED_WORDS 26

struct option;
struct problem;

/* Whose options: stap takes those with a letter of its own; staprun those of BOTH, by their names where they
 * have one; stapio all, by name or letter. */
enum relayed_for { FOR_STAP, FOR_STAPRUN, FOR_STAPIO };

/* Puts the letters, as getopt(3) wants them, behind the string at LETTERS, of ROOM bytes. */
void relayed_letters(char *letters, size_t room, enum relayed_for who);

/* Adds the names to getopt_long(3)'s NAMES; returns where the next goes. */
struct option *relayed_names(struct option *names, enum relayed_for who);

/* Takes an option.  Returns false if it is none of these.  Sets WHY->text if the argument is bad, until the next
 * call. */
bool relayed_take(struct relayed *r, enum relayed_for who, int letter, const char *argument, struct problem *why);

/* Makes the words that say the same to staprun or stapio; returns how many. */
int relayed_words(const struct relayed *r, enum relayed_for who, const char **words);

/* May TEXT be the name of a kept session?  It becomes that of a directory. */
#define RELAYED_NAME_IS "a name of up to 64 letters, digits, '.', '_' and '-', that begins with a letter or digit"
bool relayed_is_name(const char *text);

/* Prints a line of the summary for each. */
void relayed_summary(FILE *out, enum relayed_for who);

#endif
