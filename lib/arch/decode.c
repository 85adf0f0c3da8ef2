// SPDX-License-Identifier: GPL-2.0-or-later
/* Decodes instructions, with Zydis 3 or 4. */
#include "decode.h"
#include "config.h"

#include <Zydis/Zydis.h>

static bool decode(const unsigned char *code, size_t n, ZydisDecodedInstruction *insn)
{
	static ZydisDecoder decoder;
	static bool ready;

#if HAVE_DECL_ZYDISDECODERDECODEINSTRUCTION
	if (!ready)
		ready = ZYAN_SUCCESS(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
						      ZYDIS_STACK_WIDTH_64));
	return ready && ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(&decoder, NULL, code, n, insn));
#else
	if (!ready)
		ready = ZYAN_SUCCESS(ZydisDecoderInit(&decoder, ZYDIS_MACHINE_MODE_LONG_64,
						      ZYDIS_ADDRESS_WIDTH_64));
	return ready && ZYAN_SUCCESS(ZydisDecoderDecodeBuffer(&decoder, code, n, insn));
#endif
}

static enum insn_kind kind_of(const ZydisDecodedInstruction *insn)
{
	switch (insn->meta.category) {
	case ZYDIS_CATEGORY_RET:
		return INSN_RETURN;
	case ZYDIS_CATEGORY_UNCOND_BR:
	case ZYDIS_CATEGORY_COND_BR:
		return insn->raw.imm[0].is_relative ? INSN_JUMP : INSN_JUMP_SOMEWHERE;
	default:
		return INSN_OTHER;
	}
}

bool decode_x86_64(const unsigned char *code, size_t n, struct insn *insn)
{
	ZydisDecodedInstruction raw;

	if (!decode(code, n, &raw))
		return false;
	*insn = (struct insn){ .kind = kind_of(&raw), .size = raw.length };
	if (insn->kind == INSN_JUMP)
		insn->to = raw.length + raw.raw.imm[0].value.s;
	return true;
}
