// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads the XMM registers of the current program.
 *
 * The kernel doesn't use these registers: they stay as the program left them, in the CPU, until
 * the kernel switches to another task or borrows them.  Then it first saves them in the task and
 * sets TIF_NEED_FPU_LOAD.  It does either with interrupts on only, so a reader that has them off
 * finds them where the flag says.
 *
 * Where they are saved, the area of "fxsave" always comes first.  The CPU need not write registers
 * that have their initial value, 0; a bit in the header says whether it has.
 */
#include <linux/irqflags.h>
#include <linux/sched.h>
#include <linux/thread_info.h>

#include <asm/cpufeature.h>
#include <asm/fpu/types.h>

#include "arch/arch.h"
#include "kit_features.h"

/* An XMM register. */
struct st_vector_words {
	u64 words[2];
};

static const union fpregs_state *saved_fpu(void)
{
#if defined(ST_HAVE_TASK_FPU) && defined(CONFIG_X86_DEBUG_FPU)
	/* what x86_task_fpu() gives, which is no inline function then, and not exported */
	return &((struct fpu *)(current + 1))->fpstate->regs;
#elif defined(ST_HAVE_TASK_FPU)
	return &x86_task_fpu(current)->fpstate->regs;
#elif defined(ST_HAVE_FPSTATE)
	return &current->thread.fpu.fpstate->regs;
#else
	return &current->thread.fpu.state;
#endif
}

static void saved_vector(unsigned int reg, struct st_vector_words *to)
{
	const union fpregs_state *from = saved_fpu();
	bool initial = boot_cpu_has(X86_FEATURE_XSAVE) &&
		       !(from->xsave.header.xfeatures & XFEATURE_MASK_SSE);

	if (initial)
		*to = (struct st_vector_words){ };
	else
		memcpy(to, (const char *)from->fxsave.xmm_space + reg * sizeof(*to), sizeof(*to));
}

static void live_vector(unsigned int reg, struct st_vector_words *to)
{
#define ST_LIVE(n) case n: asm volatile("movups %%xmm" #n ", %0" : "=m"(*to)); break
	switch (reg) {
	ST_LIVE(0); ST_LIVE(1); ST_LIVE(2); ST_LIVE(3); ST_LIVE(4); ST_LIVE(5); ST_LIVE(6); ST_LIVE(7);
	ST_LIVE(8); ST_LIVE(9); ST_LIVE(10); ST_LIVE(11); ST_LIVE(12); ST_LIVE(13); ST_LIVE(14);
	ST_LIVE(15);
	}
#undef ST_LIVE
}

bool st_arch_vector(unsigned int reg, unsigned int word, u64 *value)
{
	struct st_vector_words v = { };
	unsigned long flags;

	if (reg > 15 || word > 1)
		return false;
	local_irq_save(flags);
	if (test_thread_flag(TIF_NEED_FPU_LOAD))
		saved_vector(reg, &v);
	else
		live_vector(reg, &v);
	local_irq_restore(flags);
	*value = v.words[word];
	return true;
}
