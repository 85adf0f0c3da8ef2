// SPDX-License-Identifier: GPL-2.0-or-later
/* Builtins that read what the kernel knows of a task, by terms of the kernel's types (enum task_fact). */
#include <sys/resource.h>
#include <unistd.h>

#include "fetch.h"
#include "builtins.h"

/* Where the task's address is: the last of the temporary words, which terms do not use. */
enum { TASK = FRAME_TEMPORARY + 8 * (FRAME_TEMPORARIES - 1) };

/* Numbers that the kernel counts from others than users do: real-time priorities, and nice(2)'s. */
enum { REAL_TIME_MOST = 100, NICE_ZERO = 120 };

/* Stores the address of the task that the call is about. */
static void find_task(struct gen *g, const struct ir_op *op)
{
	if (op->args.n)
		load_word(g, R0, &op->args.v[0]);
	else
		code_helper(g->c, BPF_FUNC_get_current_task);
	code_store(g->c, BPF_DW, R9, TASK, R0);
}

/*
 * Goes to GONE with r0 = 0 if the task has not what FACT is about.  That of the parent, of the current task, is gone
 * if the task has left its process: its pointer to the parent is stale.
 */
static void put_has(struct gen *g, int64_t fact, unsigned gone)
{
	static const struct { enum task_fact fact, needs; } needs[] = {
		{ TASK_PARENT_PROCESS, TASK_NUMBERS }, { TASK_PARENT_NAME, TASK_NUMBERS },
		{ TASK_TREE, TASK_NUMBERS }, { TASK_EXE_FILE, TASK_MEMORY }, { TASK_ARGUMENTS_END, TASK_MEMORY },
		{ TASK_ENVIRONMENT_END, TASK_MEMORY }, { TASK_ROOT, TASK_FS }, { TASK_CWD, TASK_FS },
		{ TASK_GROUP, TASK_NUMBERS }, { TASK_SESSION, TASK_NUMBERS }, { TASK_DESCRIPTORS, TASK_FILES },
	};

	for (size_t i = 0; i < sizeof(needs) / sizeof(*needs); i++)
		if (needs[i].fact == fact) {
			put_fallible_fact(g, needs[i].needs, TASK);
			code_jump_if(g->c, BPF_JEQ, R0, 0, gone);
		}
}

void put_own_fact(struct gen *g, enum task_fact fact, unsigned none)
{
	code_helper(g->c, BPF_FUNC_get_current_task);
	code_store(g->c, BPF_DW, R9, TASK, R0);
	put_has(g, fact, none);
	put_fallible_fact(g, fact, TASK);
}

void put_task_fact(struct gen *g, const struct ir_op *op, int64_t fact)
{
	unsigned gone = code_label(g->c);

	find_task(g, op);
	put_has(g, fact, gone);
	put_fallible_fact(g, fact, TASK);
	if (fact == TASK_PRIORITY)
		code_op(g->c, BPF_SUB, R0, REAL_TIME_MOST);
	if (fact == TASK_STATIC_PRIORITY)
		code_op(g->c, BPF_SUB, R0, NICE_ZERO);
	code_here(g->c, gone);
	store_word(g, op, R0);
}

/* __task_rlimit(): the limit of the first argument's task of the resource that the second is; -1: it has none. */
void put_task_limit(struct gen *g, const struct ir_op *op, int64_t unused)
{
	unsigned inputs = take(g, 16), none = code_label(g->c), done = code_label(g->c);

	(void)unused;
	load_word(g, R0, &op->args.v[0]);
	code_store(g->c, BPF_DW, R9, inputs, R0);
	load_word(g, R0, &op->args.v[1]);
	code_store(g->c, BPF_DW, R9, inputs + 8, R0);
	code_jump_if(g->c, BPF_JGE, R0, RLIM_NLIMITS, none);
	put_fallible_fact(g, TASK_SIGNAL, inputs);
	code_jump_if(g->c, BPF_JEQ, R0, 0, none);
	put_fallible_fact(g, TASK_LIMIT, inputs);
	code_jump(g->c, done);
	code_here(g->c, none);
	code_number(g->c, R0, -1);
	code_here(g->c, done);
	store_word(g, op, R0);
}

/* ---- memory ------------------------------------------------------------------ */

/* Kinds of pages that the kernel counts. */
enum { FILE_PAGES, ANONYMOUS_PAGES, SHARED_PAGES = 3 };

/* Where sums are made, of the inputs of a fact and what was found: words behind one another. */
enum { OF, KIND = 8, SUM = 16, SUM_BYTES = 24 };

/* Adds r0 to the sum. */
static void add(struct gen *g, unsigned at)
{
	code_load(g->c, BPF_DW, R1, R9, at + SUM);
	code_op_reg(g->c, BPF_ADD, R1, R0);
	code_store(g->c, BPF_DW, R9, at + SUM, R1);
}

/* Adds the pages of a kind that are there; the kernel's counters may be negative for a moment. */
static void add_resident(struct gen *g, unsigned at, unsigned kind)
{
	unsigned negative = code_label(g->c);

	code_store_number(g->c, BPF_DW, R9, at + KIND, kind);
	put_fallible_fact(g, TASK_RESIDENT, at);
	code_jump_if(g->c, BPF_JSLE, R0, 0, negative);
	add(g, at);
	code_here(g->c, negative);
}

static void add_fact(struct gen *g, unsigned at, enum task_fact fact)
{
	put_fallible_fact(g, fact, at);
	add(g, at);
}

/* The sum = the pages in which the program's code is. */
static void put_code_pages(struct gen *g, unsigned at)
{
	const unsigned page = sysconf(_SC_PAGESIZE);

	put_fallible_fact(g, TASK_CODE, at);
	code_op(g->c, BPF_AND, R0, -page);
	code_store(g->c, BPF_DW, R9, at + SUM, R0);
	put_fallible_fact(g, TASK_CODE_END, at);
	code_op(g->c, BPF_ADD, R0, page - 1);
	code_op(g->c, BPF_AND, R0, -page);
	code_load(g->c, BPF_DW, R1, R9, at + SUM);
	code_op_reg(g->c, BPF_SUB, R0, R1);
	code_op(g->c, BPF_RSH, R0, __builtin_ctz(page));
	code_store(g->c, BPF_DW, R9, at + SUM, R0);
}

void put_task_pages(struct gen *g, const struct ir_op *op, int64_t what)
{
	unsigned at = take(g, SUM_BYTES), none = code_label(g->c);

	load_word(g, R0, &op->args.v[0]);
	code_store(g->c, BPF_DW, R9, at + OF, R0);
	code_store_number(g->c, BPF_DW, R9, at + SUM, 0);
	put_fallible_fact(g, TASK_MEMORY, at);
	code_jump_if(g->c, BPF_JEQ, R0, 0, none);
	if (what == ST_MEM_SIZE)
		add_fact(g, at, TASK_PAGES);
	if (what == ST_MEM_RSS)
		add_resident(g, at, ANONYMOUS_PAGES);
	if (what == ST_MEM_RSS || what == ST_MEM_SHARED) {
		add_resident(g, at, FILE_PAGES);
		add_resident(g, at, SHARED_PAGES);
	}
	if (what == ST_MEM_TEXT)
		put_code_pages(g, at);
	if (what == ST_MEM_DATA) {
		add_fact(g, at, TASK_DATA_PAGES);
		add_fact(g, at, TASK_STACK_PAGES);
	}
	code_here(g->c, none);
	code_load(g->c, BPF_DW, R0, R9, at + SUM);
	store_word(g, op, R0);
}

/* r0 = bytes of the current task's stack below the program's frame; 0 if the program runs on another stack, an interrupt's. */
static void put_stack_below(struct gen *g)
{
	unsigned within = code_label(g->c), none = code_label(g->c), bytes = take(g, 16);

	put_own_fact(g, TASK_STACK, none);
	/* From memory, so that it is a number for the verifier. */
	code_store(g->c, BPF_DW, R9, bytes, R10);
	code_load(g->c, BPF_DW, R1, R9, bytes);
	code_op_reg(g->c, BPF_SUB, R1, R0);
	code_store(g->c, BPF_DW, R9, bytes, R1);
	put_fallible_fact(g, TASK_STACK_BYTES, bytes);
	code_load(g->c, BPF_DW, R1, R9, bytes);
	code_jump_if_reg(g->c, BPF_JLT, R1, R0, within);
	code_number(g->c, R1, 0);
	code_here(g->c, within);
	code_op_reg(g->c, BPF_MOV, R0, R1);
	code_here(g->c, none);
}

/* The task's stack, or what is USED of it and the rest. */
void put_stack_bytes(struct gen *g, const struct ir_op *op, int64_t part)
{
	unsigned at = take(g, 16);

	put_stack_below(g);
	code_store(g->c, BPF_DW, R9, at + 8, R0);
	if (part != STACK_UNUSED) {
		put_fallible_fact(g, TASK_STACK_BYTES, at);
		code_load(g->c, BPF_DW, R1, R9, at + 8);
		if (part == STACK_USED)
			code_op_reg(g->c, BPF_SUB, R0, R1);
	}
	store_word(g, op, R0);
}

/* ---- files --------------------------------------------------------------------- */

/* Stores the task that the call is about; goes to NONE with r0 = 0 if it has no descriptors. */
static unsigned put_inputs(struct gen *g, const struct ir_op *op, unsigned bytes, unsigned none)
{
	unsigned at = take(g, bytes);

	load_word(g, R0, &op->args.v[0]);
	code_store(g->c, BPF_DW, R9, at, R0);
	put_fallible_fact(g, TASK_FILES, at);
	code_jump_if(g->c, BPF_JEQ, R0, 0, none);
	return at;
}

void put_task_file(struct gen *g, const struct ir_op *op, int64_t unused)
{
	unsigned none = code_label(g->c), within = code_label(g->c), at = put_inputs(g, op, 16, none);

	(void)unused;
	load_word(g, R0, &op->args.v[1]);
	code_store(g->c, BPF_DW, R9, at + 8, R0);
	put_fallible_fact(g, TASK_DESCRIPTORS, at);
	code_load(g->c, BPF_DW, R1, R9, at + 8);
	code_jump_if_reg(g->c, BPF_JLT, R1, R0, within);
	code_number(g->c, R0, 0);
	code_jump(g->c, none);
	code_here(g->c, within);
	put_fallible_fact(g, TASK_FILE, at);
	code_here(g->c, none);
	store_word(g, op, R0);
}

/* What the loop over the bits of descriptors in use has behind the task: where the next word is, how many follow, bits. */
enum { WORD = 8, LEFT = 16, BITS = 24, BITS_BYTES = 32 };

/* r0 = how many bits of r0 are set: sums of two, four and eight neighbours, and all of the bytes */
static void put_weight(struct gen *g)
{
	static const struct { uint64_t mask; unsigned shift; } steps[] = {
		{ 0x5555555555555555, 1 }, { 0x3333333333333333, 2 }, { 0x0f0f0f0f0f0f0f0f, 4 },
	};

	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		code_number(g->c, R2, steps[i].mask);
		code_op_reg(g->c, BPF_MOV, R1, R0);
		code_op(g->c, BPF_RSH, R1, steps[i].shift);
		code_op_reg(g->c, BPF_AND, R0, R2);
		code_op_reg(g->c, BPF_AND, R1, R2);
		code_op_reg(g->c, BPF_ADD, R0, R1);
	}
	code_number(g->c, R1, 0x0101010101010101);
	code_op_reg(g->c, BPF_MUL, R0, R1);
	code_op(g->c, BPF_RSH, R0, 56);
}

/* Makes the function that counts the bits of a word. */
static unsigned put_counting(struct gen *g, unsigned at)
{
	struct function *outer;
	unsigned number = begin_function(g, &outer), over = code_label(g->c);

	code_load(g->c, BPF_DW, R0, R9, at + LEFT);
	code_jump_if(g->c, BPF_JSLE, R0, 0, over);
	code_op(g->c, BPF_SUB, R0, 1);
	code_store(g->c, BPF_DW, R9, at + LEFT, R0);
	code_load(g->c, BPF_DW, R3, R9, at + WORD);
	put_read(g, 8, false, NULL);
	put_weight(g);
	code_load(g->c, BPF_DW, R1, R9, at + BITS);
	code_op_reg(g->c, BPF_ADD, R1, R0);
	code_store(g->c, BPF_DW, R9, at + BITS, R1);
	code_load(g->c, BPF_DW, R1, R9, at + WORD);
	code_op(g->c, BPF_ADD, R1, 8);
	code_store(g->c, BPF_DW, R9, at + WORD, R1);
	code_load(g->c, BPF_DW, R0, R9, FRAME_SITE);
	code_jump_if(g->c, BPF_JNE, R0, 0, over);
	code_exit(g->c);
	code_here(g->c, over);
	code_number(g->c, R0, 1);
	code_exit(g->c);
	end_function(g, outer);
	return number;
}

/* The descriptors in use: of the first so many words of the table's bits, as a module counts them. */
void put_open_files(struct gen *g, const struct ir_op *op, int64_t unused)
{
	enum { WORDS_MOST = 1024 };
	unsigned none = code_label(g->c), at = put_inputs(g, op, BITS_BYTES, none);

	(void)unused;
	put_fallible_fact(g, TASK_DESCRIPTORS, at);
	code_op(g->c, BPF_ADD, R0, 63);
	code_op(g->c, BPF_RSH, R0, 6);
	code_store(g->c, BPF_DW, R9, at + LEFT, R0);
	put_fallible_fact(g, TASK_DESCRIPTOR_BITS, at);
	code_store(g->c, BPF_DW, R9, at + WORD, R0);
	code_store_number(g->c, BPF_DW, R9, at + BITS, 0);
	put_rounds(g, put_counting(g, at), WORDS_MOST);
	code_load(g->c, BPF_DW, R0, R9, at + BITS);
	code_here(g->c, none);
	store_word(g, op, R0);
}

/* ---- names ------------------------------------------------------------------------ */

/* FACT is where the name lies. */
void put_task_name(struct gen *g, const struct ir_op *op, int64_t fact)
{
	unsigned at = g->layout->values[op->result], room = g->layout->value_rooms[op->result];
	unsigned gone = code_label(g->c), failed = code_label(g->c), done = code_label(g->c);

	find_task(g, op);
	clear_bytes(g, at, STRING_BYTES + room);
	put_has(g, fact, gone);
	put_fallible_fact(g, fact, TASK);
	code_op_reg(g->c, BPF_MOV, R7, R0);
	put_string_read(g, at, room, BPF_FUNC_probe_read_kernel_str, NULL, failed);
	code_jump(g->c, done);
	code_here(g->c, failed);
	fail_read(g, NULL, R7);
	code_here(g->c, gone);
	code_here(g->c, done);
}
