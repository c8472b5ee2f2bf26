"""The probe in Python: see ../README.md for what every probe does.

Usage: probe.py --vehicle-id ID --domain ID. It uses the messages of examples/python.
"""

import os
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "examples/python"))

from controller import ANY, LOOPBACK, STOP
from cyclonedds.core import Policy, Qos, ReadCondition, WaitSet
from cyclonedds.domain import DomainParticipant
from cyclonedds.pub import DataWriter
from cyclonedds.sub import DataReader
from cyclonedds.topic import Topic
from cyclonedds.util import duration
from messages import (
    Header,
    PathPoint,
    ReadyStatus,
    SystemTrigger,
    TimeStamp,
    TrajectoryPoint,
    VehicleCommandDirect,
    VehicleCommandPathTracking,
    VehicleCommandSpeedCurvature,
    VehicleCommandTrajectory,
    VehicleStateList,
)


def words_of(value):
    if isinstance(value, float):
        yield struct.unpack("<Q", struct.pack("<d", value))[0]
    elif isinstance(value, int):  # bool, too
        yield value % 2**64
    elif isinstance(value, (list, tuple)):
        yield len(value)
        for item in value:
            yield from words_of(item)
    else:
        for name in value.__dataclass_fields__:
            yield from words_of(getattr(value, name))


def hash_of(message):
    result = 0xCBF29CE484222325
    for word in words_of(message):
        result = (result ^ word) * 0x100000001B3 % 2**64
    return result


def answer(start, vehicle_id):
    own = next((s for s in start.state_list if s.vehicle_id == vehicle_id), None)
    if own is None:
        return None
    now = TimeStamp(start.t_now)
    header = Header(now, now)
    kind = start.t_now // (start.period_ms * 1_000_000) % 4
    if kind == 0:
        return VehicleCommandDirect(vehicle_id, header, own.motor_throttle, own.steering_servo)
    if kind == 1:
        return VehicleCommandSpeedCurvature(vehicle_id, header, own.speed, own.imu_yaw)
    if kind == 2:
        points = [
            TrajectoryPoint(
                TimeStamp(start.t_now + i * 100_000_000),
                s.pose.x,
                s.pose.y,
                s.imu_acceleration_forward,
                s.imu_acceleration_left,
            )
            for i, s in enumerate(start.state_list)
        ]
        return VehicleCommandTrajectory(vehicle_id, header, points)
    seen = start.vehicle_observation_list
    path = [PathPoint(seen[i % len(seen)].pose, float(i)) for i in range(len(seen) + 1)]
    return VehicleCommandPathTracking(vehicle_id, header, path, own.speed)


def main():
    vehicle_id, domain_id = int(sys.argv[2]), int(sys.argv[4])
    os.environ.setdefault("CYCLONEDDS_URI", LOOPBACK)
    domain = DomainParticipant(domain_id)
    reliable = Policy.Reliability.Reliable(duration(milliseconds=100))

    def writer(kind):
        name = kind.__name__[0].lower() + kind.__name__[1:]
        return DataWriter(domain, Topic(domain, name, kind))

    kinds = (
        VehicleCommandDirect,
        VehicleCommandSpeedCurvature,
        VehicleCommandTrajectory,
        VehicleCommandPathTracking,
    )
    writers = {kind: writer(kind) for kind in kinds}
    starts = DataReader(domain, Topic(domain, "vehicleStateList", VehicleStateList), Qos(reliable))
    triggers = DataReader(domain, Topic(domain, "systemTrigger", SystemTrigger), Qos(reliable))
    kept = Qos(reliable, Policy.Durability.TransientLocal)
    ready = DataWriter(domain, Topic(domain, "readyStatus", ReadyStatus), kept)
    ready.write(ReadyStatus(f"hlc_{vehicle_id}", TimeStamp(0)))

    waitset = WaitSet(domain)
    waitset.attach(ReadCondition(starts, ANY))
    waitset.attach(ReadCondition(triggers, ANY))
    while True:
        waitset.wait(duration(milliseconds=100))
        for start in starts.take():
            if not start.sample_info.valid_data:
                continue
            print(start.t_now, f"{hash_of(start):016x}", flush=True)
            command = answer(start, vehicle_id)
            if command is not None:
                writers[type(command)].write(command)
        for trigger in triggers.take():
            if trigger.sample_info.valid_data and trigger.next_start.nanoseconds == STOP:
                return


main()
