// SPDX-License-Identifier: GPL-2.0-or-later
/* Takes the options that stap and staprun hand on to stapio, and writes them out again. */
#define _GNU_SOURCE
#include "relayed.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "base/problem.h"

enum kind { FLAG, COUNT, TEXT, NUMBER, SECONDS, SIZE, NAME };
enum whose { BOTH, PROGRAM };

static const struct row {
	enum whose whose;
	enum kind kind;
	size_t at;			/* of the member in struct relayed */
	long most;
	const char *letter;
	char stap;			/* its letter, or 0 */
	const char *name, *argument, *summary;
} rows[] = {
#define RELAYED(whose, member, kind, most, letter, stap, name, argument, summary) \
	{ whose, kind, offsetof(struct relayed, member), most, letter, stap, name, argument, summary },
	RELAYED_OPTIONS(RELAYED)
#undef RELAYED
};

#define ROWS (sizeof(rows) / sizeof(*rows))

/* ---- who knows an option by what ---- */

static bool is_for(const struct row *row, enum relayed_for who)
{
	return who == FOR_STAPIO || (who == FOR_STAP ? row->stap != 0 : row->whose == BOTH);
}

static char letter_of(const struct row *row, enum relayed_for who)
{
	return who == FOR_STAP ? row->stap : *row->letter;
}

/* Writes the option as a user gives it, "-o" or "--end-after". */
static void put_option(const struct row *row, enum relayed_for who, char *to, size_t room)
{
	if (row->name && who != FOR_STAP)
		snprintf(to, room, "--%s", row->name);
	else
		snprintf(to, room, "-%c", letter_of(row, who));
}

/* ---- arguments ---- */

/* An argument that is checked; 'wrong' is a message, or empty. */
struct check {
	const char *option;
	char wrong[256];
};

/* What is wrong lies between AT and END. */
static void refuse(struct check *c, const char *wanted, const char *at, const char *end)
{
	if (!*c->wrong)
		snprintf(c->wrong, sizeof(c->wrong), "%s takes %s, not '%.*s'", c->option, wanted,
			 (int)(end - at), at);
}

static bool is_number(const char *text, const char *end, long most)
{
	char *behind;

	errno = 0;
	long v = strtol(text, &behind, 10);

	return !errno && behind == end && end != text && v >= 1 && v <= most;
}

static void check_number(struct check *c, const char *number, const char *end, long most)
{
	char wanted[64];

	snprintf(wanted, sizeof(wanted), "a number from 1 to %ld", most);
	if (!is_number(number, end, most))
		refuse(c, wanted, number, end);
}

static void check_seconds(struct check *c, const char *argument, const char *end)
{
	char *behind;
	double seconds = strtod(argument, &behind);

	if (behind == argument || behind != end || !(seconds >= 0.001 && seconds < 1e9))
		refuse(c, "seconds, from 0.001 on", argument, end);
}

bool relayed_is_name(const char *text)
{
	size_t n = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");

	return n && n <= 64 && !text[n] && !strchr("._-", *text);
}

static void check_argument(struct check *c, const struct row *row, const char *argument)
{
	const char *comma = strchrnul(argument, ','), *end = argument + strlen(argument);

	if (row->kind == NUMBER)
		check_number(c, argument, end, row->most);
	else if (row->kind == SECONDS)
		check_seconds(c, argument, end);
	else if (row->kind == SIZE)
		check_number(c, argument, comma, row->most);
	if (row->kind == SIZE && *comma)
		check_number(c, comma + 1, end, INT_MAX);
	if (row->kind == NAME && !relayed_is_name(argument))
		refuse(c, RELAYED_NAME_IS, argument, end);
}

static const struct row *find(enum relayed_for who, int letter)
{
	for (const struct row *row = rows; row < rows + ROWS; row++)
		if (is_for(row, who) && letter_of(row, who) == letter)
			return row;
	return NULL;
}

bool relayed_take(struct relayed *r, enum relayed_for who, int letter, const char *argument, struct problem *why)
{
	static struct check check;
	const struct row *row = find(who, letter);
	char option[64], *to;

	if (!row)
		return false;
	to = (char *)r + row->at;
	if (row->kind == FLAG) {
		*(bool *)to = true;
	} else if (row->kind == COUNT) {
		*(int *)to += *(int *)to < row->most;
	} else {
		*(const char **)to = argument;
		put_option(row, who, option, sizeof(option));
		check = (struct check){ .option = option };
		check_argument(&check, row, argument);
		check.option = NULL;
		why->text = *check.wrong ? check.wrong : NULL;
	}
	return true;
}

/* ---- getopt(3) ---- */

void relayed_letters(char *letters, size_t room, enum relayed_for who)
{
	char *end = letters + strlen(letters);

	for (const struct row *row = rows; row < rows + ROWS; row++)
		if (is_for(row, who) && (who != FOR_STAPRUN || !row->name))
			end += snprintf(end, letters + room - end, "%c%s", letter_of(row, who),
					row->argument ? ":" : "");
}

struct option *relayed_names(struct option *names, enum relayed_for who)
{
	for (const struct row *row = rows; row < rows + ROWS; row++)
		if (row->name && is_for(row, who))
			*names++ = (struct option){
				.name = row->name, .val = letter_of(row, who),
				.has_arg = row->argument ? required_argument : no_argument,
			};
	return names;
}

/* ---- writing out ---- */

/* A row's word for staprun or stapio. */
static const char *word(const struct row *row, enum relayed_for who)
{
	static char words[ROWS][40];
	char *to = words[row - rows];

	if (who == FOR_STAPIO)
		snprintf(to, sizeof(words[0]), "-%c", *row->letter);
	else
		put_option(row, who, to, sizeof(words[0]));
	return to;
}

int relayed_words(const struct relayed *r, enum relayed_for who, const char **words)
{
	int n = 0;

	for (const struct row *row = rows; row < rows + ROWS; row++) {
		const char *from = (const char *)r + row->at;

		if (!is_for(row, who))
			continue;
		if (row->kind == FLAG || row->kind == COUNT) {
			for (int i = row->kind == FLAG ? *(bool *)from : *(int *)from; i; i--)
				words[n++] = word(row, who);
		} else if (*(const char **)from) {
			words[n++] = word(row, who);
			words[n++] = *(const char **)from;
		}
	}
	return n;
}

void relayed_summary(FILE *out, enum relayed_for who)
{
	char option[64];

	for (const struct row *row = rows; row < rows + ROWS; row++) {
		size_t n;

		if (!is_for(row, who))
			continue;
		put_option(row, who, option, sizeof(option));
		n = strlen(option);
		if (row->argument)
			snprintf(option + n, sizeof(option) - n, "%c%s", n > 2 ? '=' : ' ', row->argument);
		fprintf(out, strlen(option) > 13 ? "  %s  %s\n" : "  %-13s %s\n", option, row->summary);
	}
}
