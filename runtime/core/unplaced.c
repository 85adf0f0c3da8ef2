// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Warns of places that the kernel refused (unplaced.h).  A few are told one by one, more in one line with
 * the commonest error.  So many kinds of errors are counted separately.
 */
#include "supply.h"
#include "unplaced.h"

#define UNPLACED_SHOWN 3
#define UNPLACED_KINDS 8

static struct {
	unsigned int n;
	struct {
		const char *pp;
		unsigned long address;
		int err;
	} first[UNPLACED_SHOWN];
	struct {
		int err;
		unsigned int n;
	} kinds[UNPLACED_KINDS];
} st_unplaced_list;

void st_unplaced(const char *pp, unsigned long address, int err)
{
	unsigned int i = st_unplaced_list.n++;

	if (i < UNPLACED_SHOWN) {
		st_unplaced_list.first[i].pp = pp;
		st_unplaced_list.first[i].address = address;
		st_unplaced_list.first[i].err = err;
	}
	for (i = 0; i < UNPLACED_KINDS - 1 && st_unplaced_list.kinds[i].n; i++)
		if (st_unplaced_list.kinds[i].err == err)
			break;
	st_unplaced_list.kinds[i].err = err;
	st_unplaced_list.kinds[i].n++;
}

/* Does the I-th place belong to another point than the one before it? */
static bool is_other(unsigned int i)
{
	return strcmp(st_unplaced_list.first[i].pp, st_unplaced_list.first[i - 1].pp);
}

void st_unplaced_tell(void)
{
	unsigned int i, most = 0;

	for (i = 0; i < st_unplaced_list.n && st_unplaced_list.n <= UNPLACED_SHOWN; i++)
		st_tell(ST_FMT_WARN, "probe %s (address 0x%lx) registration error "
			"[man warning::pass5] (rc %d)", st_unplaced_list.first[i].pp,
			st_unplaced_list.first[i].address, st_unplaced_list.first[i].err);
	for (i = 1; i < UNPLACED_KINDS; i++)
		if (st_unplaced_list.kinds[i].n > st_unplaced_list.kinds[most].n)
			most = i;
	if (st_unplaced_list.n > UNPLACED_SHOWN)
		st_tell(ST_FMT_WARN, "%u places: registration error [man warning::pass5] (rc %d: %u), "
			"first of all %s%s%s%s%s", st_unplaced_list.n, st_unplaced_list.kinds[most].err,
			st_unplaced_list.kinds[most].n, st_unplaced_list.first[0].pp,
			is_other(1) ? ", " : "", is_other(1) ? st_unplaced_list.first[1].pp : "",
			is_other(2) ? ", " : "", is_other(2) ? st_unplaced_list.first[2].pp : "");
	memset(&st_unplaced_list, 0, sizeof(st_unplaced_list));
}
