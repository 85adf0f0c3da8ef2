/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bulk mode (stap -b): the output of each CPU goes to a file of its own, BASE0, BASE1 and so on.
 * A file consists of packets; a packet is a struct bulk_packet and the text that one handler
 * printed.  Packets are numbered across all files, in order of time, so that stap-merge(1) can
 * merge the files.  SystemTap's files have the same format.
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
 * Opens a file for each of the machine's CPUs, with the names and limits of FILES.  RENDER writes
 * to TEXT, which has no file of its own; TEXT's 'error' is set when a CPU's file can't be written.
 * Returns NULL after a message.
 */
struct bulk *bulk_new(const struct output_files *files, struct render *render,
		      struct output *text);
void bulk_free(struct bulk *b);

/* Formats a piece's items and adds the packet to its CPU's file (a records_emit). */
int bulk_items(void *bulk, const struct records_origin *from, const unsigned char *body,
	       size_t bytes);

void bulk_flush(struct bulk *b);

/* Calls output_settle() for each file. */
void bulk_settle(struct bulk *b);

#endif
