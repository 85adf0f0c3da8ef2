// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A large script is compiled as two units at the same time, from one file: ST_PART tells the
 * compiler which (runtime/abi/stap_script.h).  If ST_PART is 0, one unit has all.
 */
#include "gen.h"

void put_part(struct gen *g, int n, struct sbuf *text)
{
	if (text->len)
		gen_line(g, "#if ST_PART != %d\n%s#endif\n", n == 1 ? 2 : 1, sbuf_str(text));
	sbuf_free(text);
}
