// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Script modules that nobody uses: those that -d removes, and those that killed loaders left
 * behind.  The module itself reports which it is.  We hold its control file open until it is
 * removed, so that no other module gets its name meanwhile.
 */
#include "unused.h"

#include <dirent.h>
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

/* Attaches to a detached module, which nobody uses, so that it can be stopped. */
static int take_detached(int fd, const struct control_state *st)
{
	char why[256];

	if (!control_counter(st, "detached"))
		return -EAGAIN;
	return control_send(fd, why, sizeof(why), "attach") ?:
	       control_send(fd, why, sizeof(why), "stop");
}

int unused_remove(const char *name)
{
	int fd = control_open(name, ST_FILE_CONTROL, O_RDWR), err;
	struct control_state st = { NULL };

	if (fd < 0) {
		say_error("'%s' is not a loaded module that stap made", name);
		return 1;
	}
	err = control_state(fd, &st);
	if (!err && (control_state_is(&st, "running") || control_state_is(&st, "exiting")))
		err = take_detached(fd, &st);
	control_state_free(&st);
	if (!err)
		err = module_remove(name, 0);
	close(fd);
	if (err)
		say_error("Couldn't remove module '%s': %s.", name,
			  err == -EAGAIN ? "it is in use" : strerror(-err));
	return err != 0;
}

/* Removes a module if it was left behind. */
static int sweep_one(const char *name)
{
	/* For reading only: a descriptor for writing would count as a user. */
	int fd = control_open(name, ST_FILE_CONTROL, O_RDONLY), err = 0;
	struct control_state st = { NULL };
	bool dead;

	if (fd < 0)
		return 0;
	dead = !control_state(fd, &st) && control_counter(&st, "dead");
	if (dead)
		err = module_remove(name, SWEEP_MS);
	control_state_free(&st);
	close(fd);
	if (err && err != -ENOENT)
		say_warning("module '%s' was left behind, and can't be removed: %s", name,
			    strerror(-err));
	else if (dead)
		say_if(1, "staprun: module %s, left behind, was removed", name);
	return err && err != -ENOENT;
}

static int each_module(int (*what)(const char *name))
{
	DIR *d = opendir("/proc/" ST_PROC_DIR);
	int status = 0;

	for (struct dirent *e; d && (e = readdir(d));)
		if (*e->d_name != '.')
			status |= what(e->d_name);
	if (d)
		closedir(d);
	return status;
}

int unused_remove_all(void)
{
	return each_module(unused_remove);
}

int unused_sweep(void)
{
	return each_module(sweep_one);
}
