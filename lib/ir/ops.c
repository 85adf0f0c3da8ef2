// SPDX-License-Identifier: GPL-2.0-or-later
/* The table of operations, and how they are made. */
#include "ir/ir.h"

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
	if (ir_opcodes[code].traits & IR_REGION)
		op->blocks[0] = arena_new(struct ir_block);
	vec_push(&block->ops, op);
	return op;
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
