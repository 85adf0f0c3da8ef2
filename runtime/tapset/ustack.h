/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Printing the user stack, for other tapset functions. */
#ifndef STAP_TAPSET_USTACK_H
#define STAP_TAPSET_USTACK_H

#include "abi/stap_script.h"
#include "abi/transport.h"

/* Prints the current process's user stack in a style, ST_STACK_*; nothing where there is none. */
void st_print_user_stack(struct st_ctx *c, int style);

#endif
