"""A physics or a network side of DANCERS that simulates something. Options as JSON:
  role "physics": agents {id: [x, y]}; each keeps the last velocity that it received; step: seconds.
  role "network": range; two agents are neighbours within it.
  role "pilot": a network side that sends a new velocity to each of `agents` in each step.
Prints one line per payload that it receives.
"""

import gzip
import json
import math
import sys

import dancers_network
import dancers_wire as wire
from protobuf import as_double, double, fields, integer, nested

options = json.loads(sys.argv[1])


def print_line(line):
    print(json.dumps(line), flush=True)


def run_physics():
    agents = {int(agent): [x, y, 0.0, 0.0, 0.0] for agent, (x, y) in options["agents"].items()}
    peer = wire.connect(options["address"], tries=100)
    while True:
        kind, payload = wire.next_update(peer)
        if kind == wire.CLOSE:
            break
        for agent, velocity in wire.velocities(payload).items():
            agents[agent][2:] = velocity
        if payload:
            print_line(wire.velocities(payload))
        for state in agents.values():
            state[0] += state[2] * options["step"]
            state[1] += state[3] * options["step"]
        peer.sendall(wire.update(wire.END, wire.driven_poses(agents)))


def numbers_of_poses(payload):
    """agent -> all numbers of its pose."""
    poses = [dict(fields(pose)) for _, pose in fields(gzip.decompress(payload))]
    absent = bytes(8)
    return {pose.get(11, 0): [as_double(pose.get(i, absent)) for i in range(1, 11)] for pose in poses}


def velocity(agent, heading):
    content = integer(1, agent) + double(2, math.cos(heading)) + double(3, math.sin(heading))
    return nested(1, content + double(5, heading))


def run_pilot():
    peer = wire.connect(options["address"], tries=100)
    step = 0
    while True:
        kind, payload = wire.next_update(peer)
        if kind == wire.CLOSE:
            break
        if payload:
            print_line(numbers_of_poses(payload))
        step += 1
        wanted = b"".join(velocity(agent, 0.1 * step * (agent + 1)) for agent in options["agents"])
        peer.sendall(wire.update(wire.END, gzip.compress(wanted)))


if options["role"] == "physics":
    run_physics()
elif options["role"] == "pilot":
    run_pilot()
else:
    dancers_network.run(options["address"], options["range"], print_line)
