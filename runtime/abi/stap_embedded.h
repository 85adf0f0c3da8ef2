/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The macros that SystemTap's manual documents for embedded C.  Only a script with
 * embedded C includes this header, after kernel headers and stap_script.h.
 *
 *	function add:long (a:long, b:long) %{
 *		if (STAP_ARG_a < 0)
 *			STAP_ERROR("negative: %lld", STAP_ARG_a);
 *		STAP_RETVALUE = STAP_ARG_a + STAP_ARG_b;
 *	%}
 *
 * The translator defines STAP_ARG_… and STAP_RETVALUE, and around each piece of such code
 * ST_OUT, the label to leave it.
 */
#ifndef STAP_EMBEDDED_H
#define STAP_EMBEDDED_H

#define CONTEXT c

/* Makes a C string a script's string, cut to the longest length. */
static inline struct st_str st_text(const char *s)
{
	if (!s)
		s = "";
	return (struct st_str){ s, strnlen(s, MAXSTRINGLEN - 1) };
}

/* Copies a string to a new buffer of MAXSTRINGLEN bytes in scratch; NULL with the error set. */
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

/* Scripts use strlcpy(), which newer kernels don't have. */
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

/* Leaves the function, and calls the next one of its name (an overload). */
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
