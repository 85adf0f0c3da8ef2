/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What precedes each text in the files of bulk mode (stapio/bulk.h): written by stapio, read by
 * stap-merge, as by SystemTap 5's.  Before SystemTap 5 there was no magic word.
 */
#ifndef STAP_PACKET_H
#define STAP_PACKET_H

#include <stdint.h>

#define BULK_MAGIC 0xbaa99ff0u

struct bulk_packet {
	uint32_t magic;		/* BULK_MAGIC */
	uint32_t number;	/* of the packet, among those of all files; after the last comes 0 */
	uint32_t bytes;		/* of the text that follows */
};

#endif
