"""A small lab on one machine: simulated vehicles, the middleware, and one controller for each vehicle.

ros2 launch hlc_middleware demo.launch.py vehicle_ids:=1,2 periods:=200

The vehicles are participants of DDS on the domain dds_domain, without ROS 2; the controllers are nodes
of ROS 2 on domain_number.
"""

from pathlib import Path

from launch import LaunchDescription
from launch.actions import (
    DeclareLaunchArgument,
    ExecuteProcess,
    IncludeLaunchDescription,
    OpaqueFunction,
    SetEnvironmentVariable,
)
from launch.launch_description_sources import PythonLaunchDescriptionSource
from launch.substitutions import EnvironmentVariable, LaunchConfiguration, PathJoinSubstitution
from launch_ros.actions import Node
from launch_ros.substitutions import FindPackagePrefix

ARGUMENTS = {
    "vehicle_ids": ("1,2", "Vehicles, with commas between them."),
    "period_ms": ("50", "Time from one start signal to the next."),
    "periods": ("", "End after this many periods; empty: no end."),
    "simulated_time": ("false", "true: time moves on when all controllers have replied."),
    "controllers": (
        "hlc_controller_python",
        "Package of the controllers: hlc_controller_python, hlc_controller_cpp, or one of yours "
        "with an executable named controller.",
    ),
    "lab_naming": (
        "dds",
        "Names of the topics of the vehicles; ros2: those of ROS 2, so that its tools see them.",
    ),
    "dds_domain": ("90", "Domain of the vehicles."),
    "domain_number": (
        EnvironmentVariable("ROS_DOMAIN_ID", default_value="0"),
        "Domain of the middleware and the controllers.",
    ),
}


def start_lab(context):
    given = {name: LaunchConfiguration(name).perform(context) for name in ARGUMENTS}
    program = PathJoinSubstitution(
        [FindPackagePrefix("hlc_middleware"), "lib", "hlc_middleware", "hlc-middleware"]
    )
    fleet = ExecuteProcess(
        name="fleet",
        cmd=[
            program,
            "fleet",
            f"--vehicle-ids={given['vehicle_ids']}",
            f"--dds-domain={given['dds_domain']}",
            # In simulated time the vehicles step with the middleware, and are the lab control.
            f"--simulated-time={given['simulated_time']}",
            f"--lab-naming={given['lab_naming']}",
        ],
        output="screen",
    )
    controllers = [
        Node(
            package=given["controllers"],
            executable="controller",
            name=f"controller_{vehicle_id}",
            parameters=[{"vehicle_ids": [int(vehicle_id)]}],
            output="screen",
        )
        for vehicle_id in given["vehicle_ids"].split(",")
    ]
    flags = [name for name in ARGUMENTS if name != "controllers"]
    middleware = IncludeLaunchDescription(
        PythonLaunchDescriptionSource(str(Path(__file__).parent / "middleware.launch.py")),
        launch_arguments={
            **{name: given[name] for name in flags},
            "controller_transport": "ros2",
            "wait_for_start": "false",
            # On a busy machine a controller may be stopped; no user resumes it.
            "resume": "auto",
            "required": "true",
        }.items(),
    )
    return [fleet, *controllers, middleware]


def generate_launch_description():
    return LaunchDescription(
        [
            *[
                DeclareLaunchArgument(name, default_value=default, description=description)
                for name, (default, description) in ARGUMENTS.items()
            ],
            SetEnvironmentVariable("ROS_DOMAIN_ID", LaunchConfiguration("domain_number")),
            OpaqueFunction(function=start_lab),
        ]
    )
