// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Verifies what is around an intermediate program's bodies: limits, globals, functions, patterns,
 * formats, probes and their places.
 */
#include <inttypes.h>
#include <string.h>

#include "abi/stap_script.h"
#include "base/arena.h"
#include "ir/ir.h"
#include "ir/verify.h"

/* ---- limits and globals ------------------------------------------------- */

static const char *out_of_bounds(const char *what, int64_t n)
{
	return arena_printf("%s (%" PRId64 ") is out of bounds", what, n);
}

/* Verifies the limits, because an engine allocates by them, and divides by some. */
static const char *verify_limits(const struct ir_limits *l)
{
	const struct { const char *what; int64_t n, least, most; } bounds[] = {
		{ "the length of strings", l->string, ST_STRING_LEAST, ST_STRING_MOST },
		{ "the nesting of calls", l->nesting, 1, ST_NESTING_MOST },
		{ "the number of errors", l->errors, 0, UINT32_MAX },
		{ "the number of skipped probes", l->skipped, 0, UINT32_MAX },
		{ "the size of arrays", l->entries, 1, ST_ENTRIES_MOST },
		{ "the statements of a handler", l->action, 0, INT64_MAX },
		{ "the statements of a handler", l->action_interruptible, 0, INT64_MAX },
		{ "the tries for a lock", l->trylock, 0,
		  l->untimed ? ST_TRIES_UNTIMED : ST_TRIES_MOST },
		{ "the time between looks at the load", l->overload_interval, 1, INT64_MAX },
		{ "the most load", l->overload_threshold, 0, INT64_MAX },
		{ "the number of calls followed to their return", l->kretactive, 0,
		  ST_ACTIVE_MOST },
		{ "the width of a histogram", l->hist_width, 1, ST_HIST_WIDTH_MOST },
		{ "the rows beside a histogram's gap", l->hist_elision, INT32_MIN, INT32_MAX },
	};

	for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++)
		if (bounds[i].n < bounds[i].least || bounds[i].n > bounds[i].most)
			return out_of_bounds(bounds[i].what, bounds[i].n);
	return NULL;
}

static const char *verify_shape(const struct ir_shape *s)
{
	if (s->extracts >> (IR_VARIANCE + 1))
		return out_of_bounds("what is extracted", s->extracts);
	if (s->shift > ST_SHIFT_MOST)
		return out_of_bounds("the fraction of a variance", s->shift);
	if (s->hist > IR_LINEAR)
		return out_of_bounds("the kind of its histogram", s->hist);
	if (s->hist != IR_LINEAR)
		return NULL;
	if (s->step < 1)
		return out_of_bounds("its histogram's step", s->step);
	if (s->hi <= s->lo ||
	    ((uint64_t)s->hi - (uint64_t)s->lo) / s->step >= ST_BUCKETS_MOST)
		return out_of_bounds("its histogram's end", s->hi);
	return NULL;
}

static const char *verify_array(const struct ir_program *p, const struct ir_global *g)
{
	if (g->keys.n > ST_MAX_KEYS)
		return out_of_bounds("the number of keys", g->keys.n);
	for (size_t i = 0; i < g->keys.n; i++)
		if (g->keys.v[i] != IR_WORD && g->keys.v[i] != IR_STRING)
			return "a key is neither a word nor a string";
	if (g->rooms.n > g->keys.n)
		return "it has room for a key that there isn't";
	for (size_t i = 0; i < g->rooms.n; i++)
		if (g->rooms.v[i] > p->limits.string)
			return out_of_bounds("the room of a key", g->rooms.v[i]);
	if (g->entries < 1 || g->entries > ST_ENTRIES_MOST)
		return out_of_bounds("its size", g->entries);
	if (g->sorters > IR_SORTERS_MOST)
		return out_of_bounds("the number of its orders", g->sorters);
	return NULL;
}

static const char *verify_global(const struct ir_program *p, const struct ir_global *g)
{
	const char *wrong = NULL;

	if (g->type != IR_WORD && g->type != IR_STRING && g->type != IR_STATISTIC)
		wrong = "it is neither a word, a string nor a statistic";
	else if (g->percpu && g->type == IR_STRING)
		wrong = "a string is not kept in parts";
	else if (g->keys.n)
		wrong = verify_array(p, g);
	else if (g->type == IR_STRING && !g->text)
		wrong = "it has no initial value";
	else if (g->type == IR_STRING && strlen(g->text) >= (size_t)p->limits.string)
		wrong = "its initial value is too long";
	if (!wrong && g->type == IR_STATISTIC)
		wrong = verify_shape(&g->shape);
	return wrong ? arena_printf("@%s: %s", g->name, wrong) : NULL;
}

/* ---- functions ----------------------------------------------------------- */

static const char *verify_locals(const struct ir_body *b)
{
	for (size_t i = 0; i < b->locals.n; i++)
		if (b->locals.v[i].type != IR_WORD && b->locals.v[i].type != IR_STRING)
			return "a local is neither a word nor a string";
	for (size_t i = 0; i < b->kept.n; i++)
		if (b->kept.v[i] != IR_WORD && b->kept.v[i] != IR_STRING)
			return "what it keeps is neither a word nor a string";
	return NULL;
}

static bool fits_parameters(const struct ir_function *f, const struct ir_body *b)
{
	if (b->nparams != f->params.n || b->nparams > b->locals.n)
		return false;
	for (size_t i = 0; i < f->params.n; i++)
		if (b->locals.v[i].type != f->params.v[i])
			return false;
	return true;
}

static const char *verify_function(const struct ir_function *f, size_t number)
{
	const struct ir_body *b = f->body;
	const char *wrong = NULL;

	if (f->longest < 0 && (-(int64_t)f->longest > (int64_t)f->params.n ||
			       f->params.v[-(f->longest + 1)] != IR_STRING))
		wrong = "its string is as long as an argument that is none";
	else if (f->type != IR_VOID && f->type != IR_WORD && f->type != IR_STRING)
		wrong = "it gives neither a word nor a string";
	else if ((f->written_in == IR_SCRIPT) != (b != NULL))
		wrong = b ? "it is not the script's, and has a body" : "it has no body";
	else if (b && (b->kind != IR_FUNCTION || b->number != number || b->type != f->type ||
		       !fits_parameters(f, b)))
		wrong = "its body is another function's";
	else if (b)
		wrong = verify_locals(b);
	return wrong ? arena_printf("%s(): %s", f->name, wrong) : NULL;
}

/* ---- patterns and formats -------------------------------------------------- */

static const char *verify_states(const struct ir_pattern *p)
{
	const struct st_regex *t = p->tables;

	if (!p->nstates || !t->nclasses || t->start >= p->nstates)
		return "it has no first state";
	for (unsigned i = 0; i < 256; i++)
		if (t->classes[i] >= t->nclasses)
			return "a byte has no class";
	for (size_t i = 0; i < p->nstates * t->nclasses; i++)
		if (t->next[i] >= p->nstates)
			return "a state leads nowhere";
	return NULL;
}

/* Verifies that the lists of tags end, and that each state has a step. */
static const char *verify_steps(const struct ir_pattern *p)
{
	const struct st_regex *t = p->tables;

	if (!p->ntags || t->tags[p->ntags - 1] != ST_RE_NO_TAG)
		return "its tags don't end";
	for (size_t i = 0; i < p->ntags; i++)
		if (t->tags[i] != ST_RE_NO_TAG && t->tags[i] >= 2 * t->ngroups)
			return "a tag is of no group";
	for (size_t i = 0; i < p->nsteps; i++)
		if (t->steps[i].tags >= p->ntags)
			return "a step has no tags";
	for (size_t i = 0; i < p->nstates; i++)
		if (t->rows[i] > t->rows[i + 1] || t->rows[i + 1] > p->nsteps)
			return "the steps of a state are not in the table";
	return NULL;
}

/* Verifies a pattern. If any pattern has GROUPS, all are matched by the tables for groups. */
static const char *verify_pattern(const struct ir_pattern *pattern, bool groups)
{
	const char *wrong = verify_states(pattern);

	if (!wrong && !pattern->tables->ngroups && groups)
		wrong = "it reports no groups, and others do";
	if (!wrong && pattern->tables->ngroups)
		wrong = verify_steps(pattern);
	return wrong ? arena_printf("pattern \"%s\": %s", pattern->text, wrong) : NULL;
}

/* ---- probes ---------------------------------------------------------------- */

/* Does the loader compute an address of the place, from its base? */
static bool has_address(const struct ir_place *p)
{
	return p->attach == IR_AT_ADDRESS || p->attach == IR_AT_RETURN ||
	       (p->attach == IR_AT_EVENT && p->performance.watched);
}

static const char *verify_place(const struct ir_program *program, const struct ir_place *p)
{
	int64_t most = p->jiffies ? ST_TIMER_MOST_JIFFIES : ST_TIMER_MOST_NS;

	if (p->attach != IR_BY_OTHER && p->event != IR_KERNELS)
		return "the kernel hits it, and it is none of the kernel's";
	if (p->pid < 0 || p->pid > INT32_MAX)
		return out_of_bounds("its process", p->pid);
	if (has_address(p) && p->base != IR_ABSOLUTE && p->base >= program->bases.n)
		return "its address has no base";
	if (p->attach == IR_AT_RETURN && p->caller && p->caller_base >= program->bases.n)
		return "its caller's address has no base";
	if (p->attach == IR_AT_TRACEPOINT && !p->tracepoint)
		return "its tracepoint has no name";
	if (ir_in_program(p->attach) && p->file >= program->files.n)
		return "its program is not in the table";
	if (p->attach == IR_OF_PROCESS && p->file != IR_ANY_FILE && p->file >= program->files.n)
		return "the program of its processes is not in the table";
	if (p->event != IR_TIMER)
		return NULL;
	if (p->interval < 1 || p->interval > most)
		return out_of_bounds("its interval", p->interval);
	if (p->random < 0 || p->random > p->interval)
		return out_of_bounds("the random part of its interval", p->random);
	return NULL;
}

static bool is_body(const struct ir_body *b, enum ir_body_kind kind, size_t number)
{
	return b && b->kind == kind && b->number == number && !b->nparams && b->type == IR_VOID;
}

/* Checks that a handler is the probe's own, or an earlier probe's own. */
static bool has_handler(const struct ir_program *program, const struct ir_probe *p, size_t number)
{
	size_t whose = p->handler ? p->handler->number : number;

	return is_body(p->handler, IR_HANDLER, whose) && whose <= number &&
	       program->probes.v[whose].handler == p->handler;
}

static const char *verify_constants(const struct ir_probe *p)
{
	for (size_t i = 0; i < p->constants.n; i++) {
		const struct ir_constant *c = &p->constants.v[i];

		if (c->type > IR_STRING || (c->type != IR_WORD && !c->text) ||
		    (c->type == IR_VOID && !c->at))
			return arena_printf("its constant %zu is none", i);
	}
	return NULL;
}

static bool has_condition(const struct ir_program *p, unsigned probe)
{
	return probe < p->probes.n && p->probes.v[probe].condition;
}

/* Verifies what is around a handler's block. */
static const char *verify_handler(const struct ir_program *p, const struct ir_body *b)
{
	for (size_t i = 0; i < b->decides.n; i++)
		if (!has_condition(p, b->decides.v[i]))
			return "it decides a condition that there isn't";
		else if (i && b->decides.v[i] <= b->decides.v[i - 1])
			return "it decides conditions out of order";
	return verify_locals(b);
}

static const char *verify_bodies(const struct ir_program *program, const struct ir_probe *p,
				 size_t number)
{
	const char *wrong = NULL;

	if (!has_handler(program, p, number))
		return "it has no handler";
	if (p->entry && !is_body(p->entry, IR_ENTRY, number))
		return "its entry is another probe's";
	if (p->condition && !is_body(p->condition, IR_CONDITION, number))
		return "its condition is another probe's";
	if (p->handler->number == number)	/* once, though others may have it too */
		wrong = verify_handler(program, p->handler);
	if (!wrong && p->entry)
		wrong = verify_locals(p->entry);
	if (!wrong && p->condition)
		wrong = verify_locals(p->condition);
	return wrong;
}

/* Checks that one engine has all places of a probe. */
static const char *verify_kinds(const struct ir_probe *probe)
{
	for (size_t i = 0; i < probe->places.n; i++)
		if ((probe->places.v[i].event == IR_KERNELS) != (probe->places.v[0].event == IR_KERNELS))
			return "only some of its places are the kernel's";
	for (size_t i = 0; i < probe->places.n; i++)
		if ((probe->places.v[i].attach == IR_OF_PROCESS) != (probe->places.v[0].attach == IR_OF_PROCESS))
			return "only some of its places are of processes";
	return NULL;
}

/* Checks what entries save: their bodies name each by its number. */
static const char *verify_saved(const struct ir_probe *probe)
{
	if (probe->saved.n > ST_SAVED_MOST / 8 || (probe->entry && !probe->saved.n))
		return out_of_bounds("the number of its saved values", probe->saved.n);
	for (size_t i = 0; i < probe->saved.n; i++)
		if (probe->saved.v[i] != IR_WORD && probe->saved.v[i] != IR_STRING)
			return "what it saves is neither a word nor a string";
	return NULL;
}

static const char *verify_probe(const struct ir_program *p, size_t number)
{
	const struct ir_probe *probe = &p->probes.v[number];
	const char *wrong = verify_bodies(p, probe, number);

	if (!wrong)
		wrong = verify_constants(probe);
	if (!wrong && probe->condition && probe->armed_by != number)
		wrong = "its condition decides nothing";
	if (!wrong && probe->budget < 0)
		wrong = out_of_bounds("its budget", probe->budget);
	if (!wrong && probe->armed_by != IR_UNCONDITIONAL && !has_condition(p, probe->armed_by))
		wrong = "there is no such condition";
	for (size_t i = 0; i < probe->places.n && !wrong; i++)
		wrong = verify_place(p, &probe->places.v[i]);
	if (!wrong)
		wrong = verify_kinds(probe);
	if (!wrong)
		wrong = verify_saved(probe);
	return wrong ? arena_printf("probe %zu: %s", number, wrong) : NULL;
}

const char *ir_verify_tables(const struct ir_program *p)
{
	const char *wrong = verify_limits(&p->limits);
	bool groups = ir_most_groups(p);

	if (!wrong && p->formats.n > ST_FORMATS_MOST)
		wrong = out_of_bounds("the number of formats", p->formats.n);
	for (size_t i = 0; i < p->globals.n && !wrong; i++)
		wrong = verify_global(p, &p->globals.v[i]);
	for (size_t i = 0; i < p->functions.n && !wrong; i++)
		wrong = verify_function(&p->functions.v[i], i);
	for (size_t i = 0; i < p->patterns.n && !wrong; i++)
		wrong = verify_pattern(&p->patterns.v[i], groups);
	for (size_t i = 0; i < p->probes.n && !wrong; i++)
		wrong = verify_probe(p, i);
	return wrong;
}
