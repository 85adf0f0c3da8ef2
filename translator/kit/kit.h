/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pass 4: the C file and the prebuilt runtime become a module.
 *
 * The runtime kit is the runtime compiled once for a kernel build, together
 * with the commands that kbuild ran for it.  A script's C includes no kernel
 * header, so it is compiled and linked by replaying these commands, in a few
 * dozen milliseconds instead of seconds.
 *
 *	kit.c        finds the kit, or has it built (kitmake.c, kitunits.c, kitsave.c, kitcommands.c, kitkernel.c)
 *	possible.c   tells beforehand whether all this can succeed
 *	compile.c    compiles a script's C; full kbuild if it includes kernel headers
 *	frames.c     refuses functions that need too much of the kernel's stack
 *	confined.c   builds for the headers of a stranger's, in a sandbox (sandbox.c)
 *	link.c       links it with the kit, and names the module (elf.c)
 *	signed.c     signs it, for kernels that load no others (sign.c)
 *	cache.c      keeps modules, kits and more by content
 *	snippet.c    compiles C only to read types and constants
 */
#ifndef STAP_BUILD_H
#define STAP_BUILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/problem.h"

struct session;

/*
 * Builds S->c_file into the module S->ko_file, or takes it from the cache
 * (*CACHED).  FULL_KBUILD: the C includes kernel headers.  Returns 0, or -1
 * after a message.
 */
int kit_build_module(struct session *s, bool full_kbuild, bool *cached);

/* Is a runtime for the kernel RELEASE kept, so that a module can be built without that kernel's headers? */
bool kit_is_kept(struct session *s, const char *release);

/*
 * Can a module be built here and, if pass 5 is to follow, does the running kernel load it?  Else false with WHY
 * filled in: no headers and no kit, no compiler, no key to sign it with, no modules at all.  It takes no time
 * where all is there.
 */
bool kit_is_possible(struct session *s, struct problem *why);

/*
 * Can a stranger's programs run here without harm, so that a module can be built with a host's headers
 * (confined.c)?  Else false with WHY filled in.
 */
bool kit_can_confine(struct problem *why);

/*
 * Copies S->ko_file into the work directory under a module name that ends with
 * this process's id, so that a script can run several times at once.  Returns
 * 0, or -1 after a message.
 */
int kit_build_own_copy(struct session *s);

/*
 * Compiles TEXT, not to run it but to read what its headers define: with the
 * kernel's headers and flags if KERNEL is set, else as a user program.  Returns
 * the path of the object, with debug information for all types; or NULL, with
 * the compiler's first error in *WHY.
 */
const char *kit_compile_snippet(struct session *s, const char *text, bool kernel,
				struct problem *why);

/*
 * Evaluates N constant C expressions after INCLUDES, lines of C, with the
 * kernel's headers.  Returns true with all VALUES, or false with *WHY.
 */
bool kit_evaluate_constants(struct session *s, const char *includes, const char *const *exprs,
			    size_t n, int64_t *values, struct problem *why);

#endif
