// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Is there the flag of callbacks that guard against recursion themselves? (Later kernels have a
 * flag of callbacks that don't.)
 */
#include <linux/ftrace.h>

int st_feature = FTRACE_OPS_FL_RECURSION_SAFE;
