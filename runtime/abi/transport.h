/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The interface between the runtime and the loader, included by both.
 *
 * A loaded module NAME has a directory /proc/systemtap/NAME/ with the files below; the files
 * of the script's procfs probes are beside them.  Opening one takes CAP_SYS_MODULE; or, but for .bases and .places,
 * being the user whom the module's parameter "owner" names.  None can be
 * polled, and an open file doesn't keep the module: if the module is removed, reads and writes
 * fail with EIO.
 *
 *   .control  Each write(2) is one command; it returns when the command is done, or fails with
 *             its errno:
 *
 *               base I ADDRESS      the address of st_program.bases[I], in hex; 0: its module
 *                                   is not loaded
 *               base I ADDRESS kprobes  the same, for a symbol that is not on the kernel's list
 *                                   of what kprobes may not touch
 *               file I FD           st_program.files[I] is the file that the writing process has
 *                                   open as FD; without it the file is not there
 *               symbols TABLE FD    the names (abi/utable.h) in the file open as TABLE are those of
 *                                   the program open as FD; "symbols TABLE =N": of file N of
 *                                   records.  Also after start
 *               set NAME=VALUE      the value of a scalar global (-G)
 *               target PID          the value of target()
 *               zone SECONDS NAME   the time zone: seconds west of UTC, and its name
 *               buffer MB           the size of each CPU's buffer (-s)
 *               gather MS           how long records may wait for others before a read returns
 *               format NAME         how the loader writes the output: "text", "json", "containers" or
 *                                   "bulk", a file for each CPU.  The session keeps it for who
 *                                   attaches; with "json" and "containers" each piece of output
 *                                   begins with an item ST_FMT_ORIGIN
 *               namespaces PID      the tapset's ns_… functions count in the namespaces of this
 *                                   process; without it in those of the process that writes start
 *               cgroup FD           the directory FD of the writing process, of cgroup v2: probes are hit
 *                                   only by tasks in it and below
 *               follow              what the processes of that cgroup, or else of the target, create
 *                                   is within the bound too
 *               loader              the writing process is the loader from now on, in place of the one
 *                                   that inserted the module and may end
 *               start               allocates, runs the begin probes, arms
 *               stop                disarms, runs the end or error probes, closes the trace;
 *                                   if that was done already, does nothing
 *               detach              the session goes on when the files are closed, and keeps
 *                                   its newest output
 *               attach              undoes detach; EBUSY if the session isn't detached
 *               notify FD           the state's becoming exiting signals the eventfd FD of the
 *                                   writing process; replaces the previous one
 *
 *             base and file take CAP_SYS_MODULE, of the process that writes and of the one that opened
 *             .control; without it buffer is at most 64.
 *
 *             base, file, set, target, zone, buffer, gather, format, namespaces, cgroup, follow and loader
 *             come before start: after it they fail with EBUSY, after stop with ECANCELED, as does
 *             a second start.
 *
 *             One read(2) gives lines.  After a failed command the first one is "error TEXT", its
 *             message.  Then comes "state S": loaded, running, exiting (exit() or an error:
 *             the loader is to write stop) or stopped.  Then come lines "NAME VALUE":
 *
 *               errors, skipped, reentrant, idle, missed, lost   struct st_counts in
 *                                   core/report.h; lost counts records
 *               overwritten         outputs that were dropped while the session was detached
 *               detached            0 or 1
 *               watchers            descriptors of .control and .trace that are open for writing
 *               lives               1 while the process lives that inserted the module, or attached
 *                                   to it last
 *               dead                1 if a killed loader left the module, so that it can be
 *                                   removed
 *               ftrace, kprobes, kretprobes   how many places are probed each way since the start
 *               asks                what the script asks of programs' code: ST_ASKS_* of stap_script.h
 *               places              for how many places the script has probes
 *               format              how the output is to be written: the command's name; "text" without
 *               late                how many were probed in modules loaded later, each time
 *               user, loader        who inserted the module or attached last: the number of the user, who
 *                                   logged in if that is known, and the process
 *               since               when the session started, in seconds since 1970; 0: not yet
 *               buffers, data       bytes of the rings, and of variables and handlers' memory
 *
 *             When the last descriptor that was open for writing is closed without detach, the
 *             session stops by itself, as the loader was killed; a module that staprun inserted
 *             is then removed.
 *
 *   .bases    "I MODULE SECTION [BUILD-ID]" for each base, with a NUL; the module must have the
 *             build-id, if one is given.  "I MODULE =NAME" is a symbol of the kernel or a
 *             module, which the loader looks up in /proc/kallsyms.
 *
 *   .files    "I BUILD-ID SIZE OWNER IDENTITY PATH" for each program file, as in struct st_file,
 *             with a NUL, since paths may have newlines; BUILD-ID and IDENTITY are "-" for any;
 *             an IDENTITY of "?" is any, and the file may be missing.
 *
 *   .places   What the session probes, and how often; EBUSY while places are armed or disarmed.
 *             Records of texts, each with a NUL: "probe", its number, its hits, where it is in the
 *             script; and "place", the number of its probe, how it is attached ("ftrace", "kprobe", …,
 *             or its family), its state ("armed", "off" if its condition doesn't hold; of a kprobe "breakpoint",
 *             "optimised", a jump, or "ftrace"), where it is (an address, or a file and an offset, or
 *             "-"), the point as the script has it, and what that was resolved to.
 *
 *   .formats  Two texts for each of st_program.formats, each with a NUL: the canonical format
 *             (text/format.h), and the members that its arguments are in JSON, or nothing.
 *
 *   .trace    The records; each CPU has a ring of them.  mmap(2) maps the rings, read-only: CPU's
 *             ring of SIZE bytes is at offset 2 * SIZE * CPU, twice in a row, so that a record
 *             that crosses its end is in one piece.  read(2) gives a batch: a struct st_batch,
 *             then a struct st_chunk for each CPU with new records, which says where they are in
 *             its ring.  write(2) of struct st_taken's frees the records' room in the rings.
 *             Records that were not freed are in the next batch again.  read(2) blocks until
 *             there are records; it returns 0 when the session has stopped and all are taken.
 *             There can be one reader.  ioctl(ST_TRACE_OPEN) opens a file that user stacks were
 *             seen in, by its number in them, and returns the descriptor; each once.
 *
 * Time order.  A record's time is when it was committed.  Every record with a time below a batch's
 * bound is in this batch or an earlier one.  So the reader may sort and print all records that
 * it has below the bound.
 *
 * A handler's output is one record, or several; all but the last have ST_REC_MORE.  They have
 * the same CPU and level, and no other output of that CPU and level is between them.  The time of
 * the last record is the output's.
 */
#ifndef STAP_TRANSPORT_H
#define STAP_TRANSPORT_H

#ifdef __KERNEL__
#include <linux/ioctl.h>
#include <linux/types.h>
#else
#include <stdint.h>
#include <sys/ioctl.h>
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
#endif

#define ST_BATCH_MAGIC 0x53544231u	/* "1BTS" */

/* What read(2) of .trace begins with: a batch of new records of all CPUs. */
struct st_batch {
	u32 magic;
	u32 chunks;		/* how many follow */
	u64 bound;		/* ns */
};

/* Where one CPU's records of a batch are in its ring. */
struct st_chunk {
	u32 cpu;
	u32 reserved;
	u64 size;		/* bytes of the ring: a power of two, whole pages */
	u64 at;			/* offset of the first record in the ring */
	u64 bytes;		/* of all records */
	u64 lost;		/* records of this CPU that found no room so far */
};

/* What the reader writes to .trace: how much of a CPU's records it needs no longer. */
struct st_taken {
	u32 cpu;
	u32 reserved;
	u64 bytes;		/* of whole records, from the beginning of the chunk */
};

#define ST_REC_MORE 1

/* The head of a record in a ring, at a multiple of 8 bytes. */
struct st_rec {
	u32 bytes;		/* of the body; the next record begins at the next
				   multiple of 8 after it */
	u16 level;		/* 0 task, 1 softirq, 2 hardirq, 3 NMI */
	u16 flags;		/* ST_REC_* */
	u64 time;		/* ns, monotonic */
	/* The body: items.  An item is a u16, the number of its format, then the arguments:
	   8 bytes for an integer, a u32 length and the bytes for a string.  The formats
	   ST_FMT_* (stap_script.h) have one string argument. */
};

/*
 * A user stack, in an item's string: this, then its frames, innermost first.  A reader finds names
 * in the file: the code's offset there is page * 4096 + address % 4096, where the address is the
 * frame's, or one less if the frame's is behind a call.
 */
struct st_ustack {
	u32 style;		/* ST_STACK_* */
	u32 reserved;
};

/* One frame of a user stack: where it is in the process, and in which file. */
struct st_uframe {
	u64 address;
	u32 page;		/* which page of the file */
	u16 file;		/* its number; 0: none; ST_FILE_VDSO: the kernel's code in each
				   process */
	u16 called;		/* 1: the address is behind a call */
};

#define ST_FILE_VDSO 0xffff

/* How a stack's frames are printed: " 0x401136 : main+0x10/0x40 [/bin/prog]"; the same with
 * "at prog.c:12" before the file; "main+0x10"; in one line, ";main;leaf". */
enum { ST_STACK_FULL, ST_STACK_LINES, ST_STACK_BRIEF, ST_STACK_FOLDED };

/*
 * A speculation, in an item's string: this, and with ST_SPECULATE the text.  The text is printed
 * where the speculation with this ID is committed, if it is; ST_COMMIT and ST_DISCARD end it.
 */
struct st_speculation {
	u64 id;
	u32 act;			/* ST_SPECULATE, ST_COMMIT, ST_DISCARD */
	u32 reserved;
};

/* What is done with a speculation. */
enum { ST_SPECULATE, ST_COMMIT, ST_DISCARD };

/*
 * A histogram is an item ST_FMT_HIST, whose string is this and then an item of one of the script's
 * formats, which has only members: "name":"reads","key":[%s].  Items ST_FMT_BUCKET follow, one for
 * each bucket with values, in order, and one with an empty string.
 */
struct st_hist_head {
	u32 hist;			/* enum st_hist */
	u32 width;			/* -D HIST_WIDTH */
	u32 elision;			/* -D HIST_ELISION, signed */
	u32 reserved;
	u64 lo, hi, step;		/* ST_HIST_LINEAR; signed */
};

/* A histogram's bucket that has values: its number, and how many there are. */
struct st_bucket {
	u32 number;			/* below st_hist_buckets() */
	u32 reserved;
	u64 count;
};

/*
 * The origin of output (the task and the CPU where a handler ran), in an item's string: this, and
 * the probe point up to the first NUL or the end.  Names are padded by NULs; outside of containers that of
 * the container is empty.
 */
#define ST_ORIGIN_CONTAINER 64

struct st_origin {
	u32 pid, tid;
	char comm[16];
	char container[ST_ORIGIN_CONTAINER];
};

/* The most bytes of a probe point in an origin. */
#define ST_ORIGIN_POINT 256

/* The end of the name of an intermediate program's file (lib/ir/file.h), which stapio runs; with BPF. */
#define ST_PROGRAM_SUFFIX ".stpi"
#define ST_BPF_SUFFIX ".bo"

#define ST_TRACE_OPEN _IO('s', 1)

/* The directory in /proc of loaded modules. */
#define ST_PROC_DIR "systemtap"

#define ST_FILE_CONTROL ".control"
#define ST_FILE_BASES ".bases"
#define ST_FILE_FILES ".files"
#define ST_FILE_FORMATS ".formats"
#define ST_FILE_PLACES ".places"
#define ST_FILE_TRACE ".trace"

/* The script's own files to which stapio writes what it reads from standard input: each
 * character, and each whole line. */
#define ST_FILE_CHARS "__stdin"
#define ST_FILE_LINES "__stdin_line"

/* Bytes of a time zone's name, NUL included. */
#define ST_ZONE_MAX 16

/* The prefix of a base's section that makes it a symbol's name. */
#define ST_BASE_SYMBOL '='

#endif
