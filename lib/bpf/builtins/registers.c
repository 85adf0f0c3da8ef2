// SPDX-License-Identifier: GPL-2.0-or-later
/* Registers by their names or numbers: register() and its like, @kregister and @uregister. */
#include "arch/registers.h"
#include "base/arena.h"
#include "builtins.h"

/* A module's handlers have some of their caller's registers at tracepoints. */
static bool has_registers(struct gen *g)
{
	if (g->attach == IR_AT_TRACEPOINT)
		refuse(g, "no registers at a tracepoint");
	return g->attach != IR_AT_TRACEPOINT;
}

void put_has_registers(struct gen *g, const struct ir_op *op, int64_t unused)
{
	(void)unused;
	if (has_registers(g))
		put_known_number(g, op, true);
}

/* The register with this number: that of the instruction is where the place is. */
static void load_register(struct gen *g, const struct ir_op *op, int n)
{
	struct ir_op address = *op;

	if (n == INSTRUCTION_POINTER) {
		address.args.n = 0;
		put_addr(g, &address, 0);
		code_load(g->c, BPF_DW, R0, R9, g->layout->values[op->result]);
	} else {
		put_register(g, n);
	}
}

/* The register that the first argument names; of a half of one, with its sign if IS_SIGNED. */
void put_named_register(struct gen *g, const struct ir_op *op, int64_t is_signed)
{
	const char *name = literal_text(g, &op->args.v[0]);
	unsigned bytes;
	int n = name ? named_reg_x86_64(name, &bytes) : -1;

	if (!name) {
		refuse(g, "no registers but by names that are literals");
	} else if (has_registers(g) && n >= 0) {
		load_register(g, op, n);
		if (bytes == 4)
			put_low(g, 32, is_signed);
		store_word(g, op, R0);
	} else {
		fail(g, arena_printf("unknown register: %.100s", name));
		code_number(g->c, R0, 0);
		store_word(g, op, R0);
	}
}

/* @kregister or @uregister, by a number of DWARF's */
void put_numbered_register(struct gen *g, const struct ir_op *op)
{
	int n = dwarf_reg_x86_64(op->n);
	unsigned none = code_label(g->c), done = code_label(g->c);

	if (op->code == IR_UREGISTER)
		put_user_register(g, n, none);
	else if (has_registers(g))
		put_register(g, n);
	code_jump(g->c, done);
	code_here(g->c, none);
	fail(g, "no registers of user space here");
	code_number(g->c, R0, 0);
	code_here(g->c, done);
	store_word(g, op, R0);
}
