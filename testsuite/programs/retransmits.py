# SPDX-License-Identifier: GPL-2.0-or-later
"""Connects to a server that has no room for another connection, so that the kernel asks again and
again, until it has asked as often as the argument says. Prints that number, and the client's port.

The server has room for one. A client is connected before the server has counted it, so on a busy
machine the next one finds room too: such a client is kept, and another one tries.
"""
import errno
import socket
import struct
import sys
import time

SYN_SENT = 2
STATE, TOTAL_RETRANS = 0, 100       # bytes into struct tcp_info: a byte, and a word


def state_and_retransmits(sock):
    info = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
    return info[STATE], struct.unpack_from("I", info, TOTAL_RETRANS)[0]


def tried(times):
    """Returns a client whose SYN was sent again so often, or else one that is connected."""
    client = socket.socket()
    client.setblocking(False)
    if client.connect_ex(("127.0.0.1", 4244)) not in (0, errno.EINPROGRESS):
        sys.exit("no connection could be tried")
    while True:
        time.sleep(0.05)
        state, retransmits = state_and_retransmits(client)
        if state != SYN_SENT or retransmits >= times:
            return client, state


server = socket.socket()
server.bind(("127.0.0.1", 4244))
server.listen(0)
connected = []
client, state = tried(int(sys.argv[1]))
while state != SYN_SENT:
    connected.append(client)
    client, state = tried(int(sys.argv[1]))
print("again", state_and_retransmits(client)[1], client.getsockname()[1], file=sys.stderr)
