// SPDX-License-Identifier: GPL-2.0-or-later
/* Takes containers' and pods' names out of the names of their cgroups. */
#include "cgroup_name.h"

#define ID_DIGITS 64
#define UID_DIGITS 32		/* and four separators, but not in that of a pod from a file */

/* What stands between a name's prefix and suffix. */
enum form {
	FORM_ID,		/* 64 hexadecimal digits */
	FORM_UID,		/* a UUID; systemd's slices have '_' for its '-' */
	FORM_NAME,		/* what the user chose, escaped as in systemd's units */
};

/*
 * How container runtimes name cgroups.  Under systemd's driver they are scopes and slices, under the
 * driver that makes directories itself (cgroupfs) plain names.
 */
static const struct naming {
	enum st_cgroup_kind kind;
	enum form form;
	const char *prefix, *suffix;
} cgroup_namings[] = {
	{ ST_CGROUP_CONTAINER, FORM_ID, "", "" },	/* docker/ID, kubepods/…/ID: cgroupfs */
	{ ST_CGROUP_CONTAINER, FORM_ID, "docker-", ".scope" },
	{ ST_CGROUP_CONTAINER, FORM_ID, "libpod-", ".scope" },	/* podman */
	{ ST_CGROUP_CONTAINER, FORM_ID, "libpod-", "" },
	{ ST_CGROUP_CONTAINER, FORM_ID, "cri-containerd-", ".scope" },
	{ ST_CGROUP_CONTAINER, FORM_ID, "nerdctl-", ".scope" },
	{ ST_CGROUP_CONTAINER, FORM_ID, "crio-", ".scope" },
	{ ST_CGROUP_CONTAINER, FORM_ID, "crio-", "" },
	{ ST_CGROUP_OTHER, FORM_NAME, "machine-qemu\\x2d", ".scope" },	/* libvirt's virtual machines */
	{ ST_CGROUP_CONTAINER, FORM_NAME, "machine-", ".scope" },	/* machinectl's */
	{ ST_CGROUP_CONTAINER, FORM_NAME, "systemd-nspawn@", ".service" },
	{ ST_CGROUP_CONTAINER, FORM_NAME, "lxc.payload.", "" },	/* LXC, Incus */
	{ ST_CGROUP_POD, FORM_UID, "pod", "" },
	{ ST_CGROUP_POD, FORM_ID, "libpod_pod_", "" },
};

static bool strip(struct st_str *s, const char *prefix, const char *suffix)
{
	unsigned int before = strlen(prefix), behind = strlen(suffix);

	if (s->len <= before + behind || memcmp(s->p, prefix, before) ||
	    memcmp(s->p + s->len - behind, suffix, behind))
		return false;
	s->p += before;
	s->len -= before + behind;
	return true;
}

/* A slice's name has those of the slices above it: of "machine-libpod_pod_1f0c….slice" the part behind
 * the last '-' is its own. */
static struct st_str own_part(struct st_str s)
{
	unsigned int at;

	if (!strip(&s, "", ".slice"))
		return s;
	for (at = s.len; at && s.p[at - 1] != '-'; at--)
		;
	return (struct st_str){ s.p + at, s.len - at };
}

/* Returns the value of a hexadecimal digit as IDs have them, or -1. */
static int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool all_digits(struct st_str s)
{
	unsigned int i;

	for (i = 0; i < s.len; i++)
		if (digit_value(s.p[i]) < 0)
			return false;
	return true;
}

/* Is it 8-4-4-4-12 digits? */
static bool is_uuid(struct st_str s)
{
	unsigned int i;

	for (i = 0; i < s.len; i++) {
		bool between = i == 8 || i == 13 || i == 18 || i == 23;

		if (between ? s.p[i] != '-' && s.p[i] != '_' : digit_value(s.p[i]) < 0)
			return false;
	}
	return s.len == UID_DIGITS + 4;
}

static bool is_name_char(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       c == '-' || c == '_' || c == '.';
}

/* Takes a name without systemd's escapes ("\x2d" is '-'); false if it has other characters than
 * containers' names have. */
static bool name_take_text(struct st_str s, struct st_cgroup_name *name)
{
	unsigned int i = 0, n = 0;

	while (i < s.len && n < ST_CGROUP_NAME - 1) {
		char c = s.p[i++];

		if (c == '\\') {
			int high, low;

			if (s.len - i < 3 || s.p[i] != 'x')
				return false;
			high = digit_value(s.p[i + 1]);
			low = digit_value(s.p[i + 2]);
			if (high < 0 || low < 0)
				return false;
			c = high << 4 | low;
			i += 3;
		}
		if (!is_name_char(c))
			return false;
		name->text[n++] = c;
	}
	name->text[n] = '\0';
	name->len = n;
	name->id = false;
	return i == s.len;
}

static void name_take_digits(struct st_str s, bool id, struct st_cgroup_name *name)
{
	unsigned int i;

	for (i = 0; i < s.len; i++)
		name->text[i] = s.p[i] == '_' ? '-' : s.p[i];
	name->text[s.len] = '\0';
	name->len = s.len;
	name->id = id;
}

static bool name_take(struct st_str s, enum form form, struct st_cgroup_name *name)
{
	switch (form) {
	case FORM_ID:
		if (s.len != ID_DIGITS || !all_digits(s))
			return false;
		name_take_digits(s, true, name);
		return true;
	case FORM_UID:
		if (!is_uuid(s) && (s.len != UID_DIGITS || !all_digits(s)))
			return false;
		name_take_digits(s, false, name);
		return true;
	default:
		return name_take_text(s, name);
	}
}

enum st_cgroup_kind st_cgroup_name(struct st_str dir, struct st_cgroup_name *name)
{
	struct st_str own = own_part(dir);
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(cgroup_namings); i++) {
		const struct naming *n = &cgroup_namings[i];
		struct st_cgroup_name taken;
		struct st_str s = own;

		if (!strip(&s, n->prefix, n->suffix) || !name_take(s, n->form, &taken))
			continue;
		if (n->kind != ST_CGROUP_OTHER)
			*name = taken;
		return n->kind;
	}
	return ST_CGROUP_OTHER;
}
