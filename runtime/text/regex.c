// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Regular expressions: runs the tables that translator/regex/ makes.  A search takes one
 * table lookup per byte of the subject; a match with groups goes backwards and forwards
 * again, with two.  That holds for any pattern.
 */
#include "core/walk.h"

int st_regex_search(struct st_ctx *c, const struct st_regex *re, struct st_str s)
{
	const unsigned char *p = (const unsigned char *)s.p, *end = p + s.len;
	unsigned int state = re->start;

	if (st_walk_text(c, s.len))
		return 0;
	while (p < end && state > ST_RE_MATCHED)
		state = re->next[state * re->nclasses + re->classes[*p++]];
	return re->flags[state] & ST_RE_AT_END;
}

/* Runs backwards; returns where the leftmost match begins, or -1.  Leaves the states passed
 * through in states[]. */
static int regex_begin(const struct st_regex *re, const char *s, unsigned int n,
		       unsigned short *states)
{
	unsigned int state = 0, i = n;
	int begin = -1;

	for (;; i--) {
		states[i] = state;
		if (re->flags[state] & (i ? ST_RE_BEGINS : ST_RE_BEGINS_FIRST))
			begin = i;
		if (!i)
			return begin;
		state = re->next[state * re->nclasses + re->classes[(unsigned char)s[i - 1]]];
	}
}

/*
 * Returns the step of a state from a given position; NULL if nothing matches from there.  A match
 * goes through no such state, but the tables of a file may be forged.
 */
static const struct st_regex_step *regex_step(const struct st_regex *re, unsigned int state,
					      unsigned int from)
{
	unsigned int low = re->rows[state], high = re->rows[state + 1];

	while (high - low > 1) {
		unsigned int mid = (low + high) / 2;

		if (re->steps[mid].from <= from)
			low = mid;
		else
			high = mid;
	}
	return low < high ? &re->steps[low] : NULL;
}

/* Runs forwards over the match that begins at i; stores the tags' positions in at[]. */
static void regex_divide(const struct st_regex *re, unsigned int i, unsigned int n,
			 const unsigned short *states, int *at)
{
	unsigned int from = i ? ST_RE_FROM_START : ST_RE_FROM_FIRST;

	for (; i <= n; i++) {
		const struct st_regex_step *step = regex_step(re, states[i], from);
		const unsigned short *tag;

		if (!step)
			break;
		for (tag = re->tags + step->tags; *tag != ST_RE_NO_TAG; tag++)
			at[*tag] = i;
		if (step->to == ST_RE_DONE)
			break;
		from = step->to;
	}
}

int st_regex_match(struct st_ctx *c, const struct st_regex *re, struct st_str s)
{
	struct st_match *m = &c->match;
	unsigned int n = min(s.len, st_program.maxstringlen - 1), i;
	int begin;

	m->ngroups = 0;
	if (re->ngroups > st_program.groups) {
		st_error(c, "a regular expression with more groups than the script has room for");
		return 0;
	}
	if (st_walk_text(c, n))
		return 0;
	begin = regex_begin(re, s.p, n, m->states);
	if (begin < 0)
		return 0;
	for (i = 0; i < 2 * re->ngroups; i++)
		m->at[i] = -1;
	regex_divide(re, begin, n, m->states, m->at);
	if (m->at[1] < begin)		/* only with forged tables */
		return 0;
	memcpy(m->text, s.p + begin, m->at[1] - begin);
	for (i = 0; i < 2 * re->ngroups; i++)
		if (m->at[i] >= 0)
			m->at[i] -= begin;
	m->ngroups = re->ngroups;
	return 1;
}

struct st_str st_fn_matched(struct st_ctx *c, st_long n)
{
	const struct st_match *m = &c->match;
	struct st_str s = { "", 0 };

	if (!m->ngroups) {
		st_error(c, "Attempted to get subexpression %lld from failed match", n);
		return s;
	}
	if (n < 0 || n >= m->ngroups) {
		st_error(c, "Attempted to get nonexistent subexpression %lld", n);
		return s;
	}
	if (m->at[2 * n] < 0 || m->at[2 * n + 1] < m->at[2 * n])
		return s;
	s.p = m->text + m->at[2 * n];
	s.len = m->at[2 * n + 1] - m->at[2 * n];
	return st_dup(c, s);
}

st_long st_fn_ngroups(struct st_ctx *c)
{
	if (!c->match.ngroups)
		st_error(c, "Attempted to get subexpression count from failed match");
	return c->match.ngroups;
}
