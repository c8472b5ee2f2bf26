//! The hash of a start signal: see ../../README.md.
use crate::messages::{Header, Pose2D, VehicleStateList};

struct Hash(u64);

impl Hash {
    fn word(&mut self, value: u64) {
        self.0 = (self.0 ^ value).wrapping_mul(0x100000001b3);
    }

    fn numbers(&mut self, values: &[f64]) {
        for value in values {
            self.word(value.to_bits());
        }
    }

    fn head(&mut self, vehicle_id: u8, header: &Header, pose: &Pose2D) {
        self.word(vehicle_id.into());
        self.word(header.create_stamp.nanoseconds);
        self.word(header.valid_after_stamp.nanoseconds);
        self.numbers(&[pose.x, pose.y, pose.yaw]);
    }
}

pub fn of(list: &VehicleStateList) -> u64 {
    let mut hash = Hash(0xcbf29ce484222325);
    hash.word(list.t_now);
    hash.word(list.period_ms);
    hash.word(list.state_list.len() as u64);
    for state in &list.state_list {
        hash.head(state.vehicle_id, &state.header, &state.pose);
        hash.word(state.IPS_update_age_nanoseconds);
        hash.numbers(&[
            state.odometer_distance,
            state.imu_acceleration_forward,
            state.imu_acceleration_left,
            state.imu_acceleration_up,
            state.imu_yaw,
            state.imu_yaw_rate,
            state.speed,
            state.battery_voltage,
            state.motor_current,
            state.motor_throttle,
            state.steering_servo,
        ]);
        hash.word(state.is_real.into());
    }
    hash.word(list.vehicle_observation_list.len() as u64);
    for seen in &list.vehicle_observation_list {
        hash.head(seen.vehicle_id, &seen.header, &seen.pose);
    }
    hash.word(list.active_vehicle_ids.len() as u64);
    for id in &list.active_vehicle_ids {
        hash.word(*id as u64);
    }
    hash.0
}
