// SPDX-License-Identifier: GPL-2.0-or-later
/* Passes 1 to 3: any text becomes C, or gets a message. */
#include "fuzz.h"

#include <stdio.h>

#include "backend/module/codegen.h"
#include "lower/lower.h"
#include "lang/lang.h"
#include "sema/elaborate.h"
#include "session.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct session *s = fuzz_session(data, size);
	struct file *f;
	int rc = -1;

	library_open(s);
	f = lang_parse(s, s->script, false);
	if (f) {
		vec_push(&s->files, f);
		s->program = sema_elaborate(s);
		if (s->program && !diag_errors)
			rc = codegen_translate(s, s->program, lower_program(s, s->program));
	}
	fuzz_must(!rc == !diag_errors, "C and a message, or neither");
	fuzz_end(s);
	return 0;
}
