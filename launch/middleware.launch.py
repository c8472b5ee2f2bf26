"""The middleware as a node of ROS 2. Every flag of `hlc-middleware run` is an argument.

ros2 launch hlc_middleware middleware.launch.py vehicle_ids:=1,2 period_ms:=50 wait_for_start:=false
"""

import json
from pathlib import Path

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, OpaqueFunction, Shutdown, TimerAction
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node

# Arguments that are no flags.
OWN_ARGUMENTS = {
    "name": ("", "Name of the node; empty: that of --node-id."),
    "namespace": ("", "Namespace of the node."),
    "params_file": ("", "A parameter file of ROS 2; flags count before it."),
    "required": ("false", "true: the whole launch ends when the middleware does."),
}

# Controllers that end by themselves after a session have this long to do so, s.
LAST_WORDS = 1.0


def read_flags():
    """The flags with their meanings, as the program printed them when this package was built."""
    file = Path(get_package_share_directory("hlc_middleware")) / "flags.json"
    keys = json.loads(file.read_text())["properties"]
    flags = {key: value["description"] for key, value in keys.items() if value.get("type") != "object"}
    return {**flags, "config": "Configuration file (YAML); its keys are the flags."}


def argument_of(flag):
    return flag.replace("-", "_")


def start_node(context, flags):
    def given(name):
        return LaunchConfiguration(name).perform(context)

    end = TimerAction(period=LAST_WORDS, actions=[Shutdown(reason="the middleware ended")])
    texts = {flag: given(argument_of(flag)) for flag in flags}
    return [
        Node(
            package="hlc_middleware",
            executable="hlc-middleware",
            name=given("name") or None,
            namespace=given("namespace"),
            arguments=[f"--{flag}={text}" for flag, text in texts.items() if text != ""],
            parameters=[given("params_file")] if given("params_file") else [],
            output="screen",
            on_exit=[end] if given("required") == "true" else None,
            # It stops the controllers before it ends; that takes no longer than this, in seconds.
            sigterm_timeout="10",
        )
    ]


def generate_launch_description():
    flags = read_flags()
    return LaunchDescription(
        [
            *[
                DeclareLaunchArgument(name, default_value=default, description=description)
                for name, (default, description) in OWN_ARGUMENTS.items()
            ],
            *[
                DeclareLaunchArgument(
                    argument_of(flag), default_value="", description=f"As --{flag}: {meaning}"
                )
                for flag, meaning in flags.items()
            ],
            OpaqueFunction(function=start_node, args=[flags]),
        ]
    )
