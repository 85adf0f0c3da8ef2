/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The throw-away guest: the protocol between stap-vm on the host and stap-vm-init in the
 * guest, and the parts of stap-vm.
 *
 * Four virtio-serial ports connect the two. Three are byte streams (the command's stdin,
 * stdout, stderr); the fourth carries the messages below.
 *
 *	guest: VM_READY             host: VM_START, then stdin's bytes, VM_STDIN_END
 *	guest: stdout's and stderr's bytes, VM_EXIT with their numbers
 *
 * A message gives a stream's length when it ends: a port that closes may lose bytes that
 * are queued in it, but a counted stream can't be cut unnoticed.
 */
#ifndef LOADER_VM_H
#define LOADER_VM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define VM_PORT_CTL	"stap.ctl"
#define VM_PORT_IN	"stap.in"
#define VM_PORT_OUT	"stap.out"
#define VM_PORT_ERR	"stap.err"

/* Printed to the kernel's log when the command starts: complaints before it are not counted. */
#define VM_LOG_MARK	"stap-vm: the command starts"

/* stap-vm's own exit statuses, beside the command's. */
#define VM_EXIT_TROUBLE	125	/* no guest, guest died, or its kernel complained */
#define VM_EXIT_NOEXEC	126
#define VM_EXIT_NOTFOUND 127

#define VM_MSG_MAX	(4u << 20)	/* no message's payload is longer */

enum vm_msg_type {
	/* guest to host */
	VM_READY = 1,	/* no payload: the root is mounted, send VM_START */
	VM_FAILED,	/* text: why the guest could not get ready */
	VM_ACK,		/* no payload: a VM_SIGNAL was delivered */
	VM_EXIT,	/* struct vm_exit */
	/* host to guest */
	VM_START,	/* struct vm_start and its strings */
	VM_SIGNAL,	/* struct vm_signal */
	VM_STDIN_END,	/* uint64_t: stdin's length in bytes */
	VM_CLOSED,	/* uint32_t, 1 or 2: stdout or stderr is not read any more */
};

struct vm_head {
	uint32_t type;		/* enum vm_msg_type */
	uint32_t len;		/* bytes of payload that follow */
};

/* Followed by NUL-terminated strings: cwd, hostname, nenv NAME=VALUE, nargs arguments. */
struct vm_start {
	uint32_t nenv;
	uint32_t nargs;
	uint32_t merge;		/* stdout and stderr are the same file: keep their order */
};

struct vm_signal {
	uint32_t number;
	uint32_t group;		/* to the command's process group, as a terminal's ^C */
};

struct vm_exit {
	uint32_t status;	/* as in a shell: 128 + N if killed by signal N */
	uint32_t pad;
	uint64_t out_bytes;	/* everything the command wrote */
	uint64_t err_bytes;
};

/* The guest to boot; the caller keeps the strings valid. */
struct vm_config {
	const char *root;	/* the directory that is the guest's root, absolute */
	int root_fd;		/* that directory, opened */
	const char *release;	/* kernel release */
	const char *kernel;	/* the kernel's image, a path on this machine */
	const char *qemu;
	const char *virtiofsd;
	const char *init;	/* the stap-vm-init executable */
	unsigned int smp;	/* processors */
	unsigned int mem;	/* MB */
	bool parallel;		/* emulated processors run at the same time */
	bool verbose;
};

enum { VM_CTL, VM_IN, VM_OUT, VM_ERR, VM_CONSOLE, VM_MONITOR, VM_NCHAN };

/* A started guest: the host's ends of its channels, and its two processes. */
struct vm_guest {
	int fd[VM_NCHAN];
	int qemu_pid;
	int fs_pid;
	int log_fd;		/* a memfd with the messages of QEMU and virtiofsd */
};

/* find.c */

/*
 * Fills in members that are NULL. If something is missing, prints to stderr what, and which
 * package has it, and returns false.
 */
bool vm_find(struct vm_config *cfg);
/* Does this path exist in the guest's root? Symbolic links are followed inside it. */
bool vm_in_root(const struct vm_config *cfg, const char *path);

/* image.c */

/* Makes the initramfs for the kernel; returns a memfd, or -1 with the reason on stderr. */
int vm_initramfs(const struct vm_config *cfg);

/* guest.c */

/* Starts virtiofsd and QEMU; false with the reason on stderr. */
bool vm_guest_start(struct vm_guest *g, const struct vm_config *cfg, int initramfs, bool kvm);
/* Seconds of a CPU that the guest has used, QEMU's own included. */
double vm_guest_cpu(const struct vm_guest *g);
/* Kills both processes and closes everything, also after a failed start. */
void vm_guest_kill(struct vm_guest *g);

/* console.c */

/* The guest's console, all zero at first. */
struct vm_console {
	char *text;		/* NUL-terminated; NULL if nothing was read yet */
	size_t len;
	size_t shown;		/* how many bytes of text were copied to stderr */
	bool show;		/* copy everything to stderr as it is read */
};

/* Reads what is available; returns false at the end. */
bool vm_console_read(struct vm_console *c, int fd);
/* Reads until nothing comes for SILENCE milliseconds. */
void vm_console_drain(struct vm_console *c, int fd, int silence);
/* Prints the last lines to stderr, unless all were shown already. */
void vm_console_tail(const struct vm_console *c, int lines);
/* Did the kernel complain since the command started? If so, prints the complaints to stderr. */
bool vm_console_complained(const struct vm_console *c);
/* False after a message. */
bool vm_console_save(const struct vm_console *c, const char *path);
void vm_console_free(struct vm_console *c);

/* monitor.c */

/*
 * Tells of a guest that no longer answers, if its QEMU still does: on stderr where its processors
 * stand, then on its console, through a panic, one processor's stack. It takes some seconds.
 */
void vm_guest_autopsy(const struct vm_guest *g, struct vm_console *c);

/* host.c */

/* Waits for a free slot, of which there are as many as processors; holds it until exit. */
void vm_slot_take(void);

/* What is known of KVM: it may exist, and still boot no guest (a nested hypervisor). */
enum vm_kvm { VM_KVM_UNKNOWN, VM_KVM_WORKS, VM_KVM_FAILS };

/* What an earlier probe noted since this machine was booted. */
enum vm_kvm vm_kvm_known(void);
void vm_kvm_note(bool works);

#endif
