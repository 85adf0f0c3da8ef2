// SPDX-License-Identifier: GPL-2.0-or-later
/* Tells which kernel addresses are memory, by the page tables. */
#include <linux/mm.h>
#include <linux/pgtable.h>
#include <linux/uaccess.h>

#include <asm/processor.h>

#include "arch/arch.h"

#define GET_ENTRY(entry, at) (!copy_from_kernel_nofault(&(entry), at, sizeof(entry)))

/*
 * Returns the flags of a page outside the direct map, where vmalloc() and ioremap() put theirs; 0
 * if there is none.  The kernel may free a page table while we look at it, and anything may be
 * there then, so it is read fault-safely.  The walk begins at the CPU's page table, not
 * current->active_mm's, which is NULL between two tasks.
 */
static unsigned long page_flags_at(unsigned long addr)
{
	pgd_t pgd;
	p4d_t p4d;
	pud_t pud;
	pmd_t pmd;
	pte_t pte;

	if (!GET_ENTRY(pgd, pgd_offset_pgd((pgd_t *)__va(read_cr3_pa()), addr)) || !pgd_present(pgd) ||
	    !GET_ENTRY(p4d, p4d_offset(&pgd, addr)) || !p4d_present(p4d) ||
	    !GET_ENTRY(pud, pud_offset(&p4d, addr)) || !pud_present(pud))
		return 0;
	if (pud_leaf(pud))
		return pud_flags(pud);
	if (!GET_ENTRY(pmd, pmd_offset(&pud, addr)) || !pmd_present(pmd))
		return 0;
	if (pmd_leaf(pmd))
		return pmd_flags(pmd);
	return GET_ENTRY(pte, pte_offset_kernel(&pmd, addr)) ? pte_flags(pte) : 0;
}

/* Is it a page of memory, which is cached, and not of a device's registers, which aren't? */
static bool is_cached_page(unsigned long addr)
{
	const unsigned long flags = _PAGE_PRESENT | _PAGE_PCD | _PAGE_PWT;

	return (page_flags_at(addr) & flags) == _PAGE_PRESENT;
}

bool st_arch_cached(unsigned long addr, unsigned int n)
{
	unsigned long i, pages = DIV_ROUND_UP((unsigned long)offset_in_page(addr) + n, PAGE_SIZE);

	for (i = 0; i < pages; i++)
		if (!is_cached_page(addr + i * PAGE_SIZE))
			return false;
	return true;
}
