// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The rings' memory, and what was lost in them.
 *
 * The pages of a ring are mapped twice in a row, so no record is ever split.
 */
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/vmalloc.h>

#include "port/port.h"
#include "core/report.h"
#include "ring.h"

/* By default, all rings together take 1/16 of memory, each 16 MB at most. */
#define ST_RING_MAX_MB 16
#define ST_MEMORY_FRACTION 16

struct st_ring __percpu *st_rings __read_mostly;

unsigned long st_buffer_mb;
unsigned long st_ring_bytes;
int st_waiting;
bool st_overwrite;
static DEFINE_MUTEX(st_ring_memory);

unsigned long st_lost(void)
{
	unsigned long lost = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		lost += READ_ONCE(per_cpu_ptr(st_rings, cpu)->lost);
	return lost;
}

unsigned long st_overwritten(void)
{
	unsigned long overwritten = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		overwritten += READ_ONCE(per_cpu_ptr(st_rings, cpu)->overwritten);
	return overwritten;
}

int st_rings_create(void)
{
	st_rings = alloc_percpu(struct st_ring);
	return st_rings ? 0 : -ENOMEM;
}

void st_rings_destroy(void)
{
	free_percpu(st_rings);
}

static void ring_free(struct st_ring *r)
{
	unsigned long i, n = r->size >> PAGE_SHIFT;

	if (r->data)
		vunmap(r->data);
	for (i = 0; r->pages && i < n && r->pages[i]; i++)
		__free_page(r->pages[i]);
	kvfree(r->pages);
	memset(r, 0, sizeof(*r));
}

/*
 * Allocates a CPU's ring.  The CPU may be writing already, and finds no room until the size is
 * stored, last.
 */
static int ring_alloc(int cpu)
{
	struct st_ring *r = per_cpu_ptr(st_rings, cpu);
	unsigned long i, n = st_ring_bytes >> PAGE_SHIFT;
	/* While a CPU is offline, its node may be too. */
	int node = cpu_online(cpu) ? cpu_to_node(cpu) : NUMA_NO_NODE;
	struct page **pages;
	char *data = NULL;

	pages = kvcalloc(2 * n, sizeof(*pages), GFP_KERNEL);
	if (!pages)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		pages[i] = alloc_pages_node(node,
					    GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN |
					    __GFP_NORETRY, 0);
		if (!pages[i])
			break;
		pages[n + i] = pages[i];
	}
	if (i == n)
		data = vmap(pages, 2 * n, VM_MAP, PAGE_KERNEL);
	if (!data) {
		while (i--)
			__free_page(pages[i]);
		kvfree(pages);
		return -ENOMEM;
	}
	r->pages = pages;
	r->data = data;
	smp_store_release(&r->size, st_ring_bytes);
	return 0;
}

/* Is there room for the rings of N more CPUs? */
static bool rings_fit(unsigned int n)
{
	return (u64)n * st_ring_bytes <= st_data_room();
}

static unsigned long default_mb(void)
{
	unsigned long mb = (totalram_pages() >> (20 - PAGE_SHIFT)) / ST_MEMORY_FRACTION /
			   num_present_cpus();

	return clamp(mb, 1ul, (unsigned long)ST_RING_MAX_MB);
}

int st_rings_alloc(void)
{
	unsigned long mb = st_buffer_mb ?: default_mb();
	int cpu, err;

	mutex_lock(&st_ring_memory);
	st_ring_bytes = rounddown_pow_of_two(mb) << 20;
	err = rings_fit(num_present_cpus()) ? 0 : -ENOMEM;
	for_each_present_cpu(cpu)
		if (!err)
			err = ring_alloc(cpu);
	mutex_unlock(&st_ring_memory);
	if (!err)
		return 0;
	st_rings_free();
	return st_fail(err, "no memory for %lu MB of output buffers a CPU "
		       "(make them smaller with -s)", mb);
}

void st_rings_free(void)
{
	int cpu;

	mutex_lock(&st_ring_memory);
	for_each_possible_cpu(cpu)
		ring_free(per_cpu_ptr(st_rings, cpu));
	st_ring_bytes = 0;
	mutex_unlock(&st_ring_memory);
}

void st_rings_add(void)
{
	int cpu;

	mutex_lock(&st_ring_memory);
	for_each_present_cpu(cpu)
		if (st_ring_bytes && !per_cpu_ptr(st_rings, cpu)->data && rings_fit(1))
			ring_alloc(cpu);
	mutex_unlock(&st_ring_memory);
}

void st_rings_lock(void)
{
	mutex_lock(&st_ring_memory);
}

void st_rings_unlock(void)
{
	mutex_unlock(&st_ring_memory);
}
