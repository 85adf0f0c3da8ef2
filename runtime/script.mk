# SPDX-License-Identifier: GPL-2.0-or-later
#
# The Kbuild file of a script whose C includes the kernel's headers: the module $(stap-module),
# with the kit's runtime as one object.

obj-m := $(stap-module).o
$(stap-module)-objs := stap_script.o stap_runtime.o
ccflags-y += -I$(src)/runtime $(stap-cflags)
ccflags-remove-y += $(CC_FLAGS_FTRACE)
