/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What passes between the runtime and the loader.  Shared by both.
 *
 * A loaded module NAME has a directory /proc/systemtap/NAME/ with these files, to be
 * opened with CAP_SYS_MODULE alone; those of the script's procfs probes lie beside them.
 * None can be polled, and none keeps the module: whoever has one open when it is removed
 * gets EIO.
 *
 *   .control  Writing one command per write(2); the call returns when it is
 *             done, or -errno:
 *               "base I ADDRESS"    address of st_program.bases[I] (hex), 0: its
 *                                   module is not loaded
 *               "base I ADDRESS kprobes"  … of a symbol that is not on the kernel's
 *                                   list of what kprobes may not touch
 *               "set NAME=VALUE"    a scalar global, before start (-G)
 *               "target PID"        target(), before start
 *               "zone SECONDS NAME" the time zone, west of UTC, before start
 *               "buffer MB"         per-CPU buffer size, before start (-s)
 *               "start"             allocates, runs begin probes, arms
 *               "stop"              disarms, runs end (error) probes, closes the
 *                                   trace: once; a second is a no-op
 *               "detach"            goes on without anybody: closing the files
 *                                 stops nothing, the newest output is kept
 *               "attach"            takes that back; EBUSY where somebody has it
 *               "notify FD"         the writer's eventfd is told when the state becomes
 *                                   exiting; only the last one given
 *             What comes before start fails with EBUSY after it, with ECANCELED
 *             after stop (whoever started this was told to end in the meantime).
 *             A failed command's message is what the next read gives.
 *             Reading gives lines: first, after a failed command, its message
 *             ("error TEXT"); else the state as "state S" with S one of
 *             loaded, running, exiting (exit() or an error: "stop" is wanted),
 *             stopped; then counters as "NAME VALUE" lines: errors, skipped,
 *             lost (records), and what else the end report needs; ftrace,
 *             kprobes, kretprobes: how many places are probed each way from the
 *             start; late: how many were in modules that were loaded later, each time;
 *             overwritten: outputs given up while nobody read; detached: 0 or 1;
 *             loader: the process that inserted the module or attached to it last;
 *             dead: 1 when the module was left behind by a loader and can be removed.
 *             When the last descriptor for writing is closed while running, the runtime
 *             disarms everything by itself (a killed loader), and has the module
 *             removed where staprun inserted it.
 *
 *   .bases    One line a base the script needs: "I MODULE SECTION [ID]", with the
 *             build-id the module must have if that is known, or "I MODULE =NAME"
 *             for a symbol of the kernel or the module, whose address the loader
 *             knows (/proc/kallsyms).
 *
 *   .formats  The canonical formats (format.h), each ended by a NUL.
 *
 *   .trace    The records, each CPU's in a ring.  read(2) gives a batch: struct
 *             st_batch, then for each CPU that has records not yet taken a struct
 *             st_chunk that says where in its ring they lie.  The rings are for
 *             mmap(2), read only: CPU's, of size bytes, at offset 2 * size * CPU,
 *             twice in a row, so that what goes over its end need not be split.
 *             write(2) of struct st_taken's gives the room of what was taken back.
 *             What is not taken comes again, with a later bound.  read(2) blocks
 *             until there is something; 0 at the end: stopped, and all is taken.
 *             One reader.
 *
 * Time order.  A record's time is taken when it is committed.  Every record
 * with a time below the batch's 'bound' is in it, or was taken before, so the
 * reader may sort and relay all it has below it.
 *
 * A handler's output is one record, or several of which all but the last have
 * ST_REC_MORE: pieces of one output have the same CPU and level, and no other
 * output of that CPU and level lies between them.  The output's place in time
 * is its last piece's.
 */
#ifndef STAP_TRANSPORT_H
#define STAP_TRANSPORT_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdint.h>
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
#endif

#define ST_BATCH_MAGIC 0x53544231u	/* "1BTS" */

struct st_batch {
	u32 magic;
	u32 chunks;		/* that follow */
	u64 bound;		/* ns */
};

struct st_chunk {
	u32 cpu;
	u32 reserved;
	u64 size;		/* of the ring: a power of two, whole pages */
	u64 at;			/* where its records begin */
	u64 bytes;		/* of whole records */
	u64 lost;		/* records of this CPU that found no room, so far */
};

struct st_taken {
	u32 cpu;
	u32 reserved;
	u64 bytes;		/* of whole records, from the chunk's beginning */
};

#define ST_REC_MORE 1

struct st_rec {
	u32 bytes;		/* of the body; the next record begins at the next
				   multiple of 8 after it */
	u16 level;		/* 0 task, 1 softirq, 2 hardirq, 3 NMI */
	u16 flags;		/* ST_REC_* */
	u64 time;		/* ns, monotonic */
	/* the body: items: u16 format; per argument 8 bytes (integer) or u32
	   length and the bytes (string); formats at ST_FMT_ERROR and above have one
	   string argument */
};

/* Where the runtime's kit, or a loaded module, is found. */
#define ST_PROC_DIR "systemtap"

#define ST_FILE_CONTROL ".control"
#define ST_FILE_BASES ".bases"
#define ST_FILE_FORMATS ".formats"
#define ST_FILE_TRACE ".trace"

/* The name of a time zone, with its NUL. */
#define ST_ZONE_MAX 16

/* Before the name of a symbol that is a base. */
#define ST_BASE_SYMBOL '='

#endif
