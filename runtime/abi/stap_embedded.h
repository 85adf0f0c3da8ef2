/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a user's embedded C finds besides kernel headers: the macros of
 * SystemTap's manual.  Included after kernel headers and stap_script.h by a
 * script that has such code, and by nothing else.
 *
 * ST_OUT is defined around each piece of such code: the label by which it is
 * left.
 */
#ifndef STAP_EMBEDDED_H
#define STAP_EMBEDDED_H

#define CONTEXT c

/* A C string as a script's: what is longer than those is cut. */
static inline struct st_str st_text(const char *s)
{
	if (!s)
		s = "";
	return (struct st_str){ s, strnlen(s, MAXSTRINGLEN - 1) };
}

/* A buffer of MAXSTRINGLEN bytes with a string in it; NULL with the error set. */
static inline char *st_buffer(struct st_ctx *c, struct st_str s)
{
	char *p = st_scratch(c, MAXSTRINGLEN - 1);
	unsigned int n = s.len < MAXSTRINGLEN ? s.len : MAXSTRINGLEN - 1;

	if (p) {
		memcpy(p, s.p, n);
		p[n] = '\0';
	}
	return p;
}

/* Newer kernels don't have strlcpy(), old scripts do. */
static inline size_t st_strlcpy(char *to, const char *from, size_t size)
{
	size_t len = strlen(from), n = len < size ? len : size - 1;

	if (size) {
		memcpy(to, from, n);
		to[n] = '\0';
	}
	return len;
}

static inline size_t st_strlcat(char *to, const char *from, size_t size)
{
	size_t n = strnlen(to, size);

	return n + st_strlcpy(to + n, from, size - n);
}

#undef strlcpy
#define strlcpy st_strlcpy
#undef strlcat
#define strlcat st_strlcat

#define STAP_ERROR(...) do {						\
	st_error(c, __VA_ARGS__);					\
	goto ST_OUT;							\
} while (0)

/* The next function of an overloaded name takes over. */
#define STAP_NEXT do {							\
	c->by_next = 1;							\
	goto ST_OUT;							\
} while (0)

#define STAP_PRINTF(...) do {						\
	char *st_out = st_scratch(c, MAXSTRINGLEN - 1);			\
	if (st_out) {							\
		unsigned int st_n = scnprintf(st_out, MAXSTRINGLEN,	\
					      __VA_ARGS__);		\
		st_print_text(c, (struct st_str){ st_out, st_n });	\
		c->sp = st_out;						\
	}								\
} while (0)

#endif
