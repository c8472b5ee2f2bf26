"""The least coordinator of a DANCERS run: the windows of two sides on local sockets, and nothing else.

Usage: dancers-reference.py WINDOWS PHYSICS_SOCKET NETWORK_SOCKET. It uses the framing of the example.
"""

import os
import socket
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../examples/mixed"))
import dancers_wire as wire  # noqa: E402


def listen(path):
    server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    server.bind(path)
    server.listen(1)
    return server


def main():
    windows, *paths = sys.argv[1:]
    servers = [listen(path) for path in paths]
    print("both sockets are open", flush=True)
    sides = [server.accept()[0] for server in servers]
    payloads = [b"", b""]
    for _ in range(int(windows)):
        for side, received in zip(sides, reversed(payloads)):
            side.sendall(wire.update(wire.BEGIN, received))
        payloads = [wire.next_update(side)[1] for side in sides]
    for side in sides:
        side.sendall(wire.update(wire.CLOSE))


main()
