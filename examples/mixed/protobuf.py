"""Protocol buffers on the wire, with the standard library alone and no code of the gateway."""

import struct


def varint(value):
    value &= 0xFFFFFFFFFFFFFFFF
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def tag(number, wire_type):
    return varint(number << 3 | wire_type)


def double(number, value):
    return tag(number, 1) + struct.pack("<d", value)


def real(number, value):
    return tag(number, 5) + struct.pack("<f", value) if value else b""


def integer(number, value):
    return tag(number, 0) + varint(value)


def nested(number, content):
    return tag(number, 2) + varint(len(content)) + content


def fields(data):
    """Yields (number, value) of a message: int of varints, bytes of everything else."""
    at = 0

    def read_varint():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while at < len(data):
        key = read_varint()
        number, wire_type = key >> 3, key & 7
        if wire_type == 0:
            yield number, read_varint()
            continue
        length = {1: 8, 5: 4}.get(wire_type)
        if length is None:
            length = read_varint()
        yield number, data[at : at + length]
        at += length


def as_float(value):
    return struct.unpack("<f", value)[0]


def as_double(value):
    return struct.unpack("<d", value)[0]


def as_int32(value):
    value &= 0xFFFFFFFF
    return value - (1 << 32) if value & 0x80000000 else value
