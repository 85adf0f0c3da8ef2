/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The throw-away guest: what stap-vm on the host and stap-vm-init in the guest
 * say to each other, and the parts of stap-vm.
 *
 * Four virtio-serial ports join the two sides. Three are plain byte streams
 * (the command's stdin, stdout, stderr); the fourth carries the messages below.
 * A stream's end is told by its length, in a message: a port that closes may
 * lose what is still queued in it, a counted stream cannot be cut unnoticed.
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

/* Printed to the kernel's log when the command starts: what comes before is boot noise. */
#define VM_LOG_MARK	"stap-vm: the command starts"

/* stap-vm's own exit statuses, beside the command's. */
#define VM_EXIT_TROUBLE	125	/* no guest, guest died, or its kernel complained */
#define VM_EXIT_NOEXEC	126
#define VM_EXIT_NOTFOUND 127

#define VM_MSG_MAX	(4u << 20)	/* no message's payload is longer */

enum vm_msg_type {
	/* guest to host */
	VM_READY = 1,	/* no payload: the root is mounted, send VM_START */
	VM_FAILED,	/* text: the guest could not get ready */
	VM_ACK,		/* no payload: a VM_SIGNAL was delivered */
	VM_EXIT,	/* struct vm_exit */
	/* host to guest */
	VM_START,	/* struct vm_start and its strings */
	VM_SIGNAL,	/* struct vm_signal */
	VM_STDIN_END,	/* uint64_t: stdin ends after so many bytes */
	VM_CLOSED,	/* uint32_t, 1 or 2: nobody reads stdout or stderr any more */
};

struct vm_head {
	uint32_t type;		/* enum vm_msg_type */
	uint32_t len;		/* bytes of payload that follow */
};

/* Followed by NUL-terminated strings: cwd, hostname, nenv NAME=VALUE, nargs arguments. */
struct vm_start {
	uint32_t nenv;
	uint32_t nargs;
	uint32_t merge;		/* stdout and stderr are one stream: keep their order */
};

struct vm_signal {
	uint32_t number;
	uint32_t group;		/* to the command's process group, as a terminal's ^C */
};

struct vm_exit {
	uint32_t status;	/* as a shell counts it: 128 + N when killed by signal N */
	uint32_t pad;
	uint64_t out_bytes;	/* everything the command wrote */
	uint64_t err_bytes;
};

/* What to boot; strings are borrowed for the run. */
struct vm_config {
	const char *root;	/* the directory that is the guest's root, absolute */
	int root_fd;		/* it, opened */
	const char *release;	/* kernel release */
	const char *kernel;	/* its image, a path on this machine */
	const char *qemu;
	const char *virtiofsd;
	const char *init;	/* the stap-vm-init executable */
	unsigned int smp;	/* processors */
	unsigned int mem;	/* MB */
	bool parallel;		/* emulated processors run at the same time */
	bool verbose;
};

enum { VM_CTL, VM_IN, VM_OUT, VM_ERR, VM_CONSOLE, VM_NCHAN };

/* A guest that was started: the host's ends of its channels, its two processes. */
struct vm_guest {
	int fd[VM_NCHAN];
	int qemu_pid;
	int fs_pid;
	int log_fd;		/* a memfd with what QEMU and virtiofsd complained of */
};

/* find.c */

/*
 * Fill in what the caller left NULL. False, with the reason and what to install
 * on stderr, when something is missing.
 */
bool vm_find(struct vm_config *cfg);
/* Is there such a file in the guest's root? Symbolic links are followed inside it. */
bool vm_in_root(const struct vm_config *cfg, const char *path);

/* image.c */

/* A memfd with the initramfs for the kernel, or -1 with the reason on stderr. */
int vm_initramfs(const struct vm_config *cfg);

/* guest.c */

/* Start virtiofsd and QEMU. False with the reason on stderr. */
bool vm_guest_start(struct vm_guest *g, const struct vm_config *cfg, int initramfs, bool kvm);
/* Kill both processes and close everything. Safe on a guest that never started. */
void vm_guest_kill(struct vm_guest *g);

/* console.c */

/* The guest's console, all zero at first. */
struct vm_console {
	char *text;		/* NUL-terminated, or NULL when nothing came */
	size_t len;
	size_t shown;		/* of it, how much is on stderr */
	bool show;		/* put everything on stderr as it comes */
};

/* Take what is there; drain: until nothing more is. */
void vm_console_read(struct vm_console *c, int fd);
void vm_console_drain(struct vm_console *c, int fd);
/* The last lines to stderr, unless all were shown already. */
void vm_console_tail(const struct vm_console *c, int lines);
/* Did the kernel complain since the command started? What it said goes to stderr. */
bool vm_console_complained(const struct vm_console *c);
void vm_console_save(const struct vm_console *c, const char *path);
void vm_console_free(struct vm_console *c);

/* host.c */

/* Wait for a free slot: as many guests as processors may run at once. Held until exit. */
void vm_slot_take(void);
/* Is KVM there, and didn't it fail to boot a guest since this machine came up? */
bool vm_kvm_usable(void);
void vm_kvm_failed(void);

#endif
