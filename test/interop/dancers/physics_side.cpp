// The physics side of a DANCERS run, the same model as in test/peers/gateways/dancers_world.py: each agent
// keeps the last velocity that it received.
// Usage: physics-side ADDRESS STEP AGENT:X,Y ..., where ADDRESS is the path of a local socket or IPv4:PORT,
// STEP is in seconds, and X and Y are in metres. It prints each received payload as a line of JSON.

#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>

#include "coordinator.hpp"

using namespace dancers_update_proto;

namespace {
struct Agent {
  double x, y, vx, vy, heading;
};
using Agents = std::map<uint32_t, Agent>;

Coordinator connect_to(const std::string &address) {
  const size_t colon = address.find(':');
  if (address[0] == '/' || colon == std::string::npos)
    return Coordinator(address);
  return Coordinator(address.substr(0, colon), std::stoi(address.substr(colon + 1)));
}

Agents agents_of(int count, char **texts) {
  Agents agents;
  for (int i = 0; i < count; i++) {
    unsigned id;
    Agent agent{};
    if (std::sscanf(texts[i], "%u:%lf,%lf", &id, &agent.x, &agent.y) != 3)
      throw std::runtime_error(std::string(texts[i]) + " is not AGENT:X,Y");
    agents[id] = agent;
  }
  return agents;
}

void take_velocities(Agents &agents, const std::string &payload) {
  if (payload.empty())
    return;
  const auto velocities = unpack<VelocityHeadingVector>(payload);
  const char *before = "{";
  for (const auto &one : velocities.velocity_heading()) {
    Agent &agent = agents.at(one.agentid());
    agent = {agent.x, agent.y, one.vx(), one.vy(), one.heading()};
    std::printf("%s\"%u\": [%.17g, %.17g, %.17g]", before, one.agentid(), one.vx(), one.vy(), one.heading());
    before = ", ";
  }
  std::puts("}");
  std::fflush(stdout);
}

PoseVector move(Agents &agents, double seconds) {
  PoseVector poses;
  for (auto &[id, agent] : agents) {
    agent.x += agent.vx * seconds;
    agent.y += agent.vy * seconds;
    auto *pose = poses.add_pose();
    pose->set_agent_id(id);
    pose->set_x(agent.x);
    pose->set_y(agent.y);
    pose->set_qz(std::sin(agent.heading / 2));
    pose->set_qw(std::cos(agent.heading / 2));
    pose->set_vx(agent.vx);
    pose->set_vy(agent.vy);
  }
  return poses;
}
} // namespace

int main(int argc, char **argv) {
  try {
    if (argc < 4)
      throw std::runtime_error("usage: physics-side ADDRESS STEP AGENT:X,Y ...");
    const double seconds = std::stod(argv[2]);
    Agents agents = agents_of(argc - 3, argv + 3);
    Coordinator coordinator = connect_to(argv[1]);
    for (;;) {
      const auto update = coordinator.receive();
      if (update.msg_type() == DancersUpdate::CLOSE)
        return 0;
      take_velocities(agents, update.payload());
      coordinator.answer(pack(move(agents, seconds)));
    }
  }
  catch (const std::exception &error) {
    std::cerr << "physics-side: " << error.what() << std::endl;
    return 1;
  }
}
