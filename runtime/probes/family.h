/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A family of probes: one kind of place, one file in probes/.
 *
 * The generated module has a table of descriptors for each family that the script uses
 * (st_program.tables).  session/families.c calls the family's functions, all in process
 * context:
 *
 *	prepare(items, n)	allocates for the script's n descriptors
 *	arm()			begins delivering hits
 *	started()		everything is armed, and handlers run from now on
 *	refresh()		arms and disarms the places whose st_wanted() changed
 *	disarm()		ends it; returns when no handler of the family is running
 *	missed()		how many hits the kernel could not deliver so far
 *	show(m, n)		writes of the n-th place, unless it isn't armed; false: there are
 *				fewer places
 *	release()		undoes prepare()
 *
 * prepare() and arm() return 0, or -errno with st_message set; after a failed one,
 * release() or disarm() is called all the same.  started(), refresh(), missed() and show() may be
 * NULL: st_enter() turns away hits of places without refresh() whose condition doesn't hold, and
 * of a family without show() all places are armed.
 */
#ifndef STAP_FAMILY_H
#define STAP_FAMILY_H

#include "abi/stap_script.h"
#include "abi/families.h"

struct seq_file;

/* A family's functions, as said above; a constant. */
struct st_family {
	const char *name;
	int (*prepare)(const void *items, unsigned int n);
	int (*arm)(void);
	void (*started)(void);
	void (*refresh)(void);
	void (*disarm)(void);
	void (*release)(void);
	unsigned long (*missed)(void);
	bool (*show)(struct seq_file *m, unsigned int n);
};

/*
 * Writes a record of .places (abi/transport.h): HOW the place is attached, in what STATE it is,
 * and the format's text says where.
 */
void st_show_place(struct seq_file *m, const struct st_point *point, const char *how,
		   const char *state, const char *fmt, ...) __printf(5, 6);

/* st_begin_family, st_code_family, … */
#define ST_DECLARE_FAMILY(name) extern const struct st_family st_##name##_family;
#define ST_NO_FAMILY(name)
ST_FAMILIES(ST_DECLARE_FAMILY, ST_NO_FAMILY)

#endif
