// SPDX-License-Identifier: GPL-2.0-or-later
/* Demangles symbols. */
#include "demangle.h"

#include <ctype.h>
#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/limits.h"
#include "match.h"

bool is_mangled(const char *symbol)
{
	return symbol[0] == '_' && (symbol[1] == 'Z' || symbol[1] == 'R');
}

/* Is the character C of a pattern that of an identifier? */
static bool is_letter(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

bool may_demangle_to(const char *symbol, const char *pattern)
{
	const char *last = name_last_part(pattern);
	size_t n = 0;
	char word[64];

	while (is_letter(last[n]) && n < sizeof(word) - 1)
		n++;
	if (!n || !strncmp(last, "operator", 8) || !strcmp(pattern, symbol))
		return true;
	memcpy(word, last, n);
	word[n] = 0;
	return strstr(symbol, word);
}

/*
 * Writes a Rust name as debug information does: "r::show::<&str>" and "<r::Thing>::grow", as
 * the compiler's v0 form has it, become "r::show<&str>" and "r::Thing::grow".
 */
static void simplify_rust(char *name)
{
	size_t type = name[0] == '<' ? strcspn(name + 1, "<>[({& ") : 0;
	char *to = name, *end = name + 1 + type;

	if (type && !strncmp(end, ">::", 3)) {
		memmove(name, name + 1, type);
		memmove(name + type, end + 1, strlen(end + 1) + 1);
	}
	for (char *from = name; *from; from++) {
		if (from > name && !strncmp(from, "::<", 3))
			from += 2;
		*to++ = *from;
	}
	*to = 0;
}

const char *demangle(const char *symbol)
{
	const char *name = NULL;
	char *text;

	if (!is_mangled(symbol) || strlen(symbol) > LIMIT_SYMBOL)
		return NULL;
	text = rust_demangle(symbol, DMGL_NO_OPTS);
	if (text)
		simplify_rust(text);
	else
		text = cplus_demangle_v3(symbol, DMGL_NO_OPTS);
	if (text && strlen(text) < LIMIT_NAME)
		name = arena_strdup(text);
	free(text);
	return name;
}
