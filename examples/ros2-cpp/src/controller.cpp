// A controller for one or several vehicles: answers every start signal, drives in circles.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <hlc_middleware_msgs/msg/ready_status.hpp>
#include <hlc_middleware_msgs/msg/system_trigger.hpp>
#include <hlc_middleware_msgs/msg/vehicle_command_speed_curvature.hpp>
#include <hlc_middleware_msgs/msg/vehicle_state_list.hpp>
#include <rclcpp/rclcpp.hpp>

namespace msg = hlc_middleware_msgs::msg;

constexpr auto stop = std::numeric_limits<std::uint64_t>::max();

class Controller : public rclcpp::Node {
public:
  Controller() : Node("controller") {
    vehicle_ids_ = declare_parameter("vehicle_ids", std::vector<std::int64_t>{1});
    speed_ = declare_parameter("speed", 0.5);          // m/s
    curvature_ = declare_parameter("curvature", 0.8);  // 1/m
    commands_ = create_publisher<msg::VehicleCommandSpeedCurvature>(
        "vehicle_command_speed_curvature", 10);
    // The newest start signal is the only one worth a computation.
    starts_ = create_subscription<msg::VehicleStateList>(
        "vehicle_state_list", 1, [this](const msg::VehicleStateList &start) { on_start(start); });
    triggers_ = create_subscription<msg::SystemTrigger>(
        "system_trigger", 10, [this](const msg::SystemTrigger &trigger) {
          if (trigger.next_start.nanoseconds != stop) return;
          // The vehicles stand. Another session may begin; our ready signals are kept for it.
          RCLCPP_INFO(get_logger(), "the session is over; waiting for the next start signal");
        });
    // Last of all: we are ready. A middleware that starts later receives it of all vehicles.
    ready_ = create_publisher<msg::ReadyStatus>("ready_status",
                                                rclcpp::QoS(100).transient_local());
    for (const auto id : vehicle_ids_) {
      msg::ReadyStatus ready;
      ready.source_id = "hlc_" + std::to_string(id);
      ready_->publish(ready);
    }
  }

private:
  void on_start(const msg::VehicleStateList &start) {
    for (const auto id : vehicle_ids_) {
      const bool known =
          std::any_of(start.state_list.begin(), start.state_list.end(),
                      [id](const msg::VehicleState &state) { return state.vehicle_id == id; });
      msg::VehicleCommandSpeedCurvature command;
      command.vehicle_id = static_cast<std::uint8_t>(id);
      command.header.create_stamp.nanoseconds = start.t_now;
      command.header.valid_after_stamp.nanoseconds = start.t_now;
      command.speed = known ? speed_ : 0.0;  // stand still until a state arrives
      command.curvature = curvature_;
      commands_->publish(command);
    }
  }

  std::vector<std::int64_t> vehicle_ids_;
  double speed_ = 0;
  double curvature_ = 0;
  rclcpp::Publisher<msg::VehicleCommandSpeedCurvature>::SharedPtr commands_;
  rclcpp::Publisher<msg::ReadyStatus>::SharedPtr ready_;
  rclcpp::Subscription<msg::VehicleStateList>::SharedPtr starts_;
  rclcpp::Subscription<msg::SystemTrigger>::SharedPtr triggers_;
};

int main(int argc, char **argv) {
  rclcpp::init(argc, argv);
  rclcpp::spin(std::make_shared<Controller>());
  rclcpp::shutdown();
  return 0;
}
