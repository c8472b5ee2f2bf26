// The network side of a DANCERS run: Wi-Fi radios in ns-3, where the physics side says that the agents
// are. Usage: network-side run.yaml

#include <iostream>
#include <stdexcept>
#include <string>

#include <yaml-cpp/yaml.h>

#include "coordinator.hpp"
#include "radio.hpp"

using namespace dancers_update_proto;

namespace {
/** The antenna of a vehicle on flat ground is above it, metres. */
constexpr double antenna_height = 0.1;

template <typename T> void read(const YAML::Node &config, const char *key, T &value) {
  if (config[key])
    value = config[key].as<T>();
}

RadioSettings settings_of(const YAML::Node &config) {
  RadioSettings settings;
  read(config, "wifi_power_dbm", settings.power_dbm);
  read(config, "building_loss_db", settings.building_loss_db);
  read(config, "message_interval", settings.interval);
  read(config, "neighbor_timeout", settings.timeout);
  read(config, "seed", settings.seed);
  for (const auto &one : config["buildings"]) {
    const auto number = [&one](const char *key) { return one[key].as<double>(); };
    const double x = number("x"), y = number("y");
    const double half_x = number("size_x") / 2, half_y = number("size_y") / 2;
    settings.buildings.emplace_back(x - half_x, x + half_x, y - half_y, y + half_y, 0, number("height"));
  }
  return settings;
}

Coordinator connect_from(const YAML::Node &config) {
  if (config["net_use_uds"].as<bool>())
    return Coordinator(config["net_uds_server_address"].as<std::string>());
  return Coordinator(config["net_ip_server_address"].as<std::string>(),
                     config["net_ip_server_port"].as<uint16_t>());
}
} // namespace

int main(int argc, char **argv) {
  try {
    if (argc != 2) throw std::runtime_error("usage: network-side run.yaml");
    const auto config = YAML::LoadFile(argv[1]);
    const auto microseconds = config["net_step_size"].as<uint64_t>();
    Radios radios(settings_of(config));
    Coordinator coordinator = connect_from(config);
    for (;;) {
      const auto update = coordinator.receive();
      if (update.msg_type() == DancersUpdate::CLOSE)
        return 0;
      const auto poses = unpack<PoseVector>(update.payload());
      for (const Pose &pose : poses.pose())
        radios.move(pose.agent_id(), ns3::Vector(pose.x(), pose.y(), pose.z() + antenna_height));
      radios.run(microseconds);
      coordinator.answer(pack(radios.neighbors()));
    }
  }
  catch (const std::exception &error) {
    std::cerr << "network-side: " << error.what() << std::endl;
    return 1;
  }
}
