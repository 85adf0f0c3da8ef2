// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * printf, by the rules in format.h.
 *
 * This file is compiled into the runtime and into stapio, so both format alike.
 * It includes no kernel or C library header and calls only the compiler's memory
 * builtins.
 *
 * Where the kernel's printf and C's differ, numbers follow the kernel's: "0" pads
 * even if a precision is given, "#x" prefixes zero too, and with precision 0 a zero
 * still has its digit.
 */
#include "format.h"

/* Digits of a 64-bit number in octal, a sign and "0x". */
#define NUMBER_MAX 32

/* The output; what doesn't fit is dropped. */
struct sink {
	char *at, *end;
};

static void put_bytes(struct sink *s, const char *p, unsigned int n)
{
	unsigned long room = s->end - s->at;

	if (n > room)
		n = room;
	__builtin_memcpy(s->at, p, n);
	s->at += n;
}

static void put_fill(struct sink *s, char ch, int n)
{
	long room = s->end - s->at;

	if (n <= 0)
		return;
	if (n > room)
		n = room;
	__builtin_memset(s->at, ch, n);
	s->at += n;
}

/* Writes literal text, "%%" as "%". */
static void put_text(struct sink *s, const char *p, unsigned int n)
{
	while (n) {
		const char *percent = __builtin_memchr(p, '%', n);
		unsigned int run;

		if (!percent) {
			put_bytes(s, p, n);
			return;
		}
		run = percent - p + 1;
		put_bytes(s, p, run);
		if (run < n && percent[1] == '%')
			run++;
		p += run;
		n -= run;
	}
}

/* ---- parsing ------------------------------------------------------------ */

static int parse_number(const char **at)
{
	int n = 0;

	while (**at >= '0' && **at <= '9') {
		n = n * 10 + (*(*at)++ - '0');
		if (n > ST_FIELD_MAX)
			n = ST_FIELD_MAX;
	}
	return n;
}

static unsigned char parse_flags(const char **at)
{
	unsigned char flags = 0;

	for (;; (*at)++) {
		switch (**at) {
		case '#':
			flags |= ST_F_ALT;
			break;
		case '0':
			/* behind another flag '0' belongs to the width, unlike in C */
			if (flags & ~ST_F_ZERO)
				return flags;
			flags |= ST_F_ZERO;
			break;
		case '-':
			flags |= ST_F_LEFT;
			break;
		case '+':
			flags |= ST_F_SIGN;
			break;
		case ' ':
			flags |= ST_F_SPACE;
			break;
		default:
			return flags;
		}
	}
}

static int is_conversion(char ch)
{
	switch (ch) {
	case 'd': case 'i': case 'u': case 'o': case 'x': case 'X':
	case 'c': case 'p': case 'b': case 's': case 'm': case 'M':
		return 1;
	}
	return 0;
}

/* Parses a directive behind its '%'; returns what follows it, or NULL if it is malformed. */
static const char *parse_directive(const char *at, struct st_directive *d)
{
	d->flags = parse_flags(&at);
	d->width = -1;
	d->width_arg = 0;
	d->precision = -1;
	d->precision_arg = 0;
	if (*at == '*') {
		d->width_arg = 1;
		at++;
	} else if (*at >= '0' && *at <= '9') {
		d->width = parse_number(&at);
	}
	if (*at == '.') {
		at++;
		if (*at == '*') {
			d->precision_arg = 1;
			at++;
		} else {
			d->precision = parse_number(&at);
		}
	}
	if (*at == 'l')		/* ignored: every integer is long */
		at++;
	if (!is_conversion(*at))
		return (void *)0;
	d->conversion = *at;
	return at + 1;
}

int st_format_next(const char **fmt, struct st_directive *d)
{
	const char *at = *fmt;

	if (!*at)
		return 0;
	d->text = at;
	d->conversion = 0;
	for (; *at; at++) {
		const char *after;

		if (*at != '%')
			continue;
		if (at[1] == '%') {
			at++;
			continue;
		}
		after = parse_directive(at + 1, d);
		if (after) {
			d->text_len = at - d->text;
			*fmt = after;
			return 1;
		}
	}
	d->text_len = at - d->text;
	d->conversion = 0;
	*fmt = at;
	return 1;
}

/* ---- numbers ------------------------------------------------------------ */

static const char pairs[] =
	"0001020304050607080910111213141516171819"
	"2021222324252627282930313233343536373839"
	"4041424344454647484950515253545556575859"
	"6061626364656667686970717273747576777879"
	"8081828384858687888990919293949596979899";

/* Writes digits backwards, ending before 'end'; returns where they begin. */
static char *decimal_digits(char *end, unsigned long long v)
{
	while (v >= 100) {
		unsigned int two = v % 100;

		v /= 100;
		end -= 2;
		__builtin_memcpy(end, pairs + 2 * two, 2);
	}
	if (v >= 10) {
		end -= 2;
		__builtin_memcpy(end, pairs + 2 * v, 2);
		return end;
	}
	*--end = '0' + v;
	return end;
}

static char *power_digits(char *end, unsigned long long v, unsigned int bits, const char *set)
{
	do {
		*--end = set[v & ((1u << bits) - 1)];
		v >>= bits;
	} while (v);
	return end;
}

/* Writes sign, prefix and digits, padded as asked. */
static void put_number(struct sink *s, const struct st_directive *d, int width, int precision,
		       const char *prefix, unsigned int prefix_len,
		       const char *digits, unsigned int n)
{
	int zeros = precision > (int)n ? precision - (int)n : 0;
	int pad = width - (int)(prefix_len + zeros + n);

	if (pad > 0 && !(d->flags & ST_F_LEFT)) {
		if (d->flags & ST_F_ZERO) {
			zeros += pad;
		} else {
			put_fill(s, ' ', pad);
		}
		pad = 0;
	}
	put_bytes(s, prefix, prefix_len);
	put_fill(s, '0', zeros);
	put_bytes(s, digits, n);
	put_fill(s, ' ', pad);
}

static void put_signed(struct sink *s, const struct st_directive *d, int width, int precision,
		       st_long v)
{
	unsigned long long magnitude = v < 0 ? -(unsigned long long)v : (unsigned long long)v;
	char buf[NUMBER_MAX], *end = buf + sizeof(buf);
	char *digits = decimal_digits(end, magnitude);
	char sign = v < 0 ? '-' : d->flags & ST_F_SIGN ? '+' : d->flags & ST_F_SPACE ? ' ' : 0;

	if (width <= 0 && precision <= 0) {
		if (sign)
			*--digits = sign;
		put_bytes(s, digits, end - digits);
		return;
	}
	put_number(s, d, width, precision, &sign, sign != 0, digits, end - digits);
}

static void put_unsigned(struct sink *s, const struct st_directive *d, int width, int precision,
			 unsigned long long v)
{
	char buf[NUMBER_MAX], *end = buf + sizeof(buf), *digits;
	const char *prefix = "";
	unsigned int prefix_len = 0;
	int alternate = d->flags & ST_F_ALT || d->conversion == 'p';

	switch (d->conversion) {
	case 'o':
		digits = power_digits(end, v, 3, "01234567");
		if (alternate) {
			prefix = "0";
			prefix_len = 1;
		}
		break;
	case 'p':
	case 'x':
	case 'X':
		digits = power_digits(end, v, 4, d->conversion == 'X' ? "0123456789ABCDEF"
								      : "0123456789abcdef");
		if (alternate) {
			prefix = d->conversion == 'X' ? "0X" : "0x";
			prefix_len = 2;
		}
		break;
	default:
		digits = decimal_digits(end, v);
	}
	put_number(s, d, width, precision, prefix, prefix_len, digits, end - digits);
}

/* ---- bytes and strings -------------------------------------------------- */

static void put_padded(struct sink *s, const struct st_directive *d, int width,
		       const char *p, unsigned int n)
{
	int pad = width > 0 && (unsigned int)width > n ? width - (int)n : 0;

	if (!(d->flags & ST_F_LEFT))
		put_fill(s, ' ', pad);
	put_bytes(s, p, n);
	if (d->flags & ST_F_LEFT)
		put_fill(s, ' ', pad);
}

static void put_hex_bytes(struct sink *s, const struct st_directive *d, int width,
			  const char *p, unsigned int n)
{
	int pad = width > 0 && (unsigned long)width > 2ul * n ? width - 2 * (int)n : 0;
	unsigned int i;

	if (!(d->flags & ST_F_LEFT))
		put_fill(s, ' ', pad);
	for (i = 0; i < n && s->at < s->end; i++) {
		char two[2] = { "0123456789abcdef"[(unsigned char)p[i] >> 4],
				"0123456789abcdef"[p[i] & 15] };

		put_bytes(s, two, 2);
	}
	if (d->flags & ST_F_LEFT)
		put_fill(s, ' ', pad);
}

unsigned int st_escape(char *out, unsigned char ch)
{
	static const char from[] = "\a\b\t\n\v\f\r", to[] = "abtnvfr";
	const char *special = ch ? __builtin_strchr(from, ch) : (void *)0;

	if (special) {
		out[0] = '\\';
		out[1] = to[special - from];
		return 2;
	}
	if (ch >= 0x20 && ch < 0x7f) {
		out[0] = ch;
		return 1;
	}
	out[0] = '\\';
	out[1] = '0' + (ch >> 6);
	out[2] = '0' + (ch >> 3 & 7);
	out[3] = '0' + (ch & 7);
	return 4;
}

/* Writes a byte as a character constant of C has it, with ' and \\ escaped too. */
static unsigned int escape_constant(char *out, unsigned char ch)
{
	if (ch != '\'' && ch != '\\')
		return st_escape(out, ch);
	out[0] = '\\';
	out[1] = ch;
	return 2;
}

static void put_char(struct sink *s, const struct st_directive *d, int width, unsigned char ch)
{
	char text[4] = { ch };

	put_padded(s, d, width, text, d->flags & ST_F_ALT ? escape_constant(text, ch) : 1);
}

/*
 * Returns in how many bytes a number is written: 8, unless precision or else width says 1, 2 or 4.
 */
static int binary_size(int width, int precision)
{
	int size = precision < 0 ? width : precision;

	return size == 1 || size == 2 || size == 4 ? size : 8;
}

/* Writes the low bytes of v in native byte order, filled up to the width with NULs. */
static void put_binary(struct sink *s, const struct st_directive *d, int width, int precision,
		       st_long v)
{
	int size = binary_size(width, precision);
	int fill = precision < 0 ? 0 : width - size;
	unsigned char one = v;
	unsigned short two = v;
	unsigned int four = v;
	const void *bytes = size == 1 ? (void *)&one : size == 2 ? (void *)&two :
			    size == 4 ? (void *)&four : (void *)&v;

	if (!(d->flags & ST_F_LEFT))
		put_fill(s, '\0', fill);
	put_bytes(s, bytes, size);
	if (d->flags & ST_F_LEFT)
		put_fill(s, '\0', fill);
}

/* ---- directives --------------------------------------------------------- */

/* Returns an integer argument as a width or precision. */
static int field_arg(st_long v)
{
	if (v > ST_FIELD_MAX)
		return ST_FIELD_MAX;
	return v < -ST_FIELD_MAX ? -ST_FIELD_MAX : v;
}

static void put_string(struct sink *s, const struct st_directive *d, int width, int precision,
		       struct st_str v)
{
	unsigned int n = v.len;

	if (precision >= 0 && (unsigned int)precision < n)
		n = precision;
	if (d->conversion == 'M')
		put_hex_bytes(s, d, width, v.p, n);
	else
		put_padded(s, d, width, v.p, n);
}

static void put_value(struct sink *s, const struct st_directive *d, const union st_arg **args)
{
	int width = d->width, precision = d->precision;

	if (d->width_arg) {
		width = field_arg((*args)++->i);
		if (width < 0)		/* unlike in C, not a '-' flag */
			width = 0;
	}
	if (d->precision_arg) {
		precision = field_arg((*args)++->i);
		if (precision < 0)
			precision = 0;
	}
	switch (d->conversion) {
	case 'd':
	case 'i':
		put_signed(s, d, width, precision, (*args)++->i);
		break;
	case 'c':
		put_char(s, d, width, (*args)++->i);
		break;
	case 'b':
		put_binary(s, d, width, precision, (*args)++->i);
		break;
	case 's':
	case 'm':
	case 'M':
		put_string(s, d, width, precision, (*args)++->s);
		break;
	default:
		put_unsigned(s, d, width, precision, (*args)++->i);
	}
}

unsigned int st_format_one(char *buf, unsigned int room, const struct st_directive *d,
			   const union st_arg **args, const union st_arg *end)
{
	struct sink s = { buf, buf + room };

	put_text(&s, d->text, d->text_len);
	if (end - *args < (long)st_directive_args(d))
		*args = end;
	else if (d->conversion)
		put_value(&s, d, args);
	return s.at - buf;
}

unsigned int st_format_all(char *buf, unsigned int room, const char *fmt,
			   const union st_arg *args, unsigned int nargs)
{
	const union st_arg *end = args + nargs;
	struct st_directive d;
	unsigned int n = 0;

	while (st_format_next(&fmt, &d))
		n += st_format_one(buf + n, room - n, &d, &args, end);
	return n;
}
