# SPDX-License-Identifier: GPL-2.0-or-later
"""Connects to a server that has no room for another connection, so that the kernel asks again and
again, until it has asked as often as the argument says. Prints that number, and the client's port.
"""
import socket
import struct
import sys
import time

TOTAL_RETRANS = 100    # bytes into struct tcp_info

server = socket.socket()
server.bind(("127.0.0.1", 4244))
server.listen(0)
fills = socket.create_connection(("127.0.0.1", 4244))
client = socket.socket()
client.setblocking(False)
client.connect_ex(("127.0.0.1", 4244))


def sent_again():
    info = client.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 256)
    return struct.unpack_from("I", info, TOTAL_RETRANS)[0]


while sent_again() < int(sys.argv[1]):
    time.sleep(0.05)
print("again", sent_again(), client.getsockname()[1], file=sys.stderr)
