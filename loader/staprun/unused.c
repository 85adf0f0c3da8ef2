// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Removes script modules that are not in use: for -d, or because a killed loader left them behind.
 * The module itself reports which it is.  We hold its control file open until it is removed, which
 * tells it from another module that gets its name meanwhile.
 */
#include "unused.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "common/control.h"
#include "common/module.h"
#include "common/say.h"

/* Time to wait: another process may be removing the module too. */
#define SWEEP_MS 1000

/* Is the module in use?  A loader that has just inserted it is about to open its files. */
static bool in_use(const struct control_state *st)
{
	if (control_counter(st, "watchers"))
		return true;
	if (control_is(st, "state", "loaded"))
		return control_counter(st, "lives");
	return !control_counter(st, "detached") && !control_is(st, "state", "stopped");
}

/* Returns 0 if the module may be removed, because it is not in use; else -errno. */
static int unused(const char *name, bool *detached)
{
	/* For reading only, because a descriptor for writing would count as a user. */
	int fd = control_open(name, ST_FILE_CONTROL, O_RDONLY), err;
	struct control_state st = { NULL };

	if (fd < 0)
		return fd;
	err = control_state(fd, &st);
	*detached = !err && control_counter(&st, "detached");
	if (!err && in_use(&st))
		err = -EAGAIN;
	control_state_free(&st);
	close(fd);
	return err;
}

/* Removes a module; attaches to a detached one first, so that it can be stopped. */
static int take_and_remove(const char *name, bool detached)
{
	int fd = control_open(name, ST_FILE_CONTROL, O_RDWR), err;
	char why[256];

	if (fd < 0)
		return fd;
	err = detached ? control_send(fd, why, sizeof(why), "attach") ?:
			 control_send(fd, why, sizeof(why), "stop") : 0;
	if (!err)
		err = module_remove(name, fd, 0);
	close(fd);
	return err;
}

int unused_remove(const char *name)
{
	bool detached;
	int err = unused(name, &detached);

	if (err == -ENOENT) {
		say_error("'%s' is not a loaded module that stap made", name);
		return 1;
	}
	err = err ?: take_and_remove(name, detached);
	if (err)
		say_error("Couldn't remove module '%s': %s.", name,
			  err == -EAGAIN ? "it is in use: SIGTERM to the process that staprun --list "
					   "shows ends it" : strerror(-err));
	return err != 0;
}

/* Removes a module if it was left behind. */
static int sweep_one(const char *name, void *unused)
{
	/* For reading only, because a descriptor for writing would count as a user. */
	int fd = control_open(name, ST_FILE_CONTROL, O_RDONLY), err = 0;
	struct control_state st = { NULL };
	bool dead;

	(void)unused;
	if (fd < 0)
		return 0;
	dead = !control_state(fd, &st) && control_counter(&st, "dead");
	if (dead)
		err = module_remove(name, fd, SWEEP_MS);
	control_state_free(&st);
	close(fd);
	if (err && err != -ENOENT)
		say_warning("module '%s' was left behind, and can't be removed: %s", name,
			    strerror(-err));
	else if (dead)
		say_if(1, "staprun: module %s, left behind, was removed", name);
	return err && err != -ENOENT;
}

static int remove_one(const char *name, void *unused)
{
	(void)unused;
	return unused_remove(name);
}

int unused_remove_all(void)
{
	return control_each(remove_one, NULL);
}

int unused_sweep(void)
{
	return control_each(sweep_one, NULL);
}
