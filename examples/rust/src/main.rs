//! A controller for one vehicle, in Rust. At the start of every period the middleware sends a
//! VehicleStateList, and this program answers with one command.
mod oval;

/// What build.rs makes of idl/; the comments there have the units.
#[allow(dead_code, non_snake_case)]
mod messages {
    use serde::{Deserialize, Serialize};
    include!(concat!(env!("OUT_DIR"), "/messages.rs"));
}

use futures::{future::Either, StreamExt};
use messages::*;
use rustdds::policy::{Durability, History, Reliability};
use rustdds::{DomainParticipantBuilder, Duration, QosPolicyBuilder, TopicKind};
use std::{error::Error, net::Ipv4Addr, process::exit};

const STOP: u64 = u64::MAX; // the stop trigger

async fn control(vehicle_id: u8, domain_id: u16) -> Result<(), Box<dyn Error>> {
    let (stop, stopped) = smol::channel::bounded::<()>(1);
    ctrlc::set_handler(move || _ = stop.try_send(()))?; // SIGINT and SIGTERM

    // This machine only; RustDDS asks at the ports of the first participants by itself.
    let domain = DomainParticipantBuilder::new(domain_id)
        .with_only_networks([Ipv4Addr::LOCALHOST])
        .build()?;
    let reliable = || {
        let max_blocking_time = Duration::from_millis(100);
        QosPolicyBuilder::new().reliability(Reliability::Reliable { max_blocking_time })
    };
    // Start signals and commands: only the newest counts. None of the lab's triggers may be lost.
    let newest = reliable().history(History::KeepLast { depth: 1 }).build();
    let all = reliable().history(History::KeepAll).build();
    let subscriber = domain.create_subscriber(&newest)?;
    let publisher = domain.create_publisher(&newest)?;
    let topic = |name: &str, data_type: &str, kind| {
        domain.create_topic(name.into(), data_type.into(), &newest, kind)
    };

    let starts = topic("vehicleStateList", "VehicleStateList", TopicKind::NoKey)?;
    let starts = subscriber.create_datareader_no_key_cdr::<VehicleStateList>(&starts, None)?;
    let commands = "vehicleCommandSpeedCurvature";
    let commands = topic(commands, "VehicleCommandSpeedCurvature", TopicKind::WithKey)?;
    let commands =
        publisher.create_datawriter_cdr::<VehicleCommandSpeedCurvature>(&commands, None)?;
    let triggers = topic("systemTrigger", "SystemTrigger", TopicKind::NoKey)?;
    let triggers = subscriber.create_datareader_no_key_cdr::<SystemTrigger>(&triggers, Some(all))?;

    // Now we are ready. The signal is kept for a middleware that starts after us.
    let kept = reliable().history(History::KeepAll).durability(Durability::TransientLocal).build();
    let ready = topic("readyStatus", "ReadyStatus", TopicKind::NoKey)?;
    let ready = publisher.create_datawriter_no_key_cdr::<ReadyStatus>(&ready, Some(kept))?;
    let (source_id, next_start_stamp) = (format!("hlc_{vehicle_id}"), TimeStamp::default());
    ready.write(ReadyStatus { source_id, next_start_stamp }, None)?;

    let starts = starts.async_sample_stream().map(Either::Left);
    let triggers = triggers.async_sample_stream().map(Either::Right);
    let mut messages = futures::stream::select(starts, triggers).take_until(Box::pin(stopped.recv()));
    while let Some(message) = messages.next().await {
        match message {
            Either::Left(start) => {
                let command = oval::follow_oval(start?.value(), vehicle_id);
                commands.write(command, None)?;
            }
            Either::Right(trigger) => {
                if trigger?.value().next_start.nanoseconds == STOP {
                    break;
                }
            }
        }
    }
    Ok(())
}

fn main() {
    let (mut vehicle_id, mut domain_id) = (1, 1);
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    for pair in arguments.chunks(2) {
        match (pair[0].as_str(), pair.get(1).and_then(|value| value.parse::<u8>().ok())) {
            ("--vehicle-id", Some(id)) => vehicle_id = id,
            ("--domain", Some(id)) => domain_id = id.into(),
            _ => exit(2),
        }
    }
    if let Err(error) = smol::block_on(control(vehicle_id, domain_id)) {
        eprintln!("controller: {error}");
        exit(1)
    }
}
