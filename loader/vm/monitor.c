// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What QEMU's monitor does: a hung guest's diagnosis (where are its CPUs?), and plugging.
 *
 * The monitor takes command lines and prints text (QEMU's manual, "QEMU Monitor"). From the
 * registers that "info registers -a" prints, we show each CPU's number and instruction pointer:
 *
 *	CPU#0
 *	RIP=ffffffff81a0b3c0 RFL=00000246 [---Z-P-] CPL=0 II=0 A20=1 SMM=0 HLT=1
 *
 * Then we ask the guest's kernel for stacks on its console, by SysRq. A break on a serial line makes
 * the next character a command (the kernel's Documentation/admin-guide/sysrq.rst): "l" prints the
 * stacks of all CPUs, "w" the stacks of tasks in uninterruptible sleep. A kernel with interrupts off
 * doesn't receive that. So the monitor's "nmi" command comes last: the kernel panics
 * (unknown_nmi_panic) and prints the stack of one CPU.
 *
 * The monitor also plugs in the shared root of a guest that was saved, or restored, without it.
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

/* Sends a command; returns its answer, malloc'ed, or NULL. */
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

/* Prints the CPUs' numbers and instruction pointers. Returns false if QEMU is gone. */
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

/* Sends SysRq commands. The character must arrive within five seconds after the break. The break goes
 * through the monitor, so we wait for the monitor's answer before we send the character. */
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
	/* Don't wait for the monitor's answer: the serial line drops output that isn't read at once. */
	if (tell(fd, "nmi\n"))
		vm_console_drain(c, g->fd[VM_CONSOLE], PANIC_SILENCE);
}

bool vm_guest_plug(const struct vm_guest *g)
{
	return tell(g->fd[VM_MONITOR], "device_add " VM_FS_DEVICE ",bus=" VM_BUS "\n");
}
