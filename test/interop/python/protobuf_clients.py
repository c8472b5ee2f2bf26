"""Clients of CARLA 0.8 and CAVE whose messages Google's protobuf library reads and writes.

The messages are declared below, from the facts of the wire. Usage: protobuf_clients.py carla|cave
PORT; prints one JSON object.
"""

import json
import socket
import sys
import time

from carla_client import connect, read_frame, write_frame
from cave_client import handshake
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, unknown_fields

FRAMES, STATES, INTERVAL = 60, 100, 0.02

# Each field: type, name, number; "*" repeats it, and "!" makes it required.
CARLA = {
    "Vector3D": "float x 1, float y 2, float z 3",
    "Rotation3D": "float pitch 1, float yaw 2, float roll 3",
    "Transform": "Vector3D location 1, Vector3D orientation 2, Rotation3D rotation 3",
    "BoundingBox": "Transform transform 1, Vector3D extent 2",
    "Sensor": "fixed32 id 1, uint32 type 2, string name 3",
    "Vehicle": "Transform transform 1, float forward_speed 3, BoundingBox bounding_box 4",
    "Agent": "fixed32 id 1, Vehicle vehicle 2",
    "RequestNewEpisode": "string ini_file 1",
    "SceneDescription": "Transform* player_start_spots 1, Sensor* sensors 2, string map_name 3",
    "EpisodeStart": "uint32 player_start_spot_index 1",
    "EpisodeReady": "bool ready 1",
    "Control": "float steer 1, float throttle 2, float brake 3, bool hand_brake 4, bool reverse 5",
    "Player": "Transform transform 1, Vector3D acceleration 3, float forward_speed 4, "
    "float collision_vehicles 5, float collision_pedestrians 6, float collision_other 7, "
    "float intersection_otherlane 8, float intersection_offroad 9, Control autopilot_control 10, "
    "BoundingBox bounding_box 12",
    "Measurements": "uint32 platform_timestamp 1, uint32 game_timestamp 2, "
    "Player player_measurements 3, Agent* non_player_agents 4, uint64 frame_number 5",
}
BODIES = ["Chassis", "FrontRightWheel", "FrontLeftWheel", "BackRightWheel", "BackLeftWheel"]
CAVE = {
    "MVector": "double! x 1, double! y 2, double! z 3",
    "MQuaternion": "double! e0 1, double! e1 2, double! e2 3, double! e3 4",
    "VehicleMessage": "int32! timestamp 1, int32! connectionNumber 2, int32! idNumber 3, "
    "double! chTime 4, double! speed 5, "
    + ", ".join(f"MVector! {body}COM {6 + i}" for i, body in enumerate(BODIES))
    + ", "
    + ", ".join(f"MQuaternion! {body}Rot {11 + i}" for i, body in enumerate(BODIES)),
    "DSRCMessage": "int32! timestamp 1, double! chTime 2, int32! idNumber 3, MVector! vehiclePos 4, "
    "bytes! buffer 5",
    "MessagePacket": "int32! connectionNumber 1, VehicleMessage* vehicleMessages 2, "
    "DSRCMessage* DSRCMessages 3",
}


def declared(package, syntax, messages):
    """The classes of these messages by name."""
    kind = descriptor_pb2.FieldDescriptorProto
    file = descriptor_pb2.FileDescriptorProto(name=package, package=package, syntax=syntax)
    for name, content in messages.items():
        message = file.message_type.add(name=name)
        for text in content.split(", "):
            of, field, number = text.split()
            one = message.field.add(name=field, number=int(number), label=kind.LABEL_OPTIONAL)
            if of[-1] in "*!":
                one.label = kind.LABEL_REPEATED if of[-1] == "*" else kind.LABEL_REQUIRED
            of = of.rstrip("*!")
            if of in messages:
                one.type, one.type_name = kind.TYPE_MESSAGE, f".{package}.{of}"
            else:
                one.type = getattr(kind, f"TYPE_{of.upper()}")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    found = {name: pool.FindMessageTypeByName(f"{package}.{name}") for name in messages}
    return {name: message_factory.GetMessageClass(one) for name, one in found.items()}


def undeclared(message):
    """How many fields of a message, and of those in it, are declared nowhere."""
    count = len(unknown_fields.UnknownFieldSet(message))
    for field, value in message.ListFields():
        if field.message_type is not None:
            count += sum(map(undeclared, value if field.is_repeated else [value]))
    return count


def carla(port):
    of = declared("carla_server", "proto3", CARLA)
    unknown = 0

    def read(sock, name):
        nonlocal unknown
        message = of[name].FromString(read_frame(sock))
        unknown += undeclared(message)
        return message

    world = connect(port)
    ini = "[CARLA/Server]\nSynchronousMode=True\nSendNonPlayerAgentsInfo=True\n"
    write_frame(world, of["RequestNewEpisode"](ini_file=ini).SerializeToString())
    spots = read(world, "SceneDescription").player_start_spots
    write_frame(world, of["EpisodeStart"]().SerializeToString())
    ready = read(world, "EpisodeReady").ready
    data, commands = connect(port + 1), connect(port + 2)
    frames, places = [], []
    for _ in range(FRAMES):
        seen = read(data, "Measurements")
        while read_frame(data):
            pass
        frames.append(seen.frame_number)
        place = seen.player_measurements.transform.location
        places.append([place.x, place.y])
        agents = [agent.id for agent in seen.non_player_agents]
        write_frame(commands, of["Control"](steer=0.5, throttle=0.4).SerializeToString())
    speed = seen.player_measurements.forward_speed
    return {"spots": len(spots), "ready": ready, "frames": frames, "places": places} | {
        "agents": agents,
        "speed": speed,
        "unknown": unknown,
    }


def cave(port):
    of = declared("ChronoMessages", "proto2", CAVE)
    connection = handshake(port)
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.settimeout(15)
    udp.connect(("127.0.0.1", port))
    seen, unknown = set(), 0
    for sent in range(1, STATES + 1):
        x = sent * INTERVAL
        packet = of["MessagePacket"](connectionNumber=connection)
        vehicle = packet.vehicleMessages.add(timestamp=int(time.time()), idNumber=0, chTime=x, speed=1)
        vehicle.connectionNumber = connection
        for body in BODIES:
            getattr(vehicle, f"{body}COM").CopyFrom(of["MVector"](x=x, y=4, z=0.5))
            getattr(vehicle, f"{body}Rot").CopyFrom(of["MQuaternion"](e0=1, e1=0, e2=0, e3=0))
        udp.send(bytes([7]) + packet.SerializeToString())
        if sent == 1:
            continue  # the first one has no answer
        data = udp.recv(65536)
        assert data[0] == 7, data[0]
        # A message without a required field is an error.
        answer = of["MessagePacket"].FromString(data[1:])
        unknown += undeclared(answer)
        seen |= {(one.connectionNumber, one.idNumber) for one in answer.vehicleMessages}
        time.sleep(INTERVAL)
    return {"seen": sorted(seen), "x": x, "unknown": unknown}


print(json.dumps({"carla": carla, "cave": cave}[sys.argv[1]](int(sys.argv[2]))))
