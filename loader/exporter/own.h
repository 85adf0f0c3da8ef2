/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The exporter's own metrics, stap_exporter_…: what became of each script, as a page of the text format.
 *
 *	size_t len;
 *	char *text = own_page(scripts, n, &len);	stap_exporter_script_up{script="reads.stp"} 1
 *	struct metrics_page page = { .text = text, .len = len, .own = true };
 */
#ifndef STAP_EXPORTER_OWN_H
#define STAP_EXPORTER_OWN_H

#include <stdbool.h>
#include <stddef.h>

struct own_script {
	const char *name;
	bool up;			/* it runs, and its page was read */
	unsigned int starts, ends;
	size_t series, left_out, bytes;	/* of its page */
	double seconds;			/* that reading it took */
};

/* Returns a page, allocated by malloc(), of *LEN bytes; NULL if there is no memory. */
char *own_page(const struct own_script *scripts, size_t n, size_t *len);

#endif
