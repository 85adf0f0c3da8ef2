// SPDX-License-Identifier: GPL-2.0-or-later
/* Turns the signals that stop staprun and stapio into a descriptor (signals.h). */
#include "signals.h"

#include <signal.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

int signals_open(void)
{
	static const int stops[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction old;
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < sizeof(stops) / sizeof(*stops); i++)
		if (!sigaction(stops[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaddset(&set, stops[i]);
	sigprocmask(SIG_SETMASK, &set, NULL);
	/* write() then fails with EPIPE or EFBIG. */
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	signal(SIGCHLD, SIG_DFL);	/* if our parent ignored it, wait() would find no children */
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int signals_take(int fd)
{
	struct signalfd_siginfo si;

	return read(fd, &si, sizeof(si)) == sizeof(si) ? (int)si.ssi_signo : 0;
}

void signals_restore(void)
{
	sigset_t none;

	sigemptyset(&none);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	sigprocmask(SIG_SETMASK, &none, NULL);
}
