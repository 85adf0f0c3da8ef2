// SPDX-License-Identifier: GPL-2.0-or-later
/* Passes 1 to 3: any text becomes C, or gets a message. */
#include "fuzz.h"

#include <stdio.h>
#include <string.h>

#include "backend/module/codegen.h"
#include "ir/file.h"
#include "lower/lower.h"
#include "lang/lang.h"
#include "sema/elaborate.h"
#include "session.h"

/* The program is the same when it was a file. */
static void check_file(const struct ir_program *ir)
{
	struct sbuf first = { 0 }, second = { 0 };
	const struct ir_program *again;
	const char *why;

	fuzz_must(!ir_write(&first, ir), "a program that can't be written");
	again = ir_read(first.s, first.len, &why);
	fuzz_must(again != NULL, "a program that can't be read again");
	ir_write(&second, again);
	fuzz_must(first.len == second.len && !memcmp(first.s, second.s, first.len),
		  "a file that becomes another");
	sbuf_free(&first);
	sbuf_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct session *s = fuzz_session(data, size);
	struct ir_program *ir;
	struct file *f;
	int rc = -1;

	library_open(s);
	f = lang_parse(s, s->script, false);
	if (f) {
		vec_push(&s->files, f);
		s->program = sema_elaborate(s);
		ir = s->program && !diag_errors ? lower_program(s, s->program) : NULL;
		if (ir && !diag_errors)
			check_file(ir);
		if (ir)
			rc = codegen_translate(s, s->program, ir);
	}
	fuzz_must(!rc == !diag_errors, "C and a message, or neither");
	fuzz_end(s);
	return 0;
}
