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
 * The translator defines STAP_ARG_… and STAP_RETVALUE, and around each piece of such code ST_OUT,
 * the label to leave it, ST_FAULT, where a read that faults goes, and ST_HERE, the handler's
 * context.  Functions that a script defines at top level get none.  There ST_HERE looks for it, so
 * that they can print; without a calling handler their output is lost.
 */
#ifndef STAP_EMBEDDED_H
#define STAP_EMBEDDED_H

#include <linux/slab.h>
#include <linux/vmalloc.h>

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

/* Formats a text and hands it to PUT. */
static __maybe_unused __printf(3, 4)
void st_embedded_printf(struct st_ctx *c, void (*put)(struct st_ctx *c, struct st_str s),
			const char *format, ...)
{
	char *text = c ? st_scratch(c, MAXSTRINGLEN - 1) : NULL;
	unsigned int n;
	va_list args;

	if (!text)
		return;
	va_start(args, format);
	n = vscnprintf(text, MAXSTRINGLEN, format, args);
	va_end(args);
	put(c, (struct st_str){ text, n });
	c->sp = text;
}

#define STAP_PRINTF(...) st_embedded_printf(ST_HERE, st_print_text, __VA_ARGS__)

/* ---- names of SystemTap's own runtime that scripts use ------------------------ */

#define _stp_printf(...) STAP_PRINTF(__VA_ARGS__)
#define _stp_print(s) STAP_PRINTF("%s", s)
#define _stp_snprintf scnprintf

/* Prints a warning; and a message for the script's author. */
#define _stp_warn(...) st_embedded_printf(ST_HERE, st_warn, __VA_ARGS__)
#define _stp_dbug(func, line, fmt, ...) \
	_stp_warn("%s:%d: " fmt, func, line, ##__VA_ARGS__)

/* Leaves the code if ACCESS faults.  A second fault doesn't go to CATCH_DEREF_FAULT() again. */
#define st_may_fault(access) do {					\
	if (c->error)							\
		goto ST_OUT;						\
	access;								\
	if (c->error)							\
		goto ST_FAULT;						\
} while (0)

/* Reads a word of kernel or user memory, which may not be there. */
#define st_word(read, size, addr) ({					\
	st_long st_v;							\
	st_may_fault(st_v = read(c, (unsigned long)(addr), size));	\
	st_v;								\
})

/* Goes on here, with the error set, when a read above has faulted: to unlock, to release. */
#define CATCH_DEREF_FAULT() do {					\
	if (0) {							\
deref_fault: __attribute__((unused));					\
	}								\
} while (0)

static __maybe_unused void st_copy_bytes(struct st_ctx *c, void *to, unsigned long addr,
					 unsigned int size)
{
	char *mark = c->sp;
	struct st_str got = st_kread_bytes(c, addr, size);

	if (to && !c->error)
		memcpy(to, got.p, got.len);
	c->sp = mark;
}

/* Copies bytes of the kernel's memory; TO may be NULL. */
#define kderef_buffer(to, addr, size)					\
	st_may_fault(st_copy_bytes(c, to, (unsigned long)(addr), size))

#define kderef(size, addr) st_word(st_kread, size, addr)
#define uderef(size, addr) st_word(st_uread, size, addr)
#define deref(size, addr) kderef(size, addr)
#define kread(ptr) ((typeof(*(ptr)))(unsigned long)kderef(sizeof(*(ptr)), ptr))
#define kwrite(ptr, value)						\
	st_may_fault(st_kwrite(c, (unsigned long)(ptr), sizeof(*(ptr)), (st_long)(value)))

/* Macros by which scripts ask SystemTap about the kernel; all are true since Linux 3.5. */
#define STAPCONF_DPATH_PATH 1
#define STAPCONF_LINUX_UIDGID_H 1

/*
 * Allocate memory.  Handlers may call only those that don't wait; the others are for code that may
 * sleep.
 */
#define _stp_kmalloc(size) kmalloc(size, GFP_ATOMIC | __GFP_NOWARN)
#define _stp_kzalloc(size) kzalloc(size, GFP_ATOMIC | __GFP_NOWARN)
#define _stp_kmalloc_gfp(size, gfp) kmalloc(size, gfp)
#define _stp_kfree kfree
#define _stp_vmalloc vmalloc
#define _stp_vzalloc vzalloc
#define _stp_vfree vfree

#endif
