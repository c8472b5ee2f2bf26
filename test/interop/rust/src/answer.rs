//! What a probe answers to a start signal: see ../../README.md.
use crate::messages::*;

pub enum Command {
    Direct(VehicleCommandDirect),
    SpeedCurvature(VehicleCommandSpeedCurvature),
    Trajectory(VehicleCommandTrajectory),
    PathTracking(VehicleCommandPathTracking),
}

/// Nothing when the vehicle is not in the list.
pub fn to(list: &VehicleStateList, vehicle_id: u8) -> Option<Command> {
    let own = list.state_list.iter().find(|state| state.vehicle_id == vehicle_id)?;
    let now = TimeStamp { nanoseconds: list.t_now };
    let header = Header { create_stamp: now.clone(), valid_after_stamp: now };
    Some(match list.t_now / (list.period_ms * 1_000_000) % 4 {
        0 => {
            let (motor_throttle, steering_servo) = (own.motor_throttle, own.steering_servo);
            Command::Direct(VehicleCommandDirect {
                vehicle_id,
                header,
                motor_throttle,
                steering_servo,
            })
        }
        1 => {
            let (speed, curvature) = (own.speed, own.imu_yaw);
            Command::SpeedCurvature(VehicleCommandSpeedCurvature {
                vehicle_id,
                header,
                speed,
                curvature,
            })
        }
        2 => {
            let times = (list.t_now..).step_by(100_000_000);
            let point = |(state, nanoseconds): (&VehicleState, u64)| TrajectoryPoint {
                t: TimeStamp { nanoseconds },
                px: state.pose.x,
                py: state.pose.y,
                vx: state.imu_acceleration_forward,
                vy: state.imu_acceleration_left,
            };
            let trajectory_points = list.state_list.iter().zip(times).map(point).collect();
            Command::Trajectory(VehicleCommandTrajectory { vehicle_id, header, trajectory_points })
        }
        _ => {
            let seen = list.vehicle_observation_list.iter().chain(&list.vehicle_observation_list);
            let point = |(i, entry): (usize, &VehicleObservation)| PathPoint {
                pose: entry.pose.clone(),
                s: i as f64,
            };
            let count = list.vehicle_observation_list.len() + 1;
            let path = seen.take(count).enumerate().map(point).collect();
            let speed = own.speed;
            Command::PathTracking(VehicleCommandPathTracking { vehicle_id, header, path, speed })
        }
    })
}
