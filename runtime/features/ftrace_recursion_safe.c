// SPDX-License-Identifier: GPL-2.0-or-later
/* Callbacks without recursion protection of their own need no flag, those with it do. */
#include <linux/ftrace.h>

int st_feature = FTRACE_OPS_FL_RECURSION_SAFE;
