// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds addresses of the running kernel's symbols.
 *
 * A module that was made without the kernel's symbol table names the functions that it
 * probes.  /proc/kallsyms has a line for each symbol, "ADDRESS TYPE NAME", followed by
 * "[MODULE]" for modules'.  It is read once, however many names are looked up.  A file in
 * debugfs lists what kprobes may not touch.
 */
#include "common/symbols.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b)
{
	const struct symbol *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	return c ? c : strcmp(x->module, y->module);
}

/* Parses a line in place. */
static bool read_line(char *line, struct symbol *s)
{
	char *type, *end;

	s->address = strtoul(line, &type, 16);
	if (type == line || strlen(type) < 4)
		return false;
	s->name = type + 3;		/* " T " */
	end = type + 3 + strcspn(type + 3, "\t\n");
	s->module = "kernel";
	if (*end == '\t' && end[1] == '[') {
		s->module = end + 2;
		end[2 + strcspn(end + 2, "]\n")] = '\0';
	}
	*end = '\0';
	return true;
}

int symbols_find(struct symbol *v, size_t n)
{
	FILE *f = fopen("/proc/kallsyms", "re");
	bool hidden = true;
	char *line = NULL;
	size_t room = 0;

	if (!f)
		return -errno;
	qsort(v, n, sizeof(*v), by_name);
	while (getline(&line, &room, f) > 0) {
		struct symbol s, *known;

		if (!read_line(line, &s))
			continue;
		hidden &= !s.address;
		known = bsearch(&s, v, n, sizeof(*v), by_name);
		if (known) {
			known->address = s.address;
			known->found++;
		}
	}
	free(line);
	fclose(f);
	return hidden ? -EPERM : 0;
}

unsigned long symbols_next_of_modules(unsigned long address)
{
	static unsigned long from, next;	/* the symbols on both sides of the last address */
	char *line = NULL;
	size_t room = 0;
	FILE *f;

	if (address >= from && address < next)
		return next;
	f = fopen("/proc/kallsyms", "re");
	if (!f)
		return 0;
	from = next = 0;
	while (getline(&line, &room, f) > 0) {
		struct symbol s;

		if (!read_line(line, &s) || !strcmp(s.module, "kernel"))
			continue;
		if (s.address <= address && s.address > from)
			from = s.address;
		if (s.address > address && (!next || s.address < next))
			next = s.address;
	}
	free(line);
	fclose(f);
	return next;
}

/* Clears kprobes_may of the symbol in a line "0xSTART-0xEND\tNAME" of the list. */
static void forbid(struct symbol *v, size_t n, const char *line)
{
	char *end;
	unsigned long start = strtoul(line, &end, 16), past = *end ? strtoul(end + 1, NULL, 16) : 0;

	for (size_t i = 0; i < n; i++)
		if (v[i].address >= start && v[i].address < past)
			v[i].kprobes_may = false;
}

void symbols_check(struct symbol *v, size_t n)
{
	FILE *f = fopen("/sys/kernel/debug/kprobes/blacklist", "re");
	bool known = false;
	char *line = NULL;
	size_t room = 0;

	if (!f)
		return;
	for (size_t i = 0; i < n; i++)
		v[i].kprobes_may = true;
	while (getline(&line, &room, f) > 0) {
		known |= strtoul(line, NULL, 16) != 0;	/* 0: the kernel hides addresses */
		forbid(v, n, line);
	}
	for (size_t i = 0; i < n; i++)
		v[i].kprobes_may &= known;
	free(line);
	fclose(f);
}
