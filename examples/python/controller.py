"""A controller for one vehicle, in Python.

At the start of every period the middleware sends a VehicleStateList, and this program answers with
one command.
"""

import argparse
import os
import signal

from cyclonedds.core import Policy, Qos, ReadCondition, WaitSet
from cyclonedds.domain import DomainParticipant
from cyclonedds.pub import DataWriter
from cyclonedds.sub import DataReader
from cyclonedds.topic import Topic
from cyclonedds.util import duration

import messages as msg
from oval import follow_oval

STOP = 2**64 - 1  # the stop trigger
ANY = 0xFFFF  # all samples, whatever their state

# The default network: this machine only. Without multicast, participants are found by index.
LOOPBACK = """<CycloneDDS><Domain><General><AllowMulticast>false</AllowMulticast>
<Interfaces><NetworkInterface name="lo"/></Interfaces></General>
<Discovery><Peers><Peer Address="127.0.0.1"/></Peers><ParticipantIndex>auto</ParticipantIndex>
<MaxAutoParticipantIndex>119</MaxAutoParticipantIndex></Discovery></Domain></CycloneDDS>"""


def plan(start, vehicle_id):
    """The answer to a start signal; it stands still when nothing is known of the vehicle yet."""
    now = msg.TimeStamp(start.t_now)
    speed = curvature = 0.0
    known = [s for s in start.state_list if s.header.create_stamp.nanoseconds > 0]
    for own in known:
        if own.vehicle_id == vehicle_id:
            others = [state for state in known if state is not own]
            speed, curvature = follow_oval(own, others)
    return msg.VehicleCommandSpeedCurvature(vehicle_id, msg.Header(now, now), speed, curvature)


def control(vehicle_id, domain_id):
    domain = DomainParticipant(domain_id)
    # Start signals and commands: only the newest counts, which is the default of DDS.
    reliable = Qos(Policy.Reliability.Reliable(duration(milliseconds=100)))
    starts = DataReader(domain, Topic(domain, "vehicleStateList", msg.VehicleStateList), reliable)
    command_topic = Topic(domain, "vehicleCommandSpeedCurvature", msg.VehicleCommandSpeedCurvature)
    commands = DataWriter(domain, command_topic)
    # None of the lab's triggers may be lost.
    every = Qos(Policy.History.KeepAll, base=reliable)
    triggers = DataReader(domain, Topic(domain, "systemTrigger", msg.SystemTrigger), every)
    # Last of all: we are ready. The signal is kept for a middleware that starts after us.
    kept = Qos(Policy.Durability.TransientLocal, base=every)
    ready = DataWriter(domain, Topic(domain, "readyStatus", msg.ReadyStatus), kept)
    ready.write(msg.ReadyStatus(f"hlc_{vehicle_id}", msg.TimeStamp(0)))

    waitset = WaitSet(domain)
    waitset.attach(ReadCondition(starts, ANY))
    waitset.attach(ReadCondition(triggers, ANY))
    while True:
        waitset.wait(duration(milliseconds=100))
        for start in starts.take():
            if start.sample_info.valid_data:
                commands.write(plan(start, vehicle_id))
        for trigger in triggers.take(16):
            if trigger.sample_info.valid_data and trigger.next_start.nanoseconds == STOP:
                return


def main():
    arguments = argparse.ArgumentParser(description="drives one vehicle around the oval")
    arguments.add_argument("--vehicle-id", type=int, choices=range(256), default=1, metavar="ID")
    arguments.add_argument("--domain", type=int, choices=range(233), default=1, metavar="ID")
    options = arguments.parse_args()
    os.environ["CYCLONEDDS_URI"] = os.environ.get("CYCLONEDDS_URI") or LOOPBACK
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        control(options.vehicle_id, options.domain)
    except KeyboardInterrupt:
        pass  # SIGINT or SIGTERM


if __name__ == "__main__":
    main()
