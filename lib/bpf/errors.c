// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How operations fail, and what a script learns of that.  An error is the number of its site in the frame, and a
 * value; what it says is made where it is caught, or by stapio.  error() leaves its text in the frame, too.
 *
 *	try { println(kernel_int(0)) } catch (m) …	site 3, value 0: "kernel int copy fault at 0x" and so on
 *
 * Sites are found while code is made, so their texts are elements of a map, which has as many as there are at the end.
 */
#include <string.h>

#include "abi/stap_script.h"
#include "base/arena.h"
#include "gen.h"

/* How a message goes on behind its text: not; by a number; or the text is what error() was given. */
enum form { ENDS, IN_DECIMAL, IN_HEX, IN_LONG_HEX, IS_TOLD };

/* A message, in the map: its form, and strings as they are in a frame. */
enum { FORM, BEHIND = 8, BEHIND_ROOM = 40, TEXT = BEHIND + STRING_BYTES + BEHIND_ROOM };

/* Where a function's word is with which it looks up a message. */
enum { SITE_AT = -28 };

/* ---- failing ---------------------------------------------------------------- */

static bool is_same(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/* Returns 1 + the number of the site, with where the operation stands. */
static unsigned site_of(struct gen *g, struct bpf_site site)
{
	const struct ir_constant *c = g->op->near == IR_NO_CONSTANT ? NULL : &g->probe->constants.v[g->op->near];
	uint32_t hash;

	site.near = c ? c->text : g->op->what;
	site.at = c ? c->at : g->op->at;
	hash = table_hash_string(site.text) ^ table_hash_string(site.near && site.at ? site.at : "");
	table_for_each(&g->plan->by_text, hash, i) {
		const struct bpf_site *s = &g->plan->sites.v[i];

		if (!strcmp(s->text, site.text) && s->told == site.told && is_same(s->near, site.near) &&
		    is_same(s->at, site.at))
			return i + 1;
	}
	vec_push(&g->plan->sites, site);
	table_add(&g->plan->by_text, hash, g->plan->sites.n - 1);
	return g->plan->sites.n;
}

/* Makes the operation fail as SITE says, with the value in REG, unless an error is pending.  Changes r0. */
static void fail_as(struct gen *g, struct bpf_site site, unsigned reg)
{
	unsigned pending = code_label(g->c);

	g->fails = true;
	code_load(g->c, BPF_DW, R0, R9, FRAME_SITE);
	code_jump_if(g->c, BPF_JNE, R0, 0, pending);
	code_store_number(g->c, BPF_DW, R9, FRAME_SITE, site_of(g, site));
	code_store_number(g->c, BPF_DW, R9, FRAME_CALLERS, 0);
	if (site.digits || site.decimal)
		code_store(g->c, BPF_DW, R9, FRAME_VALUE, reg);
	code_here(g->c, pending);
}

void fail(struct gen *g, const char *text)
{
	fail_as(g, (struct bpf_site){ .text = text, .behind = "" }, R0);
}

/* Fails as TEXT says, the number in REG, and BEHIND. */
void fail_number(struct gen *g, const char *text, unsigned reg, const char *behind)
{
	fail_as(g, (struct bpf_site){ .text = text, .behind = behind, .decimal = true }, reg);
}

/* Likewise, the number in hex. */
void fail_hex(struct gen *g, const char *text, unsigned reg)
{
	fail_as(g, (struct bpf_site){ .text = text, .behind = "", .digits = 1 }, reg);
}

/* Fails at reading memory at the address in REG: WHAT is "kernel long", or NULL for a variable. */
void fail_read(struct gen *g, const char *what, unsigned reg)
{
	struct bpf_site variable = { .text = "read fault [man error::fault] at 0x", .behind = "", .digits = 16 };
	struct bpf_site call = { .behind = " [man error::fault]", .digits = 1 };

	if (!what && g->ir->limits.skip_badvars)
		return;
	call.text = what ? arena_printf("%s copy fault at 0x", what) : "";
	fail_as(g, what ? call : variable, reg);
}

void put_called(struct gen *g)
{
	unsigned full = code_label(g->c);

	if (!g->callers)
		g->callers = take(g, CALLERS_BYTES);
	code_load(g->c, BPF_DW, R1, R9, FRAME_CALLERS);
	code_jump_if(g->c, BPF_JGE, R1, ST_CALLERS, full);
	code_op_reg(g->c, BPF_MOV, R2, R1);
	code_op(g->c, BPF_LSH, R2, 2);
	code_op_reg(g->c, BPF_ADD, R2, R9);
	code_store_number(g->c, BPF_W, R2, g->callers, site_of(g, (struct bpf_site){ .text = "", .behind = "" }));
	code_op(g->c, BPF_ADD, R1, 1);
	code_store(g->c, BPF_DW, R9, FRAME_CALLERS, R1);
	code_here(g->c, full);
}

static unsigned told_at(struct gen *g)
{
	if (!g->told)
		g->told = take(g, STRING_BYTES + string_room(g, 0));
	return g->told;
}

/* error(): fails with the first argument. */
void put_error(struct gen *g, const struct ir_op *op, int64_t unused)
{
	unsigned pending = code_label(g->c);

	(void)unused;
	code_load(g->c, BPF_DW, R0, R9, FRAME_SITE);
	code_jump_if(g->c, BPF_JNE, R0, 0, pending);
	put_line(g, op, told_at(g));
	fail_as(g, (struct bpf_site){ .text = "", .behind = "", .told = true }, R0);
	code_here(g->c, pending);
}

/* ---- catching --------------------------------------------------------------- */

static unsigned message_bytes(const struct ir_program *ir)
{
	return TEXT + STRING_BYTES + rounded(ir->limits.string);
}

static unsigned messages_map(struct bpf_plan *plan)
{
	const struct bpf_map m = {
		.type = BPF_MAP_TYPE_ARRAY, .key = 4, .value = message_bytes(plan->ir), .entries = 1,
	};

	if (!plan->messages) {
		vec_push(&plan->maps, m);
		plan->messages = plan->maps.n - 1;
	}
	return plan->messages;
}

static void add_string(char *at, unsigned room, const char *text)
{
	uint64_t len = strnlen(text, room - 1);

	memcpy(at, &len, sizeof(len));
	memcpy(at + STRING_BYTES, text, len);
}

const void *bpf_message(const struct bpf_plan *plan, unsigned site)
{
	const struct bpf_site *s = &plan->sites.v[site];
	char *m = arena_alloc(message_bytes(plan->ir));
	uint64_t form = s->told ? IS_TOLD : s->decimal ? IN_DECIMAL : s->digits > 1 ? IN_LONG_HEX :
			s->digits ? IN_HEX : ENDS;

	memcpy(m + FORM, &form, sizeof(form));
	add_string(m + BEHIND, BEHIND_ROOM, s->behind);
	add_string(m + TEXT, rounded(plan->ir->limits.string), s->text);
	return m;
}

/* r7 = the message of the frame's error; goes to NONE if it has none. */
static void find_message(struct gen *g, unsigned none)
{
	code_load(g->c, BPF_DW, R1, R9, FRAME_SITE);
	code_op(g->c, BPF_SUB, R1, 1);
	code_store(g->c, BPF_W, R10, SITE_AT, R1);
	code_map(g->c, R1, messages_map(g->plan));
	code_op_reg(g->c, BPF_MOV, R2, R10);
	code_op(g->c, BPF_ADD, R2, SITE_AT);
	code_helper(g->c, BPF_FUNC_map_lookup_elem);
	code_jump_if(g->c, BPF_JEQ, R0, 0, none);
	code_op_reg(g->c, BPF_MOV, R7, R0);
}

/* Copies the string at r7 + FROM to AT in the frame. */
static void copy_out(struct gen *g, unsigned at, unsigned room, unsigned from)
{
	pass_frame(g, R1, at);
	code_number(g->c, R2, STRING_BYTES + room);
	code_op_reg(g->c, BPF_MOV, R3, R7);
	code_op(g->c, BPF_ADD, R3, from);
	code_helper(g->c, BPF_FUNC_probe_read_kernel);
}

/* Appends the error's value to the string at AT, if the message at r7 has the FORM. */
static void append_value(struct gen *g, unsigned at, enum form form, const char *format)
{
	enum { ROOM = 32 };
	unsigned other = code_label(g->c), piece = piece_at(g);

	code_load(g->c, BPF_DW, R1, R9, FRAME_TEMPORARY);
	code_jump_if(g->c, BPF_JNE, R1, form, other);
	put_kernels_text(g, piece, ROOM, format, FRAME_VALUE);
	skip_unless_made(g);
	code_store(g->c, BPF_DW, R9, piece, R0);
	put_append(g, at, string_room(g, 0), piece, ROOM);
	code_here(g->c, other);
}

void put_message(struct gen *g, unsigned at)
{
	unsigned room = string_room(g, 0), none = code_label(g->c), behind = take(g, STRING_BYTES + BEHIND_ROOM);
	unsigned not_told = code_label(g->c);

	clear_bytes(g, at, STRING_BYTES);
	find_message(g, none);
	copy_out(g, at, room, TEXT);
	copy_out(g, behind, BEHIND_ROOM, BEHIND);
	code_load(g->c, BPF_DW, R1, R7, FORM);
	code_store(g->c, BPF_DW, R9, FRAME_TEMPORARY, R1);
	append_value(g, at, IN_DECIMAL, "%lld");
	append_value(g, at, IN_HEX, "%llx");
	append_value(g, at, IN_LONG_HEX, "%016llx");
	put_append(g, at, room, behind, BEHIND_ROOM);
	if (g->told) {
		code_load(g->c, BPF_DW, R1, R9, FRAME_TEMPORARY);
		code_jump_if(g->c, BPF_JNE, R1, IS_TOLD, not_told);
		copy_string(g, at, room, g->told, room);
		code_here(g->c, not_told);
	}
	code_here(g->c, none);
}
