"""The messages of idl/ as classes of cyclonedds: from messages import VehicleStateList

The comments in idl/ have the units. What idlc makes of idl/ in other languages is made here when a
message is imported, since the idlc in the package does not run (see README.md).
"""

import re
from functools import cache
from pathlib import Path

from cyclonedds.idl import annotations, make_idl_struct, types

FOLDER = Path(__file__).resolve().parents[2] / "idl"
PLAIN = {
    "octet": types.uint8,
    "long": types.int32,
    "unsigned long long": types.uint64,
    "double": types.float64,
    "boolean": bool,
    "string": str,
}


@cache
def __getattr__(name):
    if not (FOLDER / f"{name}.idl").exists():
        raise AttributeError(name)
    text = re.sub(r"/\*.*?\*/", "", (FOLDER / f"{name}.idl").read_text(), flags=re.DOTALL)
    members = re.findall(r"^ *(@key )?([\w<> ]+) (\w+);", text, flags=re.MULTILINE)
    fields = {member: type_of(kind) for _, kind, member in members}
    keys = {member: {"key": True} for key, _, member in members if key}
    return annotations.final(make_idl_struct(name, name, fields, field_annotations=keys))


def type_of(kind):
    if kind.startswith("sequence<"):
        return types.sequence[type_of(kind[len("sequence<") : -1])]
    return PLAIN.get(kind) or __getattr__(kind)
