/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DWARF location descriptions as C text.
 *
 * A location description is a program for a stack machine.  It is run here
 * with pieces of C text on the stack in place of numbers; constants stay
 * numbers as long as they can.  What remains at the end is the text that
 * computes an address (or the value) when the probe is hit.  A text that an
 * operation would use twice goes into a temporary first, so that it neither
 * grows without bound nor reads memory twice.
 *
 * At a function's first instruction the frame address is known from the
 * calling convention.  Anywhere else it comes from the call frame information
 * in .debug_frame or .eh_frame.  (A kernel may have neither: its own unwinder
 * uses ORC tables, which say how to find a caller's frame but not in DWARF's
 * terms where this one's variables are.)
 */
#include "location.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../arena.h"
#include "../sbuf.h"

#define PERCPU_SECTION ".data..percpu"

enum {
	OPS_MAX = 1000,
	STACK_MAX = 64,
	PIECES_MAX = 16,
	TEXT_MAX = 32768,
	NESTING_MAX = 4,		/* frame base, entry value, frame address */
};

struct operand {
	const char *text;		/* NULL: a constant */
	uint64_t value;
	unsigned size;			/* of a typed value; 0: generic */
	bool is_signed;
};

struct machine {
	struct view *view;
	Dwarf_Attribute *attr;		/* where the operations come from; NULL: CFI */
	struct operand stack[STACK_MAX];
	unsigned depth;
	struct sbuf before;		/* declarations of temporaries */
	struct object now;		/* of the piece being described */
	bool described;			/* now says more than the top of the stack */
	struct piece pieces[PIECES_MAX];
	unsigned npieces;
	unsigned nesting;
	const char **why;
};

static bool evaluate(struct machine *m, const Dwarf_Op *ops, size_t n, struct object *out);

static bool fail(struct machine *m, const char *why)
{
	if (!*m->why)
		*m->why = why;
	return false;
}

static bool corrupt(struct machine *m)
{
	return fail(m, "has a location in the debug information that makes no sense");
}

/* ---- operands ---------------------------------------------------------- */

static const char *text_of(const struct operand *o)
{
	return o->text ? o->text : arena_printf("%#" PRIx64 "ul", o->value);
}

static bool push(struct machine *m, struct operand o)
{
	if (m->depth == STACK_MAX || (o.text && strlen(o.text) > TEXT_MAX))
		return corrupt(m);
	m->stack[m->depth++] = o;
	return true;
}

static bool push_text(struct machine *m, const char *text)
{
	return push(m, (struct operand){ .text = text });
}

static bool push_number(struct machine *m, uint64_t value)
{
	return push(m, (struct operand){ .value = value });
}

static bool pop(struct machine *m, struct operand *o)
{
	if (!m->depth)
		return corrupt(m);
	*o = m->stack[--m->depth];
	return true;
}

/* Makes an operand one that may be written twice. */
static void settle(struct machine *m, struct operand *o)
{
	unsigned t;

	if (!o->text)
		return;
	t = m->view->temps++;
	sbuf_printf(&m->before, "unsigned long st_t%u = %s; ", t, o->text);
	o->text = arena_printf("st_t%u", t);
}

/* The operand INDEX from the top, once more. */
static bool pick(struct machine *m, uint64_t index)
{
	struct operand *o;

	if (index >= m->depth)
		return corrupt(m);
	o = &m->stack[m->depth - 1 - index];
	settle(m, o);
	return push(m, *o);
}

/* Text cut or extended to the width of a typed value. */
static const char *typed(const char *text, unsigned size, bool is_signed)
{
	switch (size) {
	case 1:
		return arena_printf("((unsigned long)(%s char)%s)",
				    is_signed ? "signed" : "unsigned", text);
	case 2:
		return arena_printf("((unsigned long)(%sshort)%s)", is_signed ? "" : "unsigned ",
				    text);
	case 4:
		return arena_printf("((unsigned long)(%sint)%s)", is_signed ? "" : "unsigned ",
				    text);
	default:
		return text;
	}
}

static bool push_typed(struct machine *m, const char *text, unsigned size, bool is_signed)
{
	return push(m, (struct operand){ .text = typed(text, size, is_signed),
					 .size = size, .is_signed = is_signed });
}

/* The base type an operation names; size 0: the generic type. */
static bool base_type(struct machine *m, const Dwarf_Op *op, unsigned *size, bool *is_signed)
{
	struct ctype t = { .file = m->view->file };
	struct shape s;

	*size = 0;
	*is_signed = false;
	if (!m->attr || dwarf_getlocation_die(m->attr, op, &t.die) != 0)
		return corrupt(m);
	if (!ctype_shape(&t, &s, m->why))
		return false;
	if (s.kind == CK_OTHER || s.size > 8 || !s.size)
		return fail(m, "is computed in a type that scripts can't hold");
	*size = s.size;
	*is_signed = s.is_signed;
	return true;
}

/* ---- arithmetic -------------------------------------------------------- */

static bool fold(unsigned atom, uint64_t a, uint64_t b, uint64_t *out)
{
	switch (atom) {
	case DW_OP_plus:
		*out = a + b;
		return true;
	case DW_OP_minus:
		*out = a - b;
		return true;
	case DW_OP_mul:
		*out = a * b;
		return true;
	case DW_OP_and:
		*out = a & b;
		return true;
	case DW_OP_or:
		*out = a | b;
		return true;
	default:
		return false;
	}
}

static const char *operator_of(unsigned atom)
{
	switch (atom) {
	case DW_OP_plus:
		return "+";
	case DW_OP_minus:
		return "-";
	case DW_OP_mul:
		return "*";
	case DW_OP_and:
		return "&";
	case DW_OP_or:
		return "|";
	case DW_OP_xor:
		return "^";
	case DW_OP_eq:
		return "==";
	case DW_OP_ne:
		return "!=";
	case DW_OP_lt:
		return "<";
	case DW_OP_le:
		return "<=";
	case DW_OP_gt:
		return ">";
	case DW_OP_ge:
		return ">=";
	default:
		return NULL;
	}
}

static bool is_comparison(unsigned atom)
{
	return atom == DW_OP_eq || atom == DW_OP_ne || atom == DW_OP_lt ||
	       atom == DW_OP_le || atom == DW_OP_gt || atom == DW_OP_ge;
}

static const char *unguarded(unsigned atom)
{
	switch (atom) {
	case DW_OP_div:
		return "/";
	case DW_OP_mod:
		return "%";
	case DW_OP_shl:
		return "<<";
	default:
		return ">>";
	}
}

/* Shifts and divisions, kept away from what C leaves undefined. */
static const char *guarded(struct machine *m, unsigned atom, struct operand *a,
			   struct operand *b, bool is_signed)
{
	const char *x = text_of(a), *y;

	if (atom == DW_OP_div && is_signed)
		return arena_printf("(unsigned long)st_div(c, (st_long)%s, (st_long)%s)", x,
				    text_of(b));
	if (!b->text && b->value && b->value < 64)
		return arena_printf(atom == DW_OP_shra ? "(unsigned long)((st_long)%s %s %u)"
				    : "%s %s %u", atom == DW_OP_shr ? typed(x, a->size, false) : x,
				    unguarded(atom), (unsigned)b->value);
	settle(m, b);
	y = text_of(b);
	switch (atom) {
	case DW_OP_div:
		return arena_printf("(%s ? %s / %s : 0ul)", y, x, y);
	case DW_OP_mod:
		return arena_printf("(%s ? %s %% %s : 0ul)", y, x, y);
	case DW_OP_shl:
		return arena_printf("(%s < 64 ? %s << %s : 0ul)", y, x, y);
	case DW_OP_shr:
		return arena_printf("(%s < 64 ? %s >> %s : 0ul)", y, typed(x, a->size, false), y);
	case DW_OP_shra:
		return arena_printf("(unsigned long)((st_long)%s >> (%s < 64 ? %s : 63ul))", x, y, y);
	default:
		return NULL;
	}
}

static bool binary(struct machine *m, unsigned atom)
{
	struct operand a, b;
	const char *op = operator_of(atom), *text;
	bool is_signed;
	uint64_t value;

	if (!pop(m, &b) || !pop(m, &a))
		return false;
	if (!a.text && !b.text && !a.size && fold(atom, a.value, b.value, &value))
		return push_number(m, value);
	is_signed = a.size ? a.is_signed : is_comparison(atom) || atom == DW_OP_div;
	if (!op)
		text = guarded(m, atom, &a, &b, is_signed);
	else if (is_comparison(atom) && is_signed)
		text = arena_printf("(unsigned long)((st_long)%s %s (st_long)%s)", text_of(&a), op,
				    text_of(&b));
	else
		text = arena_printf("(unsigned long)(%s %s %s)", text_of(&a), op, text_of(&b));
	if (!text)
		return corrupt(m);
	text = arena_printf("(%s)", text);
	return is_comparison(atom) ? push_text(m, text) : push_typed(m, text, a.size, a.is_signed);
}

static bool unary(struct machine *m, unsigned atom)
{
	struct operand a;
	const char *text;

	if (!pop(m, &a))
		return false;
	if (atom == DW_OP_abs) {
		settle(m, &a);
		text = arena_printf("((st_long)%s < 0 ? -%s : %s)", text_of(&a), text_of(&a),
				    text_of(&a));
	} else {
		text = arena_printf("(%s%s)", atom == DW_OP_neg ? "-" : "~", text_of(&a));
	}
	return push_typed(m, text, a.size, a.is_signed);
}

static bool add_constant(struct machine *m, uint64_t n)
{
	return push_number(m, n) && binary(m, DW_OP_plus);
}

/* ---- registers and frames ---------------------------------------------- */

static int saved_register(struct machine *m, unsigned regno)
{
	int reg = m->view->file->arch->dwarf_reg(regno);

	if (reg < 0)
		fail(m, "is in a register that probes can't see");
	return reg;
}

static bool push_register(struct machine *m, unsigned regno, int64_t offset)
{
	int reg = saved_register(m, regno);

	return reg >= 0 && push_text(m, arena_printf("st_reg(c, %d)", reg)) &&
	       (!offset || add_constant(m, offset));
}

/* Runs other operations for the one value or address they come to. */
static bool nested(struct machine *m, Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t n)
{
	struct machine inner = {
		.view = m->view, .attr = attr, .why = m->why, .nesting = m->nesting + 1,
	};
	struct object o;
	bool ok;

	if (m->nesting == NESTING_MAX)
		return corrupt(m);
	ok = evaluate(&inner, ops, n, &o);
	sbuf_free(&inner.before);
	if (!ok)
		return false;
	if (o.where == IN_REGISTER)
		return push_text(m, arena_printf("st_reg(c, %d)", o.reg));
	if (o.where != IN_MEMORY && o.where != IS_VALUE)
		return corrupt(m);
	return push_text(m, o.text);
}

static bool no_frame_information(struct machine *m)
{
	return fail(m, arena_printf("is in the stack frame, which is known only at the function's "
				    "entry: %s has no call frame information (.debug_frame) here",
				    m->view->file->module));
}

static bool frame_address(struct machine *m)
{
	struct view *v = m->view;
	const struct arch *arch = v->file->arch;
	Dwarf_Frame *frame = NULL;
	Dwarf_CFI *cfi;
	Dwarf_Op *ops;
	size_t n;
	bool ok;

	if (v->at_entry)
		return push_text(m, arena_printf("(st_reg(c, %d) + %d)", arch->stack_reg,
						 arch->entry_cfa_offset));
	cfi = dwarf_getcfi(v->file->dw);
	if (!cfi || dwarf_cfi_addrframe(cfi, v->pc, &frame) != 0) {
		cfi = dwarf_getcfi_elf(v->file->elf);
		if (!cfi || dwarf_cfi_addrframe(cfi, v->pc, &frame) != 0)
			return no_frame_information(m);
	}
	ok = dwarf_frame_cfa(frame, &ops, &n) == 0 && n ? nested(m, NULL, ops, n)
							 : no_frame_information(m);
	free(frame);
	return ok;
}

/* The function proper around an inlined one: it has the frame. */
static bool enclosing_subprogram(struct view *v, Dwarf_Die *out)
{
	Dwarf_Die *scopes;
	bool found = false;
	int n;

	if (!v->function.addr)
		return false;
	if (dwarf_tag(&v->function) == DW_TAG_subprogram) {
		*out = v->function;
		return true;
	}
	n = dwarf_getscopes_die(&v->function, &scopes);
	for (int i = 0; i < n && !found; i++) {
		if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram) {
			*out = scopes[i];
			found = true;
		}
	}
	if (n > 0)
		free(scopes);
	return found;
}

static bool frame_base(struct machine *m, int64_t offset)
{
	Dwarf_Attribute attr;
	Dwarf_Die function;
	Dwarf_Op *ops;
	size_t n;

	if (!enclosing_subprogram(m->view, &function) ||
	    !dwarf_attr_integrate(&function, DW_AT_frame_base, &attr) ||
	    dwarf_getlocation_addr(&attr, m->view->pc, &ops, &n, 1) != 1 || !n)
		return no_frame_information(m);
	return nested(m, &attr, ops, n) && (!offset || add_constant(m, offset));
}

/* A value as it was at the function's entry: known there, and lost later. */
static bool entry_value(struct machine *m, const Dwarf_Op *op)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (!m->view->at_entry)
		return fail(m, "is known only as it was at the function's entry");
	if (!m->attr || dwarf_getlocation_attr(m->attr, op, &attr) != 0 ||
	    dwarf_getlocation(&attr, &ops, &n) != 0)
		return corrupt(m);
	return nested(m, &attr, ops, n);
}

/* ---- memory ------------------------------------------------------------ */

/*
 * Whether it is an address of the kernel's per-CPU section, which may be linked
 * at 0 as if it were not part of the image.
 */
static bool in_percpu_section(struct dwfile *f, uint64_t address, bool *at_zero)
{
	Elf_Scn *scn = NULL;
	size_t names;
	GElf_Shdr sh;

	if (elf_getshdrstrndx(f->elf, &names) != 0)
		return false;
	while ((scn = elf_nextscn(f->elf, scn))) {
		const char *name;

		if (!gelf_getshdr(scn, &sh))
			continue;
		name = elf_strptr(f->elf, names, sh.sh_name);
		if (!name || strcmp(name, PERCPU_SECTION) != 0)
			continue;
		*at_zero = sh.sh_addr == 0;
		return address - sh.sh_addr < sh.sh_size;
	}
	return false;
}

/*
 * A variable in the per-CPU section is a pattern that every CPU has its own
 * copy of: this CPU's is meant.  Where that section is linked at address 0,
 * addresses in it are offsets that loading the kernel does not change.
 */
static const char *kernel_address(struct dwfile *f, uint64_t address)
{
	bool at_zero;
	const char *text = arena_printf("st_relocate(c, 0, %#" PRIx64 "ul)", address);

	if (!in_percpu_section(f, address, &at_zero))
		return text;
	return at_zero ? arena_printf("st_this_cpu(%#" PRIx64 "ul)", address)
		       : arena_printf("st_this_cpu(%s)", text);
}

const char *image_address(struct dwfile *f, uint64_t address)
{
	const struct section *s;
	const char *text;

	if (f->is_kernel)
		return kernel_address(f, address);
	s = dwfile_section(f, address);
	if (!s)
		return NULL;
	text = arena_printf("st_relocate(c, %u, %#" PRIx64 "ul)",
			    target_base(f->target, f->module, s->name), address - s->addr);
	return strcmp(s->name, PERCPU_SECTION) == 0 ? arena_printf("st_this_cpu(%s)", text) : text;
}

static bool push_address(struct machine *m, uint64_t address)
{
	const char *text = image_address(m->view->file, address);

	return text ? push_text(m, text)
		    : fail(m, "is at an address that is in no section of its file");
}

/* addrx, constx: the operand is an attribute of its own. */
static bool indexed_address(struct machine *m, const Dwarf_Op *op, bool relocated)
{
	Dwarf_Attribute attr;
	Dwarf_Addr address;
	Dwarf_Word word;

	if (!m->attr || dwarf_getlocation_attr(m->attr, op, &attr) != 0)
		return corrupt(m);
	if (dwarf_formaddr(&attr, &address) == 0)
		return relocated ? push_address(m, address) : push_number(m, address);
	if (dwarf_formudata(&attr, &word) == 0)
		return push_number(m, word);
	return corrupt(m);
}

static bool dereference(struct machine *m, uint64_t size, bool is_signed, unsigned type_size)
{
	struct operand a;

	if (size != 1 && size != 2 && size != 4 && size != 8)
		return corrupt(m);
	if (!pop(m, &a))
		return false;
	return push_typed(m, arena_printf("(unsigned long)st_kread(c, %s, %u)", text_of(&a),
					  (unsigned)size), type_size, is_signed);
}

/* ---- operations that name a type --------------------------------------- */

static bool typed_operation(struct machine *m, const Dwarf_Op *op)
{
	unsigned size = 0;
	bool is_signed = false, generic;
	struct operand a;
	Dwarf_Attribute attr;
	Dwarf_Block block;
	uint64_t value = 0;

	generic = (op->atom == DW_OP_convert || op->atom == DW_OP_GNU_convert ||
		   op->atom == DW_OP_reinterpret || op->atom == DW_OP_GNU_reinterpret) &&
		  op->number == 0;
	if (!generic && !base_type(m, op, &size, &is_signed))
		return false;
	switch (op->atom) {
	case DW_OP_regval_type:
	case DW_OP_GNU_regval_type:
		return push_register(m, op->number, 0) && pop(m, &a) &&
		       push_typed(m, a.text, size, is_signed);
	case DW_OP_deref_type:
	case DW_OP_GNU_deref_type:
		return dereference(m, op->number, is_signed, size);
	case DW_OP_const_type:
	case DW_OP_GNU_const_type:
		if (!m->attr || dwarf_getlocation_attr(m->attr, op, &attr) != 0 ||
		    dwarf_formblock(&attr, &block) != 0 || block.length > sizeof(value))
			return corrupt(m);
		memcpy(&value, block.data, block.length);
		return push_typed(m, arena_printf("%#" PRIx64 "ul", value), size, is_signed);
	default:
		return pop(m, &a) && push_typed(m, text_of(&a), size, is_signed);
	}
}

/* ---- what ends a description ------------------------------------------- */

static bool describe(struct machine *m, struct object o)
{
	if (m->described)
		return corrupt(m);
	m->now = o;
	m->described = true;
	return true;
}

static bool in_register(struct machine *m, unsigned regno)
{
	int reg = saved_register(m, regno);

	return reg >= 0 && describe(m, (struct object){ .where = IN_REGISTER, .reg = reg });
}

static bool stack_value(struct machine *m)
{
	struct operand a;

	return pop(m, &a) && describe(m, object_value(text_of(&a)));
}

static bool implicit_value(struct machine *m, const Dwarf_Op *op)
{
	Dwarf_Block block;

	if (!m->attr || dwarf_getlocation_implicit_value(m->attr, op, &block) != 0)
		return corrupt(m);
	return describe(m, (struct object){ .where = IS_BYTES, .bytes = block.data,
					    .nbytes = block.length });
}

static bool implicit_pointer(struct machine *m, const Dwarf_Op *op)
{
	struct object o = { .where = IS_POINTER_TO, .offset = op->number2 };

	if (!m->attr || dwarf_getlocation_die(m->attr, op, &o.die) != 0)
		return corrupt(m);
	return describe(m, o);
}

/* What has been described, or the address on top of the stack; and a fresh start. */
static bool finish(struct machine *m, struct object *out)
{
	struct operand a;

	if (m->described) {
		*out = m->now;
	} else {
		if (!pop(m, &a))
			return false;
		*out = object_memory(text_of(&a));
	}
	if (m->before.len && (out->where == IN_MEMORY || out->where == IS_VALUE))
		out->text = arena_printf("({ %s%s; })", sbuf_str(&m->before), out->text);
	m->described = false;
	return true;
}

static bool end_piece(struct machine *m, uint64_t size)
{
	struct piece *p = &m->pieces[m->npieces];

	if (m->npieces == PIECES_MAX || !size || size > 1 << 20)
		return corrupt(m);
	m->npieces++;
	p->size = size;
	if (!m->described && !m->depth) {
		p->object = (struct object){ .where = IS_NOWHERE };
		return true;
	}
	return finish(m, &p->object);
}

/* ---- the machine ------------------------------------------------------- */

static bool stack_operation(struct machine *m, const Dwarf_Op *op)
{
	struct operand *top = m->stack + m->depth, swap;

	switch (op->atom) {
	case DW_OP_dup:
		return pick(m, 0);
	case DW_OP_over:
		return pick(m, 1);
	case DW_OP_pick:
		return pick(m, op->number);
	case DW_OP_drop:
		return pop(m, &swap);
	case DW_OP_swap:
		if (m->depth < 2)
			return corrupt(m);
		swap = top[-1];
		top[-1] = top[-2];
		top[-2] = swap;
		return true;
	default:			/* rot: the top goes below the next two */
		if (m->depth < 3)
			return corrupt(m);
		swap = top[-1];
		top[-1] = top[-2];
		top[-2] = top[-3];
		top[-3] = swap;
		return true;
	}
}

static bool step(struct machine *m, const Dwarf_Op *op)
{
	unsigned atom = op->atom;

	if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31)
		return push_number(m, atom - DW_OP_lit0);
	if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
		return push_register(m, atom - DW_OP_breg0, (int64_t)op->number);
	if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31)
		return in_register(m, atom - DW_OP_reg0);
	switch (atom) {
	case DW_OP_const1u: case DW_OP_const2u: case DW_OP_const4u: case DW_OP_const8u:
	case DW_OP_const1s: case DW_OP_const2s: case DW_OP_const4s: case DW_OP_const8s:
	case DW_OP_constu: case DW_OP_consts:
		return push_number(m, op->number);
	case DW_OP_addr:
		return push_address(m, op->number);
	case DW_OP_addrx: case DW_OP_GNU_addr_index:
		return indexed_address(m, op, true);
	case DW_OP_constx: case DW_OP_GNU_const_index:
		return indexed_address(m, op, false);
	case DW_OP_regx:
		return in_register(m, op->number);
	case DW_OP_bregx:
		return push_register(m, op->number, (int64_t)op->number2);
	case DW_OP_fbreg:
		return frame_base(m, (int64_t)op->number);
	case DW_OP_call_frame_cfa:
		return frame_address(m);
	case DW_OP_dup: case DW_OP_over: case DW_OP_pick: case DW_OP_drop:
	case DW_OP_swap: case DW_OP_rot:
		return stack_operation(m, op);
	case DW_OP_deref:
		return dereference(m, m->view->file->arch->word, false, 0);
	case DW_OP_deref_size:
		return dereference(m, op->number, false, 0);
	case DW_OP_plus_uconst:
		return add_constant(m, op->number);
	case DW_OP_neg: case DW_OP_not: case DW_OP_abs:
		return unary(m, atom);
	case DW_OP_plus: case DW_OP_minus: case DW_OP_mul: case DW_OP_div: case DW_OP_mod:
	case DW_OP_and: case DW_OP_or: case DW_OP_xor:
	case DW_OP_shl: case DW_OP_shr: case DW_OP_shra:
	case DW_OP_eq: case DW_OP_ne: case DW_OP_lt: case DW_OP_le: case DW_OP_gt: case DW_OP_ge:
		return binary(m, atom);
	case DW_OP_regval_type: case DW_OP_GNU_regval_type:
	case DW_OP_deref_type: case DW_OP_GNU_deref_type:
	case DW_OP_const_type: case DW_OP_GNU_const_type:
	case DW_OP_convert: case DW_OP_GNU_convert:
	case DW_OP_reinterpret: case DW_OP_GNU_reinterpret:
		return typed_operation(m, op);
	case DW_OP_entry_value: case DW_OP_GNU_entry_value:
		return entry_value(m, op);
	case DW_OP_stack_value:
		return stack_value(m);
	case DW_OP_implicit_value:
		return implicit_value(m, op);
	case DW_OP_implicit_pointer: case DW_OP_GNU_implicit_pointer:
		return implicit_pointer(m, op);
	case DW_OP_piece:
		return end_piece(m, op->number);
	case DW_OP_nop:
		return true;
	case DW_OP_GNU_parameter_ref:
		return fail(m, "is known only from the function's caller");
	case DW_OP_form_tls_address: case DW_OP_GNU_push_tls_address:
		return fail(m, "is a thread-local variable");
	default:
		return fail(m, arena_printf("has a location that is not understood (DWARF operation "
					    "%#x)", atom));
	}
}

static bool evaluate(struct machine *m, const Dwarf_Op *ops, size_t n, struct object *out)
{
	if (n > OPS_MAX)
		return corrupt(m);
	for (size_t i = 0; i < n; i++)
		if (!step(m, &ops[i]))
			return false;
	if (!m->npieces)
		return finish(m, out);
	*out = (struct object){ .where = IN_PIECES, .npieces = m->npieces };
	out->pieces = arena_alloc(m->npieces * sizeof(*out->pieces));
	memcpy(out->pieces, m->pieces, m->npieces * sizeof(*out->pieces));
	return true;
}

/* DW_AT_const_value: a variable that is always the same. */
static bool constant(Dwarf_Attribute *attr, struct object *out)
{
	Dwarf_Block block;
	Dwarf_Sword value;
	const char *string;

	switch (dwarf_whatform(attr)) {
	case DW_FORM_string: case DW_FORM_strp: case DW_FORM_line_strp: case DW_FORM_strx:
		string = dwarf_formstring(attr);
		if (!string)
			return false;
		*out = (struct object){ .where = IS_BYTES, .bytes = (const void *)string,
					.nbytes = strlen(string) + 1 };
		return true;
	default:
		break;
	}
	if (dwarf_formsdata(attr, &value) == 0) {
		*out = object_value(arena_printf("%#" PRIx64 "ul", (uint64_t)value));
		return true;
	}
	if (dwarf_formblock(attr, &block) != 0)
		return false;
	*out = (struct object){ .where = IS_BYTES, .bytes = block.data, .nbytes = block.length };
	return true;
}

bool location_of(struct view *v, Dwarf_Die *variable, struct object *out, const char **why)
{
	struct machine m = { .view = v, .why = why };
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t len;
	int n;
	bool ok;

	*why = NULL;
	if (!dwarf_attr_integrate(variable, DW_AT_location, &attr)) {
		if (dwarf_attr_integrate(variable, DW_AT_const_value, &attr) &&
		    constant(&attr, out))
			return true;
		*why = "is optimised out";
		return false;
	}
	n = dwarf_getlocation_addr(&attr, v->pc, &ops, &len, 1);
	if (n < 0) {
		*why = "has a location in the debug information that can't be read";
		return false;
	}
	if (n == 0 || len == 0) {
		*why = "is optimised out";
		return false;
	}
	m.attr = &attr;
	ok = evaluate(&m, ops, len, out);
	sbuf_free(&m.before);
	return ok;
}
