// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads which program files a module probes (probed.h). */
#define _GNU_SOURCE
#include "probed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "control.h"

bool probed_next(char **next, const char *root, struct probed_file *f)
{
	char *text = control_next(next);
	const char *size, *owner, *identity;

	f->number = strsep(&text, " ");
	f->build_id = strsep(&text, " ");
	size = strsep(&text, " ");
	owner = strsep(&text, " ");
	identity = strsep(&text, " ");
	if (!text)
		return false;
	f->size = strtoull(size, NULL, 10);
	f->owner = strtoul(owner, NULL, 10);
	f->awaited = !strcmp(identity, "?");
	f->identity = f->awaited || !strcmp(identity, "-") ? NULL : identity;
	/* Only a path through a process, such as /proc/PID/exe, has an identity; it isn't in ROOT. */
	snprintf(f->path, sizeof(f->path), "%s%s", f->identity ? "" : root, text);
	return true;
}
