"""A network side of DANCERS with the standard library alone: agents within a range are neighbours.

Usage: dancers_network.py SOCKET RANGE. In each step it receives where the agents are, and answers which
of them each radio reaches. It ends with the run.
"""

import gzip
import math
import sys

import dancers_wire as wire
from protobuf import as_double, fields


def positions(payload):
    """agent -> (x, y) of a PoseVector."""
    out = {}
    for _, pose in fields(gzip.decompress(payload) if payload else b""):
        content = dict(fields(pose))
        x, y = (as_double(content[field]) if field in content else 0.0 for field in (1, 2))
        out[content.get(11, 0)] = (x, y)
    return out


def reached(places, distance):
    """agent -> the agents within this distance, metres."""
    return {
        agent: [b for b in places if b != agent and math.dist(places[agent], places[b]) <= distance]
        for agent in places
    }


def run(address, distance, seen):
    """`seen` takes the neighbours of each step."""
    peer = wire.connect(address)
    places = {}
    while True:
        kind, payload = wire.next_update(peer)
        if kind == wire.CLOSE:
            break
        # Without a payload no agent has moved.
        places.update(positions(payload))
        near = reached(places, distance)
        seen(near)
        peer.sendall(wire.update(wire.END, wire.neighbors(near)))


def main():
    windows = []
    try:
        run(sys.argv[1], float(sys.argv[2]), windows.append)
    except KeyboardInterrupt:
        pass
    linked = sum(any(near.values()) for near in windows)
    print(f"DANCERS network side: {len(windows)} windows, {linked} with links")


if __name__ == "__main__":
    main()
