"""A controller for one or several vehicles: answers every start signal, drives in circles."""

import signal
import sys

import rclpy
from hlc_middleware_msgs.msg import (
    ReadyStatus,
    SystemTrigger,
    VehicleCommandSpeedCurvature,
    VehicleStateList,
)
from rclpy.clock import Clock, ClockType
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile

STOP = 2**64 - 1
# The newest start signal is the only one worth a computation.
NEWEST = QoSProfile(depth=1)
# A middleware that starts later receives the ready signals of all vehicles.
KEPT = QoSProfile(depth=100, durability=DurabilityPolicy.TRANSIENT_LOCAL)


class Controller(Node):
    def __init__(self):
        super().__init__("controller")
        self.vehicle_ids = self.declare_parameter("vehicle_ids", [1]).value
        self.speed = self.declare_parameter("speed", 0.5).value  # m/s
        self.curvature = self.declare_parameter("curvature", 0.8).value  # 1/m
        self.commands = self.create_publisher(
            VehicleCommandSpeedCurvature, "vehicle_command_speed_curvature", 10
        )
        self.create_subscription(VehicleStateList, "vehicle_state_list", self.on_start, NEWEST)
        self.create_subscription(SystemTrigger, "system_trigger", self.on_trigger, 10)
        # rclpy wakes up before it shuts down, and may overlook a signal until it wakes up again.
        self.create_timer(1.0, lambda: None, clock=Clock(clock_type=ClockType.STEADY_TIME))
        # Last of all: we are ready.
        self.ready = self.create_publisher(ReadyStatus, "ready_status", KEPT)
        for vehicle_id in self.vehicle_ids:
            self.ready.publish(ReadyStatus(source_id=f"hlc_{vehicle_id}"))

    def on_start(self, start):
        known = {state.vehicle_id for state in start.state_list}
        for vehicle_id in self.vehicle_ids:
            command = VehicleCommandSpeedCurvature(vehicle_id=vehicle_id)
            command.header.create_stamp.nanoseconds = start.t_now
            command.header.valid_after_stamp.nanoseconds = start.t_now
            # Stand still until a state arrives.
            command.speed = self.speed if vehicle_id in known else 0.0
            command.curvature = self.curvature
            self.commands.publish(command)

    def on_trigger(self, trigger):
        if trigger.next_start.nanoseconds == STOP:
            # The vehicles stand. Another session may begin; our ready signals are kept for it.
            self.get_logger().info("the session is over; waiting for the next start signal")


def main():
    # A terminal and "ros2 launch" both send a Ctrl-C: rclpy obeys the first, nothing the second.
    signal.signal(signal.SIGINT, lambda *_: None)
    rclpy.init()
    try:
        rclpy.spin(Controller())
    except (KeyboardInterrupt, ExternalShutdownException):
        pass
    except Exception:
        # Ctrl-C may shut rclpy down between a start signal and its reply.
        if rclpy.ok():
            raise
    rclpy.try_shutdown()
    # Python ends with the default action of a signal that has a handler.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    return 0


if __name__ == "__main__":
    sys.exit(main())
