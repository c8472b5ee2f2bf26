/** How ROS 2 knows a type of the wire contract. */
export interface RosType {
  /** `hlc_middleware_msgs/msg/VehicleState`. */
  readonly name: string;
  /** The name on the wire: `hlc_middleware_msgs::msg::dds_::VehicleState_`. */
  readonly wireName: string;
  /** `RIHS01_` and 64 hex digits (REP-2011, REP-2016). */
  readonly hash: string;
  /** True when the type has key fields in `idl/`, which it has not in ROS 2. */
  readonly keyedInIdl: boolean;
}
