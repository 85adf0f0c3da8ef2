// SPDX-License-Identifier: GPL-2.0-or-later
/* Does once with a pseudo-terminal what terminals are for. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

int main(void)
{
	struct winsize size = { .ws_row = 33, .ws_col = 77, .ws_xpixel = 5, .ws_ypixel = 6 };
	int master = posix_openpt(O_RDWR | O_NOCTTY);
	char text[100];

	if (master < 0 || grantpt(master) || unlockpt(master))
		return 1;

	int slave = open(ptsname(master), O_RDWR | O_NOCTTY);
	struct pollfd pf = { .fd = slave, .events = POLLIN };
	struct termios raw;

	if (slave < 0 || ioctl(slave, TIOCSWINSZ, &size) || tcgetattr(slave, &raw))
		return 1;
	cfmakeraw(&raw);
	tcsetattr(slave, TCSANOW, &raw);
	if (write(master, "typed", 5) != 5 || poll(&pf, 1, -1) != 1 ||
	    read(slave, text, sizeof(text)) != 5 || write(slave, "shown", 5) != 5)
		return 1;
	close(slave);
	return 0;
}
