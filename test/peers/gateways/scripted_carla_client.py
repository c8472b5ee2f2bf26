"""A CARLA 0.8 client, written from the facts of the wire: drives a vehicle, and prints what it sees.

Prints one JSON object a line: {"scene": ...} and {"ready": ...} of each episode, then one of each
frame. Takes options as JSON: {"port": 2000, "episodes": [{...}]}; see `drive`.
"""

import json
import struct
import sys
import time

from carla_client import connect, read_frame, write_frame
from protobuf import as_float, fields, integer, nested, real


def vector(data):
    found = {number: as_float(value) for number, value in fields(data)}
    return [found.get(1, 0), found.get(2, 0), found.get(3, 0)]


def transform(data):
    found = dict(fields(data))
    return {"location": vector(found.get(1, b"")), "rotation": vector(found.get(3, b""))}


def scene(data):
    spots, sensors, name = [], [], ""
    for number, value in fields(data):
        if number == 1:
            spots.append(transform(value))
        elif number == 2:
            sensor = dict(fields(value))
            sensors.append([struct.unpack("<I", sensor[1])[0], sensor.get(2, 0), sensor[3].decode()])
        elif number == 3:
            name = value.decode()
    return {"spots": spots, "sensors": sensors, "map": name}


def measurements(data):
    out = {"agents": [], "game": 0}
    for number, value in fields(data):
        if number == 1:
            out["platform"] = value
        elif number == 2:
            out["game"] = value
        elif number == 3:
            player = dict(fields(value))
            out["player"] = transform(player.get(1, b""))
            out["speed"] = as_float(player[4]) if 4 in player else 0
        elif number == 4:
            agent = dict(fields(value))
            out["agents"].append(struct.unpack("<I", agent[1])[0])
        elif number == 5:
            out["frame"] = value
    return out


def control(steer=0.0, throttle=0.0, brake=0.0, hand_brake=False, reverse=False):
    content = real(1, steer) + real(2, throttle) + real(3, brake)
    if hand_brake:
        content += integer(4, 1)
    if reverse:
        content += integer(5, 1)
    return content


def say(**what):
    print(json.dumps(what), flush=True)


def drive(port, world, episode):
    """One episode. `frames`: how many to answer; `controls`: how many of these to send a control for,
    all unless given; `delay`: seconds before each control; `control`: its fields; `spot`; `ini`."""
    write_frame(world, nested(1, episode.get("ini", "").encode()))
    say(scene=scene(read_frame(world)))
    spot = episode.get("spot", 0)
    write_frame(world, integer(1, spot) if spot else b"")
    ready = read_frame(world)
    say(ready=ready.hex())
    data, commands = connect(port + 1), connect(port + 2)
    controls = episode.get("controls", episode["frames"])
    for frame in range(episode["frames"]):
        seen = measurements(read_frame(data))
        seen["data"] = []
        while True:
            sensor = read_frame(data)
            if not sensor:
                break
            seen["data"].append([struct.unpack("<I", sensor[:4])[0], len(sensor)])
        say(**seen)
        time.sleep(episode.get("delay", 0))
        if frame < controls:
            write_frame(commands, control(**episode.get("control", {})))
    data.close()
    commands.close()


def main():
    options = json.loads(sys.argv[1])
    port = options["port"]
    world = connect(port)
    for episode in options["episodes"]:
        drive(port, world, episode)
    if options.get("stay"):
        say(done=True)
        sys.stdin.read()


main()
