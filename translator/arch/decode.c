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

size_t decode_x86_64(const unsigned char *code, size_t n, bool *returns)
{
	ZydisDecodedInstruction insn;

	if (!decode(code, n, &insn))
		return 0;
	*returns = insn.mnemonic == ZYDIS_MNEMONIC_RET;
	return insn.length;
}
