// SPDX-License-Identifier: GPL-2.0-or-later
/* Tells what formats take (verify.h). */
#include <string.h>

#include "base/arena.h"
#include "ir/verify.h"
#include "text/format.h"

static const char *read_format(const char *format)
{
	struct sbuf letters = { 0 };
	struct st_directive d;
	const char *takes;

	while (st_format_next(&format, &d))
		for (unsigned left = st_directive_args(&d); left; left--)
			sbuf_putc(&letters, left == 1 && st_conversion_is_string(d.conversion) ? 's' : 'w');
	takes = intern(sbuf_str(&letters));
	sbuf_free(&letters);
	return takes;
}

const char *ir_format_takes(struct ir_formats *all, const char *format)
{
	uint32_t hash = table_hash(&format, sizeof(format));
	struct ir_known_format new = { .text = format };

	table_for_each(&all->by_text, hash, i)
		if (all->known.v[i].text == format)
			return all->known.v[i].takes;
	new.takes = read_format(format);
	vec_push(&all->known, new);
	table_add(&all->by_text, hash, all->known.n - 1);
	return new.takes;
}

const char *ir_letters(const enum ir_type *types, size_t n)
{
	static const char letters[] = {
		[IR_VOID] = '*', [IR_WORD] = 'w', [IR_STRING] = 's', [IR_STATISTIC] = '*', [IR_TUPLE] = '*',
	};
	struct sbuf b = { 0 };
	const char *takes;

	for (size_t i = 0; i < n; i++)
		sbuf_putc(&b, letters[types[i]]);
	takes = intern(sbuf_str(&b));
	sbuf_free(&b);
	return takes;
}
