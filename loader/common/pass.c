// SPDX-License-Identifier: GPL-2.0-or-later
/* A message of one byte with a descriptor (pass.h). */
#define _GNU_SOURCE
#include "pass.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

struct message {
	char byte;
	struct iovec io;
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof(int))];
	} rights;
	struct msghdr m;
};

static struct msghdr *lay_out(struct message *p)
{
	memset(p, 0, sizeof(*p));
	p->io = (struct iovec){ &p->byte, 1 };
	p->m = (struct msghdr){
		.msg_iov = &p->io, .msg_iovlen = 1,
		.msg_control = &p->rights, .msg_controllen = sizeof(p->rights),
	};
	return &p->m;
}

int pass_send(int socket, int fd)
{
	struct message p;
	struct msghdr *m = lay_out(&p);

	p.rights.head = (struct cmsghdr){
		.cmsg_len = CMSG_LEN(sizeof(fd)), .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS,
	};
	memcpy(CMSG_DATA(&p.rights.head), &fd, sizeof(fd));
	return sendmsg(socket, m, MSG_DONTWAIT | MSG_NOSIGNAL) == 1 ? 0 : -errno;
}

int pass_receive(int socket)
{
	struct message p;
	struct msghdr *m = lay_out(&p);
	ssize_t n;
	int fd = -1;

	do
		n = recvmsg(socket, m, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n == 1 && m->msg_controllen >= CMSG_LEN(sizeof(fd)) && p.rights.head.cmsg_type == SCM_RIGHTS)
		memcpy(&fd, CMSG_DATA(&p.rights.head), sizeof(fd));
	return fd;
}
