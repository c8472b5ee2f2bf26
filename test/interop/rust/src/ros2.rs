//! The probe as a node of ROS 2, with the crate ros2-client and without a ROS 2. Besides the lines
//! of every probe it writes `node NAME` for each node that others announce, and `reader` or `writer`
//! with topic, type and user data for each that others have.
//! Usage: ros2-probe --vehicle-id ID --domain ID
mod answer;
mod hash;

/// What build.rs of the example makes of idl/; the fields of ROS 2 are the same in the same order.
#[allow(dead_code, non_snake_case)]
mod messages {
    use serde::{Deserialize, Serialize};
    include!(concat!(env!("OUT_DIR"), "/messages.rs"));
}

use answer::Command;
use futures::StreamExt;
use messages::*;
use ros2_client::entities_info::ParticipantEntitiesInfo;
use ros2_client::qos::{Durability, History, QosProfile};
use ros2_client::{
    Context, MessageTypeName, Name, Node, NodeName, NodeOptions, Publisher, Subscription,
};
use rustdds::DomainParticipantBuilder;
use std::{collections::HashSet, error::Error, net::Ipv4Addr};

const COMMAND_TOPICS: usize = 4;
const STOP: u64 = u64::MAX; // the stop trigger

/// The default of rclcpp and rclpy: reliable, volatile, keep last 10.
fn ros_default() -> QosProfile {
    QosProfile::publisher_default().history(History::KeepLast { depth: 10 })
}

fn topic(node: &Node, name: &str, data_type: &str) -> Result<rustdds::Topic, Box<dyn Error>> {
    let data_type = MessageTypeName::new("hlc_middleware_msgs", data_type);
    Ok(node.create_topic(&Name::new("/", name)?, data_type, &ros_default())?)
}

struct Commands {
    direct: Publisher<VehicleCommandDirect>,
    speed_curvature: Publisher<VehicleCommandSpeedCurvature>,
    trajectory: Publisher<VehicleCommandTrajectory>,
    path_tracking: Publisher<VehicleCommandPathTracking>,
}

impl Commands {
    fn new(node: &mut Node) -> Result<Commands, Box<dyn Error>> {
        let direct = topic(node, "vehicle_command_direct", "VehicleCommandDirect")?;
        let speed_curvature =
            topic(node, "vehicle_command_speed_curvature", "VehicleCommandSpeedCurvature")?;
        let trajectory = topic(node, "vehicle_command_trajectory", "VehicleCommandTrajectory")?;
        let path_tracking =
            topic(node, "vehicle_command_path_tracking", "VehicleCommandPathTracking")?;
        Ok(Commands {
            direct: node.create_publisher(&direct, None)?,
            speed_curvature: node.create_publisher(&speed_curvature, None)?,
            trajectory: node.create_publisher(&trajectory, None)?,
            path_tracking: node.create_publisher(&path_tracking, None)?,
        })
    }

    fn publish(&self, command: Command) -> Result<(), Box<dyn Error>> {
        match command {
            Command::Direct(command) => self.direct.publish(command)?,
            Command::SpeedCurvature(command) => self.speed_curvature.publish(command)?,
            Command::Trajectory(command) => self.trajectory.publish(command)?,
            Command::PathTracking(command) => self.path_tracking.publish(command)?,
        }
        Ok(())
    }
}

/// Writes each line once.
#[derive(Default)]
struct PrintedLines(HashSet<String>);

impl PrintedLines {
    fn print_once(&mut self, line: String) {
        if self.0.insert(line.clone()) {
            println!("{line}");
        }
    }
}

/// RustDDS gives user data as they came: a length in four octets, the data, and padding.
fn text(user_data: &[u8]) -> String {
    let length = user_data.first_chunk().map_or(0, |octets| u32::from_le_bytes(*octets) as usize);
    let octets = user_data.iter().skip(4).take(length).copied().collect();
    String::from_utf8(octets).unwrap_or_default()
}

/// What each participant says of its nodes. Events of a node say it, too, but are dropped while 8 wait.
fn nodes_of_others(
    context: &Context,
    node: &mut Node,
) -> Result<Subscription<ParticipantEntitiesInfo>, Box<dyn Error>> {
    let data_type = MessageTypeName::new("rmw_dds_common", "ParticipantEntitiesInfo");
    let kept = ros_default().durability(Durability::TransientLocal);
    let topic = context.create_topic("ros_discovery_info".to_string(), data_type, &kept)?;
    Ok(node.create_subscription(&topic, None)?)
}

enum Heard {
    Start(VehicleStateList),
    Trigger(SystemTrigger),
    Nodes(ParticipantEntitiesInfo),
    /// What is known of others has changed.
    Graph,
}

async fn control(context: &Context, node: &mut Node, id: u8) -> Result<(), Box<dyn Error>> {
    let commands = Commands::new(node)?;
    let starts = topic(node, "vehicle_state_list", "VehicleStateList")?;
    let starts: Subscription<VehicleStateList> = node.create_subscription(&starts, None)?;
    let triggers = topic(node, "system_trigger", "SystemTrigger")?;
    let triggers: Subscription<SystemTrigger> = node.create_subscription(&triggers, None)?;
    let nodes = nodes_of_others(context, node)?;
    let graph = node.status_receiver().ok_or("the node does not spin")?;
    let ready = topic(node, "ready_status", "ReadyStatus")?;
    let kept = ros_default().durability(Durability::TransientLocal);
    let ready: Publisher<ReadyStatus> = node.create_publisher(&ready, Some(kept))?;
    let (source_id, next_start_stamp) = (format!("hlc_{id}"), TimeStamp::default());
    let mut signal = Some(ReadyStatus { source_id, next_start_stamp });

    let starts = starts.async_stream().map(|start| start.map(|(list, _)| Heard::Start(list)));
    let triggers =
        triggers.async_stream().map(|trigger| trigger.map(|(trigger, _)| Heard::Trigger(trigger)));
    let nodes = nodes.async_stream().map(|nodes| nodes.map(|(nodes, _)| Heard::Nodes(nodes)));
    let graph = graph.map(|_| Ok(Heard::Graph));
    let messages = futures::stream::select(starts, triggers);
    let messages = futures::stream::select(messages, futures::stream::select(nodes, graph));
    futures::pin_mut!(messages);
    let mut lines = PrintedLines::default();
    let own = context.participant_entities_info();
    let mut announced = false;
    let mut was_there = false;
    while let Some(message) = messages.next().await {
        match message? {
            Heard::Start(list) => {
                println!("{} {:016x}", list.t_now, hash::of(&list));
                if let Some(command) = answer::to(&list, id) {
                    commands.publish(command)?;
                }
            }
            Heard::Trigger(trigger) if trigger.next_start.nanoseconds == STOP => break,
            Heard::Trigger(_) => {}
            Heard::Nodes(entities) => {
                for node in entities.nodes() {
                    lines.print_once(format!("node {}", node.fully_qualified_name()));
                }
                // Ready when there is a node to be ready for, so that it is seen before the run is over.
                announced |= entities.gid() != own.gid() && !entities.nodes().is_empty();
            }
            Heard::Graph => {}
        }
        let mut is_there = false;
        let mut command_readers = HashSet::new();
        for reader in context.domain_participant().discovered_readers() {
            let topic = &reader.subscription_topic_data;
            if topic.topic_name().starts_with("rt/vehicle_command_") {
                command_readers.insert(topic.topic_name().clone());
            }
            let data = text(&reader.user_data);
            lines.print_once(format!("reader {} {} {data}", topic.topic_name(), topic.type_name()));
        }
        for writer in context.domain_participant().discovered_writers() {
            let topic = &writer.publication_topic_data;
            is_there |= topic.topic_name == "rt/vehicle_state_list";
            let data = text(&writer.user_data);
            lines.print_once(format!("writer {} {} {data}", topic.topic_name, topic.type_name));
        }
        // A command that is written before the reader is known reaches nobody.
        if announced && command_readers.len() == COMMAND_TOPICS {
            signal.take().map(|signal| ready.publish(signal)).transpose()?;
        }
        // A reader that the middleware discovers too late does not get its stop trigger.
        if was_there && !is_there {
            break;
        }
        was_there = is_there;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    let participant = DomainParticipantBuilder::new(arguments[4].parse()?)
        .with_only_networks([Ipv4Addr::LOCALHOST])
        .build()?;
    let context = Context::from_domain_participant(participant)?;
    let mut node = context.new_node(NodeName::new("/", "ros2_probe")?, NodeOptions::new())?;
    let executor = smol::Executor::new();
    executor.spawn(node.spinner()?.spin()).detach();
    smol::block_on(executor.run(control(&context, &mut node, arguments[2].parse()?)))
}
