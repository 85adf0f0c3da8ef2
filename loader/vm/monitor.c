// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * QEMU's monitor, for a guest that no longer answers: where do its processors stand?
 *
 * The monitor takes command lines and prints text (QEMU's manual, "QEMU Monitor"). Of what
 * "info registers -a" prints we show the lines that name a processor or hold its instruction
 * pointer:
 *
 *	CPU#0
 *	RIP=ffffffff81a0b3c0 RFL=00000246 [---Z-P-] CPL=0 II=0 A20=1 SMM=0 HLT=1
 *
 * Then the guest's kernel is asked for stacks on its console. A break on a serial line makes the
 * next character a command (its Documentation/admin-guide/sysrq.rst): "l" shows the stacks of
 * all processors, "w" those of tasks that wait uninterruptibly. A kernel whose interrupts are
 * off doesn't hear that. "nmi" interrupts it all the same: it panics (unknown_nmi_panic) and
 * shows the stack of one processor.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "vm.h"

#define ANSWER_SILENCE	3000	/* milliseconds of silence that end an answer, */
#define STACKS_SILENCE	3000	/* stacks on the console, */
#define PANIC_SILENCE	5000	/* and the report of a panic, after which QEMU ends */

static bool tell(int fd, const char *command)
{
	return send(fd, command, strlen(command), MSG_NOSIGNAL) == (ssize_t)strlen(command);
}

/* Sends a command; its answer, allocated, or NULL. */
static char *ask(int fd, const char *command)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	char *answer, buf[4096];
	size_t len;
	ssize_t n;
	FILE *f;

	f = tell(fd, command) ? open_memstream(&answer, &len) : NULL;
	if (!f)
		return NULL;
	while (poll(&p, 1, ANSWER_SILENCE) > 0 && (n = recv(fd, buf, sizeof(buf), MSG_DONTWAIT)) > 0)
		fwrite(buf, 1, n, f);
	fclose(f);
	return answer;
}

/* Returns false if QEMU is gone. */
static bool show_processors(int fd)
{
	char *answer = ask(fd, "info registers -a\n"), *line, *rest = NULL;
	bool any = false;

	for (line = answer ? strtok_r(answer, "\r\n", &rest) : NULL; line;
	     line = strtok_r(NULL, "\r\n", &rest)) {
		if (strncmp(line, "CPU#", 4) && strncmp(line, "RIP=", 4))
			continue;
		fprintf(stderr, "stap-vm: %s\n", line);
		any = true;
	}
	free(answer);
	return any;
}

/* The character must come behind the break, which takes another way, within five seconds. */
static void show_stacks(int fd, int console, struct vm_console *c)
{
	for (const char *command = "lw"; *command; command++) {
		free(ask(fd, "chardev-send-break console\n"));
		if (send(console, command, 1, MSG_NOSIGNAL) == 1)
			vm_console_drain(c, console, STACKS_SILENCE);
	}
}

void vm_guest_autopsy(const struct vm_guest *g, struct vm_console *c)
{
	int fd = g->fd[VM_MONITOR];

	if (!show_processors(fd))
		return;
	show_stacks(fd, g->fd[VM_CONSOLE], c);
	/* Nobody waits for the answer: the serial line drops what is not read at once. */
	if (tell(fd, "nmi\n"))
		vm_console_drain(c, g->fd[VM_CONSOLE], PANIC_SILENCE);
}
