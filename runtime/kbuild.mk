# SPDX-License-Identifier: GPL-2.0-or-later
#
# Saves kbuild work that a module of ours does not need.  make reads this file before each of
# the kernel's makefiles (MAKEFILES), and what is set with "override" stays as it is here.

# Asking the compiler whether it has an option takes kbuild a fifth of a kit's time: some thirty
# questions, each in a directory made for it, with the assembler.  GCC lists its options in one
# run; only what it does not list, such as options with a value, is asked for, without the
# assembler.  Clang prints no such list, so it is asked for each.  (The kernel's
# Documentation/kbuild/makefiles.rst says what cc-option and cc-disable-warning mean.)
stap-listed = $(eval stap-listed := $(filter -f% -m% -W%,$(shell \
	$(CC) --help=common --help=c --help=target 2>/dev/null)))$(stap-listed)

# -fno-NAME, -mno-NAME and -Werror=NAME are listed as -fNAME, -mNAME and -WNAME.
stap-as-listed = $(patsubst -fno-%,-f%,$(patsubst -mno-%,-m%,$(patsubst -Werror=%,-W%,$(1))))

stap-compiles = $(shell $(CC) -Werror $(KBUILD_CPPFLAGS) $(KBUILD_CFLAGS) $(1) \
	-S -x c /dev/null -o /dev/null >/dev/null 2>&1 && echo y)

stap-accepted = $(if $(filter-out $(stap-listed),$(call stap-as-listed,$(1))),$(stap-compiles),y)

override cc-option = $(if $(call stap-accepted,$(1)),$(1),$(2))
override cc-disable-warning = \
	$(if $(call stap-accepted,-W$(strip $(1))),-Wno-$(strip $(1)))

# Debug information, which our modules don't have, and code that counts its own runs.  Both start
# programs, and with "=" what the kernel's makefiles append is never evaluated.
override PAHOLE_FLAGS =
override CFLAGS_GCOV =

# We export no symbols.  Looking for some, by shells, nm, grep and awk, takes a tenth of a second
# for each object.
override cmd_check_local_export =
override cmd_gen_symversions_c =
