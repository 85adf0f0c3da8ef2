// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of operations, how they are made, and names for messages. */
#include "ir/ir.h"

#include "abi/stap_script.h"
#include "base/arena.h"

const struct ir_opcode_info ir_opcodes[IR_OPCODES] = {
#define IR_OP(code, name, result, symbol, args, traits) \
	[IR_##code] = { name, result, IR_OF_##symbol, args, traits },
#include "ir/ir.def"
#undef IR_OP
};

struct ir_op *ir_append(struct ir_block *block, enum ir_opcode code)
{
	struct ir_op *op = arena_new(struct ir_op);

	op->code = code;
	op->may_fail = ir_opcodes[code].traits & IR_FAILS;
	op->result = IR_NO_VALUE;
	op->near = op->format = IR_NO_CONSTANT;
	if (ir_opcodes[code].traits & IR_REGION)
		op->blocks[0] = arena_new(struct ir_block);
	vec_push(&block->ops, op);
	return op;
}

void ir_each(const struct ir_block *block, void (*visit)(struct ir_op *op, void *arg), void *arg)
{
	for (size_t i = 0; block && i < block->ops.n; i++) {
		visit(block->ops.v[i], arg);
		ir_each(block->ops.v[i]->blocks[0], visit, arg);
		ir_each(block->ops.v[i]->blocks[1], visit, arg);
	}
}

unsigned ir_most_groups(const struct ir_program *p)
{
	unsigned most = 0;

	for (size_t i = 0; i < p->patterns.n; i++)
		if (p->patterns.v[i].tables->ngroups > most)
			most = p->patterns.v[i].tables->ngroups;
	return most;
}

const char *ir_type_name(enum ir_type t)
{
	static const char *const names[] = {
		[IR_VOID] = "void", [IR_WORD] = "word", [IR_STRING] = "string",
		[IR_STATISTIC] = "statistic", [IR_TUPLE] = "tuple",
	};

	return names[t];
}

const char *ir_body_name(const struct ir_body *b)
{
	static const char *const kinds[] = {
		[IR_FUNCTION] = "function", [IR_HANDLER] = "handler", [IR_ENTRY] = "entry",
		[IR_CONDITION] = "condition",
	};

	return arena_printf("%s %u%s%s", kinds[b->kind], b->number, b->name ? " " : "",
			    b->name ? b->name : "");
}
