/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Text of what hosts send as JSON, because data can be added up (--merge) and text can't:
 *
 *	{…,"text":"cat reads\n"}			cat reads
 *	{…,"name":"last","key":["a"],"value":"b"}	last["a"]="b"
 *	the sum of reads["cat"] on all hosts		reads["cat"]=42
 */
#ifndef STAP_REMOTE_TEXT_H
#define STAP_REMOTE_TEXT_H

#include <stdbool.h>
#include <stdio.h>

struct sbuf;
struct sum;

/* Adds the text that a line of stapio's JSON has.  Returns false if it has none. */
bool text_of_object(const char *line, struct sbuf *to);

/* Prints a sum as stapio prints a variable or a histogram (sums_printer), a histogram behind its name. */
void text_sum(FILE *to, const struct sum *s);

#endif
