/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builtins that read nothing of what is probed.  Each makes a call's result; what its last argument says is in the
 * table of builtins (builtins.c).
 */
#ifndef STAP_BPF_BUILTINS_H
#define STAP_BPF_BUILTINS_H

#include "bpf/gen.h"

/* acts.c: builtins that act */
void put_warn(struct gen *g, const struct ir_op *op, int64_t unused);
void put_log(struct gen *g, const struct ir_op *op, int64_t unused);
void put_exit(struct gen *g, const struct ir_op *op, int64_t unused);
void put_system(struct gen *g, const struct ir_op *op, int64_t unused);
void put_signal(struct gen *g, const struct ir_op *op, int64_t unused);
void put_new_speculation(struct gen *g, const struct ir_op *op, int64_t unused);
void put_speculation(struct gen *g, const struct ir_op *op, int64_t act);

/* text.c: builtins that show strings and memory as text */
void put_text_of(struct gen *g, const struct ir_op *op, int64_t quoted);
void put_limited_text(struct gen *g, const struct ir_op *op, int64_t unused);
void put_quoted(struct gen *g, const struct ir_op *op, int64_t helper);

/* session.c: builtins about the session; put_known_number() makes NUMBER the result */
void put_known_number(struct gen *g, const struct ir_op *op, int64_t number);
void put_target(struct gen *g, const struct ir_op *op, int64_t unused);
void put_own_pid(struct gen *g, const struct ir_op *op, int64_t unused);
void put_page_size(struct gen *g, const struct ir_op *op, int64_t unused);
void put_hz(struct gen *g, const struct ir_op *op, int64_t unused);
void put_maxstringlen(struct gen *g, const struct ir_op *op, int64_t unused);
void put_random(struct gen *g, const struct ir_op *op, int64_t unused);

/* times.c: builtins that tell and show the time */
void put_day(struct gen *g, const struct ir_op *op, int64_t unit);
void put_clock(struct gen *g, const struct ir_op *op, int64_t unit);
void put_cpu_clock(struct gen *g, const struct ir_op *op, int64_t unit);
void put_zone_west(struct gen *g, const struct ir_op *op, int64_t unused);
void put_zone_name(struct gen *g, const struct ir_op *op, int64_t unused);
void put_ctime(struct gen *g, const struct ir_op *op, int64_t unused);

/* strings.c: builtins that look at bytes */
void put_find(struct gen *g, const struct ir_op *op, int64_t only_whether);
void put_matched(struct gen *g, const struct ir_op *op, int64_t unused);
void put_ngroups(struct gen *g, const struct ir_op *op, int64_t unused);
void put_byte_at(struct gen *g, const struct ir_op *op, int64_t unused);
void put_number_of(struct gen *g, const struct ir_op *op, int64_t unused);
void put_replace(struct gen *g, const struct ir_op *op, int64_t unused);
void put_substr(struct gen *g, const struct ir_op *op, int64_t unused);
void put_token(struct gen *g, const struct ir_op *op, int64_t begin);

/*
 * registers.c: registers by their names, and whether there are some; builtins.c: register() of the instruction is addr()
 */
void put_named_register(struct gen *g, const struct ir_op *op, int64_t is_signed);
void put_has_registers(struct gen *g, const struct ir_op *op, int64_t unused);
void put_addr(struct gen *g, const struct ir_op *op, int64_t unused);

#endif
