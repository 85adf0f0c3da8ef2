// SPDX-License-Identifier: GPL-2.0-or-later
/* stap-exporter's keeper with servers that were taken over: it ends them, and itself, whatever they do. */
#include "exporter/keeper.h"

#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "check.h"
#include "exporter/server.h"

/* What the server sends again and again, never reading an answer. */
static struct question question;
static size_t question_size;

int server_run(int listening, int keeper)
{
	(void)listening;
	while (send(keeper, &question, question_size, 0) > 0)
		;
	return 0;
}

static void ends(const char *name, size_t size)
{
	static struct exporter exporter = { .modules = "/nonexistent", .directory = "/nonexistent" };
	struct script script = { .status = { .name = "idle.stp", .state = SCRIPT_IDLE } };
	struct scripts scripts = { &exporter, &script, 1 };

	strcpy(question.name, name);
	question_size = size;
	CHECK(keeper_run(&scripts, open("/dev/null", O_RDONLY | O_CLOEXEC)) == 1);
	CHECK(!script.pid && script.status.state == SCRIPT_IDLE);
}

int main(void)
{
	ends("", sizeof(question));
	ends("idle.stp", sizeof(question));
	ends("absent.stp", sizeof(question));
	ends("idle.stp", 1);
	return failures != 0;
}
