// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads marks from their notes. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "debuginfo/dwarf/dwread.h"
#include "debuginfo/files/debugfiles.h"
#include "debuginfo/files/elf_file.h"
#include "debuginfo/internal.h"
#include "debuginfo/values/operand.h"
#include "debuginfo/values/tls.h"

#define NOTES ".note.stapsdt"
#define OWNER "stapsdt"
#define NOTE_TYPE 3
#define SEMAPHORE_SIZE 2

struct reader {
	struct elf_file file;
	bool has_base;
	uint64_t base;			/* address of .stapsdt.base */
	mark_list *out;
};

/* ---- notes ------------------------------------------------------------- */

/* Splits arguments at blanks, but not within "(%rax, %rcx)". */
static void split_arguments(const char *text, text_list *out)
{
	while (*(text += strspn(text, " \t"))) {
		const char *end = text;
		int depth = 0;

		for (; *end && (depth > 0 || !strchr(" \t", *end)); end++)
			depth += *end == '(' ? 1 : *end == ')' ? -1 : 0;
		vec_push(out, arena_strndup(text, end - text));
		text = end;
	}
}

/* Can it be printed in a probe point? */
static bool is_name(const char *text)
{
	if (!text || !*text)
		return false;
	for (; *text; text++)
		if ((unsigned char)*text <= ' ' || strchr("\"\\\x7f", *text))
			return false;
	return true;
}

/* Adds the mark that a note describes. */
static void read_mark(struct reader *r, struct cursor d)
{
	struct mark m = { .path = r->file.path, .word = r->file.word };
	uint64_t base, semaphore, moved;
	const char *arguments;

	m.addr = cur_u(&d, r->file.word);
	base = cur_u(&d, r->file.word);
	semaphore = cur_u(&d, r->file.word);
	m.provider = cur_string(&d);
	m.name = cur_string(&d);
	arguments = cur_string(&d);
	if (d.bad || !is_name(m.provider) || !is_name(m.name) || !arguments)
		return;
	moved = r->has_base && base ? r->base - base : 0;
	m.addr += moved;
	if (!elf_file_offset(&r->file, m.addr, 1, PF_X, &m.offset))
		return;
	if (semaphore && !elf_file_offset(&r->file, semaphore + moved, SEMAPHORE_SIZE, PF_W,
					  &m.semaphore))
		return;
	m.provider = intern(m.provider);
	m.name = intern(m.name);
	split_arguments(arguments, &m.operands);
	vec_push(r->out, m);
}

/* Skips N bytes of a note, and the padding behind them. */
static void skip_aligned(struct cursor *c, uint64_t n)
{
	uint64_t left;

	n = (n + 3) & ~3ull;
	left = c->end - c->p;
	cur_skip(c, n <= left || n - left > 3 ? n : left);	/* the last may end unaligned */
}

static void read_notes(struct reader *r, struct cursor c)
{
	while (c.p < c.end) {
		uint64_t name_size = cur_u(&c, 4), size = cur_u(&c, 4), type = cur_u(&c, 4);
		struct cursor name = c, description;

		skip_aligned(&c, name_size);
		description = c;
		skip_aligned(&c, size);
		if (c.bad)
			return;
		description.end = description.p + size;
		if (type == NOTE_TYPE && name_size == sizeof(OWNER) &&
		    !memcmp(name.p, OWNER, sizeof(OWNER)))
			read_mark(r, description);
	}
}

/* ---- files ------------------------------------------------------------- */

static int compare_marks(const void *a, const void *b)
{
	const struct mark *x = a, *y = b;
	int c = strcmp(x->provider, y->provider);

	if (!c)
		c = strcmp(x->name, y->name);
	return c ? c : x->addr < y->addr ? -1 : x->addr > y->addr;
}

/* Sorts the marks from FIRST on, and drops notes that say the same again. */
static void sort_marks(mark_list *marks, size_t first)
{
	size_t n = first;

	if (marks->n > first)
		qsort(marks->v + first, marks->n - first, sizeof(*marks->v), compare_marks);
	for (size_t i = first; i < marks->n; i++)
		if (i == first || compare_marks(&marks->v[i], &marks->v[n - 1]))
			marks->v[n++] = marks->v[i];
	marks->n = n;
}

bool target_marks(struct target *t, const char *path, mark_list *out, struct problem *why)
{
	struct reader r = { .out = out };
	size_t first = out->n;
	GElf_Shdr sh;
	Elf_Scn *scn = NULL;

	if (!elf_file_open(path, t->arch, &r.file, why))
		return false;
	r.file.path = intern(path);
	r.has_base = elf_file_section(&r.file, ".stapsdt.base", NULL, &sh);
	if (r.has_base)
		r.base = sh.sh_addr;
	while ((scn = elf_file_section(&r.file, NOTES, scn, &sh))) {
		Elf_Data *d = sh.sh_type == SHT_NOTE && elf_file_take(&r.file, &sh) ?
			      elf_rawdata(scn, NULL) : NULL;
		const unsigned char *p = d ? d->d_buf : NULL;

		if (p)
			read_notes(&r, (struct cursor){ p, p + d->d_size, false });
	}
	elf_file_close(&r.file);
	sort_marks(out, first);
	return true;
}

/* ---- arguments --------------------------------------------------------- */

/* Finds a symbol in the program, or in its separate debug file. */
static bool find_symbol(const struct elf_file *program, const struct arch *arch, const char *name,
			GElf_Sym *out, struct problem *why)
{
	struct problem ignored = { 0 };
	const char *debug;
	struct elf_file f;
	bool found;

	if (elf_file_symbol(program, name, out, why))
		return true;
	debug = separate_debug_file(program->path, &ignored);
	if (!debug || !elf_file_open(debug, arch, &f, &ignored))
		return false;
	found = elf_file_symbol(&f, name, out, why);
	elf_file_close(&f);
	return found;
}

/* Returns a thread-local symbol's address in the current thread; NULL with *WHY. */
static const struct term *thread_address(struct target *t, const char *path, const char *name,
					 uint64_t offset, struct problem *why)
{
	struct dwfile *f = target_file(t, path, why);
	const char *phrase;
	const struct term *address = f ? tls_address(f, term_number(offset), &phrase) : NULL;

	if (f && !address)
		why->text = arena_printf("'%s' %s", name, phrase);
	return address;
}

/* Returns the run-time address of the symbol that an operand names; NULL with *WHY. */
static const struct term *symbol_address_of(struct target *t, const struct mark *m,
					    const struct operand *o, struct problem *why)
{
	const struct term *address = NULL;
	struct elf_file f;
	GElf_Sym sym;

	if (!elf_file_open(m->path, t->arch, &f, why))
		return NULL;
	if (!find_symbol(&f, t->arch, o->symbol, &sym, why))
		;
	else if ((GELF_ST_TYPE(sym.st_info) == STT_TLS) != o->thread)
		why->text = arena_printf("'%s' is%s thread-local", o->symbol,
					 o->thread ? " not" : "");
	else if (o->thread)
		address = thread_address(t, m->path, o->symbol, sym.st_value, why);
	else if (f.is_relocated && sym.st_shndx != SHN_ABS)
		address = term_program(target_program(t, m->path), sym.st_value);
	else
		address = term_number(sym.st_value);
	elf_file_close(&f);
	return address;
}

const struct term *target_mark_argument(struct target *t, const struct mark *m, unsigned n,
					struct problem *why)
{
	const char *text = m->operands.v[n - 1];
	const struct term *symbol = NULL;
	struct problem reason = { 0 };
	struct operand o;

	if (operand_parse(text, t->arch, m->word, &o, &reason) &&
	    (!o.symbol || (symbol = symbol_address_of(t, m, &o, &reason))))
		return operand_term(&o, symbol);
	why->text = arena_printf("'$arg%u', '%s', can't be read: %s", n, text, reason.text);
	return NULL;
}
