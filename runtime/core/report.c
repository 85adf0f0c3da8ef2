// SPDX-License-Identifier: GPL-2.0-or-later
/* The session's counters and the message of its last failed command. */
#include "report.h"

struct st_counts st_counts;
char st_message[256];

int st_fail(int err, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	vscnprintf(st_message, sizeof(st_message), fmt, args);
	va_end(args);
	return err;
}
