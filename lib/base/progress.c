// SPDX-License-Identifier: GPL-2.0-or-later
/* The line of progress (progress.h). */
#include "progress.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "arena.h"
#include "printable.h"

enum { MOMENT_MS = 300, STEP_MS = 100, WIDTH = 79 };

static int64_t next_ms;			/* when the line may be written next; 0: nothing has begun */
static bool shown;

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000ll + t.tv_nsec / 1000000;
}

void progress(const char *fmt, ...)
{
	int64_t now = now_ms();
	va_list ap;

	if (!next_ms)
		next_ms = now + MOMENT_MS;
	if (now < next_ms || !isatty(STDERR_FILENO))
		return;
	next_ms = now + STEP_MS;
	va_start(ap, fmt);
	fputs("\r\033[K", stderr);
	printable_print(stderr, arena_printf("%.*s", WIDTH, arena_vprintf(fmt, ap)), "");
	va_end(ap);
	fflush(stderr);
	shown = true;
}

void progress_end(void)
{
	if (shown)
		fputs("\r\033[K", stderr);
	shown = false;
	next_ms = 0;
}
