# SPDX-License-Identifier: GPL-2.0-or-later
"""A client and a server of one process talk TCP over loopback, to each port given (over IPv6, if it
is odd): the client sends 10000 bytes, and the server 500, before the client closes and then the
server does."""
import socket
import sys


def talk(port):
    version, host = (socket.AF_INET6, "::1") if port % 2 else (socket.AF_INET, "127.0.0.1")
    server = socket.socket(version)
    server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    server.bind((host, port))
    server.listen()
    client = socket.socket(version)
    client.connect((host, port))
    peer, _ = server.accept()
    client.sendall(bytes(10000))
    while len(peer.recv(10000, socket.MSG_PEEK)) < 10000:
        pass
    peer.recv(10000)
    peer.sendall(bytes(500))
    while len(client.recv(500, socket.MSG_PEEK)) < 500:
        pass
    client.recv(500)
    client.shutdown(socket.SHUT_WR)
    peer.recv(1)
    peer.close()
    client.recv(1)
    client.close()
    server.close()


for number in sys.argv[1:]:
    talk(int(number))
