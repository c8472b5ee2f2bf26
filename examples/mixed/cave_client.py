"""A client of a CAVE server with the standard library alone: its vehicle drives a circle.

Usage: cave_client.py PORT [--paced]. A handshake over TCP gives the number of the connection; then
each datagram has a code and a protobuf message. It sends a state each 20 ms, or with --paced when the
last one is answered: in simulated time. It ends when the server has ended, with SIGTERM or Ctrl-C.
"""

import math
import signal
import socket
import struct
import sys
import time

from protobuf import double, integer, nested

REQUEST, ACCEPT, DISCONNECT, VEHICLE, PACKET = 8, 9, 1, 2, 7
INTERVAL = 0.02
RADIUS, SPEED = 3.0, 0.5


def doubles(number, values):
    """A message of doubles with the numbers 1, 2, 3 …"""
    return nested(number, b"".join(double(i + 1, value) for i, value in enumerate(values)))


def vehicle(connection, seconds):
    angle = SPEED / RADIUS * seconds
    yaw = angle + math.pi / 2
    centre = (RADIUS * math.cos(angle), RADIUS * math.sin(angle), 0.5)
    rotation = (math.cos(yaw / 2), 0, 0, math.sin(yaw / 2))
    message = integer(1, int(time.time())) + integer(2, connection) + integer(3, 0)
    message += double(4, seconds) + double(5, SPEED)
    # The chassis and four wheels: places from 6 on, rotations from 11 on.
    message += b"".join(doubles(number, centre) for number in range(6, 11))
    return message + b"".join(doubles(number, rotation) for number in range(11, 16))


def handshake(port):
    with socket.create_connection(("127.0.0.1", port), timeout=15) as tcp:
        tcp.sendall(bytes([REQUEST]))
        answer = tcp.recv(5, socket.MSG_WAITALL)
        if len(answer) != 5 or answer[0] != ACCEPT:
            raise ConnectionError("the server has declined")
        return struct.unpack("<I", answer[1:])[0]


def receive(udp, seconds):
    """True when an answer comes within this time."""
    udp.settimeout(max(0.001, seconds))
    try:
        return udp.recv(65536)[0] == PACKET
    except TimeoutError:
        return False


def main():
    port, paced = int(sys.argv[1]), "--paced" in sys.argv
    try:
        connection = handshake(port)
    except OSError as error:
        sys.exit(f"CAVE client: no connection at port {port}: {error}; start a server that has a free vehicle id")
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.connect(("127.0.0.1", port))
    ended = []
    for number in signal.SIGINT, signal.SIGTERM:
        signal.signal(number, lambda *_: ended.append(True))
    begun, sent, answers = time.monotonic(), 0, 0
    try:
        while not ended:
            sent += 1
            udp.send(bytes([VEHICLE]) + vehicle(connection, sent * INTERVAL))
            if paced:
                # The first state has no answer.
                while not ended and answers < sent - 1:
                    answers += receive(udp, 0.1)
            else:
                while (left := begun + sent * INTERVAL - time.monotonic()) > 0:
                    answers += receive(udp, left)
        udp.send(bytes([DISCONNECT]))
    except ConnectionRefusedError:
        pass  # the server has ended
    print(f"CAVE client: {sent} states, {answers} answers")


if __name__ == "__main__":
    main()
