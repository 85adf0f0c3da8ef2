# SPDX-License-Identifier: GPL-2.0-or-later
"""Sockets for tests of --remote=unix:, each a file in the work directory: sockets.py NAME.KIND...

  sh        each connection has a shell
  terminal  the same, of a terminal: it echoes, edits lines and has prompts
  ends      each connection is closed at once
  silent    there is room for one connection, which nobody takes
  packets   it is one of datagrams
  closed    nobody listens
  a script  of the work directory, NAME.KIND.sh, which each connection is for

What ends is written to the file "log".  At SIGUSR1 all connections are closed.
"""
import contextlib
import os
import pty
import signal
import socket
import subprocess
import sys
import threading

connections = []


def relay(read, write):
    try:
        while data := read(1 << 16):
            while data:
                data = data[write(data):]
    except OSError:
        pass


def terminal(connection):
    pid, fd = pty.fork()
    if not pid:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)    # nohup(1) may be around the suite
        os.execlp("sh", "sh", "-i")

    def end():
        relay(connection.recv, lambda data: os.write(fd, data))
        with contextlib.suppress(ProcessLookupError):      # the shell has ended
            os.kill(pid, signal.SIGHUP)

    threading.Thread(target=end, daemon=True).start()
    relay(lambda n: os.read(fd, n), connection.send)
    connection.shutdown(socket.SHUT_RDWR)
    os.waitpid(pid, 0)


def serve(listening, name):
    kind = name.split(".")[1]
    while True:
        connection, _ = listening.accept()
        connections.append(connection)

        def talk(connection=connection):
            if kind == "terminal":
                terminal(connection)
            elif kind != "ends":
                script = name + ".sh"
                command = ["sh", script] if os.path.exists(script) else ["sh"]
                subprocess.run(command, stdin=connection, stdout=connection, stderr=subprocess.DEVNULL)
            connections.remove(connection)
            connection.close()
            with open("log", "a", encoding="ascii") as log:
                log.write(name + "\n")

        threading.Thread(target=talk, daemon=True).start()


def close_all(*_):
    for connection in connections:
        connection.shutdown(socket.SHUT_RDWR)


signal.signal(signal.SIGUSR1, close_all)
kept = []
for name in sys.argv[1:]:
    packets = name.endswith(".packets")
    s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM if packets else socket.SOCK_STREAM)
    s.bind(name)
    kept.append(s)
    if name.endswith(".silent"):
        s.listen(0)
    elif not name.endswith((".packets", ".closed")):
        s.listen()
        threading.Thread(target=serve, args=(s, name), daemon=True).start()
print("ready", flush=True)
while True:
    signal.pause()
