// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tables of the names of programs' code: the input is one.  What is accepted is sound: lookups find
 * what contains the address, and strings end in the table.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "names/code.h"

static void look_up(const struct st_code_names *n, unsigned long offset)
{
	const struct st_usymbol *s = st_code_symbol(n, offset);
	const struct st_uline *l = st_code_line(n, offset);

	if (s)
		fuzz_must(s->offset <= offset && offset - s->offset < s->size &&
				  strlen(n->chars + s->name) < n->nchars,
			  "a symbol that is elsewhere");
	if (l)
		fuzz_must(l->offset <= offset && strlen(n->chars + l->file) < n->nchars,
			  "a line that is elsewhere");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct st_code_names n;
	void *table = malloc(size + !size);	/* as long as the input, and aligned */

	memcpy(table, data, size);
	if (st_code_names_check(&n, table, size)) {
		for (u32 i = 0; i < n.nsymbols; i++) {
			look_up(&n, n.symbols[i].offset - 1ul);
			look_up(&n, n.symbols[i].offset);
			look_up(&n, (unsigned long)n.symbols[i].offset + n.symbols[i].size);
		}
		for (u32 i = 0; i < n.nlines; i++)
			look_up(&n, n.lines[i].offset);
		look_up(&n, 0);
		look_up(&n, -1ul);
	}
	free(table);
	return 0;
}
