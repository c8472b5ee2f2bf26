"""A CAVE client, written from the facts of the wire: its vehicles drive straight on at 1 m/s.

Takes options as JSON: {"port": 8082, "ids": [0], "count": 100, "interval": 0.02}, and further ones:
"packet": sends one MessagePacket instead of one VehicleMessage for each vehicle; "y": where its
vehicles drive, m; "dsrc": a text for the others, sent with each tenth message; "leave": says that it
leaves; "paced": sends a state when it has the answer to the last one, and drives beside vehicle 1
of the lab by that answer; "stay": keeps its socket until it is killed. Prints one JSON object a line: {"connection": n},
then {"world": [...]} of each answer and {"dsrc": text} of each message of others.
"""

import json
import socket
import sys
import time

from cave_client import PACKET, VEHICLE, handshake
from protobuf import as_double, as_int32, double, fields, integer, nested

DSRC = 6


def say(**what):
    print(json.dumps(what), flush=True)


def vector(number, x, y, z):
    return nested(number, double(1, x) + double(2, y) + double(3, z))


def rotation(number):
    return nested(number, double(1, 1) + double(2, 0) + double(3, 0) + double(4, 0))


def vehicle(connection, number, ch_time, x, y):
    message = integer(1, int(time.time())) + integer(2, connection) + integer(3, number)
    message += double(4, ch_time) + double(5, 1.0)
    for field in range(6, 11):
        message += vector(field, x, y, 0.5)
    for field in range(11, 16):
        message += rotation(field)
    return message


def dsrc(connection, ch_time, text):
    message = integer(1, int(time.time())) + double(2, ch_time) + integer(3, connection)
    return message + vector(4, 0, 0, 0) + nested(5, text.encode())


def seen(data):
    """[connection, id, chTime, speed, x, y, e0, e3] of a VehicleMessage."""
    found = dict(fields(data))
    centre = dict(fields(found[6]))
    turned = dict(fields(found[11]))
    assert set(range(1, 16)) <= set(found), found
    return [
        as_int32(found[2]),
        as_int32(found[3]),
        *(as_double(value) for value in (found[4], found[5], centre[1], centre[2], turned[1], turned[4])),
    ]


def receive(udp):
    data = udp.recv(65536)
    if data[0] == DSRC:
        say(dsrc=dict(fields(data[1:]))[5].decode())
        return
    assert data[0] == PACKET, data[0]
    world = []
    for number, value in fields(data[1:]):
        if number == 1:
            assert as_int32(value) == -1
        elif number == 2:
            world.append(seen(value))
    say(world=world)
    return world


def drive_paced(udp, connection, options):
    """Its vehicle has y by the x of vehicle 1 of the lab in the last answer."""
    y = 0.0
    for sent in range(options["count"]):
        ch_time = (sent + 1) * options.get("interval", 0.02)
        udp.send(bytes([VEHICLE]) + vehicle(connection, options["ids"][0], ch_time, ch_time, y))
        if sent == 0:
            continue
        world = receive(udp)
        y = next((one[4] for one in world if one[:2] == [-1, 1]), y)


def main():
    options = json.loads(sys.argv[1])
    connection = handshake(options["port"])
    say(connection=connection)
    udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    udp.connect(("127.0.0.1", options["port"]))
    if options.get("paced"):
        udp.settimeout(15)
        drive_paced(udp, connection, options)
        return
    udp.setblocking(False)
    interval = options.get("interval", 0.02)
    begun = time.monotonic()
    for sent in range(options["count"]):
        ch_time = (sent + 1) * interval
        vehicles = [
            vehicle(connection, number, ch_time, ch_time, options.get("y", 0) + number)
            for number in options["ids"]
        ]
        if options.get("packet"):
            parts = b"".join(nested(2, one) for one in vehicles)
            udp.send(bytes([PACKET]) + integer(1, connection) + parts)
        else:
            for one in vehicles:
                udp.send(bytes([VEHICLE]) + one)
        if "dsrc" in options and sent % 10 == 9:
            udp.send(bytes([DSRC]) + dsrc(connection, ch_time, options["dsrc"]))
        until = begun + (sent + 1) * interval
        while time.monotonic() < until:
            try:
                receive(udp)
            except BlockingIOError:
                time.sleep(0.001)
    if options.get("leave"):
        udp.send(bytes([1]))
    if options.get("stay"):
        sys.stdin.read()


main()
