// SPDX-License-Identifier: GPL-2.0-or-later
/* eventfd_signal() adds one, and is not told so. */
#include <linux/eventfd.h>

void st_feature(struct eventfd_ctx *ctx)
{
	eventfd_signal(ctx);
}
