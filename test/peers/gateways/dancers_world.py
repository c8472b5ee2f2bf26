"""A physics or a network side of DANCERS that simulates something. Options as JSON:
  role "physics": agents {id: [x, y]}; each keeps the last velocity that it received; step: seconds.
  role "network": range; two agents are neighbours within it.
Prints one line per payload that it receives.
"""

import json
import sys

import dancers_network
import dancers_wire as wire

options = json.loads(sys.argv[1])


def tell(line):
    print(json.dumps(line), flush=True)


def run_physics():
    agents = {int(agent): [x, y, 0.0, 0.0, 0.0] for agent, (x, y) in options["agents"].items()}
    peer = wire.connect(options["address"])
    while True:
        kind, payload = wire.next_update(peer)
        if kind == wire.CLOSE:
            break
        for agent, velocity in wire.velocities(payload).items():
            agents[agent][2:] = velocity
        if payload:
            tell(wire.velocities(payload))
        for state in agents.values():
            state[0] += state[2] * options["step"]
            state[1] += state[3] * options["step"]
        peer.sendall(wire.update(wire.END, wire.driven_poses(agents)))


if options["role"] == "physics":
    run_physics()
else:
    dancers_network.run(options["address"], options["range"], tell)
