// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Relays standard input to the probes input.char and input.line.
 *
 * The write to a probe's procfs file runs its handler; an interpreted program answers when the
 * handler has run.  So the script has handled a character, and has printed its answer, before it
 * gets the next one.
 */
#include "input.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

/* Makes the terminal pass on each character as it is typed, without echo.  Does nothing in the background,
 * where the kernel would stop the process for trying. */
static void make_raw(struct input *in)
{
	struct termios raw;

	if (tcgetpgrp(in->fd) != getpgrp() || tcgetattr(in->fd, &in->settings))
		return;
	raw = in->settings;
	raw.c_lflag &= ~(ICANON | ECHO);
	raw.c_cc[VMIN] = 1;
	raw.c_cc[VTIME] = 0;
	in->raw = !tcsetattr(in->fd, TCSANOW, &raw);
}

void input_begin(struct input *in)
{
	in->fd = -1;
	in->raw = false;
	in->used = 0;
	if (in->chars < 0 && in->lines < 0)
		return;
	in->fd = STDIN_FILENO;
	signal(SIGTTIN, SIG_IGN);	/* in the background, read() then fails and ends the input */
	if (in->chars >= 0)
		make_raw(in);
}

/* Writes TEXT to FILE, which runs its handler.  Returns false if the module takes no more. */
static bool pass_on(const struct input *in, int file, const char *text, size_t n)
{
	char answer;

	if (file < 0)
		return true;
	/* The module drops what exceeds a script's string.  EAGAIN: it skipped the hit. */
	if (write(file, text, n) < 0)
		return errno == EAGAIN;
	return !in->answered || read(file, &answer, 1) == 1;
}

static bool relay_char(struct input *in, char c)
{
	if (!pass_on(in, in->chars, &c, 1))
		return false;
	if (in->used < sizeof(in->line))
		in->line[in->used++] = c;
	if (c != '\n')
		return true;

	size_t n = in->used;

	in->used = 0;
	return pass_on(in, in->lines, in->line, n);
}

void input_relay(struct input *in)
{
	char text[256];
	ssize_t n = read(in->fd, text, sizeof(text));

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	for (ssize_t i = 0; i < n; i++)
		if (!relay_char(in, text[i]))
			n = 0;
	if (n <= 0)
		in->fd = -1;
}

void input_end(struct input *in)
{
	if (in->raw)
		tcsetattr(STDIN_FILENO, TCSANOW, &in->settings);
	in->raw = false;
	in->fd = -1;
	if (in->chars >= 0)
		close(in->chars);
	if (in->lines >= 0)
		close(in->lines);
}
