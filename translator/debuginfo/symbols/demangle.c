// SPDX-License-Identifier: GPL-2.0-or-later
/* Demangles symbols. */
#include "demangle.h"

#include <ctype.h>
#include <libiberty/demangle.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>

#include "base/arena.h"
#include "base/limits.h"
#include "match.h"

bool is_mangled(const char *symbol)
{
	return symbol[0] == '_' && (symbol[1] == 'Z' || symbol[1] == 'R');
}

/* Can C, of a pattern, be part of an identifier? */
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

/* ---- within limits -------------------------------------------------------- */

/*
 * A symbol of 300 bytes can stand for a name of gigabytes, because it may repeat parts of itself by
 * number, or take hours and give an empty name.  So the text is taken piece by piece, under a time
 * limit.  The C++ demangler is left by longjmp(), from its callback or from a signal.  That is
 * safe, because in this form it allocates nothing.  Rust's may leak a small allocation.
 */
static struct {
	sigjmp_buf out;
	char text[LIMIT_NAME];
	size_t n;
	unsigned left;			/* names that may still be cut short */
	uint64_t room;			/* bytes of names */
} work = { .left = LIMIT_NAMES_CUT, .room = LIMIT_NAMES };

static void take(const char *piece, size_t n, void *arg)
{
	(void)arg;
	if (n >= sizeof(work.text) - work.n)
		siglongjmp(work.out, 1);
	memcpy(work.text + work.n, piece, n);
	work.n += n;
	work.text[work.n] = 0;
}

static void time_is_up(int sig)
{
	(void)sig;
	siglongjmp(work.out, 1);
}

static void set_timer(long us)
{
	const struct itimerval t = { .it_value.tv_usec = us };

	setitimer(ITIMER_VIRTUAL, &t, NULL);
}

static bool demangle_cxx(const char *symbol)
{
	struct sigaction act = { .sa_handler = time_is_up }, before;
	volatile bool good = false;

	sigaction(SIGVTALRM, &act, &before);
	if (!sigsetjmp(work.out, 1)) {
		set_timer(LIMIT_NAME_MS * 1000);
		good = cplus_demangle_v3_callback(symbol, DMGL_NO_OPTS, take, NULL);
		set_timer(0);
	} else {
		set_timer(0);
		work.left--;
	}
	sigaction(SIGVTALRM, &before, NULL);
	return good;
}

static bool demangle_rust(const char *symbol)
{
	if (!sigsetjmp(work.out, 0))
		return rust_demangle_callback(symbol, DMGL_NO_OPTS, take, NULL);
	work.left--;
	return false;
}

const char *demangle(const char *symbol)
{
	if (!is_mangled(symbol) || strlen(symbol) > LIMIT_SYMBOL || !work.left)
		return NULL;
	work.n = 0;
	if (demangle_rust(symbol)) {
		simplify_rust(work.text);
	} else {
		work.n = 0;
		if (!work.left || !demangle_cxx(symbol))
			return NULL;
	}
	if (!work.n || work.n > work.room)
		return NULL;
	work.room -= work.n;
	return arena_strdup(work.text);
}
