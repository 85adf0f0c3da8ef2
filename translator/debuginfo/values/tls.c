// SPDX-License-Identifier: GPL-2.0-or-later
/* Addresses of thread-local variables, from what linkers leave in a program. */
#include "tls.h"

#include "base/arena.h"

/* Finds the segment of the file's initial thread-local block, if it has one. */
static bool find_block(Elf *elf, GElf_Phdr *out)
{
	size_t n;

	if (elf_getphdrnum(elf, &n))
		return false;
	for (size_t i = 0; i < n; i++)
		if (gelf_getphdr(elf, i, out) && out->p_type == PT_TLS)
			return true;
	return false;
}

/* Is it a program, rather than a library? */
static bool is_executable(Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Ehdr eh;
	GElf_Phdr ph;
	GElf_Shdr sh;
	GElf_Dyn dyn;
	size_t n;

	if (gelf_getehdr(elf, &eh) && eh.e_type == ET_EXEC)
		return true;
	for (size_t i = 0; !elf_getphdrnum(elf, &n) && i < n; i++)
		if (gelf_getphdr(elf, i, &ph) && ph.p_type == PT_INTERP)
			return true;
	while ((scn = elf_nextscn(elf, scn))) {
		Elf_Data *data = gelf_getshdr(scn, &sh) && sh.sh_type == SHT_DYNAMIC
				 ? elf_getdata(scn, NULL) : NULL;

		for (int i = 0; data && gelf_getdyn(data, i, &dyn); i++)
			if (dyn.d_tag == DT_FLAGS_1)
				return dyn.d_un.d_val & DF_1_PIE;
	}
	return false;
}

static const struct term *thread_pointer(void)
{
	return term_call(TERM_THREAD_POINTER, NULL, NULL);
}

static const struct term *read_word(const struct dwfile *f, const struct term *address)
{
	return term_read(address, f->arch->word, true);
}

/* ---- libraries --------------------------------------------------------- */

/* A word that the dynamic linker has filled in for a thread-local symbol. */
struct tls_word {
	uint64_t address;
	bool module;			/* it is the module's number; else a distance from the thread
					   pointer, */
	uint64_t offset;		/* the variable's offset in the block */
};

/* Does a relocation fill in such a word?  Its symbol must be the file's own. */
static bool take_relocation(const struct dwfile *f, Elf_Data *symbols, const GElf_Rela *rela,
			    struct tls_word *out)
{
	unsigned type = GELF_R_TYPE(rela->r_info);
	GElf_Sym sym = { .st_shndx = SHN_ABS };

	if (type != f->arch->tls_module && type != f->arch->tls_distance)
		return false;
	if (GELF_R_SYM(rela->r_info) &&
	    (!symbols || !gelf_getsym(symbols, GELF_R_SYM(rela->r_info), &sym) ||
	     sym.st_shndx == SHN_UNDEF))
		return false;
	*out = (struct tls_word){ rela->r_offset, type == f->arch->tls_module,
				  sym.st_value + rela->r_addend };
	return true;
}

static bool find_word(const struct dwfile *f, Elf *elf, struct tls_word *out)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr sh;
	GElf_Rela rela;

	while ((scn = elf_nextscn(elf, scn))) {
		Elf_Data *data = gelf_getshdr(scn, &sh) && sh.sh_type == SHT_RELA &&
				 (sh.sh_flags & SHF_ALLOC) ? elf_getdata(scn, NULL) : NULL;
		Elf_Scn *table = data ? elf_getscn(elf, sh.sh_link) : NULL;
		Elf_Data *symbols = table ? elf_getdata(table, NULL) : NULL;

		for (int i = 0; data && gelf_getrela(data, i, &rela); i++)
			if (take_relocation(f, symbols, &rela, out))
				return true;
	}
	return false;
}

/*
 * Returns the address of a module's block, from the thread's vector of blocks, to which the thread
 * pointer leads. Each entry is two words, the first of which is the address.
 */
static const struct term *block_of_module(const struct dwfile *f, const struct term *number)
{
	unsigned word = f->arch->word;
	const struct term *vector = read_word(f, term_plus(thread_pointer(), word));

	return read_word(f, term_binary(WORD_ADD, vector,
					term_binary(WORD_MUL, number, term_number(2 * word))));
}

static const struct term *library_block(struct dwfile *f, Elf *elf)
{
	const struct term *word;
	struct tls_word w;

	if (!find_word(f, elf, &w))
		return NULL;
	word = read_word(f, term_program(target_program(f->target, f->module), w.address));
	if (w.module)
		return block_of_module(f, word);
	return term_binary(WORD_SUB, term_binary(WORD_ADD, thread_pointer(), word),
			   term_number(w.offset));
}

const struct term *tls_address(struct dwfile *f, const struct term *offset, const char **why)
{
	Elf *elf = f->own ? f->own : f->elf;
	const struct term *block;
	GElf_Phdr ph;
	uint64_t size;

	*why = "is a thread-local variable, in a place that can't be found";
	if (!f->is_program || !f->arch->tls_module || !find_block(elf, &ph))
		return NULL;
	if (is_executable(elf)) {
		size = ph.p_align > 1 ? (ph.p_memsz + ph.p_align - 1) / ph.p_align * ph.p_align
				      : ph.p_memsz;
		block = term_binary(WORD_SUB, thread_pointer(), term_number(size));
	} else {
		block = library_block(f, elf);
	}
	return block ? term_binary(WORD_ADD, block, offset) : NULL;
}
