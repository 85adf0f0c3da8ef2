// SPDX-License-Identifier: GPL-2.0-or-later
/* Hands the files that a module probes to it. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "abi/transport.h"
#include "common/control.h"
#include "common/probed.h"
#include "common/say.h"
#include "files.h"

static int tell_file(int control, const struct probed_file *e)
{
	int fd = probed_open(e), err;
	char why[256];

	if (fd < 0)
		return 0;
	err = control_send(control, why, sizeof(why), "file %s %d", e->number, fd);
	if (err)
		say_error("%s", why);
	close(fd);
	return err;
}

int files_tell(const char *name, int control, const char *root)
{
	int fd = control_open(name, ST_FILE_FILES, O_RDONLY), err = 0;
	size_t size = 0;
	char *text = fd < 0 ? NULL : control_read_all(fd, &size), *next = text;
	struct probed_file e;

	if (fd >= 0)
		close(fd);
	if (!text) {
		say_error("can't read which files the module probes: %s", strerror(errno));
		return -1;
	}
	while (!err && next < text + size)
		if (probed_next(&next, root, &e))
			err = tell_file(control, &e);
	free(text);
	return err;
}
