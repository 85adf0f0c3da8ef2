/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The throw-away guest: the protocol between stap-vm on the host and stap-vm-init in the
 * guest, and what the files of stap-vm share.
 *
 * Four virtio-serial ports connect the two programs. Three are byte streams (the command's stdin,
 * stdout, stderr); the fourth carries the messages below.
 *
 *	guest: VM_BOOTED            host: VM_MOUNT
 *	guest: VM_READY             host: VM_START, then stdin's bytes, VM_STDIN_END
 *	guest: stdout's and stderr's bytes, VM_EXIT with their numbers
 *
 * At its end, each stream's length is sent in a message. A port that closes may lose the bytes
 * queued in it; the length tells whether it did.
 */
#ifndef LOADER_VM_H
#define LOADER_VM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define VM_PORT_CTL	"stap.ctl"
#define VM_PORT_IN	"stap.in"
#define VM_PORT_OUT	"stap.out"
#define VM_PORT_ERR	"stap.err"

/* On the kernel's command line, which makes it a variable of init's: virtiofsd has only a user's rights. */
#define VM_ENV_USER	"stap_vm_user"

/* Written to the kernel's log when the command starts; complaints before it don't fail the run. */
#define VM_LOG_MARK	"stap-vm: the command starts"

/* stap-vm's own exit statuses, beside the command's. */
#define VM_EXIT_TROUBLE	125	/* no guest, guest died, or its kernel complained */
#define VM_EXIT_NOEXEC	126
#define VM_EXIT_NOTFOUND 127

#define VM_MSG_MAX	(4u << 20)	/* the most bytes of a message's payload */

/* The types of messages, with their payloads. */
enum vm_msg_type {
	/* guest to host */
	VM_READY = 1,	/* no payload: the root is mounted, send VM_START */
	VM_FAILED,	/* text: why the guest could not get ready */
	VM_ACK,		/* no payload: a VM_SIGNAL was delivered */
	VM_EXIT,	/* struct vm_exit */
	VM_BOOTED,	/* no payload: the drivers are there, send VM_MOUNT */
	/* host to guest */
	VM_START,	/* struct vm_start and its strings */
	VM_SIGNAL,	/* struct vm_signal */
	VM_STDIN_END,	/* uint64_t: stdin's length in bytes */
	VM_CLOSED,	/* uint32_t, 1 or 2: nothing reads stdout or stderr any more */
	VM_MOUNT,	/* struct vm_mount: mount the root */
};

/* What each message begins with. */
struct vm_head {
	uint32_t type;		/* enum vm_msg_type */
	uint32_t len;		/* bytes of payload that follow */
};

/* The kernel's console log levels (kernel.printk in proc(5)): all messages but debugging, or warnings only. */
enum { VM_LOG_FEW = 5, VM_LOG_ALL = 7 };

/* VM_MOUNT's payload: what a guest lacks that may have been restored from a snapshot. */
struct vm_mount {
	int64_t seconds, nanoseconds;	/* the time of day */
	uint32_t log_level;
	uint8_t random[32];		/* guests restored from one snapshot are not to draw equal numbers */
};

/* VM_START's payload; NUL-terminated strings follow: cwd, hostname, NENV of NAME=VALUE, NARGS arguments. */
struct vm_start {
	uint32_t nenv;
	uint32_t nargs;
	uint32_t merge;		/* stdout and stderr are the same file: keep their order */
};

/* VM_SIGNAL's payload. */
struct vm_signal {
	uint32_t number;
	uint32_t group;		/* not 0: signal the command's process group, as a terminal's ^C does */
};

/* VM_EXIT's payload. */
struct vm_exit {
	uint32_t status;	/* as in a shell: 128 + N if killed by signal N */
	uint32_t pad;
	uint64_t out_bytes;	/* all bytes that the command wrote to stdout, */
	uint64_t err_bytes;	/* and to stderr */
};

/* The guest to boot; the caller keeps the strings valid. */
struct vm_config {
	const char *root;	/* the directory that is the guest's root, absolute */
	int root_fd;		/* the root directory, opened */
	const char *release;	/* kernel release */
	const char *kernel;	/* the kernel's image, a path on this machine */
	const char *qemu;
	const char *virtiofsd;
	const char *init;	/* the stap-vm-init executable */
	unsigned int smp;	/* CPUs */
	unsigned int mem;	/* MB */
	bool parallel;		/* emulate each CPU in a thread of its own */
	bool icount;		/* emulate one CPU, whose instructions the guest's clock counts, 1 ns each */
	bool verbose;
};

/* The channels between host and guest: four ports, the serial console, and QEMU's monitor. */
enum { VM_CTL, VM_IN, VM_OUT, VM_ERR, VM_CONSOLE, VM_MONITOR, VM_NCHAN };

/* The id of the port where vm_guest_plug() plugs in. */
#define VM_BUS	"root_port"

/*
 * The shared root's device. With event_idx a notification is sent only for the request that the other side named;
 * where one got lost (see nudge_virtiofsd() in init.c), the next request would not be notified either.
 */
#define VM_FS_DEVICE	"vhost-user-fs-pci,chardev=fs,tag=root,event_idx=off"

/* A started guest: the host's ends of its channels, and its two processes. */
struct vm_guest {
	int fd[VM_NCHAN];
	int qemu_pid;
	int fs_pid;
	int log_fd;		/* a memfd with the messages of QEMU and virtiofsd */
};

/* find.c */

/*
 * Fills in members of CFG that are NULL. If a file is missing, prints to stderr which one and which
 * package has it, and returns false.
 */
bool vm_find(struct vm_config *cfg);
/* Does PATH exist in the guest's root? Symbolic links are resolved as the guest resolves them. */
bool vm_in_root(const struct vm_config *cfg, const char *path);

/* image.c */

/* Makes the initramfs for CFG's kernel; returns a memfd, or -1 after a message. */
int vm_initramfs(const struct vm_config *cfg);

/* The file of a guest that was saved when it had booted, and what a start does with it. */
struct vm_snapshot {
	enum { VM_SNAPSHOT_NONE, VM_SNAPSHOT_SAVE, VM_SNAPSHOT_RESTORE } use;
	int fd;			/* the file that is written or read, or -1 */
	int memory;		/* a memfd, the guest's memory, or -1 */
	size_t size;		/* bytes of it */
	int signals;		/* a signalfd, which ends waiting for QEMU when it is readable */
	char path[4096];
	char part[4096];	/* the file's name while it is being written */
};

/* guest.c */

/* Starts virtiofsd and QEMU; returns false after a message. With a snapshot that is saved or restored the
 * guest has no root until vm_guest_plug(). */
bool vm_guest_start(struct vm_guest *g, const struct vm_config *cfg, int initramfs, bool kvm,
		    const struct vm_snapshot *snapshot);
/* Prints QEMU's arguments for a guest that is saved, but for the numbers of descriptors. */
void vm_guest_print_command(FILE *f, const struct vm_config *cfg);
/* Returns the CPU time, in seconds, that QEMU has used: the guest's, and QEMU's own. */
double vm_guest_cpu(const struct vm_guest *g);
/* Kills both processes and closes all descriptors; also for a guest that failed to start. */
void vm_guest_kill(struct vm_guest *g);

/* console.c */

/* What the guest's console has printed. Zero it before use. */
struct vm_console {
	char *text;		/* NUL-terminated; NULL if nothing was read yet */
	size_t len;
	size_t shown;		/* how many bytes of text were copied to stderr */
	bool show;		/* copy everything to stderr as it is read */
};

/* Appends text, as if the console printed it. */
void vm_console_put(struct vm_console *c, const char *text, size_t len);
/* Reads what is available, without blocking; returns false at the end. */
bool vm_console_read(struct vm_console *c, int fd);
/* Reads until nothing comes for SILENCE milliseconds. */
void vm_console_drain(struct vm_console *c, int fd, int silence);
/* Prints the last LINES lines to stderr, unless C->show has shown them already. */
void vm_console_tail(const struct vm_console *c, int lines);
/* Did the kernel complain since the command started? If so, prints the complaints to stderr. */
bool vm_console_complained(const struct vm_console *c);
/* Writes the text to a file. Returns false after a message. */
bool vm_console_save(const struct vm_console *c, const char *path);
void vm_console_free(struct vm_console *c);

/* snapshot.c */

/* Finds CFG's snapshot, or decides that one is to be saved. vm_snapshot_close() ends that. */
void vm_snapshot_find(struct vm_snapshot *s, const struct vm_config *cfg, int initramfs, int signals);
/* Saves the guest, which waits for VM_MOUNT, and lets it go on; returns false if QEMU is gone. A guest that
 * was not saved goes on too. */
bool vm_snapshot_save(struct vm_snapshot *s, const struct vm_guest *g, const struct vm_console *c);
/* Fills the memory of the guest that is to be restored, and puts what its console had printed on C. Returns
 * false if the file is damaged. */
bool vm_snapshot_read(const struct vm_snapshot *s, struct vm_console *c);
/* Has QEMU restore the guest; returns false if it doesn't. */
bool vm_snapshot_restore(const struct vm_snapshot *s, const struct vm_guest *g);
/* Notes that guests like this one can't be saved or restored, and closes S. */
void vm_snapshot_give_up(struct vm_snapshot *s);
void vm_snapshot_close(struct vm_snapshot *s);

/* monitor.c */

/*
 * Diagnoses a hung guest, if its QEMU still answers: prints its CPUs' instruction pointers to stderr,
 * asks its kernel for stacks on the console, then panics it for the stack of one CPU. Takes some
 * seconds.
 */
void vm_guest_autopsy(const struct vm_guest *g, struct vm_console *c);
/* Plugs in the shared root of a guest that was started without it. Returns false if QEMU is gone. */
bool vm_guest_plug(const struct vm_guest *g);

/* tsc.c */

/* Returns the rate of this machine's time-stamp counter, in MHz. Takes 10 ms the first time. */
unsigned int vm_tsc_mhz(void);

/* host.c */

/* Makes the directory PATH, or finds it; false if other users may change what is in it. */
bool vm_own_dir(const char *path);

/* Waits for a free one of so many slots, and holds it until exit: at most that many guests of a user run at
 * once. */
void vm_slot_take(unsigned int slots);

/* Does KVM boot a guest here? /dev/kvm may exist and still not do so, under a nested hypervisor. */
enum vm_kvm { VM_KVM_UNKNOWN, VM_KVM_WORKS, VM_KVM_FAILS };

/* Returns what vm_kvm_note() noted since this machine was booted. */
enum vm_kvm vm_kvm_known(void);
/* Notes whether KVM has booted a guest. */
void vm_kvm_note(bool works);

#endif
