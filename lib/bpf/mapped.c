// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tells of a page of the current process that is not there whether the kernel itself can bring it, as a module's
 * handler does (runtime/memory/bring.c): a handler that waited for a program or another machine would wait as long as
 * these like, and with it the end of the session and everybody else who probes the place.
 *
 * The kernel's bpf_find_vma() finds the page's mapping, and calls a function with it under the lock of the mappings; it
 * only tries the lock.  No page can be brought under the lock, so another thread can exchange the mapping
 * between the look and the wait, some hundred instructions later.
 */
#include <errno.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>

#include "abi/backing.h"
#include "gen.h"

/* The function's own part of its stack, below the saved registers: a name. */
enum { NAME_AT = -48, NAME_BYTES = 16 };

/*
 * How often the lock is tried: some milliseconds.  Nobody can sleep here for a bounded time, and its holder may itself
 * wait for a program.
 */
enum { TRIES_MOST = 1 << 14 };

/* Bits of a mapping's flags: it may be read, written or executed; it is a device's. */
enum { VMA_ACCESSIBLE = 7, VMA_DEVICES = 0x4400 };

/* Bits of a type's flags: it needs a disk, other than FUSE; it has subtypes, as FUSE has. */
enum { NEEDS_DISK = 1, HAS_SUBTYPES = 4 };

static const char *const own_types[] = { ST_OWN_TYPES };
static const char *const cluster_types[] = { ST_CLUSTER_TYPES };
static const char *const served_disks[] = { ST_SERVED_DISKS };

static const uint32_t of_memory[] = { TMPFS_MAGIC, RAMFS_MAGIC, HUGETLBFS_MAGIC };

#define N(list) (sizeof(list) / sizeof(*(list)))

/* Reads the name at r3: r1 and r2 are its first words, with zeroes behind its end.  Goes to NONE on a fault. */
static void put_name(struct gen *g, unsigned none)
{
	for (int at = NAME_AT; at < NAME_AT + NAME_BYTES; at += 8)
		code_store_number(g->c, BPF_DW, R10, at, 0);
	code_op_reg(g->c, BPF_MOV, R1, R10);
	code_op(g->c, BPF_ADD, R1, NAME_AT);
	code_number(g->c, R2, NAME_BYTES);
	code_helper(g->c, BPF_FUNC_probe_read_kernel_str);
	code_jump_if(g->c, BPF_JSLT, R0, 0, none);
	code_load(g->c, BPF_DW, R1, R10, NAME_AT);
	code_load(g->c, BPF_DW, R2, R10, NAME_AT + 8);
}

/* Returns a word with the first bytes of a name, which are all of it. */
static uint64_t word_of(const char *name)
{
	uint64_t word = 0;

	memcpy(&word, name, strnlen(name, ST_BACKING_NAME));
	return word;
}

/* Goes to FOUND if the name in r1 and r2 is one of the list, or begins with one if PREFIX. */
static void put_is_one_of(struct gen *g, const char *const *list, size_t n, bool prefix, unsigned found)
{
	unsigned other = code_label(g->c);

	if (!prefix)
		code_jump_if(g->c, BPF_JNE, R2, 0, other);
	for (size_t i = 0; i < n; i++) {
		unsigned beyond = prefix ? 64 - 8 * strlen(list[i]) : 0;

		code_op_reg(g->c, BPF_MOV, R3, R1);
		code_op(g->c, BPF_LSH, R3, beyond);
		code_number(g->c, R4, word_of(list[i]) << beyond);
		code_jump_if_reg(g->c, BPF_JEQ, R3, R4, found);
	}
	code_here(g->c, other);
}

/* Goes to COMES if the file system of r7, a superblock, is in memory. */
static void put_is_of_memory(struct gen *g, unsigned comes)
{
	code_load_member(g->c, R1, R7, SUPER_BLOCK_MAGIC);
	for (size_t i = 0; i < N(of_memory); i++) {
		code_number(g->c, R2, of_memory[i]);
		code_jump_if_reg(g->c, BPF_JEQ, R1, R2, comes);
	}
}

/* Goes to OTHER unless the file system of r7, of type r8 whose name r1 and r2 are, is on a disk of this machine. */
static void put_is_on_disk(struct gen *g, unsigned other)
{
	put_is_one_of(g, cluster_types, N(cluster_types), false, other);
	code_load_member(g->c, R1, R8, FILE_SYSTEM_FLAGS);
	code_op(g->c, BPF_AND, R1, NEEDS_DISK | HAS_SUBTYPES);
	code_jump_if(g->c, BPF_JNE, R1, NEEDS_DISK, other);
	code_load_member(g->c, R7, R7, SUPER_BLOCK_DEVICE);
	code_jump_if(g->c, BPF_JEQ, R7, 0, other);
	code_load_member(g->c, R7, R7, DEVICE_DISK);
	code_jump_if(g->c, BPF_JEQ, R7, 0, other);
	code_member_address(g->c, R3, R7, DISK_NAME);
	put_name(g, other);
	put_is_one_of(g, served_disks, N(served_disks), true, other);
}

/* Goes to COMES if the kernel brings the pages of r7, a mapped file, or else to OTHER. */
static void put_file_comes(struct gen *g, unsigned comes, unsigned other)
{
	code_load_member(g->c, R7, R7, FILE_INODE);
	code_jump_if(g->c, BPF_JEQ, R7, 0, other);
	code_load_member(g->c, R1, R7, INODE_MODE);
	code_op(g->c, BPF_AND, R1, S_IFMT);
	code_jump_if(g->c, BPF_JNE, R1, S_IFREG, other);
	code_load_member(g->c, R7, R7, INODE_SUPER_BLOCK);
	code_jump_if(g->c, BPF_JEQ, R7, 0, other);
	put_is_of_memory(g, comes);
	code_load_member(g->c, R8, R7, SUPER_BLOCK_TYPE);
	code_jump_if(g->c, BPF_JEQ, R8, 0, other);
	code_load_member(g->c, R3, R8, FILE_SYSTEM_NAME);
	put_name(g, other);
	put_is_one_of(g, own_types, N(own_types), false, comes);
	put_is_on_disk(g, other);
	code_jump(g->c, comes);
}

/* Goes to OTHER if r7, a mapping, is a device's, can't be accessed or has a userfaultfd. */
static void put_is_plain(struct gen *g, unsigned other)
{
	unsigned none = code_label(g->c);

	code_load_member(g->c, R1, R7, VMA_FLAGS);
	code_op_reg(g->c, BPF_MOV, R2, R1);
	code_op(g->c, BPF_AND, R2, VMA_ACCESSIBLE);
	code_jump_if(g->c, BPF_JEQ, R2, 0, other);
	code_op(g->c, BPF_AND, R1, VMA_DEVICES);
	code_jump_if(g->c, BPF_JNE, R1, 0, other);
	code_has_member(g->c, R1, VMA_USERFAULTFD);
	code_jump_if(g->c, BPF_JEQ, R1, 0, none);
	code_load_member(g->c, R1, R7, VMA_USERFAULTFD);
	code_jump_if(g->c, BPF_JNE, R1, 0, other);
	code_here(g->c, none);
}

/* Makes the function that is given a mapping in r2, and notes in the frame if its pages come. */
static unsigned put_mapping_function(struct gen *g)
{
	unsigned comes, other;
	struct function *outer;
	unsigned number = begin_callback(g, &outer, R3);

	comes = code_label(g->c);
	other = code_label(g->c);
	code_op_reg(g->c, BPF_MOV, R7, R2);
	put_is_plain(g, other);
	code_load_member(g->c, R1, R7, VMA_OPERATIONS);
	code_jump_if(g->c, BPF_JEQ, R1, 0, comes);	/* anonymous memory */
	code_load_member(g->c, R7, R7, VMA_FILE);
	code_jump_if(g->c, BPF_JEQ, R7, 0, comes);	/* special, like the vdso */
	put_file_comes(g, comes, other);
	code_here(g->c, comes);
	code_store_number(g->c, BPF_DW, R9, FRAME_COMES, 1);
	code_here(g->c, other);
	end_function(g, outer);
	return number;
}

/* Makes the function that looks for the mapping, a round of a loop, which ends when it got the lock. */
static unsigned put_look_function(struct gen *g)
{
	unsigned again, mapping;
	struct function *outer;
	unsigned number = begin_function(g, &outer);

	again = code_label(g->c);
	mapping = put_mapping_function(g);
	code_helper(g->c, BPF_FUNC_get_current_task_btf);
	code_op_reg(g->c, BPF_MOV, R1, R0);
	code_load(g->c, BPF_DW, R2, R9, FRAME_BROUGHT);
	code_function(g->c, R3, mapping);
	pass_registers(g, R4);
	code_number(g->c, R5, 0);
	code_helper(g->c, BPF_FUNC_find_vma);
	code_jump_if(g->c, BPF_JEQ, R0, -EBUSY, again);
	code_number(g->c, R0, 1);
	code_exit(g->c);
	code_here(g->c, again);
	end_function(g, outer);
	return number;
}

void put_comes(struct gen *g, unsigned other)
{
	if (g->looks_up)
		note_call(g, COMES_LEVELS);
	else
		g->looks_up = put_look_function(g);
	code_store(g->c, BPF_DW, R9, FRAME_BROUGHT, R3);
	code_store_number(g->c, BPF_DW, R9, FRAME_COMES, 0);
	put_rounds(g, g->looks_up, TRIES_MOST);
	code_load(g->c, BPF_DW, R0, R9, FRAME_COMES);
	code_jump_if(g->c, BPF_JEQ, R0, 0, other);
}
