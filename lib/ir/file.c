// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An intermediate program as a file (file.h).
 *
 * One walk over the program serves both directions: number(c, n) writes N, or reads a number and
 * returns it.  So
 *
 *	p->budget = number(c, p->budget, INT64_MAX);
 *
 * writes the budget and keeps it, or sets it; and what is written can't differ from what is read.
 *
 * Numbers take seven bits a byte, the lowest first; the eighth says that more follow.  A list is its
 * length and its elements.  A text is numbered at its first use, where its bytes stand; later uses give the
 * number.  A way is the number of the region that it leads to, counted from the outermost around.
 *
 * Nothing that is read is believed: a number has a bound, a list no more elements than bytes are
 * left, regions and terms nest only so deep.  After the first fault numbers are 0 and lists empty,
 * so the walk ends by itself.  Whether the program makes sense is left to ir_verify().
 */
#include "ir/file.h"

#include <inttypes.h>
#include <string.h>

#include "abi/stap_script.h"
#include "base/arena.h"
#include "base/table.h"
#include "fetch.h"
#include "ir/ir.h"

static const char magic[] = "STAP IR\n";
enum { MAGIC_BYTES = sizeof(magic) - 1 };

enum { VERSION_AT = 8, CHECK_AT = 12, LENGTH_AT = 16, HEAD = 24 };

/* Regions, or terms, around each other.  The parser allows 1000 levels of a script. */
enum { DEPTH_MOST = 4000 };

struct coder {
	struct sbuf *out;		/* written to; NULL: it reads */
	struct ir_program *program;
	const unsigned char *p, *end;	/* what is left to read */
	text_list texts;		/* by their numbers */
	struct table by_text;
	vec(const struct ir_op *) regions;	/* the regions around, outermost first */
	unsigned depth;			/* of terms */
	const char *wrong;		/* the first fault, or NULL */
};

static void fault(struct coder *c, const char *what)
{
	if (!c->wrong)
		c->wrong = what;
	c->p = c->end;
}

/* ---- numbers and texts --------------------------------------------------- */

static void write_number(struct sbuf *out, uint64_t n)
{
	for (; n >= 0x80; n >>= 7)
		sbuf_putc(out, (n & 0x7f) | 0x80);
	sbuf_putc(out, n);
}

static uint64_t read_number(struct coder *c)
{
	uint64_t n = 0;

	for (unsigned shift = 0; shift < 64 && c->p < c->end; shift += 7) {
		uint64_t byte = *c->p++;

		n |= (byte & 0x7f) << shift;
		if (byte < 0x80)
			return n;
	}
	fault(c, "a number is cut off");
	return 0;
}

/* Codes a number from 0 to MOST. */
static uint64_t number(struct coder *c, uint64_t n, uint64_t most)
{
	if (c->out)
		write_number(c->out, n);
	else
		n = read_number(c);
	if (n > most)
		fault(c, "a number is out of bounds");
	return n > most ? 0 : n;
}

static bool flag(struct coder *c, bool b)
{
	return number(c, b, 1);
}

static unsigned index_of(struct coder *c, unsigned n)
{
	return number(c, n, UINT32_MAX);
}

/* Codes a number of either sign: 0, -1, 1, -2 … become 0, 1, 2, 3 … */
static int64_t integer(struct coder *c, int64_t i)
{
	uint64_t n = number(c, (uint64_t)i << 1 ^ (uint64_t)(i >> 63), UINT64_MAX);

	return (int64_t)(n >> 1 ^ -(n & 1));
}

/* Codes the length of a list. */
static size_t length(struct coder *c, size_t n)
{
	n = number(c, n, SIZE_MAX);
	if (c->out || n <= (size_t)(c->end - c->p))
		return n;
	fault(c, "a list is longer than the file");
	return 0;
}

/* Codes a list, each element by ONE. */
#define code_list(c, list, one) do {							\
	size_t n_ = length(c, (list)->n);						\
	for (size_t i_ = 0; i_ < n_ && !(c)->wrong; i_++) {				\
		if (!(c)->out)								\
			vec_push(list, (__typeof__(*(list)->v)){ 0 });			\
		one(c, &(list)->v[i_]);							\
	}										\
} while (0)

static void write_text(struct coder *c, const char *s)
{
	uint32_t hash = s ? table_hash_string(s) : 0;
	size_t n = s ? strlen(s) : 0;

	if (!s) {
		write_number(c->out, 0);
		return;
	}
	table_for_each(&c->by_text, hash, i)
		if (!strcmp(c->texts.v[i], s)) {
			write_number(c->out, i + 1);
			return;
		}
	vec_push(&c->texts, s);
	table_add(&c->by_text, hash, c->texts.n - 1);
	write_number(c->out, c->texts.n);
	write_number(c->out, n);
	sbuf_add(c->out, s, n);
}

static const char *read_text(struct coder *c)
{
	uint64_t number = read_number(c);
	size_t n;

	if (number <= c->texts.n)
		return number ? c->texts.v[number - 1] : NULL;
	if (number > c->texts.n + 1)
		fault(c, "a text is used before it is there");
	n = length(c, 0);
	if (memchr(c->p, 0, n))
		fault(c, "a text has a NUL in it");
	if (c->wrong)
		return NULL;
	vec_push(&c->texts, arena_strndup((const char *)c->p, n));
	c->p += n;
	return c->texts.v[c->texts.n - 1];
}

/* Codes a text, which may be NULL. */
static const char *text_or_none(struct coder *c, const char *s)
{
	if (!c->out)
		return read_text(c);
	write_text(c, s);
	return s;
}

static const char *text(struct coder *c, const char *s)
{
	s = text_or_none(c, s);
	if (!s)
		fault(c, "a text is missing");
	return s ? s : "";
}

static void code_index(struct coder *c, unsigned *n)
{
	*n = index_of(c, *n);
}

static enum ir_type type(struct coder *c, enum ir_type t)
{
	return number(c, t, IR_TUPLE);
}

static void code_type(struct coder *c, enum ir_type *t)
{
	*t = type(c, *t);
}

/* ---- terms ----------------------------------------------------------------- */

/* What a term of each kind has, so that code that walks terms needs no checks. */
static const struct { unsigned char children; bool text; } needs[] = {
	[TERM_THIS_CPU] = { .children = 1 }, [TERM_READ] = { .children = 1 },
	[TERM_UNARY] = { .children = 1 }, [TERM_BINARY] = { .children = 2 },
	[TERM_EXTEND] = { .children = 1 }, [TERM_CHOOSE] = { .children = 3 },
	[TERM_LET] = { .children = 2 }, [TERM_MEMBER] = { .text = true },
	[TERM_FORMAT] = { .text = true },
	[TERM_ATTEMPT] = { .children = 1 }, [TERM_ENUMERATOR] = { .children = 1 },
	[TERM_WRITE] = { .children = 2 }, [TERM_SET_REGISTER] = { .children = 1 },
	[TERM_SET_MEMBER] = { .children = 1, .text = true },
};

static const struct term *code_term(struct coder *c, const struct term *t);

static void code_argument(struct coder *c, const struct term **t)
{
	*t = code_term(c, *t);
}

/* Codes a format's arguments.  Their list grows as they come: its length may be a lie at each level. */
static void code_arguments(struct coder *c, struct term *t)
{
	vec(const struct term *) args = { .v = (const struct term **)t->args, .n = t->n };

	code_list(c, &args, code_argument);
	t->args = args.v;
	t->n = args.n;
}

static void code_case(struct coder *c, struct term_case *k)
{
	k->value = integer(c, k->value);
	k->name = text(c, k->name);
}

static void code_cases(struct coder *c, struct term *t)
{
	vec(struct term_case) cases = { .v = (struct term_case *)t->cases, .n = t->n };

	code_list(c, &cases, code_case);
	t->cases = cases.v;
	t->n = cases.n;
}

static void code_children(struct coder *c, struct term *t)
{
	const struct term **const all[] = { &t->a, &t->b, &t->c };
	unsigned n = t->kind == TERM_CALL ? term_functions[t->n].nargs : needs[t->kind].children;

	for (unsigned i = 0; i < n && !c->wrong; i++)
		*all[i] = code_term(c, *all[i]);
}

static void code_term_members(struct coder *c, struct term *t)
{
	t->kind = number(c, t->kind, TERM_SET_MEMBER);
	t->sort = number(c, t->sort, SORT_STORE);
	t->op = number(c, t->op, WORD_NOT);
	t->size = number(c, t->size, 8);
	t->user = flag(c, t->user);
	t->is_signed = flag(c, t->is_signed);
	t->number = number(c, t->number, UINT64_MAX);
	t->text = needs[t->kind].text ? text(c, t->text) : text_or_none(c, t->text);
	if (t->kind != TERM_FORMAT && t->kind != TERM_ENUMERATOR)
		t->n = number(c, t->n, t->kind == TERM_CALL ? TERM_FUNCTIONS - 1 :
			      t->kind == TERM_MEMBER || t->kind == TERM_SET_MEMBER ? TERM_RECORDS - 1 :
			      UINT32_MAX);
	code_children(c, t);
	if (t->kind == TERM_FORMAT)
		code_arguments(c, t);
	else if (t->kind == TERM_ENUMERATOR)
		code_cases(c, t);
}

static const struct term *code_term(struct coder *c, const struct term *t)
{
	struct term *copy = arena_new(struct term);

	if (t)
		*copy = *t;
	if (++c->depth > DEPTH_MOST)
		fault(c, "terms are nested too deeply");
	else
		code_term_members(c, copy);
	c->depth--;
	if (c->out)
		return t;
	if (!c->wrong)
		term_measure(copy);
	return copy;
}

/* ---- operations ------------------------------------------------------------- */

static void code_operand(struct coder *c, struct ir_operand *o)
{
	o->kind = number(c, o->kind, IR_ELEMENT);
	o->type = type(c, o->type);
	o->index = index_of(c, o->index);
	if (o->kind == IR_NUMBER)
		o->number = integer(c, o->number);
	else if (o->kind == IR_LITERAL)
		o->text = text(c, o->text);
	else
		o->of = index_of(c, o->of);
}

static const struct ir_order *code_order(struct coder *c, const struct ir_order *o)
{
	struct ir_order *copy = arena_new(struct ir_order);

	if (!flag(c, o != NULL))
		return NULL;
	if (o)
		*copy = *o;
	copy->by = integer(c, copy->by);
	copy->descending = flag(c, copy->descending);
	copy->of = number(c, copy->of, IR_VARIANCE);
	copy->sorter = index_of(c, copy->sorter);
	return copy;
}

/* Codes where an operation leads: to a region around it. */
static const struct ir_op *code_way(struct coder *c, const struct ir_op *way)
{
	size_t n = 0;

	while (way && n < c->regions.n && c->regions.v[n] != way)
		n++;
	n = number(c, way ? n + 1 : 0, c->regions.n);
	return n ? c->regions.v[n - 1] : NULL;
}

static void code_block(struct coder *c, struct ir_block *b);

static void code_blocks(struct coder *c, struct ir_op *op)
{
	bool other = flag(c, op->blocks[1] != NULL);

	if (c->regions.n == DEPTH_MOST) {
		fault(c, "regions are nested too deeply");
		return;
	}
	if (!c->out) {
		op->blocks[0] = arena_new(struct ir_block);
		op->blocks[1] = other ? arena_new(struct ir_block) : NULL;
	}
	vec_push(&c->regions, op);
	code_block(c, op->blocks[0]);
	if (other)
		code_block(c, op->blocks[1]);
	c->regions.n--;
}

static void code_op(struct coder *c, struct ir_op **at)
{
	struct ir_op *op = c->out ? *at : arena_new(struct ir_op);

	*at = op;
	op->code = number(c, op->code, IR_OPCODES - 1);
	op->may_fail = flag(c, op->may_fail);
	op->result = index_of(c, op->result + 1) - 1;	/* IR_NO_VALUE takes a byte */
	op->symbol = index_of(c, op->symbol);
	op->n = index_of(c, op->n);
	code_list(c, &op->args, code_operand);
	op->what = text_or_none(c, op->what);
	op->at = op->what ? text(c, op->at) : NULL;
	op->text = text_or_none(c, op->text);
	op->near = index_of(c, op->near + 1) - 1;
	op->format = index_of(c, op->format + 1) - 1;
	if (flag(c, op->term != NULL))
		op->term = code_term(c, op->term);
	op->order = code_order(c, op->order);
	op->label = index_of(c, op->label);
	op->way = code_way(c, op->way);
	if (ir_opcodes[op->code].traits & IR_REGION)
		code_blocks(c, op);
}

static void code_block(struct coder *c, struct ir_block *b)
{
	code_list(c, &b->ops, code_op);
}

/* ---- bodies ----------------------------------------------------------------- */

static void code_local(struct coder *c, struct ir_local *l)
{
	l->name = text(c, l->name);
	l->type = type(c, l->type);
	l->is_written = flag(c, l->is_written);
}

static void code_lock(struct coder *c, struct ir_lock *l)
{
	l->global = index_of(c, l->global);
	l->write = flag(c, l->write);
}

/* Returns the body, or NULL if there is none. */
static struct ir_body *code_body(struct coder *c, struct ir_body *b)
{
	if (!flag(c, b != NULL))
		return NULL;
	if (!c->out)
		b = arena_new(struct ir_body);
	b->kind = number(c, b->kind, IR_CONDITION);
	b->number = index_of(c, b->number);
	b->name = text_or_none(c, b->name);
	b->at = text(c, b->at);
	b->type = type(c, b->type);
	b->nparams = index_of(c, b->nparams);
	code_list(c, &b->locals, code_local);
	code_list(c, &b->values, code_type);
	code_list(c, &b->kept, code_type);
	code_list(c, &b->locks, code_lock);
	code_list(c, &b->decides, code_index);
	code_block(c, &b->block);
	return b;
}

/* ---- tables ----------------------------------------------------------------- */

static void code_limits(struct coder *c, struct ir_limits *l)
{
	int64_t *const all[] = {
		&l->string, &l->nesting, &l->errors, &l->skipped, &l->entries, &l->action,
		&l->action_interruptible, &l->trylock, &l->overload_interval,
		&l->overload_threshold, &l->kretactive, &l->hist_width, &l->hist_elision,
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		*all[i] = integer(c, *all[i]);
	l->overload = flag(c, l->overload);
	l->untimed = flag(c, l->untimed);
	l->suppress_errors = flag(c, l->suppress_errors);
	l->skip_badvars = flag(c, l->skip_badvars);
}

static void code_shape(struct coder *c, struct ir_shape *s)
{
	s->extracts = index_of(c, s->extracts);
	s->hist = number(c, s->hist, IR_LINEAR);
	s->lo = integer(c, s->lo);
	s->hi = integer(c, s->hi);
	s->step = integer(c, s->step);
	s->shift = index_of(c, s->shift);
}

static void code_global(struct coder *c, struct ir_global *g)
{
	g->name = text(c, g->name);
	g->type = type(c, g->type);
	code_list(c, &g->keys, code_type);
	code_list(c, &g->rooms, code_index);
	g->percpu = flag(c, g->percpu);
	g->number = integer(c, g->number);
	g->text = text_or_none(c, g->text);
	g->entries = integer(c, g->entries);
	g->sized = flag(c, g->sized);
	g->wraps = flag(c, g->wraps);
	g->sorters = index_of(c, g->sorters);
	code_shape(c, &g->shape);
	g->at = text(c, g->at);
}

static void code_function(struct coder *c, struct ir_function *f)
{
	f->name = text(c, f->name);
	f->type = type(c, f->type);
	code_list(c, &f->params, code_type);
	f->written_in = number(c, f->written_in, IR_USERS_C);
	f->longest = (int)integer(c, f->longest);
	f->nexts = flag(c, f->nexts);
	f->at = text(c, f->at);
	f->body = code_body(c, (struct ir_body *)f->body);
}

static void code_instruction(struct coder *c, struct ir_instruction *i)
{
	i->offset = number(c, i->offset, INT64_MAX);
	i->code = text(c, i->code);
}

/* Codes where in a program a place is. */
static void code_program_place(struct coder *c, struct ir_place *p)
{
	p->file = index_of(c, p->file);
	code_instruction(c, &p->at);
	code_instruction(c, &p->body);
	code_list(c, &p->returning, code_instruction);
	p->semaphore = number(c, p->semaphore, UINT32_MAX);
	p->pid = integer(c, p->pid);
}

static void code_process_place(struct coder *c, struct ir_place *p)
{
	p->process = number(c, p->process, IR_SYSCALL_RETURN);
	p->file = index_of(c, p->file);
	p->pid = integer(c, p->pid);
}

static void code_served_file(struct coder *c, struct ir_place *p)
{
	p->path = text(c, p->path);
	p->umask = number(c, p->umask, 0777);
	p->maxsize = number(c, p->maxsize, ST_PROCFS_MOST);
}

static void code_performance(struct coder *c, struct ir_performance *e)
{
	e->type = number(c, e->type, UINT32_MAX);
	e->config = number(c, e->config, UINT64_MAX);
	e->period = number(c, e->period, UINT64_MAX);
	e->a_second = flag(c, e->a_second);
	e->watched = number(c, e->watched, UINT32_MAX);
	e->reads = flag(c, e->reads);
}

static void code_caller(struct coder *c, struct ir_place *p)
{
	p->caller_base = index_of(c, p->caller_base);
	p->caller = number(c, p->caller, UINT64_MAX);
}

static void code_place(struct coder *c, struct ir_place *p)
{
	p->pp = text(c, p->pp);
	p->pn = text(c, p->pn);
	p->func = text(c, p->func);
	p->module = text(c, p->module);
	p->from = text(c, p->from);
	p->event = number(c, p->event, IR_KERNELS);
	p->sequence = integer(c, p->sequence);
	p->interval = integer(c, p->interval);
	p->random = integer(c, p->random);
	p->jiffies = flag(c, p->jiffies);
	if (p->event == IR_FILE)
		code_served_file(c, p);
	p->attach = number(c, p->attach, IR_AT_EVENT);
	p->tracepoint = text_or_none(c, p->tracepoint);
	p->base = index_of(c, p->base);
	p->offset = number(c, p->offset, UINT64_MAX);
	if (ir_in_program(p->attach))
		code_program_place(c, p);
	else if (p->attach == IR_OF_PROCESS)
		code_process_place(c, p);
	else if (p->attach == IR_AT_EVENT)
		code_performance(c, &p->performance);
	else if (p->attach == IR_AT_RETURN)
		code_caller(c, p);
	p->code = number(c, p->code, IR_CODE_STEPPED);
	p->optional = flag(c, p->optional);
}

static void code_base(struct coder *c, struct ir_base *b)
{
	b->module = text(c, b->module);
	b->symbol = text_or_none(c, b->symbol);
	b->offset = number(c, b->offset, UINT64_MAX);
}

static void code_file(struct coder *c, struct ir_file *f)
{
	f->path = text(c, f->path);
	f->build_id = text_or_none(c, f->build_id);
	f->identity = text_or_none(c, f->identity);
	f->size = number(c, f->size, UINT64_MAX);
	f->owner = index_of(c, f->owner);
	f->awaited = flag(c, f->awaited);
	f->distance = number(c, f->distance, UINT64_MAX);
}

static void code_constant(struct coder *c, struct ir_constant *constant)
{
	constant->type = number(c, constant->type, IR_STRING);
	constant->number = integer(c, constant->number);
	constant->text = constant->type == IR_WORD ? NULL : text(c, constant->text);
	constant->at = constant->type == IR_VOID ? text(c, constant->at) : NULL;
}

/* Codes P's handler, or the number of the earlier probe that has it. */
static struct ir_body *code_handler(struct coder *c, const struct ir_probe *p)
{
	size_t own = p - c->program->probes.v;
	size_t whose = number(c, c->out ? p->handler->number : 0, own);

	return whose == own ? code_body(c, p->handler) : c->program->probes.v[whose].handler;
}

static void code_probe(struct coder *c, struct ir_probe *p)
{
	p->family = text(c, p->family);
	p->at = text(c, p->at);
	p->budget = number(c, p->budget, INT64_MAX);
	p->system_call = flag(c, p->system_call);
	p->armed_by = index_of(c, p->armed_by);
	code_list(c, &p->places, code_place);
	p->condition = code_body(c, p->condition);
	p->entry = code_body(c, p->entry);
	p->handler = code_handler(c, p);
	code_list(c, &p->constants, code_constant);
	code_list(c, &p->saved, code_type);
}

/* Codes a table of N numbers, each up to MOST. */
#define TABLE(name, element)								\
static const element *name(struct coder *c, const element *table, size_t n, uint64_t most)	\
{											\
	element *copy;									\
											\
	if (!c->out && n > (size_t)(c->end - c->p)) {					\
		fault(c, "a pattern's table is longer than the file");			\
		return NULL;								\
	}										\
	copy = arena_alloc((n + 1) * sizeof(element));					\
	for (size_t i = 0; i < n; i++)							\
		copy[i] = number(c, c->out ? table[i] : 0, most);			\
	return copy;									\
}
TABLE(byte_table, unsigned char)
TABLE(short_table, unsigned short)
TABLE(int_table, unsigned int)

/*
 * Codes a pattern.  The factors of a table's length are bounded, so that their product can't
 * overflow.
 */
static void code_pattern(struct coder *c, struct ir_pattern *p)
{
	struct st_regex *t = arena_new(struct st_regex);

	if (c->out)
		*t = *p->tables;
	p->text = text(c, p->text);
	p->nstates = number(c, p->nstates, UINT16_MAX + 1);
	p->nsteps = index_of(c, p->nsteps);
	p->ntags = index_of(c, p->ntags);
	t->nclasses = number(c, t->nclasses, 256);
	t->start = index_of(c, t->start);
	t->ngroups = number(c, t->ngroups, ST_GROUPS_MOST);
	t->classes = byte_table(c, t->classes, 256, 255);
	t->next = short_table(c, t->next, p->nstates * t->nclasses, UINT16_MAX);
	t->flags = byte_table(c, t->flags, p->nstates, UINT8_MAX);
	if (t->ngroups) {
		t->rows = int_table(c, t->rows, p->nstates + 1, UINT32_MAX);
		t->steps = (const struct st_regex_step *)
			short_table(c, (const unsigned short *)t->steps, 3 * p->nsteps, UINT16_MAX);
		t->tags = short_table(c, t->tags, p->ntags, UINT16_MAX);
	}
	p->tables = t;
}

static void code_format(struct coder *c, struct ir_format *f)
{
	f->text = text(c, f->text);
	f->members = text_or_none(c, f->members);
}

/* Codes a program.  One that is written stays as it is, because each member is set to itself. */
static void code_program(struct coder *c, struct ir_program *p)
{
	c->program = p;
	code_limits(c, &p->limits);
	p->timed = flag(c, p->timed);
	p->build_id = text_or_none(c, p->build_id);
	code_list(c, &p->bases, code_base);
	code_list(c, &p->files, code_file);
	for (size_t i = 0; i < TASK_FACTS; i++)
		if (flag(c, p->tasks[i] != NULL))
			p->tasks[i] = code_term(c, p->tasks[i]);
	code_list(c, &p->globals, code_global);
	code_list(c, &p->functions, code_function);
	code_list(c, &p->patterns, code_pattern);
	code_list(c, &p->formats, code_format);
	code_list(c, &p->probes, code_probe);
}

/* ---- the file ---------------------------------------------------------------- */

static void put_fixed(struct sbuf *out, uint64_t n, unsigned bytes)
{
	for (; bytes; bytes--, n >>= 8)
		sbuf_putc(out, n & 0xff);
}

static uint64_t get_fixed(const unsigned char *p, unsigned bytes)
{
	uint64_t n = 0;

	while (bytes)
		n = n << 8 | p[--bytes];
	return n;
}

/* FNV-1a, with high bits mixed into the low ones. */
uint32_t ir_checksum(const void *bytes, size_t n)
{
	const unsigned char *p = bytes;
	uint32_t h = 2166136261u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ p[i]) * 16777619u;
	return h ^ h >> 15;
}

const char *ir_write(struct sbuf *out, const struct ir_program *p)
{
	struct sbuf body = { 0 };
	struct coder c = { .out = &body };

	code_program(&c, (struct ir_program *)p);
	sbuf_add(out, magic, MAGIC_BYTES);
	put_fixed(out, IR_VERSION, 4);
	put_fixed(out, ir_checksum(body.s, body.len), 4);
	put_fixed(out, body.len, 8);
	sbuf_add(out, body.s, body.len);
	sbuf_free(&body);
	return c.wrong;
}

bool ir_is_file(const void *bytes, size_t n)
{
	return n >= MAGIC_BYTES && !memcmp(bytes, magic, MAGIC_BYTES);
}

static const char *wrong_head(const unsigned char *p, size_t n)
{
	if (!ir_is_file(p, n))
		return "stap -p4 did not make it";
	if (n < HEAD)
		return "it is cut off";
	if (get_fixed(p + VERSION_AT, 4) != IR_VERSION)
		return arena_printf("it has version %" PRIu64 ", not %d: translate the script again",
				    get_fixed(p + VERSION_AT, 4), IR_VERSION);
	if (get_fixed(p + LENGTH_AT, 8) != n - HEAD)
		return "it is cut off, or something is behind its end";
	if (get_fixed(p + CHECK_AT, 4) != ir_checksum(p + HEAD, n - HEAD))
		return "it is damaged";
	return NULL;
}

struct ir_program *ir_read(const void *bytes, size_t n, const char **why)
{
	const unsigned char *p = bytes;
	struct coder c = { 0 };
	struct ir_program *program = arena_new(struct ir_program);

	*why = wrong_head(p, n);
	if (*why)
		return NULL;
	c.p = p + HEAD;
	c.end = p + n;
	code_program(&c, program);
	if (!c.wrong && c.p < c.end)
		fault(&c, "something is behind its end");
	*why = c.wrong ? c.wrong : ir_verify(program);
	return *why ? NULL : program;
}
