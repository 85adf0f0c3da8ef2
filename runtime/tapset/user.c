// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tapset functions that show structures in user space, to which system calls' arguments
 * point.
 *
 * A shape describes a structure: its text, with a directive for each member in order, as in
 * printf().  For struct timespec it is "[%t.%09t]", which shows [5.000000100].  64-bit and
 * 32-bit programs have the same shape; the sizes and alignments of members differ.
 *
 *	%l %L	a long, and an unsigned one
 *	%p	an address; NULL
 *	%b	an address, and as the next member a number of bytes: the first bytes, quoted
 *	%i %u %x	an int; unsigned; in hexadecimal
 *	%h	a short
 *	%q %Q	64 bits, and unsigned
 *	%t	a part of a time: a long, or 64 bits in 32-bit programs' time64 calls
 *	%S	a set of signals
 *	%{NAME}	flags, from the table below
 *	%_l	a member that isn't shown
 *
 * A number before the letter is a width, padded with zeros.  A structure that can't be read is
 * shown as its address.
 */
#include "handler/context.h"
#include "memory/access.h"
#include "memory/missing.h"
#include "names/names.h"
#include "text/format.h"

#define MOST_ELEMENTS 8		/* of an array */
#define MOST_BYTES 32		/* of a %b */
#define MOST_WIDTH 20		/* a number's width */
#define SIGNALS 64

static const struct {
	const char *name;
	enum st_names names;
	unsigned int size;	/* 0: a long */
} flag_kinds[] = {
	{ "sa", ST_FLAGS_SIGACTION, 0 },
	{ "poll", ST_FLAGS_POLL, 2 },
	{ "msg", ST_FLAGS_MSG, 4 },
	{ "epoll", ST_FLAGS_EPOLL, 4 },
	{ "clone", ST_FLAGS_CLONE, 8 },
	{ "open", ST_FLAGS_OPEN, 8 },
};

/* The text that is built in scratch, and the position in the structure. */
struct user_text {
	struct st_ctx *c;
	char *p;
	unsigned int len, room;
	unsigned long addr, at;
	unsigned int word, align;	/* bytes of a long; the structure's alignment */
	bool fault;
};

static bool begin_text(struct user_text *t, struct st_ctx *c, st_long addr)
{
	*t = (struct user_text){
		.c = c, .room = st_program.maxstringlen - 1, .addr = addr,
		.word = st_fn_syscall_compat(c) ? 4 : 8, .align = 1,
	};
	t->p = st_scratch(c, t->room);
	return t->p;
}

static struct st_str end_text(struct user_text *t)
{
	t->p[t->len] = '\0';
	t->c->sp = t->p + t->len + 1;
	return (struct st_str){ t->p, t->len };
}

static void add_char(struct user_text *t, char ch)
{
	if (t->len < t->room)
		t->p[t->len++] = ch;
}

static void add_text(struct user_text *t, const char *s)
{
	while (*s)
		add_char(t, *s++);
}

static void add_address(struct user_text *t, unsigned long addr)
{
	char digits[sizeof("0x") + 16];

	snprintf(digits, sizeof(digits), "0x%lx", addr);
	add_text(t, addr ? digits : "NULL");
}

static void add_number(struct user_text *t, s64 value, bool has_sign, unsigned int width)
{
	char digits[32];

	snprintf(digits, sizeof(digits), has_sign ? "%0*lld" : "%0*llu", (int)width, value);
	add_text(t, digits);
}

static void add_quoted(struct user_text *t, unsigned long addr, unsigned long n)
{
	unsigned char bytes[MOST_BYTES];
	unsigned int shown = min_t(unsigned long, n, MOST_BYTES), i;
	char escaped[4];

	if (!addr || st_copy_user(bytes, addr, shown)) {
		st_missing(ST_USER, addr);
		add_address(t, addr);
		return;
	}
	add_char(t, '"');
	for (i = 0; i < shown; i++) {
		unsigned int j, length = st_escape(escaped, bytes[i]);

		if (bytes[i] == '"' || bytes[i] == '\\')
			add_char(t, '\\');
		for (j = 0; j < length; j++)
			add_char(t, escaped[j]);
	}
	add_text(t, n > shown ? "\"..." : "\"");
}

/* Reads the member's value, and moves to the next one. */
static u64 next_member(struct user_text *t, unsigned int size, bool has_sign)
{
	unsigned int align = min(size, t->word);
	u64 value = 0;

	t->at = ALIGN(t->at, align);
	t->align = max(t->align, align);
	if (st_copy_user(&value, t->addr + t->at, size))
		t->fault = true;
	t->at += size;
	if (has_sign && size < sizeof(value))
		value = (s64)(value << (64 - 8 * size)) >> (64 - 8 * size);
	return value;
}

static void add_signals(struct user_text *t, u64 set)
{
	bool most = hweight64(set) > SIGNALS * 2 / 3;	/* show those not in the set */
	const char *between = "";
	int sig;

	add_text(t, most ? "~[" : "[");
	for (sig = 1; sig <= SIGNALS; sig++) {
		const char *name = st_constant_name(ST_NAMES_SIGNAL, sig);

		if ((set >> (sig - 1) & 1) == most)
			continue;
		add_text(t, between);
		add_text(t, name ? name + strlen("SIG") : "RT_");
		if (!name)
			add_number(t, sig - 32, false, 0);
		between = " ";
	}
	add_char(t, ']');
}

static const char *add_flags(struct user_text *t, const char *name, const char *end)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(flag_kinds); i++) {
		const char *kind = flag_kinds[i].name;

		if (strlen(kind) == end - name && !memcmp(kind, name, end - name)) {
			unsigned int size = flag_kinds[i].size ?: t->word;

			t->len += st_flags_text(flag_kinds[i].names, next_member(t, size, false),
						t->p + t->len, t->room - t->len);
			break;
		}
	}
	return end;
}

/* Adds the member whose directive is at p, behind its "%"; returns the directive's last byte. */
static const char *add_member(struct user_text *t, const char *p, const char *end)
{
	unsigned int width = 0, mark = t->len;
	bool hidden = *p == '_';
	u64 value;

	for (p += hidden; p < end && *p >= '0' && *p <= '9'; p++)
		width = min(10 * width + *p - '0', (unsigned int)MOST_WIDTH);
	switch (p < end ? *p : '\0') {
	case 'l':
		add_number(t, next_member(t, t->word, true), true, width);
		break;
	case 'L':
		add_number(t, next_member(t, t->word, false), false, width);
		break;
	case 't':
		add_number(t, next_member(t, st_syscall_time32(t->c) ? 4 : 8, true), true, width);
		break;
	case 'i':
		add_number(t, next_member(t, 4, true), true, width);
		break;
	case 'u':
		add_number(t, next_member(t, 4, false), false, width);
		break;
	case 'h':
		add_number(t, next_member(t, 2, true), true, width);
		break;
	case 'q':
		add_number(t, next_member(t, 8, true), true, width);
		break;
	case 'Q':
		add_number(t, next_member(t, 8, false), false, width);
		break;
	case 'x':
		value = next_member(t, 4, false);
		add_text(t, value ? "" : "0");
		if (value)
			add_address(t, value);
		break;
	case 'p':
		add_address(t, next_member(t, t->word, false));
		break;
	case 'b':
		value = next_member(t, t->word, false);
		mark = t->at;
		add_quoted(t, value, next_member(t, t->word, false));
		t->at = mark;
		break;
	case 'S':
		add_signals(t, next_member(t, 8, false));
		break;
	case '{':
		return add_flags(t, p + 1, strnchr(p, end - p, '}') ?: end);
	}
	if (hidden)
		t->len = mark;
	return p;
}

/*
 * Adds a structure.  Each byte of the shape counts as a step (st_walk()), because it may be a
 * member.
 */
static void add_struct(struct user_text *t, struct st_str shape)
{
	const char *p, *end = shape.p + shape.len;

	if (st_walk(t->c, shape.len / 2))
		return;
	for (p = shape.p; p < end && t->len < t->room; p++) {
		if (*p == '%')
			p = add_member(t, p + 1, end);
		else
			add_char(t, *p);
	}
}

/* Ends the text.  A structure that could not be read is shown as its address. */
static struct st_str end_struct(struct user_text *t)
{
	if (t->fault)
		st_missing(ST_USER, t->addr);
	if (!t->addr || t->fault) {
		t->len = 0;
		add_address(t, t->addr);
	}
	return end_text(t);
}

struct st_str st_fn_user_struct(struct st_ctx *c, struct st_str shape, st_long addr)
{
	struct user_text t;

	if (!begin_text(&t, c, addr))
		return ST_LIT("");
	if (addr)
		add_struct(&t, shape);
	return end_struct(&t);
}

struct st_str st_fn_user_structs(struct st_ctx *c, struct st_str shape, st_long addr, st_long count)
{
	struct user_text t;
	st_long i;

	if (!begin_text(&t, c, addr))
		return ST_LIT("");
	add_char(&t, '[');
	for (i = 0; addr && i < count && i < MOST_ELEMENTS && !t.fault && !c->error; i++) {
		if (i)
			add_text(&t, ", ");
		add_struct(&t, shape);
		t.at = ALIGN(t.at, t.align);
	}
	add_text(&t, i < count ? ", ...]" : "]");
	return end_struct(&t);
}
