/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of file systems and disks by which both engines tell whether the kernel itself can bring a mapped
 * file's pages (memory/bring.h, lib/bpf/mapped.c), or a program or another machine has to.
 *
 *	static const char *const types[] = { ST_OWN_TYPES };
 */
#ifndef STAP_BACKING_H
#define STAP_BACKING_H

/* File systems of the machine itself that aren't on one block device. */
#define ST_OWN_TYPES "bcachefs", "btrfs", "jffs2", "ubifs", "virtiofs", "zfs"

/* File systems on a block device that wait for other machines. */
#define ST_CLUSTER_TYPES "gfs2", "ocfs2"

/* Names of disks with a server, as far as their numbers. */
#define ST_SERVED_DISKS "drbd", "etherd", "loop", "nbd", "rbd", "ublkb"

/* The longest of these names. */
#define ST_BACKING_NAME 8

#endif
