// SPDX-License-Identifier: GPL-2.0-or-later
/* Finds tracepoints, and attaches functions to them. */
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "core/report.h"
#include "tracepoints.h"

struct wanted_tracepoints {
	struct st_follow *follows;
	unsigned int n;
};

static void find_wanted(struct tracepoint *tp, void *arg)
{
	const struct wanted_tracepoints *w = arg;
	unsigned int i;

	for (i = 0; i < w->n; i++)
		if (!strcmp(tp->name, w->follows[i].name))
			w->follows[i].tracepoint = tp;
}

int st_follow(struct st_follow *follows, unsigned int n, int priority)
{
	struct wanted_tracepoints wanted = { follows, n };
	unsigned int i;

	for_each_kernel_tracepoint(find_wanted, &wanted);
	for (i = 0; i < n; i++) {
		struct st_follow *f = &follows[i];
		int err = !f->tracepoint ? -ENOENT :
			  tracepoint_probe_register_prio(f->tracepoint, f->call, f->data, priority);

		if (err)
			return st_fail(err, "tracepoint %s can't be followed (rc %d)",
				       f->name, err);
		f->attached = true;
	}
	return 0;
}

void st_unfollow(struct st_follow *follows, unsigned int n)
{
	unsigned int i;

	for (i = 0; i < n; i++) {
		struct st_follow *f = &follows[i];

		if (f->attached)
			tracepoint_probe_unregister(f->tracepoint, f->call, f->data);
		f->attached = false;
	}
	tracepoint_synchronize_unregister();
}
