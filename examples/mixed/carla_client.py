"""A client of a CARLA 0.8 server with the standard library alone: it drives circles to the right.

Usage: carla_client.py PORT. The protocol: frames of a length (uint32, little endian) and a protobuf
message, on three ports. It ends when the server disconnects it, or with Ctrl-C.
"""

import socket
import struct
import sys

from protobuf import nested, real

STEER, THROTTLE = 0.4, 0.3


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=15)


def read_exactly(sock, length):
    data = b""
    while len(data) < length:
        part = sock.recv(length - len(data))
        if not part:
            raise ConnectionError("the server has closed the connection")
        data += part
    return data


def read_frame(sock):
    (length,) = struct.unpack("<I", read_exactly(sock, 4))
    return read_exactly(sock, length)


def write_frame(sock, message):
    sock.sendall(struct.pack("<I", len(message)) + message)


def start_episode(port):
    """Returns the connections: to the world, for measurements, and for controls."""
    world = connect(port)
    settings = b"[CARLA/Server]\nSynchronousMode=True\n"
    # RequestNewEpisode{ini_file}, answered with a SceneDescription.
    write_frame(world, nested(1, settings))
    read_frame(world)
    # EpisodeStart{player_start_spot_index: 0} has no bytes; EpisodeReady{ready: true} has two.
    write_frame(world, b"")
    assert read_frame(world) == b"\x08\x01"
    return world, connect(port + 1), connect(port + 2)


def main():
    port = int(sys.argv[1])
    try:
        world, measurements, controls = start_episode(port)
    except OSError as error:
        sys.exit(f"CARLA client: no episode at port {port}: {error}; start a server that has a free vehicle")
    frames = 0
    try:
        while True:
            read_frame(measurements)  # Measurements
            while read_frame(measurements):  # the data of sensors, up to an empty frame
                pass
            frames += 1
            write_frame(controls, real(1, STEER) + real(2, THROTTLE))
    except (OSError, KeyboardInterrupt):
        print(f"CARLA client: {frames} frames")
    finally:
        world.close()


if __name__ == "__main__":
    main()
