// SPDX-License-Identifier: GPL-2.0-or-later
/* Times as text. */
#include "port/port.h"

/* Formats a time. One that fits 32 bits gives exactly 24 characters. */
struct st_str st_fn_ctime(struct st_ctx *c, st_long seconds)
{
	static const char days[] = "SunMonTueWedThuFriSat";
	static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
	struct tm tm;
	char *p;
	int n;

	if (seconds < S32_MIN || seconds > S32_MAX) {
		st_error(c, "Time too far in the %s to be converted",
			 seconds < 0 ? "past" : "future");
		return ST_LIT("");
	}
	p = st_scratch(c, 24);
	if (!p)
		return ST_LIT("");
	time64_to_tm(seconds, 0, &tm);
	n = scnprintf(p, 25, "%.3s %.3s %2d %02d:%02d:%02d %ld", days + 3 * tm.tm_wday,
		      months + 3 * tm.tm_mon, tm.tm_mday, tm.tm_hour, tm.tm_min, tm.tm_sec,
		      (long)tm.tm_year + 1900);
	return (struct st_str){ p, n };
}

struct st_str st_fn_ctime_now(struct st_ctx *c)
{
	return st_fn_ctime(c, st_fn_realtime(c, 1000000000));
}
