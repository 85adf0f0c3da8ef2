// SPDX-License-Identifier: GPL-2.0-or-later
/* Lowers the program: its tables, functions, conditions, entries and handlers. */
#include <stdlib.h>
#include <string.h>

#include "abi/stap_script.h"
#include "abi/transport.h"
#include "base/arena.h"
#include "base/printable.h"
#include "probes/family.h"
#include "regex/regex.h"
#include "lowering.h"

#define TEXT_(name) #name
#define TEXT(name) TEXT_(name)
#define ANCHOR_NAME TEXT(ST_ANCHOR)

/* ---- tables ------------------------------------------------------------ */

/* Returns an initial value, cut as an assignment would cut it. */
static const char *initial_text(const struct variable *v, int64_t room)
{
	const char *text = v->init ? v->init->str : "";

	return arena_strndup(text, strnlen(text, room - 1));
}

static struct ir_shape shape_of(const struct variable *v)
{
	const struct expr *h = v->hist;
	struct ir_shape shape = {
		.extracts = v->stat_ops & ((1u << STAT_HIST_LOG) - 1),
		.hist = !h ? IR_NO_HIST : h->stat == STAT_HIST_LOG ? IR_LOG : IR_LINEAR,
		.shift = v->variance_shift,
	};

	if (shape.hist == IR_LINEAR) {
		shape.lo = h->params[0];
		shape.hi = h->params[1];
		shape.step = h->params[2];
	}
	return shape;
}

static void lower_global(struct ir_program *ir, const struct variable *v)
{
	struct ir_global g = { .name = v->name, .type = ir_type_of(v->type), .percpu = v->percpu,
			       .at = loc_text(v->loc) };

	for (int i = 0; i < v->nkeys; i++)
		vec_push(&g.keys, ir_type_of(v->key_types.v[i]));
	if (g.keys.n) {
		g.entries = v->maxsize ? v->maxsize : ir->limits.entries;
		g.sized = v->maxsize != 0;
		g.wraps = v->wrap;
		g.sorters = v->nsorters;
	} else if (g.type == IR_STRING) {
		g.text = initial_text(v, ir->limits.string);
	} else if (g.type == IR_WORD && v->init) {
		g.number = v->init->num;
	}
	if (g.type == IR_STATISTIC)
		g.shape = shape_of(v);
	vec_push(&ir->globals, g);
}

static void lower_prototype(struct ir_program *ir, const struct function *f)
{
	struct ir_function p = {
		.name = f->name,
		.type = ir_type_of(f->type),
		.written_in = f->body ? IR_SCRIPT : f->builtin ? IR_BUILTIN : IR_USERS_C,
		.nexts = f->nexts,
		.longest = f->builtin ? f->builtin->longest : 0,
		.at = loc_text(f->loc),
	};

	for (size_t i = 0; i < f->params.n; i++)
		vec_push(&p.params, ir_type_of(f->params.v[i]->type));
	vec_push(&ir->functions, p);
}

static struct ir_foreign *lower_users_function(const struct function *f)
{
	struct ir_foreign *foreign = foreign_of(f->embedded);

	for (size_t i = 0; i < f->params.n; i++)
		vec_push(&foreign->params, f->params.v[i]->name);
	return foreign;
}

/* ---- bodies ------------------------------------------------------------ */

static struct ir_body *begin_body(struct lowering *lo, enum ir_body_kind kind, unsigned number,
				  const char *name, struct loc at)
{
	struct ir_body *b = arena_new(struct ir_body);

	b->kind = kind;
	b->number = number;
	b->name = name;
	b->at = loc_text(at);
	lo->body = b;
	lo->at = &b->block;
	lo->labels = 0;
	lo->memos.n = 0;
	lo->called = 0;
	lo->on_error = lo->loop = NULL;
	return b;
}

static void add_locals(struct ir_body *b, struct variable *const *v, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct ir_local l = { v[i]->name, ir_type_of(v[i]->type), v[i]->is_written };

		if (v[i]->literal)
			continue;
		v[i]->index = b->locals.n;
		vec_push(&b->locals, l);
	}
}

static void lower_function(struct lowering *lo, struct function *f)
{
	struct ir_body *b = begin_body(lo, IR_FUNCTION, f->index, f->name, f->loc);

	b->type = ir_type_of(f->type);
	b->nparams = f->params.n;
	add_locals(b, f->params.v, f->params.n);
	add_locals(b, f->locals.v, f->locals.n);
	lo->func = f;
	find_memos(lo, f->body);
	lower_stmt(lo, f->body);
	lo->func = NULL;
	lo->ir->functions.v[f->index].body = b;
}

static void add_locks(struct ir_body *b, const struct probe *p)
{
	for (size_t i = 0; i < p->locks.n; i++)
		vec_push(&b->locks, ((struct ir_lock){ p->locks.v[i].var->index,
						       p->locks.v[i].write }));
	for (size_t i = 0; i < p->decides.n; i++)
		vec_push(&b->decides, p->decides.v[i]->index);
}

/* Lowers a condition. A pending error of the handler that evaluates it is set aside meanwhile. */
static struct ir_body *lower_armed(struct lowering *lo, struct probe *p)
{
	struct ir_body *b = begin_body(lo, IR_CONDITION, p->index, NULL, p->loc);
	struct ir_operand armed;

	note_expression(lo, p->condition);
	armed = lower_expr(lo, p->condition);
	add_arg(lower_op(lo, IR_ARM), armed);
	return b;
}

/* Lowers what a return probe saves at the function's entry. */
static struct ir_body *lower_entry(struct lowering *lo, struct probe *p)
{
	struct ir_body *b = begin_body(lo, IR_ENTRY, p->index, NULL, p->loc);

	if (entry_needs_locks(lo, p)) {
		add_locks(b, p);
		check_error(lo);	/* adding up what CPUs have may fail */
	}
	for (size_t i = 0; i < p->saved.n; i++) {
		struct ir_block *outer = begin_value(lo, p->saved.v[i]->expr);
		struct ir_operand value = lower_expr(lo, p->saved.v[i]->expr);
		struct ir_op *op = lower_op(lo, IR_SAVE);

		op->symbol = i;
		add_arg(op, value);
		lo->at = outer;
	}
	return b;
}

static struct ir_body *lower_handler(struct lowering *lo, struct probe *p)
{
	struct ir_body *b = begin_body(lo, IR_HANDLER, p->index, NULL, p->loc);

	add_locks(b, p);
	add_locals(b, p->locals.v, p->locals.n);
	find_memos(lo, p->body);
	lower_locked(lo, p->body);
	return b;
}

/* ---- probes ------------------------------------------------------------ */

static int64_t budget_of(const struct probe *p, const struct ir_limits *lim)
{
	if (p->unlimited || lim->untimed)
		return INT64_MAX;
	return p->family->interruptible ? lim->action_interruptible : lim->action;
}

/* Returns a text that the probed program may have made, as terminals may show it. */
static const char *shown(const char *text)
{
	char *made = text ? printable(text, strlen(text), "") : NULL;
	const char *copy = arena_strdup(made ? made : "");

	free(made);
	return copy;
}

static void lower_base(struct ir_program *ir, const struct program *prog, const struct base *b)
{
	struct ir_base base = { .module = b->module };

	if (b->section[0] == ST_BASE_SYMBOL) {
		base.symbol = b->section + 1;
	} else if (!b->section[0] && prog->anchor) {
		base.symbol = ANCHOR_NAME;
		base.offset = prog->anchor;
	} else if (b->nanchors) {
		base.symbol = b->anchors[0].symbol;
		base.offset = b->anchors[0].offset;
	}
	vec_push(&ir->bases, base);
}

static void lower_file(struct ir_program *ir, const struct program_file *f)
{
	const struct ir_file file = {
		.path = f->path, .build_id = f->build_id, .identity = f->identity, .size = f->size,
		.owner = f->owner, .awaited = f->awaited, .distance = f->distance,
	};

	vec_push(&ir->files, file);
}

static struct ir_instruction instruction_of(uint64_t offset, const struct code_bytes *code)
{
	struct sbuf hex = { 0 };

	for (unsigned i = 0; code && i < code->n; i++)
		sbuf_printf(&hex, "%02x", code->p[i]);
	return (struct ir_instruction){ offset, sbuf_take(&hex) };
}

/* Says how the kernel hits a place in a program. */
static void attach_in_program(struct ir_place *place, const struct site *site)
{
	static const enum ir_attach attach[ST_ATTACHES] = {
		[ST_UPROBE] = IR_IN_PROGRAM, [ST_URETPROBE] = IR_AT_PROGRAMS_RETURN,
		[ST_URETURNS] = IR_AT_RETURNING,
	};

	place->attach = attach[site->attach];
	place->file = site->program;
	place->at = instruction_of(site->offset, &site->code[0]);
	place->body = instruction_of(site->body == site->offset ? 0 : site->body, &site->code[1]);
	for (size_t i = 0; i < site->nreturns; i++)
		vec_push(&place->returning, instruction_of(site->returns[i], &site->code[2 + i]));
	place->semaphore = site->semaphore;
	place->pid = site->pid;
}

static enum ir_code code_of(const struct site *site)
{
	bool by_ftrace = site->attach == ST_FTRACE || site->attach == ST_FTRACE_RETURN;

	if (by_ftrace && site->section && site->section[0] == ST_BASE_SYMBOL)
		return IR_CODE_NAMED;
	if (by_ftrace || site->traced)
		return IR_CODE_TRACED;
	return site->steppable ? IR_CODE_STEPPED : IR_CODE_UNSAFE;
}

/* Says how the kernel hits a place in code. */
static void attach_place(struct ir_place *place, const struct site *site)
{
	place->optional = site->optional;
	if (st_attach_is_user(site->attach) && !site->caller)
		attach_in_program(place, site);
	place->code = code_of(site);
	if (site->attach != ST_NO_CODE && site->attach != ST_TRACEPOINT && !st_attach_is_user(site->attach)) {
		place->attach = st_attach_is_return(site->attach) ? IR_AT_RETURN : IR_AT_ADDRESS;
		place->base = site->absolute ? IR_ABSOLUTE : site->base;
		place->offset = site->offset;
		place->caller_base = site->caller_base;
		place->caller = site->caller;
	}
}

static struct ir_place place_of(const struct probe *p, const struct site *site)
{
	struct ir_place place = {
		.pp = shown(site->pp), .pn = shown(site->pn), .func = shown(site->func),
		.module = shown(site->module), .from = shown(site->from),
		.event = p->family->table ? IR_KERNELS : IR_NEVER,
	};

	attach_place(&place, site);
	if (p->family->place)
		p->family->place(p, site, &place);
	return place;
}

static void lower_probe(struct lowering *lo, struct probe *p)
{
	struct ir_probe probe = {
		.family = p->family->name, .at = loc_text(p->loc),
		.budget = budget_of(p, &lo->ir->limits), .system_call = p->system_call,
		.armed_by = p->armed_by ? p->armed_by->index : IR_UNCONDITIONAL,
	};

	lo->probe = p;
	for (size_t i = 0; i < p->sites.n; i++)
		vec_push(&probe.places, place_of(p, &p->sites.v[i]));
	if (p->armed_by == p)
		probe.condition = lower_armed(lo, p);
	for (size_t i = 0; i < p->saved.n; i++)
		vec_push(&probe.saved, ir_type_of(p->saved.v[i]->type));
	if (p->saved.n)
		probe.entry = lower_entry(lo, p);
	probe.handler = lower_handler(lo, p);
	vec_push(&lo->ir->probes, probe);
	lo->probe = NULL;
}

static void lower_pattern(struct ir_program *ir, const struct regex *re)
{
	const struct ir_pattern p = { re->pattern, &re->tables, re->nstates, re->nsteps, re->ntags };

	vec_push(&ir->patterns, p);
}

struct ir_program *lower_program(struct session *s, struct program *prog)
{
	struct ir_program *ir = arena_new(struct ir_program);
	struct lowering lo = { .s = s, .prog = prog, .ir = ir };
	const char *wrong;

	ir->limits = read_limits(s, prog);
	ir->timed = s->options.timing;
	ir->build_id = prog->build_id;
	for (size_t i = 0; prog->relocates && i < prog->bases.n; i++)
		lower_base(ir, prog, &prog->bases.v[i]);
	for (size_t i = 0; i < prog->files.n; i++)
		lower_file(ir, &prog->files.v[i]);
	memcpy(ir->tasks, prog->tasks, sizeof(ir->tasks));
	find_literals(prog, ir->limits.string);
	for (size_t i = 0; i < prog->globals.n; i++)
		lower_global(ir, prog->globals.v[i]);
	for (size_t i = 0; i < prog->functions.n; i++)
		lower_prototype(ir, prog->functions.v[i]);
	for (size_t i = 0; i < prog->regexes.n; i++)
		lower_pattern(ir, prog->regexes.v[i]);
	for (size_t i = 0; i < prog->embeds.n; i++)
		vec_push(&ir->foreign, foreign_of(prog->embeds.v[i]));
	for (size_t i = 0; i < prog->functions.n; i++) {
		struct function *f = prog->functions.v[i];

		if (f->body)
			lower_function(&lo, f);
		else if (f->embedded)
			ir->functions.v[i].foreign = lower_users_function(f);
	}
	for (size_t i = 0; i < prog->probes.n && !session_interrupted(); i++)
		lower_probe(&lo, prog->probes.v[i]);
	if (!session_interrupted()) {
		find_rooms(ir);
		merge_handlers(ir);
	}
	if (ir->formats.n > ST_FORMATS_MOST)
		diag(DIAG_ERROR, "the script prints %zu different formats, of at most %u",
		     ir->formats.n, ST_FORMATS_MOST);
	wrong = diag_errors ? NULL : ir_verify(ir);
	if (wrong) {
		diag(DIAG_ERROR, "the intermediate program is wrong: %s", wrong);
		diag_hint("this is a fault of stap: please report it, with the script");
	}
	return ir;
}
