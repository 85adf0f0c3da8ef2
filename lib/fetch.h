/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a value of the probed code is read and written, as data.
 *
 * Debug information describes where a variable lies by a small program: four
 * bytes at an address in a register, some bits of a word, two registers side by
 * side.  Pass 2 keeps that as a tree of terms.  debuginfo/ and the families of
 * probes build terms, sema/ and lower/ carry them untouched, and
 * backend/module/fetch.c alone prints them as C, once for all places whose terms are
 * equal.
 *
 * For example $file->f_mode at the entry of vfs_read.  $file is in the register
 * of the first argument, f_mode an unsigned int 68 bytes into it:
 *
 *	READ 4 bytes of the kernel
 *	    BINARY WORD_ADD
 *	        REGISTER 14		(rdi among the words of struct pt_regs)
 *	        NUMBER 0x44
 *
 * which becomes
 *
 *	st_kread(c, (st_reg(c, 14) + 0x44ul), 4)
 *
 * A term is a word, a string or a store.  A word has 64 bits and no sign: sizes and
 * signs belong to what reads, extends, shifts and compares words.  A read that fails
 * when the probe is hit sets the handler's error and gives 0.  A term is evaluated each
 * time it occurs; a LET binds a word that is needed twice to a temporary.
 *
 * Terms lie in the arena, never change and may be shared.  Constructors don't fail.
 */
#ifndef STAP_FETCH_H
#define STAP_FETCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sbuf.h"
#include "base/vec.h"

struct ctype;

/* Kinds of terms, with the members that each uses. */
enum term_kind {
	/* words */
	TERM_NUMBER,		/* number */
	TERM_REGISTER,		/* the probed code's, n: a word of struct pt_regs */
	TERM_INPUT,		/* n: an expression of the script's (struct access, indexes) */
	TERM_IMAGE,		/* the address number bytes from base n (target_base()) */
	TERM_PROGRAM,		/* the address number of program file n (target_program()) in
				   the current process */
	TERM_THIS_CPU,		/* of the per-CPU address a, the address of this CPU's copy */
	TERM_READ,		/* size bytes of memory at a, zero-extended */
	TERM_UNARY,		/* op a */
	TERM_BINARY,		/* a op b */
	TERM_EXTEND,		/* the low size bytes of a, by their sign or by zeroes */
	TERM_CHOOSE,		/* b if a is not 0, else c */
	TERM_TEMPORARY,		/* n, bound by a LET around it */
	TERM_STORED,		/* in a store: the word or string to be stored */
	/* words, strings or stores, by sort */
	TERM_LET,		/* b, in which temporary n is the word a */
	TERM_MEMBER,		/* member text of record n (enum term_record) */
	TERM_CALL,		/* function n (enum term_function) of a and b, if it takes them */
	/* strings */
	TERM_FORMAT,		/* text, a printf format, of n words and strings args */
	TERM_ATTEMPT,		/* a, or "ERROR" if it fails: the error is forgotten */
	TERM_ENUMERATOR,	/* the name among n cases of the input a, or its digits */
	/* stores */
	TERM_WRITE,		/* the low size bytes of b to memory at a */
	TERM_SET_REGISTER,	/* n becomes a */
	TERM_SET_MEMBER,	/* a MEMBER becomes a */
};

/* What evaluating a term gives: 64 bits, a string, or nothing but an effect. */
enum term_sort { SORT_WORD, SORT_STRING, SORT_STORE };

/* Operators take words as unsigned unless their name says signed.  Comparisons give 0 or 1. */
enum word_op {
	WORD_ADD, WORD_SUB, WORD_MUL,
	WORD_DIV, WORD_MOD,		/* by 0: 0; b is a number or a temporary */
	WORD_SIGNED_DIV,		/* by 0: an error */
	WORD_AND, WORD_OR, WORD_XOR,
	WORD_SHL, WORD_SHR,		/* by 64 and more: 0; b is a number or a temporary */
	WORD_SIGNED_SHR,		/* by 64 and more: as by 63; b as above */
	WORD_EQ, WORD_NE, WORD_LT, WORD_LE, WORD_GT, WORD_GE,
	WORD_SIGNED_LT, WORD_SIGNED_LE, WORD_SIGNED_GT, WORD_SIGNED_GE,
	WORD_NEG, WORD_NOT,		/* unary; NOT inverts every bit */
};

/*
 * Functions of the engine's. fetch.c has the table of their names in a dump, arguments and results.
 */
enum term_function {
	TERM_VALUE,			/* what was written to the procfs file, a string */
	TERM_SET_VALUE,			/* stores the string A as what is read from the file; */
	TERM_APPEND_VALUE,		/* appends A to it */
	TERM_THREAD_POINTER,		/* the current thread's: where its thread-local variables are */
	TERM_VECTOR,			/* word B of vector register A, numbers */
	TERM_WIDENED,			/* a float's bits as a double's */
	TERM_NARROWED,			/* a double's as a float's */
	TERM_FLOAT_SHOWN,		/* a double's bits in decimal, a string */
	TERM_QUOTED,			/* the string at address A of user or kernel space, at most B
					   bytes, in quotes and escaped */
	TERM_FUNCTIONS
};

/*
 * What a function takes and gives: its name in a dump, its result's sort, its number of arguments.
 */
struct term_function_info {
	const char *name;
	enum term_sort sort;
	unsigned nargs;
};

extern const struct term_function_info term_functions[TERM_FUNCTIONS];

/* Records that a family passes to its handlers. */
enum term_record {
	TERM_PACKET,			/* netfilter's */
	TERM_TRACEPOINT,		/* a tracepoint's name and arguments */
	TERM_SYSTEM_CALL,		/* process.syscall's */
	TERM_RECORDS
};

extern const char *const term_records[TERM_RECORDS];	/* their names in a dump */

/* A value, and its name: an enumerator. */
struct term_case {
	int64_t value;
	const char *name;
};

/* A node of the tree; st_kread(c, st_reg(c, 14) + 0x44ul, 4) is printed from four. */
struct term {
	enum term_kind kind;
	enum term_sort sort;
	enum word_op op;
	unsigned n;
	unsigned char size;		/* bytes: 1, 2, 4 or 8 */
	bool user;			/* READ, WRITE: user space's memory */
	bool is_signed;			/* EXTEND */
	unsigned strings;		/* the most in scratch at once, its own included */
	unsigned nodes;			/* terms in the tree, this one included */
	uint64_t number;
	const char *text;
	const struct term *a, *b, *c;
	const struct term *const *args;
	const struct term_case *cases;
};

/*
 * How a variable is fetched.  Strings, which have no C type, are what pretty-printing
 * and families make; a char array is a word, its address.
 */
struct fetch {
	const struct term *load;	/* its value */
	const struct term *store;	/* stores into it; NULL: nothing can be stored */
	const struct term *append;	/* appends to a string, as ".=" does; NULL: ".=" loads
					   and stores */
	const struct ctype *ctype;	/* of the value (debuginfo/debuginfo.h) */
	bool of_return;			/* a Go function's result: it has its value at the return */
};

/* ---- constructors ------------------------------------------------------ */

const struct term *term_number(uint64_t number);
const struct term *term_register(unsigned n);
const struct term *term_input(unsigned n);
const struct term *term_image(unsigned base, uint64_t offset);
const struct term *term_program(unsigned file, uint64_t address);
const struct term *term_this_cpu(const struct term *address);
const struct term *term_read(const struct term *address, unsigned size, bool user);
const struct term *term_unary(enum word_op op, const struct term *a);
const struct term *term_binary(enum word_op op, const struct term *a, const struct term *b);
const struct term *term_plus(const struct term *a, uint64_t n);

/* Extends the low SIZE bytes of A.  Returns A itself unless SIZE is 1, 2 or 4. */
const struct term *term_extend(const struct term *a, unsigned size, bool is_signed);

const struct term *term_choose(const struct term *condition, const struct term *yes,
			       const struct term *no);
const struct term *term_let(unsigned n, const struct term *value, const struct term *body);
const struct term *term_temporary(unsigned n);
const struct term *term_stored(void);

/*
 * Calls a function with the words or strings that it takes; the others are NULL.  $value of a
 * procfs probe is term_call(TERM_VALUE, NULL, NULL).
 */
const struct term *term_call(enum term_function function, const struct term *a,
			     const struct term *b);

/*
 * Returns a member of a record.  $verdict of a netfilter probe is
 * term_member(SORT_WORD, TERM_PACKET, "verdict").
 */
const struct term *term_member(enum term_sort sort, enum term_record record, const char *member);
const struct term *term_set_member(enum term_record record, const char *member,
				   const struct term *value);

/*
 * Facts of a task, which engines that don't know the kernel's structures read by terms: words, whose input
 * 0 is the address of the task.
 */
enum task_fact {
	TASK_PROGRAM,			/* the inode of the program that it runs; a fault: it runs none */
	TASK_OPENED,			/* the inode of its file with the descriptor that is input 1 */
	TASK_LIVE,			/* threads of its process that have not begun to exit */
	TASK_PROCESS,			/* the numbers of its process */
	TASK_THREAD,			/* and of itself */
	TASK_NUMBERS,			/* 0: it has left its process, and given up its numbers */
	TASK_PARENT,			/* the address of its parent's task, */
	TASK_PARENT_PROCESS,		/* the number of the parent's process, */
	TASK_PARENT_NAME,		/* the address of the parent's name, */
	TASK_NAME,			/* and of its own */
	TASK_UID, TASK_GID, TASK_EUID, TASK_EGID,
	TASK_STATE,
	TASK_PRIORITY, TASK_STATIC_PRIORITY,
	TASK_CPU,
	TASK_START, TASK_USER_TIME, TASK_SYSTEM_TIME,
	TASK_MEMORY,			/* the address of its struct mm_struct; 0: a kernel thread has none; */
	TASK_EXE_FILE,			/* with one: the address of the file of the program that it runs, */
	TASK_ARGUMENTS, TASK_ARGUMENTS_END,	/* where its arguments are, one behind the other */
	TASK_FS,			/* the address of its struct fs_struct; 0: it exits; */
	TASK_ROOT, TASK_CWD,		/* with one: the addresses of its root's and working directory's struct path */
	TASK_TREE,			/* the root of the tree of tasks' numbers, of the first PID namespace; */
	/* if input 0 is a node of it: by how many bits the number is shifted, and the entry of slot that is input 1; if it is
	   an entry: the address of the link to the task with this number, which in a task at address 0 is TASK_LINK */
	TREE_SHIFT, TREE_SLOT, TREE_FIRST_TASK, TASK_LINK,
	TASK_SIGNAL,			/* the address of its struct signal_struct; 0: it has left its process; */
	TASK_LIMIT,			/* with one: its limit of the resource that is input 1 */
	TASK_GROUP, TASK_SESSION,	/* with numbers of its own: those of its process group and session */
	TASK_STACK, TASK_STACK_BYTES,	/* the address of its stack in the kernel, and how large that is */
	TASK_FILES,			/* the address of its struct files_struct; 0: it exits; */
	/* with one: how many descriptors its table has, the addresses of the bits of those in use, and of the file of
	   descriptor that is input 1 */
	TASK_DESCRIPTORS, TASK_DESCRIPTOR_BITS, TASK_FILE,
	/* if it has memory: pages of all mappings, of data and of stacks; pages that are there, of kind that is input 1; where
	   its program's code begins and ends */
	TASK_PAGES, TASK_DATA_PAGES, TASK_STACK_PAGES, TASK_RESIDENT, TASK_CODE, TASK_CODE_END,
	TASK_ENVIRONMENT, TASK_ENVIRONMENT_END,	/* if it has memory: where its environment is, as its arguments */
	TASK_RETURNS,			/* the address of what the kernel keeps of the innermost return probe that it is in; */
	/* if that is input 0: of the next outer one; where on the stack it is, and what return address was there */
	TASK_OUTER_RETURN, TASK_RETURN_AT, TASK_RETURN_TO,
	MACHINE_LOAD,			/* of no task: the load average that is input 0 */
	TASK_FACTS
};

typedef vec(const struct term *) term_list;

/* Returns a constant string. */
const struct term *term_text(const char *text);

/* Formats words and strings; FORMAT is canonical (runtime/text/format.h). */
const struct term *term_format(const char *format, const term_list *args);
const struct term *term_attempt(const struct term *string);
const struct term *term_enumerator(const struct term *input, const struct term_case *cases,
				   size_t n);

const struct term *term_write(const struct term *address, const struct term *value, unsigned size,
			      bool user);
const struct term *term_set_register(unsigned n, const struct term *value);

/* Sets 'nodes' and 'strings' of a term whose other members are set, as constructors do. */
void term_measure(struct term *t);

/* ---- questions --------------------------------------------------------- */

/*
 * Appends a text that is the same for equal terms only; T may be NULL.  Places whose
 * fetches have the same keys share a handler.
 */
void term_key(struct sbuf *out, const struct term *t);
bool term_equal(const struct term *a, const struct term *b);

/* Is it a number or string that is always the same? */
bool term_is_constant(const struct term *t);

/* Calls FN on every term of the tree, T first; T may be NULL. */
void term_walk(const struct term *t, void (*fn)(const struct term *t, void *arg), void *arg);

#endif
