/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bulk mode (stap -b): the output of each processor goes to a file of its own, BASE0, BASE1 and so
 * on.  A file consists of packets, each of which is one output of a handler: a struct bulk_packet
 * and its text.  Numbers count packets of all files, in the order of time; stap-merge(1) puts the
 * files together by them.  SystemTap's files are the same.
 *
 *	stpd_cpu0:  1 "read\n"             3 "read\n"
 *	stpd_cpu1:             2 "write\n"
 */
#ifndef STAP_BULK_H
#define STAP_BULK_H

#include <stddef.h>
#include <stdint.h>

#include "common/packet.h"

struct bulk;
struct output;
struct output_files;
struct records_origin;
struct render;

/*
 * Opens a file for each of the machine's processors; FILES says their names and limits.  RENDER
 * writes to TEXT, which has no file of its own; its 'error' is set when a file can't be written.
 * NULL after a message.
 */
struct bulk *bulk_new(const struct output_files *files, struct render *render,
		      struct output *text);
void bulk_free(struct bulk *b);

/* A records_emit: formats the items and adds the packet to the CPU's file. */
int bulk_items(void *bulk, const struct records_origin *from, const unsigned char *body,
	       size_t bytes);

void bulk_flush(struct bulk *b);

/* output_settle() for each file. */
void bulk_settle(struct bulk *b);

#endif
