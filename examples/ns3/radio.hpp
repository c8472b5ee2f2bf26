// Agents with Wi-Fi radios in ad-hoc mode, which broadcast a message each interval.

#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include <ns3/buildings-module.h>
#include <ns3/core-module.h>
#include <ns3/mobility-module.h>
#include <ns3/network-module.h>
#include <ns3/propagation-module.h>
#include <ns3/wifi-module.h>

#include "dancers.pb.h"

/** Times are microseconds. */
struct RadioSettings {
  /** They stand on the ground, metres. */
  std::vector<ns3::Box> buildings;
  double power_dbm = 16;
  /** Loss of each building between two radios, dB. */
  double building_loss_db = 60;
  uint64_t interval = 20'000;
  /** A neighbour without a message for longer than this is lost. */
  uint64_t timeout = 200'000;
  uint32_t seed = 1;
};

/** Each building between two radios takes its part of the power. */
class BuildingLoss : public ns3::PropagationLossModel {
public:
  explicit BuildingLoss(double loss_db) : loss_db(loss_db) {}

private:
  double DoCalcRxPower(double power, ns3::Ptr<ns3::MobilityModel> a,
                       ns3::Ptr<ns3::MobilityModel> b) const override {
    for (auto one = ns3::BuildingList::Begin(); one != ns3::BuildingList::End(); ++one)
      if ((*one)->IsIntersect(a->GetPosition(), b->GetPosition()))
        power -= loss_db;
    return power;
  }

  int64_t DoAssignStreams(int64_t) override { return 0; }

  double loss_db;
};

class Radios {
public:
  explicit Radios(const RadioSettings &settings) : settings(settings) {
    using namespace ns3;
    RngSeedManager::SetSeed(settings.seed);
    for (const Box &box : settings.buildings)
      CreateObject<Building>()->SetBoundaries(box);
    const auto distance = CreateObject<LogDistancePropagationLossModel>();
    distance->SetNext(CreateObject<BuildingLoss>(settings.building_loss_db));
    const auto channel = CreateObject<YansWifiChannel>();
    channel->SetPropagationLossModel(distance);
    channel->SetPropagationDelayModel(CreateObject<ConstantSpeedPropagationDelayModel>());
    phy.SetChannel(channel);
    phy.Set("TxPowerStart", DoubleValue(settings.power_dbm));
    phy.Set("TxPowerEnd", DoubleValue(settings.power_dbm));
    mac.SetType("ns3::AdhocWifiMac");
    wifi.SetStandard(WIFI_STANDARD_80211a);
    wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager");
  }

  ~Radios() { ns3::Simulator::Destroy(); }

  /** Moves an agent, metres; the first call makes its radio. */
  void move(uint32_t agent, const ns3::Vector &position) {
    if (devices.count(agent) == 0)
      add(agent);
    devices.at(agent)->GetNode()->GetObject<ns3::MobilityModel>()->SetPosition(position);
  }

  void run(uint64_t microseconds) {
    ns3::Simulator::Stop(ns3::MicroSeconds(microseconds));
    ns3::Simulator::Run();
    for (auto &[agent, senders] : received)
      for (auto &[sender, times] : senders)
        while (!times.empty() && times.front() + settings.timeout < now())
          times.erase(times.begin());
  }

  /** The neighbours of each agent, the best link first. Quality: the part of its messages that arrived. */
  dancers_update_proto::OrderedNeighborsList neighbors() const {
    dancers_update_proto::OrderedNeighborsList lists;
    const double sent = static_cast<double>(settings.timeout) / settings.interval;
    for (const auto &[agent, senders] : received) {
      std::multimap<double, uint32_t, std::greater<double>> by_quality;
      for (const auto &[sender, times] : senders)
        if (!times.empty())
          by_quality.emplace(std::min(1.0, times.size() / sent), sender);
      auto *list = lists.add_ordered_neighbors();
      list->set_agentid(agent);
      for (const auto &[quality, sender] : by_quality) {
        list->add_neighborid(sender);
        list->add_linkquality(quality);
        list->add_time_val(now() - senders.at(sender).back());
        list->add_neighbortype(dancers_update_proto::OrderedNeighbors::UNDEFINED);
      }
    }
    return lists;
  }

private:
  static uint64_t now() { return ns3::Simulator::Now().GetMicroSeconds(); }

  void add(uint32_t agent) {
    using namespace ns3;
    const auto node = CreateObject<Node>();
    node->AggregateObject(CreateObject<ConstantPositionMobilityModel>());
    const auto device = wifi.Install(phy, mac, node).Get(0);
    device->SetReceiveCallback(MakeCallback(&Radios::receive, this));
    devices[agent] = device;
    agents[device->GetAddress()] = agent;
    received[agent]; // it has a list, also without a message
    // Not all at the same time, and the same in each run.
    const uint64_t phase = agents.size() * 1237 % settings.interval;
    Simulator::ScheduleWithContext(node->GetId(), MicroSeconds(phase), &Radios::send, this, agent);
  }

  void send(uint32_t agent) {
    constexpr uint16_t experimental = 0x88b5; // EtherType, IEEE 802
    constexpr uint32_t bytes = 200;
    const auto device = devices.at(agent);
    device->Send(ns3::Create<ns3::Packet>(bytes), device->GetBroadcast(), experimental);
    ns3::Simulator::Schedule(ns3::MicroSeconds(settings.interval), &Radios::send, this, agent);
  }

  bool receive(ns3::Ptr<ns3::NetDevice> device, ns3::Ptr<const ns3::Packet>, uint16_t,
               const ns3::Address &sender) {
    received[agents.at(device->GetAddress())][agents.at(sender)].push_back(now());
    return true;
  }

  RadioSettings settings;
  ns3::WifiHelper wifi;
  ns3::WifiMacHelper mac;
  ns3::YansWifiPhyHelper phy;
  std::map<uint32_t, ns3::Ptr<ns3::NetDevice>> devices;
  std::map<ns3::Address, uint32_t> agents;
  /** By receiver and sender: times of the messages within the time-out. */
  std::map<uint32_t, std::map<uint32_t, std::vector<uint64_t>>> received;
};
