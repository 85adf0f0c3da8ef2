// SPDX-License-Identifier: GPL-2.0-or-later
/* Keeps what the guest's console prints, and searches it for complaints of the guest's kernel. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "vm.h"

#define CONSOLE_MAX	(8u << 20)	/* bytes kept; the first ones, because they say most */
#define COMPLAINT_LINES	60		/* lines that are shown from the first complaint on */

void vm_console_put(struct vm_console *c, const char *text, size_t len)
{
	c->text = realloc(c->text, c->len + len + 1);
	if (!c->text)
		abort();
	for (size_t i = 0; i < len; i++)
		if (text[i] && text[i] != '\r')
			c->text[c->len++] = text[i];
	c->text[c->len] = '\0';
	if (c->show) {
		fwrite(c->text + c->shown, 1, c->len - c->shown, stderr);
		c->shown = c->len;
	}
}

bool vm_console_read(struct vm_console *c, int fd)
{
	char buf[16384];
	ssize_t n = recv(fd, buf, sizeof(buf), MSG_DONTWAIT);

	if (n > 0 && c->len + n <= CONSOLE_MAX)
		vm_console_put(c, buf, n);
	return n > 0;
}

void vm_console_drain(struct vm_console *c, int fd, int silence)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	while (poll(&p, 1, silence) > 0 && vm_console_read(c, fd))
		;
}

void vm_console_tail(const struct vm_console *c, int lines)
{
	const char *p;

	if (!c->len || c->show)
		return;
	for (p = c->text + c->len - 1; p > c->text; p--)
		if (*p == '\n' && p[1] && lines-- == 0)
			break;
	fprintf(stderr, "stap-vm: the guest's console ended with:\n%s\n", p + (*p == '\n'));
}

static bool is_complaint(const char *line)
{
	static const char *const marks[] = {
		"BUG:", "WARNING:", "Oops:", "kernel BUG at", "Kernel panic",
		"general protection fault", "possible circular locking",
		"possible recursive locking", "suspicious RCU usage", "inconsistent lock state",
		"INFO: task ", "rcu: INFO: ", "self-detected stall", "soft lockup",
		"hard LOCKUP", "nable to handle", "UBSAN:", "KASAN:", "list_add corruption",
		"list_del corruption", "refcount_t:", "scheduling while atomic",
		"double fault", "divide error", "invalid opcode", "stack guard page", NULL };
	const char *const *m;

	for (m = marks; *m; m++)
		if (strstr(line, *m))
			return true;
	return false;
}

bool vm_console_complained(const struct vm_console *c)
{
	char *line, *end;
	bool found = false;
	int shown = 0;

	for (line = c->text ? strstr(c->text, VM_LOG_MARK) : NULL; line && *line;
	     line = end ? end + 1 : NULL) {
		end = strchr(line, '\n');
		if (end)
			*end = '\0';
		if (!found && is_complaint(line)) {
			found = true;
			fprintf(stderr, "stap-vm: the guest's kernel complained:\n");
		}
		if (found && !c->show && shown++ < COMPLAINT_LINES)
			fprintf(stderr, "%s\n", line);
		if (end)
			*end = '\n';
	}
	return found;
}

bool vm_console_save(const struct vm_console *c, const char *path)
{
	FILE *f = fopen(path, "we");
	bool ok = f && fwrite(c->text ? c->text : "", 1, c->len, f) == c->len;

	if ((f && fclose(f)) || !ok) {
		fprintf(stderr, "stap-vm: cannot write %s: %s\n", path, strerror(errno));
		return false;
	}
	return true;
}

void vm_console_free(struct vm_console *c)
{
	free(c->text);
	c->text = NULL;
	c->len = c->shown = 0;
}
