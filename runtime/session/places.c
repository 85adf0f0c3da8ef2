// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The file .places (abi/transport.h).
 *
 * A position in it is a part and a number there: the probes are part 0, the places of the families
 * the parts behind it.  Each read(2) holds the lock that arming and disarming take, and copies to
 * user space without it.  So what one read gives was true at one time; between two of them places
 * may come and go.
 */
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/proc_fs.h>
#include <linux/seq_file.h>

#include "handler/hits.h"
#include "probes/family.h"
#include "families.h"
#include "places.h"

#define ST_PART_BITS 32

static void show_text(struct seq_file *m, const char *text)
{
	seq_puts(m, text);
	seq_putc(m, '\0');
}

void st_show_place(struct seq_file *m, const struct st_point *point, const char *how,
		   const char *state, const char *fmt, ...)
{
	va_list args;

	show_text(m, "place");
	seq_printf(m, "%u%c", point->probe->index, '\0');
	show_text(m, how);
	show_text(m, state);
	va_start(args, fmt);
	seq_vprintf(m, fmt, args);
	va_end(args);
	seq_putc(m, '\0');
	show_text(m, point->pn);
	show_text(m, point->pp);
}

static bool show_probe(struct seq_file *m, unsigned int n)
{
	if (n >= st_program.nprobes)
		return false;
	show_text(m, "probe");
	seq_printf(m, "%u%c%lu%c", st_program.probes[n]->index, '\0',
		   st_hits_of(st_program.probes[n]), '\0');
	show_text(m, st_program.probes[n]->where);
	return true;
}

/* m->private becomes what follows in the part: NULL at its end. */
static int places_show(struct seq_file *m, void *v)
{
	loff_t at = *(loff_t *)v;
	unsigned int part = at >> ST_PART_BITS, n = at;
	bool more = part ? st_families_show(m, part - 1, n) : show_probe(m, n);

	m->private = more ? m : NULL;
	return 0;
}

static void *places_start(struct seq_file *m, loff_t *at)
{
	if (!st_families_lock())
		return ERR_PTR(-EBUSY);
	return *at >> ST_PART_BITS <= st_families_armed() && st_families_armed() ? at : NULL;
}

static void *places_next(struct seq_file *m, void *v, loff_t *at)
{
	if (m->private)
		++*at;
	else
		*at = ((*at >> ST_PART_BITS) + 1) << ST_PART_BITS;
	return *at >> ST_PART_BITS <= st_families_armed() ? at : NULL;
}

static void places_stop(struct seq_file *m, void *v)
{
	if (!IS_ERR(v))
		st_families_unlock();
}

static const struct seq_operations st_places_seq = {
	.start = places_start,
	.next = places_next,
	.stop = places_stop,
	.show = places_show,
};

/* Opens .places, for readers that may see the kernel's addresses, which it has. */
static int places_open(struct inode *inode, struct file *file)
{
	return capable(CAP_SYS_MODULE) ? seq_open(file, &st_places_seq) : -EPERM;
}

const struct proc_ops st_places_ops = {
	.proc_open = places_open,
	.proc_read = seq_read,
	.proc_lseek = seq_lseek,
	.proc_release = seq_release,
};
