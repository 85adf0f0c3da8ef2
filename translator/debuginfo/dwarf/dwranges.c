// SPDX-License-Identifier: GPL-2.0-or-later
/* The address ranges of a DIE's code: DW_AT_low_pc and DW_AT_high_pc, or a list. */
#include <dwarf.h>

#include "dwread.h"

typedef bool (*range_fn)(void *arg, uint64_t low, uint64_t high);

/* Reads .debug_ranges, DWARF 2 to 4: pairs of addresses relative to a base. */
static bool old_ranges(const struct cu *cu, uint64_t off, range_fn fn, void *arg)
{
	struct cursor c = sect_at(&cu->sects->ranges, off);
	uint64_t max = cu->addr_size == 8 ? ~(uint64_t)0 : 0xffffffff;
	uint64_t base = cu->low_pc;

	for (;;) {
		uint64_t low = cur_u(&c, cu->addr_size), high = cur_u(&c, cu->addr_size);

		if (c.bad)
			return false;
		if (!low && !high)
			return true;
		if (low == max)
			base = high;
		else if (!fn(arg, base + low, base + high))
			return true;
	}
}

static bool rnglist_address(const struct cu *cu, struct cursor *c, uint64_t *out)
{
	bool bad = false;

	*out = sect_entry(&cu->sects->addr, cu->addr_base, cur_uleb(c), cu->addr_size, &bad);
	return !bad;
}

/* Reads .debug_rnglists, DWARF 5. */
static bool new_ranges(const struct cu *cu, uint64_t off, range_fn fn, void *arg)
{
	struct cursor c = sect_at(&cu->sects->rnglists, off);
	uint64_t base = cu->low_pc, low = 0, high = 0;

	for (;;) {
		unsigned kind = cur_u(&c, 1);

		if (c.bad)
			return false;
		switch (kind) {
		case DW_RLE_end_of_list:
			return true;
		case DW_RLE_base_addressx:
			if (!rnglist_address(cu, &c, &base))
				return false;
			continue;
		case DW_RLE_base_address:
			base = cur_u(&c, cu->addr_size);
			continue;
		case DW_RLE_startx_endx:
			if (!rnglist_address(cu, &c, &low) || !rnglist_address(cu, &c, &high))
				return false;
			break;
		case DW_RLE_startx_length:
			if (!rnglist_address(cu, &c, &low))
				return false;
			high = low + cur_uleb(&c);
			break;
		case DW_RLE_offset_pair:
			low = base + cur_uleb(&c);
			high = base + cur_uleb(&c);
			break;
		case DW_RLE_start_end:
			low = cur_u(&c, cu->addr_size);
			high = cur_u(&c, cu->addr_size);
			break;
		case DW_RLE_start_length:
			low = cur_u(&c, cu->addr_size);
			high = low + cur_uleb(&c);
			break;
		default:
			return false;
		}
		if (c.bad)
			return false;
		if (!fn(arg, low, high))
			return true;
	}
}

bool die_ranges(const struct cu *cu, const struct die *d, range_fn fn, void *arg)
{
	uint64_t off = d->ranges;
	bool bad = false;

	if (d->has_low && d->has_high) {
		fn(arg, d->low, d->high_is_size ? d->low + d->high : d->high);
		return true;
	}
	if (!d->has_ranges)
		return false;
	if (cu->version < 5)
		return old_ranges(cu, off, fn, arg);
	if (d->ranges_indexed)
		off = cu->rnglists_base + sect_entry(&cu->sects->rnglists, cu->rnglists_base,
						      off, cu->off_size, &bad);
	return !bad && new_ranges(cu, off, fn, arg);
}

struct first_range {
	bool found;
	uint64_t low;
};

static bool keep_first(void *arg, uint64_t low, uint64_t high)
{
	struct first_range *f = arg;

	if (low == high)
		return true;
	f->found = true;
	f->low = low;
	return false;
}

bool die_entry(const struct cu *cu, const struct die *d, uint64_t *entry)
{
	struct first_range f = { 0 };

	if (d->has_entry && !d->entry_is_offset) {
		*entry = d->entry;
		return true;
	}
	if (d->has_low) {
		*entry = d->low;
	} else {
		if (!die_ranges(cu, d, keep_first, &f) || !f.found)
			return false;
		*entry = f.low;
	}
	if (d->has_entry)
		*entry += d->entry;
	return true;
}

struct cover {
	uint64_t pc;
	bool found;
};

static bool is_in_range(void *arg, uint64_t low, uint64_t high)
{
	struct cover *c = arg;

	c->found = c->pc >= low && c->pc < high;
	return !c->found;
}

bool die_covers(const struct cu *cu, const struct die *d, uint64_t pc)
{
	struct cover c = { .pc = pc };

	die_ranges(cu, d, is_in_range, &c);
	return c.found;
}
