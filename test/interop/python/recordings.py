"""Reads recordings with mcap, mcap-ros2-support and rosbags, and prints one JSON object per file.

Usage: recordings.py FILE...   (a file that was cut is read as a stream)
"""

import json
import sys
from collections import Counter

from mcap.exceptions import EndOfFile
from mcap.records import Attachment, Channel, Message, Schema
from mcap.stream_reader import StreamReader
from mcap_ros2.decoder import DecoderFactory
from rosbags.typesys import Stores, get_types_from_msg, get_typestore


def records(file):
    """The records of a file, up to where it was cut."""
    try:
        yield from StreamReader(file).records
    except EndOfFile:
        pass


def plain(value):
    """A decoded message as plain data, whichever package decoded it; integers as text."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, (bool, float, str)):
        return value
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, (bytes, bytearray, memoryview)):
        return [str(byte) for byte in value]
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    names = getattr(value, "__slots__", None) or vars(value)
    return {name: plain(getattr(value, name)) for name in names if not name.startswith("_")}


def read(path):
    decoders, schemas, channels = DecoderFactory(), {}, {}
    store = get_typestore(Stores.EMPTY)
    counts, attached, samples, times = Counter(), {}, [], []
    different = 0
    with open(path, "rb") as file:
        for record in records(file):
            if isinstance(record, Schema) and record.id not in schemas:
                schemas[record.id] = record
                store.register(get_types_from_msg(record.data.decode(), record.name))
            elif isinstance(record, Channel):
                channels[record.id] = record
            elif isinstance(record, Attachment):
                attached[record.name] = record.data.decode()
            elif isinstance(record, Message):
                channel = channels[record.channel_id]
                schema = schemas[channel.schema_id]
                decode = decoders.decoder_for(channel.message_encoding, schema)
                one = plain(decode(record.data))
                other = plain(store.deserialize_cdr(record.data, schema.name))
                other.pop("__msgtype__", None)
                different += one != other
                counts[channel.topic] += 1
                if not channel.topic.startswith("/hlc_middleware/"):
                    samples.append([channel.topic, one])
                times.append(record.log_time)
    return {
        "counts": counts,
        "first": str(min(times, default=0)),
        "last": str(max(times, default=0)),
        "rises": times == sorted(times),
        "different": different,
        "attached": attached,
        "samples": samples,
    }


for name in sys.argv[1:]:
    print(json.dumps(read(name)))
