/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DWARF location descriptions (DWARF 5, section 2.6) as objects.
 *
 * A location description is a program for a stack machine (machine.h).  This file has the
 * operations that reach outside the machine: registers, the frame, memory, other variables; and the
 * operations that end a description and say where the variable is.
 *
 * A branch whose condition is known only when the probe is hit is followed both
 * ways, and the term chooses between the two results.  Compilers write such
 * branches for a minimum, say, and join them a few operations later; those
 * operations are run twice, within a budget for all.  No operation branches back.
 *
 * At a function's first instruction the frame address follows from the calling
 * convention.  Anywhere else it comes from the call frame information in
 * .debug_frame or .eh_frame.  A kernel may have neither: its own unwinder uses ORC
 * tables, which find a caller's frame but not, in DWARF's terms, this one's
 * variables.
 */
#include "location.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "debuginfo/symbols/symbols.h"
#include "machine.h"
#include "tls.h"

enum {
	OPS_MAX = 1000,
	BITS_MAX = 1 << 23,		/* of a piece */
	NESTING_MAX = 4,		/* frame base, entry value, frame address */
};

static bool step(struct machine *m, const Dwarf_Op *op);
static bool run(struct machine *m, const Dwarf_Op *ops, size_t n, size_t at, struct object *out);

/* ---- registers and frames ---------------------------------------------- */

static int saved_register(struct machine *m, unsigned regno)
{
	int reg = m->view->file->arch->dwarf_reg(regno);

	if (reg < 0)
		mc_fail(m, "is in a register that probes can't see");
	return reg;
}

static bool push_register(struct machine *m, unsigned regno, int64_t offset)
{
	int reg = saved_register(m, regno);

	return reg >= 0 && mc_push(m, term_register(reg)) &&
	       (!offset || mc_add(m, offset));
}

/* Runs other operations and pushes the value or address that they compute. */
static bool nested(struct machine *m, Dwarf_Attribute *attr, const Dwarf_Op *ops, size_t n)
{
	struct machine inner = {
		.view = m->view, .attr = attr, .why = m->why, .nesting = m->nesting + 1,
		.left = m->left,
	};
	struct object o;

	if (m->nesting == NESTING_MAX)
		return mc_corrupt(m);
	if (!run(&inner, ops, n, 0, &o))
		return false;
	if (o.where == IN_REGISTER)
		return mc_push(m, term_register(o.reg));
	if (o.where != IN_MEMORY && o.where != IS_VALUE)
		return mc_corrupt(m);
	return mc_push(m, o.term);
}

static bool no_frame_information(struct machine *m)
{
	return mc_fail(m, arena_printf("is in the stack frame, which is known only at the function's "
				    "entry: %s has no call frame information (.debug_frame) here",
				    m->view->file->module));
}

static bool frame_address(struct machine *m)
{
	struct view *v = m->view;
	const struct arch *arch = v->file->arch;
	Dwarf_Frame *frame;
	Dwarf_Op *ops;
	size_t n;
	bool ok;

	if (v->at_entry)
		return mc_push(m, term_plus(term_register(arch->stack_reg),
					    v->calling ? arch->call_cfa_offset
						       : arch->entry_cfa_offset));
	frame = dwfile_frame(v->file, v->pc);
	if (!frame)
		return no_frame_information(m);
	ok = dwarf_frame_cfa(frame, &ops, &n) == 0 && n ? nested(m, NULL, ops, n)
							 : no_frame_information(m);
	free(frame);
	return ok;
}

/* Finds the function around an inlined one: it has the frame. */
static bool enclosing_subprogram(struct view *v, Dwarf_Die *out)
{
	if (!v->function.addr)
		return false;
	if (dwarf_tag(&v->function) == DW_TAG_subprogram) {
		*out = v->function;
		return true;
	}
	return dwfile_enclosing(v->file, &v->function, out);
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
	return nested(m, &attr, ops, n) && (!offset || mc_add(m, offset));
}

/* Pushes a value as it was at the function's entry; it is known only there. */
static bool entry_value(struct machine *m, const Dwarf_Op *op)
{
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t n;

	if (!m->view->at_entry)
		return mc_fail(m, "is known only as it was at the function's entry");
	if (!m->attr || dwarf_getlocation_attr(m->attr, op, &attr) != 0 ||
	    dwarf_getlocation(&attr, &ops, &n) != 0)
		return mc_corrupt(m);
	return nested(m, &attr, ops, n);
}

/* ---- memory ------------------------------------------------------------ */

static bool push_address(struct machine *m, uint64_t address)
{
	const struct term *term = image_address(m->view->file, address);

	return term ? mc_push(m, term)
		    : mc_fail(m, "is at an address that is in no section of its file");
}

static bool thread_local(struct machine *m)
{
	const struct term *address;
	struct stack_entry offset;
	const char *why;

	if (!mc_pop(m, &offset))
		return false;
	address = tls_address(m->view->file, offset.term, &why);
	return address ? mc_push(m, address) : mc_fail(m, why);
}

/* Pushes the operand of DW_OP_addrx or DW_OP_constx, which libdw gives as an attribute. */
static bool indexed_address(struct machine *m, const Dwarf_Op *op, bool relocated)
{
	Dwarf_Attribute attr;
	Dwarf_Addr address;
	Dwarf_Word word;

	if (!m->attr || dwarf_getlocation_attr(m->attr, op, &attr) != 0)
		return mc_corrupt(m);
	if (dwarf_formaddr(&attr, &address) == 0)
		return relocated ? push_address(m, address) : mc_push_number(m, address);
	if (dwarf_formudata(&attr, &word) == 0)
		return mc_push_number(m, word);
	return mc_corrupt(m);
}

static bool dereference(struct machine *m, uint64_t size, bool is_signed, unsigned type_size)
{
	struct stack_entry a;

	if (size != 1 && size != 2 && size != 4 && size != 8)
		return mc_corrupt(m);
	if (!mc_pop(m, &a))
		return false;
	return mc_push_typed(m, term_read(a.term, size, m->view->file->is_program), type_size, is_signed);
}

/* ---- operations that name a type --------------------------------------- */

/* Finds the base type that an operation names; size 0 is the generic type. */
static bool base_type(struct machine *m, const Dwarf_Op *op, unsigned *size, bool *is_signed)
{
	struct ctype t = { .file = m->view->file };
	struct shape s;

	*size = 0;
	*is_signed = false;
	if (!m->attr || dwarf_getlocation_die(m->attr, op, &t.die) != 0)
		return mc_corrupt(m);
	if (!ctype_shape(&t, &s, m->why))
		return false;
	if (s.kind == CK_OTHER || s.size > 8 || !s.size)
		return mc_fail(m, "is computed in a type that scripts can't hold");
	*size = s.size;
	*is_signed = s.is_signed;
	return true;
}

static bool typed_operation(struct machine *m, const Dwarf_Op *op)
{
	unsigned size = 0;
	bool is_signed = false, generic;
	struct stack_entry a;
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
		return push_register(m, op->number, 0) && mc_pop(m, &a) &&
		       mc_push_typed(m, a.term, size, is_signed);
	case DW_OP_deref_type:
	case DW_OP_GNU_deref_type:
		return dereference(m, op->number, is_signed, size);
	case DW_OP_const_type:
	case DW_OP_GNU_const_type:
		if (!m->attr || dwarf_getlocation_attr(m->attr, op, &attr) != 0 ||
		    dwarf_formblock(&attr, &block) != 0 || block.length > sizeof(value))
			return mc_corrupt(m);
		memcpy(&value, block.data, block.length);
		return mc_push_typed(m, term_number(value), size, is_signed);
	default:
		return mc_pop(m, &a) && mc_push_typed(m, a.term, size, is_signed);
	}
}

/* ---- what ends a description ------------------------------------------- */

static bool describe(struct machine *m, struct object o)
{
	if (m->described)
		return mc_corrupt(m);
	m->now = o;
	m->described = true;
	return true;
}

static bool in_register(struct machine *m, unsigned regno)
{
	const struct arch *arch = m->view->file->arch;
	int reg = arch->dwarf_vector(regno);

	/* the kernel's own code has none of its own */
	if (reg >= 0 && m->view->file->is_program)
		return describe(m, object_vector(arch, reg));
	reg = saved_register(m, regno);
	return reg >= 0 && describe(m, (struct object){ .where = IN_REGISTER, .reg = reg });
}

static bool stack_value(struct machine *m)
{
	struct stack_entry a;

	return mc_pop(m, &a) && describe(m, object_value(a.term, false));
}

static bool implicit_value(struct machine *m, const Dwarf_Op *op)
{
	Dwarf_Block block;

	if (!m->attr || dwarf_getlocation_implicit_value(m->attr, op, &block) != 0)
		return mc_corrupt(m);
	return describe(m, (struct object){ .where = IS_BYTES, .bytes = block.data,
					    .nbytes = block.length });
}

static bool implicit_pointer(struct machine *m, const Dwarf_Op *op)
{
	struct object o = { .where = IS_POINTER_TO, .offset = op->number2 };

	if (!m->attr || dwarf_getlocation_die(m->attr, op, &o.die) != 0)
		return mc_corrupt(m);
	return describe(m, o);
}

/* Gives the described object, or the address on top of the stack, and starts afresh. */
static bool finish(struct machine *m, struct object *out)
{
	struct stack_entry a;

	if (m->described) {
		*out = m->now;
	} else {
		if (!mc_pop(m, &a))
			return false;
		*out = object_memory(a.term, false);
	}
	if (out->where == IN_MEMORY || out->where == IS_VALUE)
		out->term = mc_bind(m, out->term);
	m->described = false;
	return true;
}

static bool end_piece(struct machine *m, uint64_t bits, uint64_t from)
{
	struct piece *p = &m->pieces[m->npieces];

	if (m->npieces == PIECES_MAX || !bits || bits > BITS_MAX || from > BITS_MAX)
		return mc_corrupt(m);
	m->npieces++;
	p->bits = bits;
	p->from = from;
	if (!m->described && !m->depth) {
		p->object = (struct object){ .where = IS_NOWHERE };
		return true;
	}
	return finish(m, &p->object);
}

/* ---- other variables' -------------------------------------------------- */

/* Runs the location of another entry on the same stack; an entry without one does nothing. */
static bool call(struct machine *m, const Dwarf_Op *op)
{
	Dwarf_Attribute attr, *from = m->attr;
	Dwarf_Op *ops;
	Dwarf_Die die;
	bool ok = true;
	size_t n;

	if (m->nesting == NESTING_MAX || !from || dwarf_getlocation_die(from, op, &die) != 0)
		return mc_corrupt(m);
	if (!dwarf_attr_integrate(&die, DW_AT_location, &attr) ||
	    dwarf_getlocation_addr(&attr, m->view->pc, &ops, &n, 1) != 1)
		return true;
	m->attr = &attr;
	m->nesting++;
	for (size_t i = 0; i < n && ok; i++)
		ok = step(m, &ops[i]);
	m->nesting--;
	m->attr = from;
	return ok;
}

static bool variable_value(struct machine *m, const Dwarf_Op *op)
{
	struct object o;
	struct shape s;
	struct ctype t;
	Dwarf_Die die;
	const struct term *value;
	bool found;

	if (m->view->within || !m->attr || dwarf_getlocation_die(m->attr, op, &die) != 0)
		return mc_corrupt(m);
	t = ctype_of(m->view->file, &die);
	m->view->within = true;
	found = location_of(m->view, &die, &o, m->why) && ctype_shape(&t, &s, m->why);
	m->view->within = false;
	if (!found)
		return mc_fail(m, "depends on a variable that can't be read");
	value = object_load(m->view, &o, &s, m->why);
	return value && mc_push(m, value);
}

/* ---- the machine ------------------------------------------------------- */

static bool step(struct machine *m, const Dwarf_Op *op)
{
	unsigned atom = op->atom;

	if (atom >= DW_OP_lit0 && atom <= DW_OP_lit31)
		return mc_push_number(m, atom - DW_OP_lit0);
	if (atom >= DW_OP_breg0 && atom <= DW_OP_breg31)
		return push_register(m, atom - DW_OP_breg0, (int64_t)op->number);
	if (atom >= DW_OP_reg0 && atom <= DW_OP_reg31)
		return in_register(m, atom - DW_OP_reg0);
	switch (atom) {
	case DW_OP_const1u: case DW_OP_const2u: case DW_OP_const4u: case DW_OP_const8u:
	case DW_OP_const1s: case DW_OP_const2s: case DW_OP_const4s: case DW_OP_const8s:
	case DW_OP_constu: case DW_OP_consts:
		return mc_push_number(m, op->number);
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
		return mc_stack_operation(m, op);
	case DW_OP_deref:
		return dereference(m, m->view->file->arch->word, false, 0);
	case DW_OP_deref_size:
		return dereference(m, op->number, false, 0);
	case DW_OP_plus_uconst:
		return mc_add(m, op->number);
	case DW_OP_neg: case DW_OP_not: case DW_OP_abs:
		return mc_unary(m, atom);
	case DW_OP_plus: case DW_OP_minus: case DW_OP_mul: case DW_OP_div: case DW_OP_mod:
	case DW_OP_and: case DW_OP_or: case DW_OP_xor:
	case DW_OP_shl: case DW_OP_shr: case DW_OP_shra:
	case DW_OP_eq: case DW_OP_ne: case DW_OP_lt: case DW_OP_le: case DW_OP_gt: case DW_OP_ge:
		return mc_binary(m, atom);
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
		return op->number > BITS_MAX ? mc_corrupt(m) : end_piece(m, op->number * 8, 0);
	case DW_OP_bit_piece:
		return end_piece(m, op->number, op->number2);
	case DW_OP_call2: case DW_OP_call4: case DW_OP_call_ref:
		return call(m, op);
	case DW_OP_GNU_variable_value:
		return variable_value(m, op);
	case DW_OP_nop:
		return true;
	case DW_OP_GNU_parameter_ref:
		return mc_fail(m, "is known only from the function's caller");
	case DW_OP_form_tls_address: case DW_OP_GNU_push_tls_address:
		return thread_local(m);
	default:
		return mc_fail(m, arena_printf("has a location that is not understood (DWARF operation "
					    "%#x)", atom));
	}
}

/* ---- branches ---------------------------------------------------------- */

/*
 * Finds the operation that the skip or bra at I goes to; N is the end.  Branches only go
 * forward.
 */
static bool destination(struct machine *m, const Dwarf_Op *ops, size_t n, size_t i, size_t *out)
{
	int64_t to = (int64_t)ops[i].offset + 3 + (int16_t)ops[i].number;

	if (to < (int64_t)ops[i].offset + 3)
		return mc_fail(m, "has a location that is computed in a loop");
	for (*out = i + 1; *out < n && (int64_t)ops[*out].offset < to; ++*out)
		;
	return *out == n || (int64_t)ops[*out].offset == to || mc_corrupt(m);
}

/* Turns an object in a register, or a constant, into a value. */
static void by_value(struct object *o)
{
	uint64_t value = 0;

	if (o->where == IN_REGISTER) {
		*o = object_value(term_register(o->reg), o->user);
	} else if (o->where == IS_BYTES && o->nbytes <= sizeof(value)) {
		memcpy(&value, o->bytes, o->nbytes);
		*o = object_value(term_number(value), false);
	}
}

static bool one_of(struct machine *m, const struct term *condition, struct object *yes,
		   struct object *no, struct object *out);

static bool one_of_pieces(struct machine *m, const struct term *condition, struct object *yes,
			  struct object *no, struct object *out)
{
	*out = *yes;
	if (yes->npieces != no->npieces)
		return false;
	for (size_t i = 0; i < yes->npieces; i++) {
		struct piece *a = &yes->pieces[i], *b = &no->pieces[i];

		if (a->bits != b->bits || a->from != b->from ||
		    !one_of(m, condition, &a->object, &b->object, &a->object))
			return false;
	}
	return true;
}

static bool one_of(struct machine *m, const struct term *condition, struct object *yes,
		   struct object *no, struct object *out)
{
	struct stack_entry choice;

	if (yes->where == IS_NOWHERE && no->where == IS_NOWHERE) {
		*out = *yes;
		return true;
	}
	if (yes->where == IN_PIECES && no->where == IN_PIECES)
		return one_of_pieces(m, condition, yes, no, out);
	if (yes->where != no->where || yes->where == IN_REGISTER || yes->where == IS_BYTES) {
		by_value(yes);
		by_value(no);
	}
	if (yes->where != no->where || (yes->where != IN_MEMORY && yes->where != IS_VALUE))
		return mc_fail(m, "is at a place that depends on other values");
	m->depth = 0;
	if (!mc_push(m, term_choose(condition, yes->term, no->term)) || !mc_pop(m, &choice))
		return false;
	*out = *yes;
	out->term = mc_bind(m, choice.term);
	return true;
}

static bool branch(struct machine *m, const Dwarf_Op *ops, size_t n, size_t at, struct object *out)
{
	struct machine *way = arena_new(struct machine);
	struct object yes, no;
	struct stack_entry c;
	size_t to;

	if (!destination(m, ops, n, at, &to) || !mc_pop(m, &c))
		return false;
	if (c.term->kind == TERM_NUMBER)
		return run(m, ops, n, c.term->number ? to : at + 1, out);
	/* the temporaries made so far are bound around both ways */
	*way = *m;
	way->bindings = NULL;
	if (!run(way, ops, n, to, &yes))
		return false;
	*way = *m;
	way->bindings = NULL;
	return run(way, ops, n, at + 1, &no) &&
	       (one_of(m, c.term, &yes, &no, out) || mc_corrupt(m));
}

/* Runs the operations from AT to the end. */
static bool run(struct machine *m, const Dwarf_Op *ops, size_t n, size_t at, struct object *out)
{
	while (at < n) {
		const Dwarf_Op *op = &ops[at];

		if (!(*m->left)--) {
			*m->left = 0;
			return mc_corrupt(m);
		}
		if (op->atom == DW_OP_bra)
			return branch(m, ops, n, at, out);
		if (op->atom == DW_OP_skip) {
			if (!destination(m, ops, n, at, &at))
				return false;
			continue;
		}
		if (!step(m, op))
			return false;
		at++;
	}
	if (!m->npieces)
		return finish(m, out);
	*out = (struct object){ .where = IN_PIECES, .npieces = m->npieces };
	out->pieces = arena_alloc(m->npieces * sizeof(*out->pieces));
	memcpy(out->pieces, m->pieces, m->npieces * sizeof(*out->pieces));
	return true;
}

/* Reads DW_AT_const_value: the variable always has this value. */
static bool constant(Dwarf_Attribute *attr, struct object *out)
{
	Dwarf_Block block;
	Dwarf_Sword value;
	const char *string;

	switch (dwarf_whatform(attr)) {
	case DW_FORM_string: case DW_FORM_strp: case DW_FORM_line_strp: case DW_FORM_strx:
	case DW_FORM_strx1: case DW_FORM_strx2: case DW_FORM_strx3: case DW_FORM_strx4:
	case DW_FORM_GNU_str_index: case DW_FORM_GNU_strp_alt: case DW_FORM_strp_sup:
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
		*out = object_value(term_number(value), false);
		return true;
	}
	if (dwarf_formblock(attr, &block) != 0)
		return false;
	*out = (struct object){ .where = IS_BYTES, .bytes = block.data, .nbytes = block.length };
	return true;
}

/* Finds a variable of assembler code or a linker script by declared_variable(). */
static bool by_symbol(struct view *v, Dwarf_Die *variable, struct object *out)
{
	const char *name = dwarf_diename(variable);
	const struct term *address;
	Dwarf_Attribute attr;
	uint64_t addr;

	if (!name || !dwarf_attr(variable, DW_AT_declaration, &attr) ||
	    !symbol_address(v->file, name, &addr))
		return false;
	address = image_address(v->file, addr);
	if (!address)
		return false;
	*out = object_memory(address, false);
	return true;
}

static bool find_location(struct view *v, Dwarf_Die *variable, struct object *out,
			  struct problem *why)
{
	unsigned left = OPS_MAX;
	struct machine m = { .view = v, .why = why, .left = &left };
	Dwarf_Attribute attr;
	Dwarf_Op *ops;
	size_t len;
	int n;

	why->text = NULL;
	if (!dwarf_attr_integrate(variable, DW_AT_location, &attr)) {
		if (dwarf_attr_integrate(variable, DW_AT_const_value, &attr) &&
		    constant(&attr, out))
			return true;
		why->text = "is optimised out";
		return by_symbol(v, variable, out);
	}
	n = dwarf_getlocation_addr(&attr, v->pc, &ops, &len, 1);
	/* some compilers describe locations only from behind the ftrace site on */
	if (n == 0 && v->past_site)
		n = dwarf_getlocation_addr(&attr, v->past_site, &ops, &len, 1);
	if (n < 0) {
		why->text = "has a location in the debug information that can't be read";
		return false;
	}
	if (n == 0 || len == 0) {
		why->text = "is optimised out";
		return false;
	}
	m.attr = &attr;
	return run(&m, ops, len, 0, out);
}

/* Marks a program's variable: it and what it points to are in user space's memory. */
static void set_user(struct object *o)
{
	o->user = true;
	for (size_t i = 0; i < o->npieces; i++)
		o->pieces[i].object.user = true;
}

bool location_of(struct view *v, Dwarf_Die *variable, struct object *out, struct problem *why)
{
	if (!find_location(v, variable, out, why))
		return false;
	if (v->file->is_program)
		set_user(out);
	return true;
}
