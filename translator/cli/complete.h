/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Completion in stap -i: keywords, probe points, functions and variables, by where in the script the
 * word stands:
 *
 *	pr<Tab>						probe
 *	probe vm.pagef<Tab>				vm.pagefault
 *	probe kernel.function("vfs_re<Tab>		vfs_read, vfs_readlink, vfs_readv
 *	probe kernel.function("vfs_read").ca<Tab>	.call, .callee("
 *	probe kernel.function("vfs_read") { exec<Tab>	execname(
 *	probe kernel.function("vfs_read") { n = $c<Tab>	$count
 */
#ifndef STAP_COMPLETE_H
#define STAP_COMPLETE_H

#include "base/vec.h"

/* What words are completed from; it changes from line to line. */
struct complete_source {
	const text_list *options;	/* stap's own, which choose the kernel */
	const char *script;		/* the script entered so far */
	const char *part;		/* the lines of the declaration that is being entered; "": none */
	text_list commands;		/* what a first line may begin with besides the script's words */
};

/* Makes readline complete from SOURCE, which must stay. */
void complete_begin(const struct complete_source *source);

#endif
