// SPDX-License-Identifier: GPL-2.0-or-later
/* Looks constants up in their tables: names of values, values of names, sets of flags. */
#include "names.h"

const struct st_table_of_names *st_names_table(enum st_names which)
{
	return which < ST_NAMES_KERNEL ? &st_kernel_tables[which] :
	       which < ST_NAMES_CALLS ? &st_call_tables[which - ST_NAMES_KERNEL - 1] :
	       &st_number_tables[which - ST_NAMES_CALLS - 1];
}

const char *st_constant_name(enum st_names which, st_long value)
{
	const struct st_table_of_names *t = st_names_table(which);
	unsigned int i;

	for (i = 0; i < t->n; i++)
		if (t->names[i].value == value)
			return t->names[i].name;
	return NULL;
}

struct st_str st_fn_constant(struct st_ctx *c, int which, st_long value)
{
	const char *name = st_constant_name(which, value);
	union st_arg arg = { .i = value };

	if (name)
		return (struct st_str){ name, strlen(name) };
	return st_format(c, "0x%x", &arg, 1);
}

st_long st_fn_constant_value(struct st_ctx *c, int which, struct st_str name)
{
	const struct st_table_of_names *t = st_names_table(which);
	unsigned int i;

	for (i = 0; i < t->n; i++)
		if (strlen(t->names[i].name) == name.len &&
		    !memcmp(t->names[i].name, name.p, name.len))
			return t->names[i].value;
	return -1;
}

const char *st_numbered_name(const struct st_numbered *t, unsigned long number)
{
	return number < t->n ? t->names[number] : NULL;
}

st_long st_numbered_find(const struct st_numbered *t, struct st_str name)
{
	unsigned int i;

	for (i = 0; i < t->n; i++)
		if (t->names[i] && strlen(t->names[i]) == name.len &&
		    !memcmp(t->names[i], name.p, name.len))
			return i;
	return -1;
}

/* The text that is built. */
struct flags_text {
	char *p;
	unsigned int len, room;
};

static void flag_add(struct flags_text *t, const char *s)
{
	while (*s && t->len < t->room)
		t->p[t->len++] = *s++;
}

static void add_rest(struct flags_text *t, unsigned long rest)
{
	char digits[sizeof("0x") + 16];

	if (t->len && !rest)
		return;
	if (t->len)
		flag_add(t, "|");
	snprintf(digits, sizeof(digits), "0x%lx", rest);
	flag_add(t, digits);
}

unsigned int st_flags_text(enum st_names which, unsigned long value, char *to, unsigned int room)
{
	struct flags_text text = { .p = to, .room = room };
	const struct st_table_of_names *t = st_names_table(which);
	unsigned int i;

	for (i = 0; i < t->n; i++) {
		const struct st_name *name = &t->names[i];

		if (!name->value || (value & name->value) != (unsigned long)name->value)
			continue;
		if (text.len)
			flag_add(&text, "|");
		flag_add(&text, name->name);
		value &= ~name->value;
	}
	add_rest(&text, value);
	return text.len;
}

struct st_str st_fn_flags(struct st_ctx *c, int which, st_long value)
{
	unsigned int room = st_program.maxstringlen - 1, len;
	char *p = st_scratch(c, room);

	if (!p)
		return ST_LIT("");
	len = st_flags_text(which, value, p, room);
	p[len] = '\0';
	c->sp = p + len + 1;
	return (struct st_str){ p, len };
}
