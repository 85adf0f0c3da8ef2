// SPDX-License-Identifier: GPL-2.0-or-later
/* Does a format fit its values? */
#include "ir/ir.h"
#include "text/format.h"

bool ir_format_fits(const char *format, const bool *strings, size_t n)
{
	struct st_directive d;
	size_t taken = 0;

	while (st_format_next(&format, &d))
		for (unsigned left = st_directive_args(&d); left; left--, taken++)
			if (taken == n || strings[taken] !=
					  (left == 1 && st_conversion_is_string(d.conversion)))
				return false;
	return taken == n;
}
