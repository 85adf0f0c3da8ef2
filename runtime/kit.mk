# SPDX-License-Identifier: GPL-2.0-or-later
#
# The Kbuild file of a runtime kit: the module $(stap-module) of stap_script.c, which stands for
# a script's object, and of stap_unit0.c and so on, which include the runtime's sources.
#
# translator/kit/kitsave.c reads back what kbuild ran for the stand-in, from kbuild's .cmd files
# and, because before 5.19 they lack objtool's command, from its output.

stap-units := $(sort $(patsubst $(src)/%.c,%.o,$(wildcard $(src)/stap_unit*.c)))
obj-m := $(stap-module).o
$(stap-module)-objs := stap_script.o $(stap-units)

# With -pipe the assembler works while the compiler does, on another CPU: a large script takes a
# fifteenth less time.
ccflags-y += -I$(src)/runtime -std=gnu11 -pipe
ccflags-remove-y += $(CC_FLAGS_FTRACE)

# With -ftree-ter, which -O2 has, GCC evaluates a + b + ... + z from the end: it loads all of them
# before the first sum, and spills what the registers can't hold to the frame of the handler.
CFLAGS_stap_script.o += $(if $(CONFIG_CC_IS_GCC),-fno-tree-ter)

# A kernel that checks memory accesses (KASAN, UBSAN) checks ours too, except on the stack: those
# checks would multiply the size of frames.
CFLAGS_KASAN := $(CFLAGS_KASAN) $(if $(CONFIG_CC_IS_GCC),--param asan-stack=0)
KCSAN_SANITIZE := n
KCOV_INSTRUMENT := n
GCOV_PROFILE := n

# The units leave out passes of GCC that take a quarter of its time and make no probe faster.  -O1
# takes yet less time, but a printed string costs 15 % more with it.
stap-cheaper := -fno-tree-vrp -fno-tree-pre -fno-tree-pta -fno-gcse -fno-schedule-insns2 \
	-fno-tree-tail-merge -fno-tree-slp-vectorize -fno-tree-loop-vectorize -fno-ipa-icf \
	-fno-ipa-cp -fno-ipa-sra
$(addprefix $(obj)/,$(stap-units)): private ccflags-y += $(if $(CONFIG_CC_IS_GCC),$(stap-cheaper))

include $(src)/runtime/features.mk
$(addprefix $(obj)/,$(stap-units)): $(obj)/runtime/kit_features.h

# The directory and the environment of the commands, and the commands in the output.
$(obj)/stap_script.o: private quiet :=
$(obj)/stap_script.o: $(obj)/kit_environment
$(obj)/kit_environment:
	@pwd > $@; env -0 >> $@
