// The network side of a DANCERS run: Wi-Fi radios in ns-3, where the physics side says that the agents
// are. Usage: network-side run.yaml

#include <arpa/inet.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <iostream>
#include <stdexcept>
#include <string>

#include <google/protobuf/io/gzip_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <yaml-cpp/yaml.h>

#include "dancers.pb.h"
#include "radio.hpp"

using namespace dancers_update_proto;
using namespace google::protobuf::io;

namespace {
/** The antenna of a vehicle on flat ground is above it, metres. */
constexpr double antenna_height = 0.1;
constexpr uint32_t most_bytes = 64 << 20;

/** A message as DANCERS sends it: in gzip, but nothing when it is empty. */
template <typename Message> std::string pack(const Message &message) {
  std::string bytes;
  if (message.ByteSizeLong() == 0)
    return bytes;
  StringOutputStream out(&bytes);
  GzipOutputStream gzip(&out);
  message.SerializeToZeroCopyStream(&gzip);
  gzip.Close();
  return bytes;
}

template <typename Message> Message unpack(const std::string &bytes) {
  Message message;
  ArrayInputStream in(bytes.data(), static_cast<int>(bytes.size()));
  GzipInputStream gzip(&in);
  if (!bytes.empty() && !message.ParseFromZeroCopyStream(&gzip))
    throw std::runtime_error("the coordinator sent another message");
  return message;
}

int connect_to(const std::string &path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, path.c_str(), sizeof address.sun_path - 1);
  for (int tries = 0; tries < 20; tries++) {
    const int peer = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connect(peer, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0)
      return peer;
    close(peer);
    usleep(500'000);
  }
  throw std::runtime_error("no coordinator listens at " + path);
}

std::string receive(int peer, size_t count) {
  std::string data(count, '\0');
  if (count > 0 && recv(peer, data.data(), count, MSG_WAITALL) != static_cast<ssize_t>(count))
    throw std::runtime_error("the coordinator has gone");
  return data;
}

/** A frame: its length (big endian), then its content. */
std::string receive_frame(int peer) {
  uint32_t length;
  std::memcpy(&length, receive(peer, sizeof length).data(), sizeof length);
  length = ntohl(length);
  if (length > most_bytes)
    throw std::runtime_error("a frame is too long");
  return receive(peer, length);
}

void send_frame(int peer, const std::string &content) {
  const uint32_t length = htonl(content.size());
  std::string frame(reinterpret_cast<const char *>(&length), sizeof length);
  frame += content; // in one write: the original reads each part with a single call
  if (send(peer, frame.data(), frame.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(frame.size()))
    throw std::runtime_error("the coordinator has gone");
}

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

DancersUpdate step(Radios &radios, const DancersUpdate &begin, uint64_t microseconds) {
  const auto poses = unpack<PoseVector>(begin.payload());
  for (const Pose &pose : poses.pose())
    radios.move(pose.agent_id(), ns3::Vector(pose.x(), pose.y(), pose.z() + antenna_height));
  radios.run(microseconds);
  OrderedNeighborsList lists;
  for (const auto &[agent, neighbors] : radios.neighbors()) {
    auto *list = lists.add_ordered_neighbors();
    list->set_agentid(agent);
    for (const Neighbor &neighbor : neighbors) {
      list->add_neighborid(neighbor.agent);
      list->add_linkquality(neighbor.quality);
      list->add_time_val(neighbor.age);
      list->add_neighbortype(OrderedNeighbors::UNDEFINED);
    }
  }
  DancersUpdate end;
  end.set_msg_type(DancersUpdate::END);
  end.set_payload(pack(lists));
  return end;
}
} // namespace

int main(int argc, char **argv) {
  try {
    if (argc != 2) throw std::runtime_error("usage: network-side run.yaml");
    const auto config = YAML::LoadFile(argv[1]);
    const auto microseconds = config["net_step_size"].as<uint64_t>();
    Radios radios(settings_of(config));
    const int peer = connect_to(config["net_uds_server_address"].as<std::string>());
    for (;;) {
      const auto update = unpack<DancersUpdate>(receive_frame(peer));
      if (update.msg_type() == DancersUpdate::CLOSE)
        return 0;
      send_frame(peer, pack(step(radios, update, microseconds)));
    }
  }
  catch (const std::exception &error) {
    std::cerr << "network-side: " << error.what() << std::endl;
    return 1;
  }
}
