/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a user's embedded C finds besides kernel headers: the macros of
 * SystemTap's manual.  Included after kernel headers and stap_script.h by a
 * script that has such code, and by nothing else.
 */
#ifndef STAP_EMBEDDED_H
#define STAP_EMBEDDED_H

#define STAP_ERROR(...) do {						\
	st_error(c, __VA_ARGS__);					\
	goto out;							\
} while (0)

/* The next function of an overloaded name takes over. */
#define STAP_NEXT do {							\
	c->by_next = 1;						\
	goto out;							\
} while (0)

#define STAP_PRINTF(...) do {						\
	char *st_text = st_scratch(c, MAXSTRINGLEN - 1);		\
	if (st_text) {							\
		unsigned int st_n = scnprintf(st_text, MAXSTRINGLEN,	\
					      __VA_ARGS__);		\
		st_print_text(c, (struct st_str){ st_text, st_n });	\
	}								\
} while (0)

#endif
