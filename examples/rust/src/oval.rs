//! The figure: two straights and two half circles around the middle of a lab of 4.5 m x 4 m, driven
//! counter-clockwise. Points are in metres from the middle.
use crate::messages::*;
use std::f64::consts::PI;

const STRAIGHT: f64 = 1.5; // m
const RADIUS: f64 = 1.2; // m
const HALF: f64 = STRAIGHT + PI * RADIUS; // half a round, m
const AHEAD: f64 = 0.4; // how far ahead we steer for, m

fn position(state: &VehicleState) -> (f64, f64) {
    (state.pose.x - 2.25, state.pose.y - 2.0)
}

/// The place on the oval nearest to a point, in metres from the start of the lower straight.
fn place_of((x, y): (f64, f64)) -> f64 {
    let other_half = if x.abs() > STRAIGHT / 2.0 { x < 0.0 } else { y > 0.0 };
    if other_half {
        return HALF + place_of((-x, -y));
    }
    let beyond = (x - STRAIGHT / 2.0).max(0.0);
    x.min(STRAIGHT / 2.0) + STRAIGHT / 2.0 + RADIUS * beyond.atan2(-y)
}

fn point_at(place: f64) -> (f64, f64) {
    let place = place % (2.0 * HALF);
    let side = if place >= HALF { -1.0 } else { 1.0 };
    let place = place % HALF;
    let angle = (place - STRAIGHT).max(0.0) / RADIUS;
    let x = place.min(STRAIGHT) - STRAIGHT / 2.0 + RADIUS * angle.sin();
    (side * x, -side * RADIUS * angle.cos())
}

/// The command that takes a vehicle on along the oval, at a distance from the vehicle in front. It
/// stands still when nothing is known of it yet.
pub fn follow_oval(list: &VehicleStateList, vehicle_id: u8) -> VehicleCommandSpeedCurvature {
    let now = TimeStamp { nanoseconds: list.t_now };
    let header = Header { create_stamp: now.clone(), valid_after_stamp: now };
    let mut command = VehicleCommandSpeedCurvature { vehicle_id, header, ..Default::default() };
    let known = list.state_list.iter().filter(|s| s.header.create_stamp.nanoseconds > 0);
    let Some(own) = known.clone().find(|s| s.vehicle_id == vehicle_id) else { return command };
    let (x, y) = position(own);
    let place = place_of((x, y));
    let gap = known
        .filter(|other| other.vehicle_id != vehicle_id)
        .map(|other| (place_of(position(other)) - place).rem_euclid(2.0 * HALF))
        .fold(2.0 * HALF, f64::min);
    // Up to 0.8 m/s; 0.6 s and 0.3 m behind the middle of the vehicle in front.
    command.speed = ((gap - 0.3) / 0.6).clamp(0.0, 0.8);

    // The arc that leaves along the heading and goes through the point that we steer for.
    let (to_x, to_y) = point_at(place + AHEAD);
    let (sin, cos) = own.pose.yaw.sin_cos();
    let left = (to_y - y) * cos - (to_x - x) * sin;
    command.curvature = 2.0 * left / (to_x - x).hypot(to_y - y).powi(2);
    command
}
