// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes the type information of a program.
 *
 * Functions are "static int fN(void)", or "int fN(struct CONTEXT *, unsigned)" if they are verified alone, where
 * CONTEXT is what Linux 6.1 calls the type of such a program's context; its members don't matter.  A member of a
 * structure of the kernel's is told by a structure of the same name that has no other member, of its own for each
 * reference:
 *
 *	struct vm_area_struct { struct { void *ctx; } vm_userfaultfd_ctx; }	and the path "0:0:0"
 *
 * The kernel looks the names up in its own types, and puts what is asked of the member into the instruction.
 */
#include <linux/btf.h>
#include <string.h>

#include "base/arena.h"
#include "bpf/bpf.h"

enum { INT_TYPE = 1, PROTOTYPE, CONTEXT, CONTEXT_POINTER, PROTOTYPE_ALONE };

/* Members within each other, at most. */
enum { PATH_MOST = 2 };

static const struct member {
	const char *structure, *path[PATH_MOST];
	enum kind { A_POINTER, A_LONG, AN_INT, A_SHORT, AN_ARRAY } kind;
} members[] = {
	[VMA_FLAGS] = { "vm_area_struct", { "vm_flags" }, A_LONG },
	[VMA_OPERATIONS] = { "vm_area_struct", { "vm_ops" }, A_POINTER },
	[VMA_FILE] = { "vm_area_struct", { "vm_file" }, A_POINTER },
	[VMA_USERFAULTFD] = { "vm_area_struct", { "vm_userfaultfd_ctx", "ctx" }, A_POINTER },
	[FILE_INODE] = { "file", { "f_inode" }, A_POINTER },
	[INODE_MODE] = { "inode", { "i_mode" }, A_SHORT },
	[INODE_SUPER_BLOCK] = { "inode", { "i_sb" }, A_POINTER },
	[SUPER_BLOCK_MAGIC] = { "super_block", { "s_magic" }, A_LONG },
	[SUPER_BLOCK_DEVICE] = { "super_block", { "s_bdev" }, A_POINTER },
	[SUPER_BLOCK_TYPE] = { "super_block", { "s_type" }, A_POINTER },
	[FILE_SYSTEM_NAME] = { "file_system_type", { "name" }, A_POINTER },
	[FILE_SYSTEM_FLAGS] = { "file_system_type", { "fs_flags" }, AN_INT },
	[DEVICE_DISK] = { "block_device", { "bd_disk" }, A_POINTER },
	[DISK_NAME] = { "gendisk", { "disk_name" }, AN_ARRAY },
	[TASK_THREAD_BASE] = { "task_struct", { "thread", "fsbase" }, A_LONG },
	[TASK_COMM] = { "task_struct", { "comm" }, AN_ARRAY },
};

/* A program's type follows from how it is attached (loader/stapio/bpf/system.c). */
static const char *context(enum ir_attach attach)
{
	switch (attach) {
	case IR_AT_TRACEPOINT:
		return "bpf_raw_tracepoint_args";
	case IR_AT_EVENT:
		return "bpf_perf_event_data";
	default:
		return "bpf_user_pt_regs_t";
	}
}

static const unsigned sizes[] = { [A_POINTER] = 8, [A_LONG] = 8, [AN_INT] = 4, [A_SHORT] = 2, [AN_ARRAY] = 4 };

unsigned bpf_member_size(enum code_member m)
{
	static const unsigned codes[] = { [2] = BPF_H, [4] = BPF_W, [8] = BPF_DW };

	return codes[sizes[members[m].kind]];
}

/* The types in the making, and their number. */
struct types {
	struct sbuf out, names;
	unsigned n;
};

static void put(struct sbuf *out, const void *p, size_t n)
{
	sbuf_add(out, p, n);
}

/* Returns where the name is, among the names; 0 for "". */
static uint32_t put_name(struct types *t, const char *name)
{
	uint32_t at = *name ? t->names.len : 0;

	if (at)
		sbuf_add(&t->names, name, strlen(name) + 1);
	return at;
}

/* Returns the type's number. */
static uint32_t put_type(struct types *t, uint32_t name, unsigned kind, unsigned members, uint32_t type_or_size)
{
	const struct btf_type type = { .name_off = name, .info = kind << 24 | members, .size = type_or_size };

	put(&t->out, &type, sizeof(type));
	return ++t->n;
}

static uint32_t put_int(struct types *t, const char *name, unsigned bytes, uint32_t encoding)
{
	const uint32_t format = encoding << 24 | 8 * bytes;
	uint32_t type = put_type(t, put_name(t, name), BTF_KIND_INT, 0, bytes);

	put(&t->out, &format, sizeof(format));
	return type;
}

static uint32_t put_array(struct types *t)
{
	const struct btf_array array = { .type = INT_TYPE, .index_type = INT_TYPE, .nelems = 1 };
	uint32_t type = put_type(t, 0, BTF_KIND_ARRAY, 0, 0);

	put(&t->out, &array, sizeof(array));
	return type;
}

static uint32_t put_kind(struct types *t, enum kind kind)
{
	switch (kind) {
	case A_POINTER:
		return put_type(t, 0, BTF_KIND_PTR, 0, 0);
	case AN_ARRAY:
		return put_array(t);
	default:
		return put_int(t, "word", sizes[kind], 0);
	}
}

/* Returns a structure, without a name if that is "", with one member. */
static uint32_t put_structure(struct types *t, const char *name, const char *member, uint32_t type, unsigned bytes)
{
	const struct btf_member m = { .name_off = put_name(t, member), .type = type };
	uint32_t structure = put_type(t, put_name(t, name), BTF_KIND_STRUCT, 1, bytes);

	put(&t->out, &m, sizeof(m));
	return structure;
}

static struct bpf_core_relo put_reference(struct types *t, const struct code_reference *r)
{
	const struct member *m = &members[r->member];
	uint32_t type = put_kind(t, m->kind);
	struct bpf_core_relo relo = {
		.insn_off = r->at * sizeof(struct bpf_insn), .kind = r->asks,
		.access_str_off = put_name(t, m->path[1] ? "0:0:0" : "0:0"),
	};

	for (unsigned i = PATH_MOST; i-- > 0;)
		if (m->path[i])
			type = put_structure(t, i ? "" : m->structure, m->path[i], type, sizes[m->kind]);
	relo.type_id = type;
	return relo;
}

/* The types from INT_TYPE to PROTOTYPE_ALONE. */
static void put_prototypes(struct types *t, const struct bpf_program *p)
{
	const struct btf_param params[] = {
		{ .name_off = put_name(t, "context"), .type = p->context_free ? INT_TYPE : CONTEXT_POINTER },
		{ .name_off = put_name(t, "frame"), .type = INT_TYPE },
	};

	put_int(t, "int", 4, BTF_INT_SIGNED);
	put_type(t, 0, BTF_KIND_FUNC_PROTO, 0, INT_TYPE);
	put_type(t, put_name(t, context(p->attach)), BTF_KIND_STRUCT, 0, 0);
	put_type(t, 0, BTF_KIND_PTR, 0, CONTEXT);
	put_type(t, 0, BTF_KIND_FUNC_PROTO, 2, INT_TYPE);
	put(&t->out, params, sizeof(params));
}

static void put_function(struct types *t, size_t i, bool alone)
{
	put_type(t, put_name(t, arena_printf("f%zu", i)), BTF_KIND_FUNC, alone ? BTF_FUNC_GLOBAL : BTF_FUNC_STATIC,
		 alone ? PROTOTYPE_ALONE : PROTOTYPE);
}

struct bpf_core_relo *bpf_types(struct sbuf *out, const struct bpf_program *p)
{
	struct bpf_core_relo *references = arena_alloc((p->references.n + 1) * sizeof(*references));
	struct btf_header h = { .magic = BTF_MAGIC, .version = BTF_VERSION, .hdr_len = sizeof(h) };
	struct types t = { .n = 0 };

	sbuf_putc(&t.names, '\0');
	put_prototypes(&t, p);
	for (size_t i = 0; i < p->functions.n; i++)
		put_function(&t, i, p->functions.v[i].alone);
	for (size_t i = 0; i < p->references.n; i++)
		references[i] = put_reference(&t, &p->references.v[i]);
	h.type_len = t.out.len;
	h.str_off = t.out.len;
	h.str_len = t.names.len;
	put(out, &h, sizeof(h));
	put(out, t.out.s, t.out.len);
	put(out, t.names.s, t.names.len);
	sbuf_free(&t.out);
	sbuf_free(&t.names);
	return references;
}
