"""A physics or a network side of DANCERS that simulates something. Options as JSON:
  role "physics": agents {id: [x, y]}; each keeps the last velocity that it received; step: seconds.
  role "network": range; two agents are neighbours within it.
Prints one line per payload that it receives.
"""

import gzip
import json
import math
import sys

import dancers_wire as wire
from protobuf import as_double, fields

options = json.loads(sys.argv[1])
peer = wire.connect(options["address"])
agents = {int(agent): [x, y, 0.0, 0.0, 0.0] for agent, (x, y) in options.get("agents", {}).items()}


def physics(payload):
    for agent, velocity in wire.velocities(payload).items():
        agents[agent][2:] = velocity
    if payload:
        print(json.dumps(wire.velocities(payload)), flush=True)
    for state in agents.values():
        state[0] += state[2] * options["step"]
        state[1] += state[3] * options["step"]
    return wire.driven_poses(agents)


known = {}


def network(payload):
    for _, one in fields(gzip.decompress(payload) if payload else b""):
        content = dict(fields(one))
        at = lambda field: as_double(content[field]) if field in content else 0.0
        known[content.get(11, 0)] = (at(1), at(2))
    near = {
        agent: [b for b in known if b != agent and math.dist(known[agent], known[b]) <= options["range"]]
        for agent in known
    }
    print(json.dumps(near), flush=True)
    return wire.neighbors(near)


answer = {"physics": physics, "network": network}[options["role"]]
while True:
    kind, payload = wire.next_update(peer)
    if kind == wire.CLOSE:
        break
    peer.sendall(wire.update(wire.END, answer(payload)))
