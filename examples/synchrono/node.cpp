// A node of SynChrono: it waits for the other nodes, sends the description of its agents, and then
// one state per heartbeat, each after the states of the others before it, as the original does. It
// prints what it receives, one JSON object per line. Without a check it would crash where the
// original does; so it verifies each buffer, and ends with exit code 1 where the original crashes.
// Two differences: its readers keep all messages, of one writer of each node, and its writers keep two. The
// original keeps one. It loses a message that a node has not received or read when the next one follows;
// then that node crashes at a state without a description, or waits 20 s at the end.
// Its flags are in `usage` below, with their defaults.
// --writers=0: one writer per agent. --quit=0: it never ends the simulation by itself. --loopback=1: it
// uses this machine only; without it all network interfaces and multicast, as the original does. --quiet=1: it prints its end only.

#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/domain/DomainParticipantListener.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastrtps/utils/IPLocator.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "SynDDSMessage.h"
#include "SynDDSMessagePubSubTypes.h"
#include "synchrono_generated.h"

namespace fast = eprosima::fastdds::dds;
namespace rtps = eprosima::fastrtps::rtps;
namespace fb = SynFlatBuffers;

namespace {

const std::string prefix = "/syn/node/";
constexpr int receive_seconds = 20;

const std::string usage =
    "Usage: node --node=1 --peers=1 --domain=33 --agents=1 --kind=wheeled --heartbeats=100 --writers=0 "
    "--heartbeat-ms=10 --quit=1 --loopback=0 --quiet=0";

/** Ends the program at a flag that it does not have, or at --help. */
void check_flags(int argc, char** argv) {
  for (int i = 1; i < argc; i++) {
    const std::string argument = argv[i];
    const auto end = argument.find('=');
    const bool is_known =
        end != std::string::npos && usage.find(" " + argument.substr(0, end + 1)) != std::string::npos;
    if (is_known) continue;
    std::fprintf(stderr, "%s\n", usage.c_str());
    std::exit(argument == "--help" ? 0 : 2);
  }
}

std::string option(int argc, char** argv, const std::string& name, const std::string& otherwise) {
  const std::string start = "--" + name + "=";
  for (int i = 1; i < argc; i++) {
    const std::string argument = argv[i];
    if (argument.rfind(start, 0) == 0) return argument.substr(start.size());
  }
  return otherwise;
}

[[noreturn]] void fail(const char* what) {
  std::fprintf(stderr, "%s\n", what);
  std::exit(1);
}

template <typename T>
const T& used(const T* pointer) {
  if (pointer == nullptr) fail("a pointer is null: the original crashes");
  return *pointer;
}

/** The names of the other nodes' participants. */
class Participants : public fast::DomainParticipantListener {
 public:
  void on_participant_discovery(fast::DomainParticipant*,
                                rtps::ParticipantDiscoveryInfo&& info) override {
    const std::string name = info.info.m_participantName.to_string();
    if (name.rfind(prefix, 0) != 0) return;
    std::lock_guard<std::mutex> lock(mutex_);
    if (info.status == rtps::ParticipantDiscoveryInfo::DISCOVERED_PARTICIPANT) names_.insert(name);
    changed_.notify_all();
  }

  std::set<std::string> until(size_t count) {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return names_.size() >= count; });
    return names_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<std::string> names_;
};

using Key = std::pair<int, int>;

class Node {
 public:
  Node(int argc, char** argv)
      : number_(std::stoi(option(argc, argv, "node", "1"))),
        peers_(std::stoul(option(argc, argv, "peers", "1"))),
        agents_(std::stoi(option(argc, argv, "agents", "1"))),
        kind_(option(argc, argv, "kind", "wheeled")),
        quiet_(option(argc, argv, "quiet", "0") == "1"),
        heartbeat_(std::stod(option(argc, argv, "heartbeat-ms", "10")) / 1000) {
    fast::DomainParticipantQos qos;
    qos.name(prefix + std::to_string(number_) + ".0");
    qos.transport().use_builtin_transports = false;
    const auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
    qos.transport().user_transports.push_back(udp);
    if (option(argc, argv, "loopback", "0") == "1") stay_on_this_machine(qos, *udp);
    const int domain = std::stoi(option(argc, argv, "domain", "33"));
    fast::StatusMask mask = fast::StatusMask::none();
    participant_ = fast::DomainParticipantFactory::get_instance()->create_participant(
        domain, qos, &participants_, mask);
    if (participant_ == nullptr) fail("no participant");
    type_.register_type(participant_);
    fast::Topic* topic = topic_of(prefix + std::to_string(number_) + ".0");
    fast::DataWriterQos writer_qos;
    writer_qos.reliability().kind = fast::RELIABLE_RELIABILITY_QOS;
    writer_qos.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    writer_qos.history().kind = fast::KEEP_LAST_HISTORY_QOS;
    // A message goes out when all nodes have the one two before it, for they have answered that one.
    writer_qos.history().depth = 2;
    fast::Publisher* publisher = participant_->create_publisher(fast::PUBLISHER_QOS_DEFAULT);
    const int writers = std::stoi(option(argc, argv, "writers", "0"));
    for (int i = 0; i < (writers > 0 ? writers : agents_); i++) {
      writers_.push_back(publisher->create_datawriter(topic, writer_qos));
    }
  }

  ~Node() {
    // The last message of a node that is gone is not sent again.
    for (fast::DataWriter* writer : writers_) writer->wait_for_acknowledgments({1, 0});
    participant_->delete_contained_entities();
    fast::DomainParticipantFactory::get_instance()->delete_participant(participant_);
  }

  void join() {
    const std::set<std::string> names = participants_.until(peers_);
    fast::Subscriber* subscriber = participant_->create_subscriber(fast::SUBSCRIBER_QOS_DEFAULT);
    fast::DataReaderQos qos;
    qos.reliability().kind = fast::RELIABLE_RELIABILITY_QOS;
    qos.durability().kind = fast::TRANSIENT_LOCAL_DURABILITY_QOS;
    qos.endpoint().history_memory_policy = rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
    qos.history().kind = fast::KEEP_ALL_HISTORY_QOS;
    for (const std::string& name : names) {
      readers_.push_back(subscriber->create_datareader(topic_of(name), qos));
    }
    if (!quiet_) std::printf("{\"joined\":%zu}\n", names.size());
  }

  void describe() {
    publish(buffer([&](int agent) { return description(agent); }));
    receive();
  }

  /** Sends and receives the states of one heartbeat. @return its work without waits, ms */
  double synchronize(int beat) {
    const auto begin = std::chrono::steady_clock::now();
    waited_ = {};
    exchange(beat);
    const std::chrono::duration<double, std::milli> all = std::chrono::steady_clock::now() - begin;
    return all.count() - waited_.count();
  }

  void quit() {
    flatbuffers::FlatBufferBuilder builder;
    const auto end = fb::Simulation::CreateState(builder, true);
    const fb::AgentKey nobody(0, 0);
    const std::vector<flatbuffers::Offset<fb::Message>> messages = {fb::CreateMessage(
        builder, fb::Type_Simulation_State, end.Union(), &nobody, &nobody)};
    publish(finish(builder, messages));
    receive();
  }

  bool over() const { return over_; }

 private:
  using Builder = flatbuffers::FlatBufferBuilder;

  void exchange(int beat) {
    // The times of Chrono are sums of steps, not multiples of the heartbeat.
    const double time = beat * heartbeat_ + beat * 1e-12;
    publish(buffer([&](int agent) { return state(agent, time); }));
    agents_line_.clear();
    receive();
    if (quiet_) return;
    std::printf("{\"beat\":%d,\"agents\":[%s]}\n", beat, agents_line_.c_str());
    std::fflush(stdout);
  }

  static void stay_on_this_machine(fast::DomainParticipantQos& qos,
                                   eprosima::fastdds::rtps::UDPv4TransportDescriptor& udp) {
    rtps::Locator_t loopback;
    rtps::IPLocator::setIPv4(loopback, "127.0.0.1");
    udp.interfaceWhiteList.push_back("127.0.0.1");
    // A peer without a port is asked at the ports of so many participants.
    udp.maxInitialPeersRange = 120;
    auto& builtin = qos.wire_protocol().builtin;
    builtin.initialPeersList.push_back(loopback);
    builtin.metatrafficUnicastLocatorList.push_back(loopback);
    builtin.discovery_config.leaseDuration_announcementperiod = {1, 0};
  }

  fast::Topic* topic_of(const std::string& name) {
    return participant_->create_topic(name, type_.get_type_name(), fast::TOPIC_QOS_DEFAULT);
  }

  template <typename Make>
  std::vector<uint8_t> buffer(Make make) {
    builder_.Clear();
    std::vector<flatbuffers::Offset<fb::Message>> messages;
    for (int agent = 1; agent <= agents_; agent++) messages.push_back(make(agent));
    return finish(builder_, messages);
  }

  static std::vector<uint8_t> finish(
      Builder& builder, const std::vector<flatbuffers::Offset<fb::Message>>& messages) {
    builder.FinishSizePrefixed(fb::CreateBufferDirect(builder, &messages));
    return {builder.GetBufferPointer(), builder.GetBufferPointer() + builder.GetSize()};
  }

  flatbuffers::Offset<fb::Message> message(int agent, fb::Type type,
                                           flatbuffers::Offset<void> body) {
    const fb::AgentKey source(number_, agent);
    const fb::AgentKey destination(0, 0);
    return fb::CreateMessage(builder_, type, body, &source, &destination);
  }

  flatbuffers::Offset<fb::Message> description(int agent) {
    namespace a = fb::Agent;
    flatbuffers::Offset<void> body;
    a::Type type = a::Type_WheeledVehicle_Description;
    if (kind_ == "tracked") {
      type = a::Type_TrackedVehicle_Description;
      body = a::TrackedVehicle::CreateDescriptionDirect(builder_, "m113.obj", "", "", "", "", "",
                                                        "", "", 126, 2, 2, 10)
                 .Union();
    } else if (kind_ == "copter") {
      type = a::Type_Copter_Description;
      body = a::Copter::CreateDescriptionDirect(builder_, "hexy.obj", "", 6).Union();
    } else {
      body = a::WheeledVehicle::CreateDescriptionDirect(builder_, "hmmwv.obj", "", "", 4).Union();
    }
    return message(agent, fb::Type_Agent_Description,
                   a::CreateDescriptionDirect(builder_, type, body, "").Union());
  }

  flatbuffers::Offset<fb::Pose> pose(int agent, double time) {
    const double yaw = 0.1 * agent;
    const double speed = number_;
    const auto still = fb::CreateVector(builder_, 0, 0, 0);
    const auto turning = fb::CreateQuaternion(builder_, 0, 0, 0, 0);
    const auto velocity =
        fb::CreateVector(builder_, speed * std::cos(yaw), speed * std::sin(yaw), 0);
    const auto rotation =
        fb::CreateQuaternion(builder_, std::cos(yaw / 2), 0, 0, std::sin(yaw / 2));
    const double way = speed * time;
    const auto at =
        fb::CreateVector(builder_, way * std::cos(yaw), agent + way * std::sin(yaw), 0.5);
    return fb::CreatePose(builder_, at, rotation, velocity, turning, still, turning);
  }

  flatbuffers::Offset<fb::Message> state(int agent, double time) {
    namespace a = fb::Agent;
    const auto chassis = pose(agent, time);
    const auto many = [&](size_t count) {
      std::vector<flatbuffers::Offset<fb::Pose>> poses;
      for (size_t i = 0; i < count; i++) poses.push_back(pose(agent, time));
      return poses;
    };
    flatbuffers::Offset<void> body;
    a::Type type = a::Type_WheeledVehicle_State;
    if (kind_ == "tracked") {
      type = a::Type_TrackedVehicle_State;
      const auto shoes = many(126), sprockets = many(2), idlers = many(2), wheels = many(10);
      body = a::TrackedVehicle::CreateStateDirect(builder_, time, chassis, &shoes, &sprockets,
                                                  &idlers, &wheels)
                 .Union();
    } else if (kind_ == "copter") {
      type = a::Type_Copter_State;
      const auto propellers = many(6);
      body = a::Copter::CreateStateDirect(builder_, time, chassis, &propellers).Union();
    } else {
      const auto wheels = many(4);
      body = a::WheeledVehicle::CreateStateDirect(builder_, time, chassis, &wheels).Union();
    }
    return message(agent, fb::Type_Agent_State, a::CreateState(builder_, type, body).Union());
  }

  void publish(std::vector<uint8_t> data) {
    SynDDSMessage sample;
    sample.data(std::move(data));
    for (fast::DataWriter* writer : writers_) writer->write(&sample);
  }

  /** True for the writer whose message a reader received first. */
  bool is_of_first_writer(fast::DataReader* reader, const rtps::InstanceHandle_t& writer) {
    return first_writers_.emplace(reader, writer).first->second == writer;
  }

  /** One message of each other node, or a warning after the time-out. */
  void receive() {
    for (fast::DataReader* reader : readers_) {
      SynDDSMessage sample;
      fast::SampleInfo info;
      bool taken = false;
      const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(receive_seconds);
      while (!taken && std::chrono::steady_clock::now() < until) {
        const auto begin = std::chrono::steady_clock::now();
        const bool came = reader->wait_for_unread_message({1, 0});
        waited_ += std::chrono::steady_clock::now() - begin;
        if (!came) continue;
        taken = reader->take_next_sample(&sample, &info) == ReturnCode_t::RETCODE_OK &&
                info.valid_data && is_of_first_writer(reader, info.publication_handle);
      }
      if (!taken) {
        std::fprintf(stderr, "no message for %d s\n", receive_seconds);
        continue;
      }
      process(sample.data());
    }
  }

  void process(const std::vector<uint8_t>& data) {
    flatbuffers::Verifier verifier(data.data(), data.size());
    if (!fb::VerifySizePrefixedBufferBuffer(verifier)) fail("a buffer is not valid");
    const fb::Buffer* buffer = fb::GetSizePrefixedBuffer(data.data());
    for (const fb::Message* each : used(buffer->buffer())) {
      const fb::AgentKey& source = used(each->source_key());
      used(each->destination_key());
      const Key key(source.node_id(), source.agent_id());
      switch (each->message_type()) {
        case fb::Type_Agent_Description: add(key, used(each->message_as_Agent_Description())); break;
        case fb::Type_Agent_State: move(key, used(each->message_as_Agent_State())); break;
        case fb::Type_Simulation_State:
          over_ = used(each->message_as_Simulation_State()).quit_sim();
          break;
        default: fail("an unknown message: the original crashes");
      }
    }
  }

  void add(const Key& key, const fb::Agent::Description& agent) {
    used(agent.json());
    if (const auto* wheeled = agent.description_as_WheeledVehicle_Description()) {
      wheels_[key] = wheeled->num_wheels();
      if (quiet_) return;
      std::printf("{\"described\":\"%d.%d\",\"wheels\":%d,\"chassis\":\"%s\",\"wheel\":\"%s\","
                  "\"tire\":\"%s\"}\n",
                  key.first, key.second, wheeled->num_wheels(),
                  used(wheeled->chassis_vis_file()).c_str(),
                  used(wheeled->wheel_vis_file()).c_str(), used(wheeled->tire_vis_file()).c_str());
    } else {
      wheels_[key] = 0;
    }
  }

  void move(const Key& key, const fb::Agent::State& agent) {
    if (wheels_.count(key) == 0) fail("a state of an agent without a description");
    const auto* wheeled = agent.message_as_WheeledVehicle_State();
    if (wheeled == nullptr) return;
    const auto& wheels = used(wheeled->wheels());
    if (static_cast<int>(wheels.size()) > wheels_[key]) fail("more wheels than described");
    for (const fb::Pose* wheel : wheels) read(used(wheel));
    const fb::Pose& chassis = used(wheeled->chassis());
    read(chassis);
    const double yaw = 2 * std::atan2(chassis.rot()->e3(), chassis.rot()->e0());
    char text[256];
    std::snprintf(text, sizeof text, "%s[\"%d.%d\",%.17g,%.17g,%.17g,%.17g,%.17g]",
                  agents_line_.empty() ? "" : ",", key.first, key.second, wheeled->time(),
                  chassis.pos()->x(), chassis.pos()->y(), yaw,
                  std::hypot(chassis.pos_dt()->x(), chassis.pos_dt()->y()));
    agents_line_ += text;
  }

  static void read(const fb::Pose& pose) {
    used(pose.pos());
    used(pose.rot());
    used(pose.pos_dt());
    used(pose.rot_dt());
    used(pose.pos_dtdt());
    used(pose.rot_dtdt());
  }

  const int number_;
  const size_t peers_;
  const int agents_;
  const std::string kind_;
  const bool quiet_;
  const double heartbeat_;
  Participants participants_;
  fast::TypeSupport type_{new SynDDSMessagePubSubType()};
  fast::DomainParticipant* participant_ = nullptr;
  std::vector<fast::DataWriter*> writers_;
  std::vector<fast::DataReader*> readers_;
  /** Whose messages each takes. A node with several agents has a writer for each, which all send the same. */
  std::map<fast::DataReader*, rtps::InstanceHandle_t> first_writers_;
  Builder builder_;
  std::map<Key, int> wheels_;
  std::string agents_line_;
  bool over_ = false;
  /** In the heartbeat. */
  std::chrono::duration<double, std::milli> waited_{};
};

}  // namespace

int main(int argc, char** argv) {
  check_flags(argc, argv);
  const int heartbeats = std::stoi(option(argc, argv, "heartbeats", "100"));
  const bool quits = option(argc, argv, "quit", "1") == "1";
  Node node(argc, argv);
  node.join();
  node.describe();
  const auto start = std::chrono::steady_clock::now();
  int beat = 0;
  std::vector<double> work;
  for (; beat < heartbeats && !node.over(); beat++) work.push_back(node.synchronize(beat));
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  if (quits && !node.over()) node.quit();
  if (option(argc, argv, "quiet", "0") == "1") {
    std::sort(work.begin(), work.end());
    std::printf("SynChrono node: %d heartbeats; work per heartbeat: p50 %.3f ms\n", beat,
                work.empty() ? 0 : work[work.size() / 2]);
    return 0;
  }
  std::printf("{\"heartbeats\":%d,\"msPerHeartbeat\":%.4f,\"over\":%s}\n", beat, took.count() / beat,
              node.over() ? "true" : "false");
  return 0;
}
