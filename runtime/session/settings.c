// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Globals set on the command line.  Numbers and strings are set in place; counters, which get
 * their memory at the start, keep the value here until then.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/string.h>

#include "port/port.h"
#include "core/report.h"
#include "core/state.h"
#include "settings.h"

struct st_setting {
	bool given;
	st_long value;
};

static struct st_setting *st_settings;	/* one per global */

int st_settings_alloc(void)
{
	st_settings = st_data_alloc((st_program.nglobals + 1) * sizeof(*st_settings), NUMA_NO_NODE);
	return st_settings ? 0 : -ENOMEM;
}

void st_settings_free(void)
{
	kvfree(st_settings);
}

static const struct st_global *global_find(const char *name)
{
	unsigned int i;

	for (i = 0; i < st_program.nglobals; i++)
		if (!strcmp(st_program.globals[i].name, name))
			return &st_program.globals[i];
	return NULL;
}

static int set_string(const struct st_global *g, const char *value)
{
	struct st_strvar *v = g->slot;

	if (!v->buf)
		return st_fail(-EINVAL, "%s can't be set", g->name);
	v->s.p = v->buf;
	v->s.len = strscpy(v->buf, value, st_program.maxstringlen) < 0 ?
		   st_program.maxstringlen - 1 : strlen(value);
	return 0;
}

static int set_number(const struct st_global *g, const char *value)
{
	st_long n;
	int err = kstrtoll(value, 0, &n);

	if (err == -EINVAL)
		return st_fail(err, "%s is a number, \"%s\" is not", g->name, value);
	if (err)
		return st_fail(err, "%s is too big a number for %s", value, g->name);
	if (g->kind == ST_G_LONG)
		*(st_long *)g->slot = n;
	else
		st_settings[g - st_program.globals] = (struct st_setting){ true, n };
	return 0;
}

int st_settings_set(const char *name, const char *value)
{
	const struct st_global *g = global_find(name);
	int err = st_not_started();

	if (err)
		return err;
	if (!g)
		return st_fail(-ENOENT, "the script has no global variable %s", name);
	if (g->kind == ST_G_STRING)
		return set_string(g, value);
	if (g->kind == ST_G_LONG || g->kind == ST_G_COUNTER)
		return set_number(g, value);
	return st_fail(-EINVAL, "%s is not a scalar", name);
}

void st_settings_apply(void)
{
	unsigned int i;

	for (i = 0; i < st_program.nglobals; i++)
		if (st_settings[i].given)
			st_counter_set(*(struct st_counter **)st_program.globals[i].slot,
				       st_settings[i].value);
}
