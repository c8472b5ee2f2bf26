// The controller of vehicle 1, with rclcpp as its users write it: answers every start signal, and reports
// at the end, as JSON, how the start signals came. The first ones, as many as the parameter `skip`
// says, are not counted.
#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <vector>

#include <hlc_middleware_msgs/msg/ready_status.hpp>
#include <hlc_middleware_msgs/msg/vehicle_command_speed_curvature.hpp>
#include <hlc_middleware_msgs/msg/vehicle_state_list.hpp>
#include <rclcpp/rclcpp.hpp>

namespace msg = hlc_middleware_msgs::msg;

// Durations in ns.
class Distribution {
public:
  void add(std::int64_t ns) { ns_.push_back(ns); }

  void print(const char *name) {
    std::sort(ns_.begin(), ns_.end());
    std::printf("\"%s\":{\"count\":%zu,\"p50\":%.3f,\"p99\":%.3f,\"max\":%.3f}", name, ns_.size(),
                quantile_us(50), quantile_us(99), quantile_us(100));
  }

private:
  // Nearest rank.
  double quantile_us(std::size_t percent) const {
    if (ns_.empty()) return 0;
    const std::size_t rank = (ns_.size() * percent + 99) / 100;
    return static_cast<double>(ns_[rank > 0 ? rank - 1 : 0]) / 1e3;
  }

  std::vector<std::int64_t> ns_;
};

class Listener : public rclcpp::Node {
public:
  Listener() : Node("listener") {
    skip_ = declare_parameter<std::int64_t>("skip", 0);
    commands_ = create_publisher<msg::VehicleCommandSpeedCurvature>(
        "vehicle_command_speed_curvature", 10);
    starts_ = create_subscription<msg::VehicleStateList>(
        "vehicle_state_list", 1,
        [this](const msg::VehicleStateList &start, const rclcpp::MessageInfo &info) {
          note(start, info.get_rmw_message_info().source_timestamp);
          answer(start);
        });
    ready_ = create_publisher<msg::ReadyStatus>("ready_status", rclcpp::QoS(1).transient_local());
    msg::ReadyStatus ready;
    ready.source_id = "hlc_1";
    ready_->publish(ready);
  }

  void report() {
    std::printf("{\"start_signals\":%" PRId64 ",", start_signals_);
    delivery_.print("delivery_us");
    std::printf(",");
    lateness_.print("lateness_us");
    std::printf("}\n");
  }

private:
  void note(const msg::VehicleStateList &start, std::int64_t written_ns) {
    using namespace std::chrono;
    const std::int64_t now =
        duration_cast<nanoseconds>(system_clock::now().time_since_epoch()).count();
    if (start_signals_++ < skip_) return;
    delivery_.add(now - written_ns);
    lateness_.add(now - static_cast<std::int64_t>(start.t_now));
  }

  void answer(const msg::VehicleStateList &start) {
    msg::VehicleCommandSpeedCurvature command;
    command.vehicle_id = 1;
    command.header.create_stamp.nanoseconds = start.t_now;
    command.header.valid_after_stamp.nanoseconds = start.t_now;
    command.speed = 1;
    commands_->publish(command);
  }

  std::int64_t skip_ = 0;
  std::int64_t start_signals_ = 0;
  // From the middleware's write, by the stamp of the rmw, to this callback.
  Distribution delivery_;
  // From the time that a start signal names to this callback.
  Distribution lateness_;
  rclcpp::Publisher<msg::VehicleCommandSpeedCurvature>::SharedPtr commands_;
  rclcpp::Publisher<msg::ReadyStatus>::SharedPtr ready_;
  rclcpp::Subscription<msg::VehicleStateList>::SharedPtr starts_;
};

int main(int argc, char **argv) {
  rclcpp::init(argc, argv);
  const auto listener = std::make_shared<Listener>();
  rclcpp::spin(listener);
  listener->report();
  rclcpp::shutdown();
  return 0;
}
