/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <linux/percpu.h>
enum thing_kind { THING_FLAT, THING_ROUND = 70000 };
struct thing { long weight; enum thing_kind kind; unsigned low:3, high:5; char name[8]; };
struct thing_stat { long hits; };
long thing_other(struct thing *t, long sum);
long thing_op(struct thing *t, int n);
