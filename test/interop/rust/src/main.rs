//! The probe in Rust: see ../../README.md for what every probe does. It uses the messages of
//! examples/rust. Usage: probe --vehicle-id ID --domain ID
mod answer;
mod hash;

/// What build.rs of the example makes of idl/.
#[allow(non_snake_case)]
mod messages {
    use serde::{Deserialize, Serialize};
    include!(concat!(env!("OUT_DIR"), "/messages.rs"));
}

use answer::Command;
use futures::{future::Either, StreamExt};
use messages::*;
use rustdds::policy::{Durability, History, Reliability};
use rustdds::with_key::DataWriterCdr;
use rustdds::{DomainParticipantBuilder, Duration, Keyed, Publisher, QosPolicyBuilder, TopicKind};
use serde::Serialize;
use std::{error::Error, net::Ipv4Addr};

struct Commands {
    direct: DataWriterCdr<VehicleCommandDirect>,
    speed_curvature: DataWriterCdr<VehicleCommandSpeedCurvature>,
    trajectory: DataWriterCdr<VehicleCommandTrajectory>,
    path_tracking: DataWriterCdr<VehicleCommandPathTracking>,
}

impl Commands {
    fn write(&self, command: Command) -> Result<(), Box<dyn Error>> {
        match command {
            Command::Direct(command) => self.direct.write(command, None)?,
            Command::SpeedCurvature(command) => self.speed_curvature.write(command, None)?,
            Command::Trajectory(command) => self.trajectory.write(command, None)?,
            Command::PathTracking(command) => self.path_tracking.write(command, None)?,
        }
        Ok(())
    }
}

async fn control(vehicle_id: u8, domain_id: u16) -> Result<(), Box<dyn Error>> {
    let domain = DomainParticipantBuilder::new(domain_id)
        .with_only_networks([Ipv4Addr::LOCALHOST])
        .build()?;
    let max_blocking_time = Duration::from_millis(100);
    let qos = QosPolicyBuilder::new()
        .reliability(Reliability::Reliable { max_blocking_time })
        .history(History::KeepLast { depth: 1 });
    let kept = qos.clone().durability(Durability::TransientLocal).build();
    let qos = qos.build();
    let subscriber = domain.create_subscriber(&qos)?;
    let publisher = domain.create_publisher(&qos)?;
    let topic = |name: &str, kind| {
        let type_name = name[..1].to_uppercase() + &name[1..];
        domain.create_topic(name.into(), type_name, &qos, kind)
    };
    fn writer<T>(publisher: &Publisher, topic: rustdds::Topic) -> Result<DataWriterCdr<T>, Box<dyn Error>>
    where
        T: Keyed + Serialize + 'static,
        T::K: Serialize,
    {
        Ok(publisher.create_datawriter_cdr::<T>(&topic, None)?)
    }
    let commands = Commands {
        direct: writer(&publisher, topic("vehicleCommandDirect", TopicKind::WithKey)?)?,
        speed_curvature: writer(
            &publisher,
            topic("vehicleCommandSpeedCurvature", TopicKind::WithKey)?,
        )?,
        trajectory: writer(&publisher, topic("vehicleCommandTrajectory", TopicKind::WithKey)?)?,
        path_tracking: writer(
            &publisher,
            topic("vehicleCommandPathTracking", TopicKind::WithKey)?,
        )?,
    };
    let starts = topic("vehicleStateList", TopicKind::NoKey)?;
    let starts = subscriber.create_datareader_no_key_cdr::<VehicleStateList>(&starts, None)?;
    let triggers = topic("systemTrigger", TopicKind::NoKey)?;
    let triggers = subscriber.create_datareader_no_key_cdr::<SystemTrigger>(&triggers, None)?;
    let ready = topic("readyStatus", TopicKind::NoKey)?;
    let ready = publisher.create_datawriter_no_key_cdr::<ReadyStatus>(&ready, Some(kept))?;
    let (source_id, next_start_stamp) = (format!("hlc_{vehicle_id}"), TimeStamp::default());
    ready.write(ReadyStatus { source_id, next_start_stamp }, None)?;

    let starts = starts.async_sample_stream().map(Either::Left);
    let triggers = triggers.async_sample_stream().map(Either::Right);
    let mut messages = futures::stream::select(starts, triggers);
    while let Some(message) = messages.next().await {
        match message {
            Either::Left(start) => {
                let start = start?;
                let list = start.value();
                println!("{} {:016x}", list.t_now, hash::of(list));
                if let Some(command) = answer::to(list, vehicle_id) {
                    commands.write(command)?;
                }
            }
            Either::Right(trigger) => {
                if trigger?.value().next_start.nanoseconds == u64::MAX {
                    break;
                }
            }
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().collect();
    smol::block_on(control(arguments[2].parse()?, arguments[4].parse()?))
}
