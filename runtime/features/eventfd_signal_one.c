// SPDX-License-Identifier: GPL-2.0-or-later
/* Does eventfd_signal() always add one, without a parameter for the number? */
#include <linux/eventfd.h>

void st_feature(struct eventfd_ctx *ctx)
{
	eventfd_signal(ctx);
}
