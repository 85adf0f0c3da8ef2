// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * timer.UNIT(N)[.randomize(M)]: every N units, plus or minus up to M.
 *
 * Each timer runs its handler on one CPU at a time.  Jiffies timers count the
 * kernel's ticks; all others are high-resolution timers, in nanoseconds.
 */
#include <inttypes.h>

#include "abi/bounds.h"
#include "families.h"
#include "ir/ir.h"

#define NS_PER_S 1000000000LL
#define LEAST_NS 100000LL		/* shorter intervals would leave a CPU no time for
					   anything else */

enum { V_JIFFIES = 1 << 16, V_HZ = 1 << 17, V_UNIT = (1 << 16) - 1 };
enum { U_S, U_MS, U_US, U_NS };

static const int64_t unit_ns[] = { NS_PER_S, 1000000, 1000, 1 };

#define UNIT(name, u)							\
	{ "timer." name "(n)", u, "every n " name },			\
	{ "timer." name "(n).randomize(n)", u, "every n " name " plus or minus a random part" }

static const struct probe_pattern timer_patterns[] = {
	UNIT("s", U_S), UNIT("sec", U_S), UNIT("seconds", U_S),
	UNIT("ms", U_MS), UNIT("msec", U_MS), UNIT("milliseconds", U_MS),
	UNIT("us", U_US), UNIT("usec", U_US), UNIT("microseconds", U_US),
	UNIT("ns", U_NS), UNIT("nsec", U_NS), UNIT("nanoseconds", U_NS),
	UNIT("jiffies", V_JIFFIES),
	{ "timer.hz(n)", V_HZ, "n times a second" },
	{ NULL, 0, NULL },
};

struct timer_probe {
	struct probe probe;
	int64_t interval;		/* in ns, or in jiffies if 'jiffies' is set */
	int64_t random;			/* the most that is added or subtracted, in the same unit */
	bool jiffies;
};

static int64_t to_units(int64_t n, int variant)
{
	return variant & V_JIFFIES ? n : n * unit_ns[variant & V_UNIT];
}

/* Returns a message if the interval is out of range, else NULL.  SystemTap has the same bounds. */
static const char *wrong_interval(int64_t n, int variant)
{
	int64_t least, most;

	if (variant & V_JIFFIES) {
		least = 1, most = ST_TIMER_MOST_JIFFIES;
	} else if (variant & V_HZ) {
		least = 1, most = NS_PER_S / LEAST_NS;
	} else {
		int64_t unit = to_units(1, variant);

		least = unit > LEAST_NS ? 1 : LEAST_NS / unit, most = ST_TIMER_MOST_NS / unit;
	}
	if (n >= least && n <= most)
		return NULL;
	return arena_printf("invalid interval %" PRId64 " (from %" PRId64 " to %" PRId64 ")", n,
			    least, most);
}

static int timer_resolve(struct session *s, const struct probe_point *point,
			 const struct probe_pattern *pat, struct family_result *out)
{
	int64_t n = point->parts.v[1].arg->num;
	int64_t random = point->parts.n > 2 ? point->parts.v[2].arg->num : 0;

	(void)s;
	out->why.text = wrong_interval(n, pat->variant);
	if (out->why.text)
		return -1;
	if (random < 0 || random > n) {
		out->why.text = arena_printf("invalid randomize value %" PRId64
					" (from 0 to the interval)", random);
		return -1;
	}
	struct timer_probe *t = arena_new(struct timer_probe);

	add_named_site(&t->probe, point);
	t->interval = pat->variant & V_HZ ? NS_PER_S / n : to_units(n, pat->variant);
	t->random = pat->variant & V_HZ ? 0 : to_units(random, pat->variant);
	t->jiffies = pat->variant & V_JIFFIES;
	vec_push(&out->probes, &t->probe);
	return 0;
}

static void timer_row(const struct probe *p, const struct site *site, struct row *out)
{
	const struct timer_probe *t = container_of(p, struct timer_probe, probe);

	(void)site;
	row_number(out, "interval", t->interval);
	row_number(out, "random", t->random);
	row_number(out, "jiffies", t->jiffies);
}

static void timer_place(const struct probe *p, const struct site *site, struct ir_place *out)
{
	const struct timer_probe *t = container_of(p, struct timer_probe, probe);

	(void)site;
	out->event = IR_TIMER;
	out->interval = t->interval;
	out->random = t->random;
	out->jiffies = t->jiffies;
}

const struct probe_family family_timer = {
	.name = "timer",
	.patterns = timer_patterns,
	.resolve = timer_resolve,
	.table = "timer",
	.row = timer_row,
	.place = timer_place,
	.solitary = true,
};
