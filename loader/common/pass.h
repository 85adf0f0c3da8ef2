/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Passing a descriptor to another process. */
#ifndef STAP_PASS_H
#define STAP_PASS_H

/* Sends FD by SOCKET, a Unix socket, without waiting.  0 or -errno. */
int pass_send(int socket, int fd);

/* Waits for a descriptor, which the caller closes.  -1: the other end was closed, or has sent none. */
int pass_receive(int socket);

#endif
