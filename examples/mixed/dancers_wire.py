"""The framing and the messages of DANCERS, with the standard library alone and no code of the gateway."""

import gzip
import math
import socket
import struct
import time

from protobuf import as_double, double, fields, integer, nested, varint

BEGIN, END, CLOSE = 0, 1, 2


def framed(body):
    return struct.pack(">I", len(body)) + body


def update(kind, payload=b""):
    """The frame of a DancersUpdate; an empty message is not compressed."""
    content = (integer(1, kind) if kind else b"") + (nested(2, payload) if payload else b"")
    return framed(gzip.compress(content) if content else b"")


def connect(address, tries=20):
    """A UDS path, or [host, port]; by default 20 tries in 10 s, as the original's connectors."""
    family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
    for _ in range(tries):
        peer = socket.socket(family, socket.SOCK_STREAM)
        try:
            peer.connect(address if isinstance(address, str) else tuple(address))
            return peer
        except OSError:
            peer.close()
            time.sleep(0.5)
    raise SystemExit(f"no coordinator at {address}")


def receive(peer, count):
    data = b""
    while len(data) < count:
        part = peer.recv(count - len(data))
        if not part:
            raise EOFError
        data += part
    return data


def next_update(peer):
    """(type, payload) of the next message."""
    body = receive(peer, struct.unpack(">I", receive(peer, 4))[0])
    content = dict(fields(gzip.decompress(body))) if body else {}
    return content.get(1, BEGIN), content.get(2, b"")


def driven_poses(agents):
    """The payload with agent -> [x, y, vx, vy, heading]."""

    def pose(agent, x, y, vx, vy, heading):
        turn = double(6, math.sin(heading / 2)) + double(7, math.cos(heading / 2))
        return double(1, x) + double(2, y) + turn + double(8, vx) + double(9, vy) + integer(11, agent)

    return gzip.compress(b"".join(nested(1, pose(agent, *state)) for agent, state in agents.items()))


def neighbors(lists):
    """The payload with agent → its neighbours, of link quality 0.5 and age 100 us."""
    out = b""
    for agent, known in lists.items():
        packed = b"".join(varint(one) for one in known)
        quality = struct.pack(f"<{len(known)}d", *[0.5] * len(known))
        ages = b"".join(varint(100) for _ in known)
        out += nested(
            1, integer(1, agent) + integer(2, 1) + nested(3, packed) + nested(4, quality) + nested(5, ages)
        )
    return gzip.compress(out)


def velocities(payload):
    """agent → [vx, vy, heading] of a VelocityHeadingVector."""
    out = {}
    for _, one in fields(gzip.decompress(payload) if payload else b""):
        content = dict(fields(one))
        number = lambda field: as_double(content[field]) if field in content else 0.0
        out[content.get(1, 0)] = [number(2), number(3), number(5)]
    return out
