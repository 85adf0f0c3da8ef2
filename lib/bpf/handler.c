// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes the main function of a program: takes a frame, evaluates the probe's condition, runs the handler,
 * outputs, gives the frame back.
 */
#include <stddef.h>

#include "gen.h"

/* ---- frames ------------------------------------------------------------------ */

void count_skipped(struct gen *g)
{
	code_map_value(g->c, R1, BPF_WORDS, offsetof(struct bpf_control, skipped));
	code_number(g->c, R2, 1);
	code_atomic(g->c, BPF_ADD, R1, 0, R2);
}

/*
 * What a handler begins with, of which it needs not all: instructions FROM to before END are dropped when its code is
 * made, unless something loads the word that they store, or the handler uses what else they are for.
 */
struct beginning {
	unsigned epoch, epoch_word, half, half_end;
	unsigned words[FRAME_COMES / 8], words_end;
	unsigned record, record_end;
};

/* Where another of a CPU's frames is tried if the first is taken, and where one is free. */
struct frames {
	unsigned others, free;
};

/* r9 = the frame of number r0, and r1 = whether it was taken; goes to NONE if there is no such number. */
static void try_frame(struct gen *g, unsigned none)
{
	code_jump_if(g->c, BPF_JGE, R0, g->plan->frames, none);
	code_op_reg(g->c, BPF_MOV, R1, R0);
	code_op_frames(g->c, BPF_MUL, R1, 1);
	code_map_value(g->c, R9, BPF_FRAME_TABLE, g->plan->low);
	code_op_reg(g->c, BPF_ADD, R9, R1);
	code_number(g->c, R1, 1);
	code_atomic(g->c, BPF_XCHG, R9, FRAME_BUSY, R1);
}

/*
 * r9, r0 = the first free frame of the CPU r0, and its number; goes to NONE if there is none.
 *
 * The verifier looks at all that follows for each of the frames, unless it has seen it with the first, which may be any.
 * It takes a jump after what is behind it, so the others are elsewhere (put_other_frames()).  And it must not know that
 * the first is one of some: a newer kernel's knows the greatest number of a CPU, so a number from memory is added.
 */
static struct frames take_frame(struct gen *g, unsigned none)
{
	struct frames f = { .others = code_label(g->c), .free = code_label(g->c) };

	code_op(g->c, BPF_MUL, R0, g->plan->cpu_frames);
	code_map_value(g->c, R1, BPF_WORDS, offsetof(struct bpf_control, zero));
	code_load(g->c, BPF_DW, R1, R1, 0);
	code_op_reg(g->c, BPF_ADD, R0, R1);
	if (ir_in_program(g->attach))
		code_op(g->c, BPF_ADD, R0, BPF_FRAMES);
	try_frame(g, none);
	code_jump_if(g->c, BPF_JNE, R1, 0, f.others);
	code_here_from_below(g->c, f.free);
	return f;
}

/* Tries the other frames of the CPU; goes on behind it if there is none. */
static void put_other_frames(struct gen *g, const struct frames *f, unsigned none)
{
	unsigned n = ir_in_program(g->attach) ? BPF_WAITING_FRAMES : BPF_FRAMES;

	code_here(g->c, f->others);
	for (unsigned i = 1; i < n; i++) {
		code_op(g->c, BPF_ADD, R0, 1);
		try_frame(g, none);
		code_jump_if(g->c, BPF_JEQ, R1, 0, f->free);
	}
}

/* Does the handler load this word of the frame's beginning? */
static bool is_loaded(const struct gen *g, unsigned word)
{
	for (size_t i = 0; i < g->code.n; i++)
		if (g->code.v[i]->code.loaded & (uint64_t)1 << word / 8)
			return true;
	return false;
}

/* r0 = the epoch */
static void load_epoch(struct gen *g)
{
	code_map_value(g->c, R1, BPF_WORDS, offsetof(struct bpf_control, epoch));
	code_load(g->c, BPF_DW, R0, R1, 0);
	code_op(g->c, BPF_AND, R0, 1);
}

/* r8 = the half of the epoch r0, of the CPU's number r8, which the verifier takes for any */
static void choose_half(struct gen *g)
{
	unsigned half = g->plan->half;

	code_op(g->c, BPF_AND, R8, g->plan->cpu_mask);
	code_op(g->c, BPF_MUL, R8, 2 * half);
	code_op(g->c, BPF_MUL, R0, half);
	code_op_reg(g->c, BPF_ADD, R8, R0);
	code_map_value(g->c, R0, BPF_WORDS, g->plan->halves);
	code_op_reg(g->c, BPF_ADD, R8, R0);
}

/* r8 = this CPU's half that is in use, of its number r8 */
static void find_half(struct gen *g, struct beginning *b)
{
	b->epoch = g->c->insns.n;
	load_epoch(g);
	b->epoch_word = g->c->insns.n;
	code_store(g->c, BPF_DW, R9, FRAME_EPOCH, R0);
	b->half = g->c->insns.n;
	choose_half(g);
	b->half_end = g->c->insns.n;
}

struct found find_frame(struct gen *g)
{
	struct found f = { .uses = g->half_uses };
	unsigned bounded = code_label(g->c);

	code_op_reg(g->c, BPF_MOV, R6, R1);
	code_jump_if(g->c, BPF_JLT, R2, g->plan->frames, bounded);	/* it is, but the verifier doesn't know */
	code_number(g->c, R0, 0);
	code_exit(g->c);
	code_here(g->c, bounded);
	code_op_frames(g->c, BPF_MUL, R2, 1);
	code_map_value(g->c, R9, BPF_FRAME_TABLE, g->plan->low);
	code_op_reg(g->c, BPF_ADD, R9, R2);
	code_number(g->c, R8, 0);	/* it is saved even if it is no half */
	f.half = g->c->insns.n;
	code_helper(g->c, BPF_FUNC_get_smp_processor_id);
	code_op_reg(g->c, BPF_MOV, R8, R0);
	code_load(g->c, BPF_DW, R0, R9, FRAME_EPOCH);
	code_op(g->c, BPF_AND, R0, 1);
	choose_half(g);
	f.half_end = g->c->insns.n;
	g->half_uses = 2;		/* none is the first */
	g->c->loaded = 0;		/* what the half loads counts if it stays */
	return f;
}

void end_found(struct gen *g, const struct found *f)
{
	if (g->half_uses == 2)
		code_drop(g->c, f->half, f->half_end);
	else
		g->c->loaded |= (uint64_t)1 << FRAME_EPOCH / 8;
	g->half_uses = f->uses;
}

/* The only use of the half finds it, maybe in a block that seldom runs. */
void use_half(struct gen *g)
{
	if (g->half_uses++)
		return;
	g->finds_half.c = g->c;
	g->finds_half.from = g->c->insns.n;
	load_epoch(g);
	choose_half(g);
	g->finds_half.end = g->c->insns.n;
}

void pass_half(struct gen *g, unsigned reg, unsigned at)
{
	use_half(g);
	code_op_reg(g->c, BPF_MOV, reg, R8);
	code_op(g->c, BPF_ADD, reg, at);
}

/* Adds N to how many handlers that may wait use the half r8. */
static void count_inside(struct gen *g, int n)
{
	g->half_uses += 2;
	code_number(g->c, R1, n);
	code_atomic(g->c, BPF_ADD, R8, 0, R1);
}

/*
 * Makes the reader wait for this handler, which RCU doesn't.  A reader may have changed the epoch meanwhile,
 * once, since it waits before it does so again; then the handler takes the other half.
 */
static void enter_half(struct gen *g)
{
	struct beginning again;
	unsigned inside = code_label(g->c);

	count_inside(g, 1);
	load_epoch(g);
	code_load(g->c, BPF_DW, R1, R9, FRAME_EPOCH);
	code_jump_if_reg(g->c, BPF_JEQ, R0, R1, inside);
	count_inside(g, -1);
	code_helper(g->c, BPF_FUNC_get_smp_processor_id);
	code_op_reg(g->c, BPF_MOV, R8, R0);
	find_half(g, &again);
	count_inside(g, 1);
	code_here(g->c, inside);
}

static void clear_words(struct gen *g, struct beginning *b)
{
	for (int at = FRAME_SITE; at <= FRAME_MAY_WAIT; at += 8) {
		b->words[at / 8] = g->c->insns.n;
		if (at != FRAME_EPOCH)
			code_store_number(g->c, BPF_DW, R9, at, at == FRAME_MAY_WAIT && g->waits);
	}
	b->words_end = g->c->insns.n;
}

/* A new record; r8 and r0 are the CPU's and the frame's numbers. */
static void begin_record(struct gen *g, struct beginning *b)
{
	b->record = g->c->insns.n;
	code_store(g->c, BPF_W, R9, FRAME_RECORD + offsetof(struct bpf_record, cpu), R8);
	code_store(g->c, BPF_W, R9, FRAME_RECORD + offsetof(struct bpf_record, frame), R0);
	code_store_number(g->c, BPF_W, R9, FRAME_RECORD + offsetof(struct bpf_record, more), 0);
	code_store_number(g->c, BPF_DW, R9, FRAME_RECORD + offsetof(struct bpf_record, told), 0);
	b->record_end = g->c->insns.n;
}

/* Drops what the handler, whose code is made, doesn't need of its beginning. */
static void drop_unused(struct gen *g, const struct beginning *b)
{
	bool first = g->half_uses > 1 || is_loaded(g, FRAME_EPOCH);

	if (!first)
		code_drop(g->c, b->epoch, b->half_end);
	else if (g->finds_half.c)
		code_drop(g->finds_half.c, g->finds_half.from, g->finds_half.end);
	if (!is_loaded(g, FRAME_EPOCH))
		code_drop(g->c, b->epoch_word, b->half);
	if (!g->half_uses)
		code_drop(g->c, b->half, b->half_end);
	for (int at = FRAME_SITE; at <= FRAME_MAY_WAIT; at += 8)
		if (!is_loaded(g, at))
			code_drop(g->c, b->words[at / 8], at == FRAME_MAY_WAIT ? b->words_end : b->words[at / 8 + 1]);
	if (!g->tells && !g->fails && !g->calls)
		code_drop(g->c, b->record, b->record_end);
}

static struct frames begin_handler(struct gen *g, enum bpf_role role, struct beginning *b, unsigned out,
				    unsigned skipped)
{
	struct frames frames;

	code_op_reg(g->c, BPF_MOV, R6, R1);
	if (role != BPF_TELLS) {
		code_map_value(g->c, R1, BPF_WORDS, offsetof(struct bpf_control, running));
		code_load(g->c, BPF_DW, R1, R1, 0);
		code_jump_if(g->c, BPF_JNE, R1, 1, out);
	}
	if (g->waits && g->plan->threads)
		put_in_target(g, out);
	code_helper(g->c, BPF_FUNC_get_smp_processor_id);
	code_op_reg(g->c, BPF_MOV, R8, R0);
	frames = take_frame(g, skipped);
	begin_record(g, b);
	find_half(g, b);
	if (g->waits)
		enter_half(g);
	save_registers(g);
	clear_words(g, b);
	if (g->match)
		code_store_number(g->c, BPF_DW, R9, g->match, 0);
	if (g->counts) {
		code_number(g->c, R1, g->probe->budget < STATEMENTS_MOST ? g->probe->budget : STATEMENTS_MOST);
		code_store(g->c, BPF_DW, R9, FRAME_BUDGET, R1);
	}
	return frames;
}

/* Lets no other handler begin if the session ends by this handler's error. */
static void stop_on_error(struct gen *g)
{
	unsigned fine = code_label(g->c);

	if (!g->fails || g->ir->limits.errors || g->ir->limits.suppress_errors)
		return;
	code_load(g->c, BPF_DW, R1, R9, FRAME_SITE);
	code_jump_if(g->c, BPF_JEQ, R1, 0, fine);
	stop_handlers(g);
	code_here(g->c, fine);
}

/* Outputs the error of a handler that tells nothing else; so what only this reads needs no beginning. */
static void end_silent_handler(struct gen *g)
{
	const uint64_t own = (uint64_t)1 << FRAME_OUT / 8 | (uint64_t)1 << FRAME_EXITS / 8, others = g->c->loaded & own;
	unsigned fine = code_label(g->c);

	code_load(g->c, BPF_DW, R1, R9, FRAME_SITE);
	code_jump_if(g->c, BPF_JEQ, R1, 0, fine);
	code_store_number(g->c, BPF_DW, R9, FRAME_OUT, 0);
	code_store_number(g->c, BPF_DW, R9, FRAME_EXITS, 0);
	stop_on_error(g);
	put_told(g);
	put_output(g);
	code_here(g->c, fine);
	g->c->loaded = (g->c->loaded & ~own) | others;
}

/* Outputs what there is to tell. */
static void end_handler(struct gen *g)
{
	unsigned silent = code_label(g->c);

	if (!g->tells) {
		if (g->fails)
			end_silent_handler(g);
		return;
	}
	stop_on_error(g);
	put_told(g);
	code_load(g->c, BPF_DW, R1, R9, FRAME_OUT);
	code_load(g->c, BPF_DW, R2, R9, FRAME_SITE);
	code_op_reg(g->c, BPF_OR, R1, R2);
	code_load(g->c, BPF_DW, R2, R9, FRAME_EXITS);
	code_op_reg(g->c, BPF_OR, R1, R2);
	code_load(g->c, BPF_W, R2, R9, FRAME_RECORD + offsetof(struct bpf_record, more));
	code_op_reg(g->c, BPF_OR, R1, R2);
	code_jump_if(g->c, BPF_JEQ, R1, 0, silent);
	put_output(g);
	code_here(g->c, silent);
}

static void put_one_body(struct gen *g, const struct ir_body *b, struct region *top)
{
	g->root = b;
	lay_out(g, b);
	put_body(g, b, top);
}

/* Goes to OTHER unless the function returns to the place's caller: the kernel puts that in the registers at a return. */
static void put_is_caller(struct gen *g, unsigned other)
{
	const struct ir_place *p = g->place;

	put_register(g, INSTRUCTION_POINTER);
	code_number(g->c, R1, (g->on->bases ? g->on->bases[p->caller_base] : 0) + p->caller);
	code_jump_if_reg(g->c, BPF_JNE, R0, R1, other);
}

/* Makes the code of a program with a frame: its bodies.  Goes to FREE if there is nothing to do. */
static void put_bodies(struct gen *g, const struct bpf_program *p, struct region *top, unsigned free)
{
	bool conditional = g->probe->armed_by != IR_UNCONDITIONAL && p->role == BPF_HANDLES;
	unsigned failed = code_label(g->c);

	if (g->attach == IR_OF_PROCESS)
		put_process(g, p, free);
	/* The kernel calls all handlers at a return, and a child that shares its parent's memory hits its places. */
	if (ir_in_program(g->attach) && g->place)
		put_is_process(g, free);
	if (g->attach == IR_OF_PROCESS && p->role != BPF_HANDLES)
		return;
	if (p->role == BPF_OPENS) {
		note_opened(g, p->opened);
		code_jump(g->c, free);
		return;
	}
	/* What was saved is taken from the map whether the probe is armed or not, and whoever is the caller. */
	if (p->saved && p->role == BPF_HANDLES)
		find_saved(g, p->saved, free);
	if (p->role == BPF_HANDLES && g->place && g->place->caller)
		put_is_caller(g, free);
	if (conditional) {
		put_one_body(g, g->ir->probes.v[g->probe->armed_by].condition, top);
		code_load(g->c, BPF_DW, R1, R9, FRAME_SITE);
		code_jump_if(g->c, BPF_JNE, R1, 0, failed);
		code_load(g->c, BPF_DW, R1, R9, FRAME_ARMED);
		code_jump_if(g->c, BPF_JEQ, R1, 0, free);
	}
	if (p->role == BPF_SAVES) {
		put_one_body(g, g->probe->entry, top);
		code_load(g->c, BPF_DW, R1, R9, FRAME_SITE);
		code_jump_if(g->c, BPF_JNE, R1, 0, failed);
		keep_saved(g, p);
	} else {
		put_one_body(g, g->probe->handler, top);
	}
	code_here(g->c, failed);
	end_handler(g);
}

/* Leaves the context where it is if nothing asks for it: C is the main function, whose first instruction keeps it in r6. */
static void drop_context(struct code *c)
{
	for (size_t i = 1; i < c->insns.n; i++)
		if (c->insns.v[i].src_reg == R6 || c->insns.v[i].dst_reg == R6)
			return;
	code_drop(c, 0, 1);
}

void put_handler(struct gen *g, const struct bpf_program *p)
{
	struct function *outer, *f;
	struct region top = { .op = NULL };
	struct beginning beginning;
	struct frames frames;
	unsigned out, skipped, free;

	begin_function(g, &outer);
	out = code_label(g->c);
	skipped = code_label(g->c);
	free = code_label(g->c);
	top.skipped = code_label(g->c);
	frames = begin_handler(g, p->role, &beginning, out, skipped);
	put_bodies(g, p, &top, free);
	code_jump(g->c, free);
	code_here(g->c, top.skipped);
	count_skipped(g);
	code_here(g->c, free);
	if (g->waits)
		count_inside(g, -1);
	code_store_number(g->c, BPF_DW, R9, FRAME_BUSY, 0);
	code_number(g->c, R0, 0);
	code_exit(g->c);
	put_other_frames(g, &frames, skipped);
	code_here(g->c, skipped);
	count_skipped(g);
	code_here(g->c, out);
	drop_unused(g, &beginning);
	f = g->f;
	end_function(g, outer);
	drop_context(&f->code);
}
