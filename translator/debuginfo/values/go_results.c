// SPDX-License-Identifier: GPL-2.0-or-later
/* Go's calling convention: see go_results.h. */
#include "go_results.h"

#include <dwarf.h>
#include <string.h>

#include "base/arena.h"

enum {
	PARTS_MAX = 32,			/* of one value, with the gaps between them */
	PARAMETERS_MAX = 1000,
	NESTING_MAX = 16,
};

/* A part of a value. */
struct part {
	uint64_t offset, size;
	struct object in;
};

/* What a sequence of values has taken so far. */
struct sequence {
	const struct arch *arch;
	bool registers;			/* values may be in registers */
	unsigned ints, floats;		/* used */
	uint64_t stack;			/* bytes used */
};

struct go_value {
	struct part parts[PARTS_MAX];
	size_t nparts;
};

/* ---- shapes ------------------------------------------------------------ */

/* Gives the size of a value; a function is a pointer to its code and variables. */
static bool shape_of(const struct ctype *t, struct shape *s)
{
	struct problem ignored = { 0 };

	if (!ctype_shape(t, s, &ignored))
		return false;
	if (s->kind == CK_FUNCTION)
		s->size = t->file->arch->word;
	return true;
}

static bool is_complex(const struct shape *s)
{
	struct ctype t = s->type;
	Dwarf_Attribute attr;
	Dwarf_Word encoding;

	return dwarf_attr(&t.die, DW_AT_encoding, &attr) &&
	       dwarf_formudata(&attr, &encoding) == 0 && encoding == DW_ATE_complex_float;
}

static uint64_t align_of(const struct ctype *t, unsigned depth)
{
	struct problem ignored = { 0 };
	struct member_iter it;
	struct ctype element;
	uint64_t align = 1;
	struct member m;
	struct shape s;

	if (depth > NESTING_MAX || !shape_of(t, &s))
		return 1;
	if (s.kind == CK_ARRAY) {
		element = ctype_element(&s);
		return align_of(&element, depth + 1);
	}
	if (s.kind != CK_STRUCT)
		return s.kind == CK_OTHER && is_complex(&s) ? s.size / 2 : s.size ? s.size : 1;
	for (bool more = member_first(&s, &it); more; more = member_next(&it)) {
		uint64_t own = member_get(&it, &m, &ignored) ? align_of(&m.type, depth + 1) : 1;

		align = own > align ? own : align;
	}
	return align;
}

/* ---- registers --------------------------------------------------------- */

static bool put_part(struct go_value *v, uint64_t offset, uint64_t size, struct object in)
{
	if (v->nparts == PARTS_MAX)
		return false;
	v->parts[v->nparts++] = (struct part){ offset, size, in };
	return true;
}

static bool put_int(struct sequence *q, struct go_value *v, uint64_t offset, uint64_t size)
{
	int reg = q->arch->go_reg(q->ints);

	if (reg < 0 || size > q->arch->word)
		return false;
	q->ints++;
	return put_part(v, offset, size,
			(struct object){ .where = IN_REGISTER, .reg = reg, .user = true });
}

static bool put_float(struct sequence *q, struct go_value *v, uint64_t offset, const struct shape *s)
{
	unsigned n = is_complex(s) ? 2 : 1;
	uint64_t size = s->size / n;

	for (unsigned i = 0; i < n; i++)
		if (q->floats == q->arch->go_float_regs ||
		    !put_part(v, offset + i * size, size, object_vector(q->arch, q->floats++)))
			return false;
	return true;
}

/* Assigns registers to the parts of a value at OFFSET.  Returns false if it has to be on the stack. */
static bool put_value(struct sequence *q, struct go_value *v, uint64_t offset, const struct ctype *t,
		      unsigned depth)
{
	struct problem ignored = { 0 };
	struct shape s, one;
	struct ctype element;
	struct member_iter it;
	struct member m;

	if (depth > NESTING_MAX || !shape_of(t, &s))
		return false;
	switch (s.kind) {
	case CK_STRUCT:
		for (bool more = member_first(&s, &it); more; more = member_next(&it))
			if (!member_get(&it, &m, &ignored) || m.is_bits ||
			    !put_value(q, v, offset + m.offset, &m.type, depth + 1))
				return false;
		return true;
	case CK_ARRAY:
		element = ctype_element(&s);
		if (!s.size)
			return true;
		return shape_of(&element, &one) && one.size == s.size &&
		       put_value(q, v, offset, &element, depth + 1);
	case CK_FLOAT:
	case CK_OTHER:
		return put_float(q, v, offset, &s);
	case CK_VOID:
		return false;
	default:
		return put_int(q, v, offset, s.size);
	}
}

/* ---- objects ----------------------------------------------------------- */

static void add_piece(struct object *o, const struct object *in, uint64_t size)
{
	if (size)
		o->pieces[o->npieces++] = (struct piece){ *in, size * 8, 0 };
}

/* Fills the gaps between the parts, so that pieces cover the value. */
static struct object in_registers(const struct go_value *v, uint64_t size)
{
	struct object o = { .where = IN_PIECES, .user = true };
	const struct object gap = { .where = IS_NOWHERE };
	uint64_t at = 0;

	if (v->nparts == 1 && v->parts[0].size == size)
		return v->parts[0].in;
	o.pieces = arena_alloc((v->nparts * 2 + 1) * sizeof(*o.pieces));
	for (size_t i = 0; i < v->nparts; i++) {
		const struct part *p = &v->parts[i];

		add_piece(&o, &gap, p->offset > at ? p->offset - at : 0);
		add_piece(&o, &p->in, p->size);
		at = p->offset + p->size;
	}
	add_piece(&o, &gap, at < size ? size - at : 0);
	return o;
}

/* Assigns a place to the next value; the stack pointer is that at the function's entry. */
static bool assign(struct sequence *q, const struct ctype *t, struct object *o)
{
	struct sequence before = *q;
	struct go_value v = { .nparts = 0 };
	uint64_t align;
	struct shape s;

	if (!shape_of(t, &s))
		return false;
	if (q->registers && put_value(q, &v, 0, t, 0)) {
		*o = in_registers(&v, s.size);
		return true;
	}
	*q = before;
	align = align_of(t, 0);
	q->stack = (q->stack + align - 1) / align * align;
	*o = object_memory(term_plus(term_register(q->arch->stack_reg),
				     q->arch->entry_cfa_offset + q->stack), true);
	q->stack += s.size;
	return true;
}

/* Results start with all registers free, and on the stack at a word. */
static void begin_results(struct sequence *q)
{
	q->ints = q->floats = 0;
	q->stack = (q->stack + q->arch->word - 1) / q->arch->word * q->arch->word;
}

/* ---- functions --------------------------------------------------------- */

bool is_go_result(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	bool result = false;

	return dwarf_tag(die) == DW_TAG_formal_parameter &&
	       dwarf_attr_integrate(die, DW_AT_variable_parameter, &attr) &&
	       dwarf_formflag(&attr, &result) == 0 && result;
}

/*
 * Is the result described before?  Since Go 1.24, one that the function sets after a panic is there twice.  Several
 * may have the name "_".
 */
static bool is_repeated(Dwarf_Die *function, Dwarf_Die *result)
{
	const char *name = dwarf_diename(result);
	unsigned left = PARAMETERS_MAX;
	Dwarf_Die before;

	if (!name || !strcmp(name, "_") || dwarf_child(function, &before) != 0)
		return false;
	do {
		if (dwarf_dieoffset(&before) == dwarf_dieoffset(result))
			return false;
		if (is_go_result(&before) && dwarf_diename(&before) && !strcmp(dwarf_diename(&before), name))
			return true;
	} while (--left && dwarf_siblingof(&before, &before) == 0);
	return false;
}

static const char *result_name(Dwarf_Die *die, unsigned n)
{
	const char *name = dwarf_diename(die);

	return !name || !*name || *name == '~' || !strcmp(name, "_") ? arena_printf("r%u", n) : name;
}

void go_results_each(struct view *v, go_result_fn *fn, void *arg)
{
	struct sequence q = { .arch = v->file->arch,
			      .registers = die_has_go_registers(&v->function) };
	unsigned left = PARAMETERS_MAX, results = 0;
	Dwarf_Die child;

	if (dwarf_child(&v->function, &child) != 0)
		return;
	do {
		struct ctype t;
		struct object o;

		if (dwarf_tag(&child) != DW_TAG_formal_parameter ||
		    (is_go_result(&child) && is_repeated(&v->function, &child)))
			continue;
		t = ctype_of(v->file, &child);
		if (is_go_result(&child) && !results)
			begin_results(&q);
		if (!assign(&q, &t, &o))
			return;
		if (is_go_result(&child))
			fn(result_name(&child, results++), &o, &t, arg);
	} while (--left && dwarf_siblingof(&child, &child) == 0);
}

struct wanted {
	const char *name;		/* NULL: any */
	struct object *object;
	struct ctype *type;
	unsigned n;			/* found */
	const char *names;		/* "$a, $b" */
};

static void take(const char *name, const struct object *o, const struct ctype *t, void *arg)
{
	struct wanted *w = arg;

	if (w->name && strcmp(name, w->name))
		return;
	w->names = w->n++ ? arena_printf("%s, $%s", w->names, name) : arena_printf("$%s", name);
	*w->object = *o;
	*w->type = *t;
}

bool go_result_named(struct view *v, const char *name, struct object *o, struct ctype *t)
{
	struct wanted w = { .name = name, .object = o, .type = t };

	go_results_each(v, take, &w);
	return w.n;
}

bool go_return_value(struct view *v, struct object *o, struct ctype *t, struct problem *why)
{
	struct wanted w = { .object = o, .type = t };

	go_results_each(v, take, &w);
	if (w.n == 1)
		return true;
	why->text = w.n ? arena_printf("is not one value: the function returns %s", w.names)
			: "is not there: the function returns nothing";
	return false;
}
