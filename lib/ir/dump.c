// SPDX-License-Identifier: GPL-2.0-or-later
/* Prints an intermediate program (--dump-ir). */
#include "ir/ir.h"

#include <inttypes.h>

#include "abi/stap_script.h"

struct dumper {
	FILE *out;
	const struct ir_program *program;
	const struct ir_body *body;
	int indent;
};

static void begin_line(const struct dumper *d)
{
	for (int i = 0; i < d->indent; i++)
		putc('\t', d->out);
}

static void dump_text(const struct dumper *d, const char *text)
{
	struct sbuf b = { 0 };

	sbuf_c_escape(&b, text);
	fprintf(d->out, "\"%s\"", sbuf_str(&b));
	sbuf_free(&b);
}

static void dump_operand(const struct dumper *d, const struct ir_operand *o)
{
	switch (o->kind) {
	case IR_ABSENT:
		fputs("*", d->out);
		break;
	case IR_NUMBER:
		fprintf(d->out, "%" PRId64, o->number);
		break;
	case IR_LITERAL:
		dump_text(d, o->text);
		break;
	case IR_VALUE:
		fprintf(d->out, "%%%u", o->index);
		break;
	case IR_LOCAL:
		fputs(d->body->locals.v[o->index].name, d->out);
		break;
	case IR_GLOBAL:
		fprintf(d->out, "@%s", d->program->globals.v[o->index].name);
		break;
	case IR_OWN:
		fprintf(d->out, "own.%u", o->index);
		break;
	case IR_KEPT:
		fprintf(d->out, "kept.%u", o->index);
		break;
	case IR_SLOT:
		fprintf(d->out, "%%%u[%u]", o->of, o->index);
		break;
	case IR_KEY:
		fprintf(d->out, "key.%u.%u", o->of, o->index);
		break;
	case IR_ELEMENT:
		fprintf(d->out, "element.%u", o->of);
		break;
	}
}

static void dump_format(const struct dumper *d, const struct ir_format *f)
{
	dump_text(d, f->text);
	if (f->members) {
		fputs(" members ", d->out);
		dump_text(d, f->members);
	}
}

/* Prints an operation's format: one of the program's, or the probe's own. */
static void dump_format_of(const struct dumper *d, const struct ir_op *op, unsigned number)
{
	putc(' ', d->out);
	if (op->format != IR_NO_CONSTANT)
		fprintf(d->out, "own.%u", op->format);
	else
		dump_format(d, &d->program->formats.v[number]);
}

static void dump_symbol(const struct dumper *d, const struct ir_op *op)
{
	switch (ir_opcodes[op->code].symbol) {
	case IR_OF_NOTHING:
		break;
	case IR_OF_GLOBAL:
		fprintf(d->out, " @%s", d->program->globals.v[op->symbol].name);
		break;
	case IR_OF_LOCAL:
		fprintf(d->out, " %s", d->body->locals.v[op->symbol].name);
		break;
	case IR_OF_FUNCTION:
		fprintf(d->out, " %s.%u", d->program->functions.v[op->symbol].name, op->symbol);
		break;
	case IR_OF_REGEX:
		putc(' ', d->out);
		dump_text(d, d->program->patterns.v[op->symbol].text);
		break;
	case IR_OF_FORMAT:
		dump_format_of(d, op, op->symbol);
		break;
	case IR_OF_KEPT:
		fprintf(d->out, " kept.%u", op->symbol);
		break;
	case IR_OF_SAVED:
		fprintf(d->out, " saved.%u", op->symbol);
		break;
	}
}

static const char *const extracts[] = {
	[IR_COUNT] = "count", [IR_SUM] = "sum", [IR_MIN] = "min", [IR_MAX] = "max",
	[IR_AVG] = "avg", [IR_VARIANCE] = "variance",
};

/* Prints an order. Elements that are statistics are ordered by a value extracted from them. */
static void dump_order(const struct dumper *d, const struct ir_op *op)
{
	const struct ir_order *o = op->order;

	if (!o || !o->by)
		return;
	fprintf(d->out, " %s by ", o->descending ? "descending" : "ascending");
	if (o->by > 0)
		fprintf(d->out, "key %d", o->by);
	else
		fputs(d->program->globals.v[op->symbol].type == IR_STATISTIC ? extracts[o->of] : "element",
		      d->out);
}

/* Prints where an operation's way leads. */
static void dump_way(const struct dumper *d, const struct ir_op *op)
{
	if (!(ir_opcodes[op->code].traits & IR_TAKES_WAY))
		return;
	if (op->way)
		fprintf(d->out, " -> %s.%u", ir_opcodes[op->way->code].name, op->way->label);
	else
		fputs(" -> out", d->out);
}

static void dump_op(struct dumper *d, const struct ir_op *op);

static void dump_block(struct dumper *d, const struct ir_block *block)
{
	d->indent++;
	for (size_t i = 0; i < block->ops.n; i++)
		dump_op(d, block->ops.v[i]);
	d->indent--;
}

static bool is_labelled(const struct ir_op *op)
{
	return ir_opcodes[op->code].traits & (IR_LOOPS | IR_CATCHES);
}

static void dump_extra(const struct dumper *d, const struct ir_op *op)
{
	struct sbuf b = { 0 };

	if (op->n)
		fprintf(d->out, " #%u", op->n);
	dump_order(d, op);
	if (op->term) {
		ir_dump_term(&b, op->term);
		fprintf(d->out, " %s", sbuf_str(&b));
		sbuf_free(&b);
	}
	if (op->text) {
		putc(' ', d->out);
		dump_text(d, op->text);
	}
	if (op->code == IR_PRINT_HIST)
		dump_format_of(d, op, op->n);
	if (op->code == IR_FORMAT && op->format != IR_NO_CONSTANT)
		fprintf(d->out, " own.%u", op->format);
}

static void dump_op(struct dumper *d, const struct ir_op *op)
{
	const struct ir_opcode_info *info = &ir_opcodes[op->code];

	begin_line(d);
	if (op->result != IR_NO_VALUE)
		fprintf(d->out, "%%%u: %s = ", op->result,
			ir_type_name(d->body->values.v[op->result]));
	fputs(info->name, d->out);
	if (is_labelled(op))
		fprintf(d->out, ".%u", op->label);
	dump_symbol(d, op);
	dump_extra(d, op);
	for (size_t i = 0; i < op->args.n; i++) {
		fputs(i ? ", " : " ", d->out);
		dump_operand(d, &op->args.v[i]);
	}
	dump_way(d, op);
	if (op->what)
		fprintf(d->out, "\t; near %s at %s", op->what, op->at);
	if (op->near != IR_NO_CONSTANT)
		fprintf(d->out, "\t; near own.%u", op->near);
	putc('\n', d->out);
	if (info->traits & IR_REGION)
		dump_block(d, op->blocks[0]);
	if (op->blocks[1]) {
		begin_line(d);
		fputs(op->code == IR_TRY ? "catch\n" : op->code == IR_LOOP ? "step\n" : "else\n",
		      d->out);
		dump_block(d, op->blocks[1]);
	}
}

static void dump_head(const struct dumper *d, const struct ir_body *b)
{
	for (size_t i = 0; i < b->locks.n; i++)
		fprintf(d->out, "%s %s @%s", i ? "," : "\tlocks",
			b->locks.v[i].write ? "write" : "read",
			d->program->globals.v[b->locks.v[i].global].name);
	if (b->locks.n)
		putc('\n', d->out);
	for (size_t i = 0; i < b->decides.n; i++)
		fprintf(d->out, "\tdecides condition %u\n", b->decides.v[i]);
	for (size_t i = b->nparams; i < b->locals.n; i++)
		fprintf(d->out, "\tlocal %s: %s\n", b->locals.v[i].name,
			ir_type_name(b->locals.v[i].type));
	for (size_t i = 0; i < b->kept.n; i++)
		fprintf(d->out, "\tkept.%zu: %s\n", i, ir_type_name(b->kept.v[i]));
}

static void dump_body(struct dumper *d, const struct ir_body *b)
{
	if (!b)
		return;
	d->body = b;
	if (b->kind != IR_FUNCTION)
		fprintf(d->out, "%s at %s\n", ir_body_name(b), b->at);
	dump_head(d, b);
	dump_block(d, &b->block);
}

static void dump_limits(const struct dumper *d, const struct ir_limits *l)
{
	fprintf(d->out, "limits string %" PRId64 " nesting %" PRId64 " errors %" PRId64
		" skipped %" PRId64 " entries %" PRId64 " trylock %" PRId64 " kretactive %" PRId64,
		l->string, l->nesting, l->errors, l->skipped, l->entries, l->trylock,
		l->kretactive);
	fprintf(d->out, " hist_width %" PRId64 " hist_elision %" PRId64, l->hist_width,
		l->hist_elision);
	if (l->overload)
		fprintf(d->out, " overload %" PRId64 "/%" PRId64, l->overload_threshold,
			l->overload_interval);
	fprintf(d->out, "%s%s%s\n", l->untimed ? " untimed" : "", l->suppress_errors ? " suppress_errors" : "",
		l->skip_badvars ? " skip_badvars" : "");
}

static void dump_shape(const struct dumper *d, const struct ir_shape *s)
{
	for (unsigned i = IR_COUNT; i <= IR_VARIANCE; i++)
		if (s->extracts & 1u << i)
			fprintf(d->out, " %s", extracts[i]);
	if (s->shift)
		fprintf(d->out, " shift %u", s->shift);
	if (s->hist == IR_LOG)
		fputs(" hist_log", d->out);
	if (s->hist == IR_LINEAR)
		fprintf(d->out, " hist_linear %" PRId64 " %" PRId64 " %" PRId64, s->lo, s->hi,
			s->step);
}

/* "string(16)": a key that has room for 15 bytes. */
static void dump_key(const struct dumper *d, const struct ir_global *g, size_t i)
{
	fprintf(d->out, "%s%s", i ? ", " : " [", ir_type_name(g->keys.v[i]));
	if (i < g->rooms.n && g->rooms.v[i])
		fprintf(d->out, "(%u)", g->rooms.v[i]);
}

static void dump_global(const struct dumper *d, const struct ir_global *g)
{
	fprintf(d->out, "global @%s: %s", g->name, ir_type_name(g->type));
	for (size_t i = 0; i < g->keys.n; i++)
		dump_key(d, g, i);
	fprintf(d->out, "%s%s", g->keys.n ? "]" : "", g->percpu ? " percpu" : "");
	if (g->keys.n)
		fprintf(d->out, " %s %" PRId64 "%s", g->sized ? "size" : "at most", g->entries,
			g->wraps ? " wraps" : "");
	if (g->sorters)
		fprintf(d->out, " sorters %u", g->sorters);
	if (g->type == IR_STATISTIC)
		dump_shape(d, &g->shape);
	if (g->number)
		fprintf(d->out, " = %" PRId64, g->number);
	if (g->text && *g->text) {
		fputs(" = ", d->out);
		dump_text(d, g->text);
	}
	putc('\n', d->out);
}

static void dump_function(struct dumper *d, const struct ir_function *f, size_t number)
{
	fprintf(d->out, "function %s.%zu(", f->name, number);
	for (size_t i = 0; i < f->params.n; i++)
		fprintf(d->out, "%s%s%s%s", i ? ", " : "", f->body ? f->body->locals.v[i].name : "",
			f->body ? ": " : "", ir_type_name(f->params.v[i]));
	fprintf(d->out, "): %s%s at %s\n", ir_type_name(f->type),
		f->written_in == IR_SCRIPT ? "" : f->written_in == IR_BUILTIN ? " builtin" : " in C",
		f->at);
	dump_body(d, f->body);
}

static void dump_pattern(const struct dumper *d, const struct ir_pattern *p)
{
	fputs("pattern ", d->out);
	dump_text(d, p->text);
	fprintf(d->out, ": %zu states, %u classes", p->nstates, p->tables->nclasses);
	if (p->tables->ngroups)
		fprintf(d->out, ", %u groups", p->tables->ngroups);
	putc('\n', d->out);
}

static void dump_place(const struct dumper *d, const struct ir_place *p)
{
	const char *unit = p->jiffies ? "jiffies" : "ns";

	fprintf(d->out, "\tplace %s", p->pp);
	if (p->event == IR_TIMER)
		fprintf(d->out, " every %" PRId64 " %s", p->interval, unit);
	if (p->random)
		fprintf(d->out, " random %" PRId64 " %s", p->random, unit);
	if (p->sequence)
		fprintf(d->out, " sequence %" PRId64, p->sequence);
	fputs(p->event == IR_KERNELS ? " of the kernel\n" : p->event == IR_ONESHOT ? " then exit\n" : "\n",
	      d->out);
}

static void dump_constant(const struct dumper *d, const struct ir_constant *constant, size_t i)
{
	fprintf(d->out, "\town.%zu = ", i);
	if (constant->type == IR_WORD)
		fprintf(d->out, "%" PRId64, constant->number);
	else if (constant->type == IR_STRING)
		dump_text(d, constant->text);
	else
		fprintf(d->out, "near %s at %s", constant->text, constant->at);
	putc('\n', d->out);
}

static void dump_probe(struct dumper *d, const struct ir_probe *p, size_t number)
{
	fprintf(d->out, "probe %zu %s at %s", number, p->family, p->at);
	if (p->budget != INT64_MAX)
		fprintf(d->out, " budget %" PRId64, p->budget);
	if (p->armed_by != IR_UNCONDITIONAL)
		fprintf(d->out, " if condition %u", p->armed_by);
	putc('\n', d->out);
	for (size_t i = 0; i < p->places.n; i++)
		dump_place(d, &p->places.v[i]);
	dump_body(d, p->condition);
	dump_body(d, p->entry);
	for (size_t i = 0; i < p->constants.n; i++)
		dump_constant(d, &p->constants.v[i], i);
	if (p->handler->number == number)
		dump_body(d, p->handler);
	else
		fprintf(d->out, "\tits handler is handler %u\n", p->handler->number);
}

void ir_dump(FILE *out, const struct ir_program *p)
{
	struct dumper d = { .out = out, .program = p };

	fprintf(out, "ir %d\n", IR_VERSION);
	dump_limits(&d, &p->limits);
	for (size_t i = 0; i < p->globals.n; i++)
		dump_global(&d, &p->globals.v[i]);
	for (size_t i = 0; i < p->functions.n; i++)
		dump_function(&d, &p->functions.v[i], i);
	for (size_t i = 0; i < p->patterns.n; i++)
		dump_pattern(&d, &p->patterns.v[i]);
	for (size_t i = 0; i < p->probes.n; i++)
		dump_probe(&d, &p->probes.v[i], i);
}
