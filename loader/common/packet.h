/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The head of each packet in the files of bulk mode (stapio/sinks/bulk.c).  stapio writes it; our stap-merge
 * and SystemTap 5's read it.  Before SystemTap 5 it had no magic word.
 */
#ifndef STAP_PACKET_H
#define STAP_PACKET_H

#include <stdint.h>

#define BULK_MAGIC 0xbaa99ff0u

/* In this machine's byte order. */
struct bulk_packet {
	uint32_t magic;		/* BULK_MAGIC */
	uint32_t number;	/* counts the packets of all files; wraps around to 0 */
	uint32_t bytes;		/* length of the text that follows */
};

#endif
