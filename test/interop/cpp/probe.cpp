/*
 * The probe in C++ with Fast DDS: see ../README.md for what every probe does.
 * Usage: probe --vehicle-id ID --domain ID
 */
#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fastdds/dds/core/condition/WaitSet.hpp>
#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>
#include <fastdds/rtps/transport/UDPv4TransportDescriptor.h>
#include <fastrtps/utils/IPLocator.h>

#include "ReadyStatusPubSubTypes.h"
#include "SystemTriggerPubSubTypes.h"
#include "VehicleCommandDirectPubSubTypes.h"
#include "VehicleCommandPathTrackingPubSubTypes.h"
#include "VehicleCommandSpeedCurvaturePubSubTypes.h"
#include "VehicleCommandTrajectoryPubSubTypes.h"
#include "VehicleStateListPubSubTypes.h"

using namespace eprosima::fastdds::dds;
using namespace eprosima::fastrtps::rtps;

class Hash {
public:
  uint64_t value = 0xcbf29ce484222325u;

  void word(uint64_t value_) { value = (value ^ value_) * 0x100000001b3u; }

  void number(double value_) {
    uint64_t bits;
    std::memcpy(&bits, &value_, sizeof bits);
    word(bits);
  }

  template <class T> void head(const T &entry) {
    word(entry.vehicle_id());
    word(entry.header().create_stamp().nanoseconds());
    word(entry.header().valid_after_stamp().nanoseconds());
    for (double part : {entry.pose().x(), entry.pose().y(), entry.pose().yaw()}) number(part);
  }
};

static uint64_t hash_of(const VehicleStateList &list) {
  Hash hash;
  hash.word(list.t_now());
  hash.word(list.period_ms());
  hash.word(list.state_list().size());
  for (const VehicleState &state : list.state_list()) {
    hash.head(state);
    hash.word(state.IPS_update_age_nanoseconds());
    for (double part :
         {state.odometer_distance(), state.imu_acceleration_forward(),
          state.imu_acceleration_left(), state.imu_acceleration_up(), state.imu_yaw(),
          state.imu_yaw_rate(), state.speed(), state.battery_voltage(), state.motor_current(),
          state.motor_throttle(), state.steering_servo()})
      hash.number(part);
    hash.word(state.is_real());
  }
  hash.word(list.vehicle_observation_list().size());
  for (const VehicleObservation &seen : list.vehicle_observation_list()) hash.head(seen);
  hash.word(list.active_vehicle_ids().size());
  for (int32_t id : list.active_vehicle_ids()) hash.word(static_cast<uint64_t>(int64_t{id}));
  return hash.value;
}

struct CommandWriters {
  DataWriter *direct, *speed_curvature, *trajectory, *path_tracking;
};

template <class T> static T command_of(const VehicleStateList &list, uint8_t vehicle_id) {
  T command;
  command.vehicle_id(vehicle_id);
  command.header().create_stamp().nanoseconds(list.t_now());
  command.header().valid_after_stamp().nanoseconds(list.t_now());
  return command;
}

static void answer(const VehicleStateList &list, uint8_t vehicle_id, CommandWriters writers) {
  const auto &states = list.state_list();
  auto own = std::find_if(states.begin(), states.end(), [&](const VehicleState &state) {
    return state.vehicle_id() == vehicle_id;
  });
  if (own == states.end()) return;
  switch (list.t_now() / (list.period_ms() * 1000000) % 4) {
  case 0: {
    auto command = command_of<VehicleCommandDirect>(list, vehicle_id);
    command.motor_throttle(own->motor_throttle());
    command.steering_servo(own->steering_servo());
    writers.direct->write(&command);
    break;
  }
  case 1: {
    auto command = command_of<VehicleCommandSpeedCurvature>(list, vehicle_id);
    command.speed(own->speed());
    command.curvature(own->imu_yaw());
    writers.speed_curvature->write(&command);
    break;
  }
  case 2: {
    auto command = command_of<VehicleCommandTrajectory>(list, vehicle_id);
    for (const VehicleState &state : states) {
      TrajectoryPoint point;
      point.t().nanoseconds(list.t_now() + command.trajectory_points().size() * 100000000);
      point.px(state.pose().x());
      point.py(state.pose().y());
      point.vx(state.imu_acceleration_forward());
      point.vy(state.imu_acceleration_left());
      command.trajectory_points().push_back(point);
    }
    writers.trajectory->write(&command);
    break;
  }
  default: {
    auto command = command_of<VehicleCommandPathTracking>(list, vehicle_id);
    const auto &seen = list.vehicle_observation_list();
    for (size_t i = 0; i <= seen.size(); i++) {
      PathPoint point;
      point.pose(seen[i % seen.size()].pose());
      point.s(static_cast<double>(i));
      command.path().push_back(point);
    }
    command.speed(own->speed());
    writers.path_tracking->write(&command);
  }
  }
}

static DomainParticipantQos loopback() {
  DomainParticipantQos qos;
  auto udp = std::make_shared<eprosima::fastdds::rtps::UDPv4TransportDescriptor>();
  udp->interfaceWhiteList = {"127.0.0.1"};
  udp->maxInitialPeersRange = 120;
  qos.transport().use_builtin_transports = false;
  qos.transport().user_transports = {udp};
  auto &discovery = qos.wire_protocol().builtin;
  discovery.discovery_config.leaseDuration_announcementperiod = {1, 0};
  Locator_t here;
  IPLocator::setIPv4(here, 127, 0, 0, 1);
  discovery.initialPeersList.push_back(here);
  discovery.metatrafficUnicastLocatorList.push_back(here);
  return qos;
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  const auto vehicle_id = static_cast<uint8_t>(std::atoi(argv[2]));
  auto *factory = DomainParticipantFactory::get_instance();
  auto *domain = factory->create_participant(std::atoi(argv[4]), loopback());
  if (domain == nullptr) return 1;
  auto *publisher = domain->create_publisher(PUBLISHER_QOS_DEFAULT);
  auto *subscriber = domain->create_subscriber(SUBSCRIBER_QOS_DEFAULT);
  auto topic = [&](const char *name, TopicDataType *data) {
    TypeSupport type(data);
    type.register_type(domain);
    return domain->create_topic(name, type.get_type_name(), TOPIC_QOS_DEFAULT);
  };
  DataWriterQos write;
  write.endpoint().history_memory_policy = PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  auto writer = [&](const char *name, TopicDataType *data) {
    return publisher->create_datawriter(topic(name, data), write);
  };
  CommandWriters commands = {
      writer("vehicleCommandDirect", new VehicleCommandDirectPubSubType),
      writer("vehicleCommandSpeedCurvature", new VehicleCommandSpeedCurvaturePubSubType),
      writer("vehicleCommandTrajectory", new VehicleCommandTrajectoryPubSubType),
      writer("vehicleCommandPathTracking", new VehicleCommandPathTrackingPubSubType)};
  DataReaderQos read;
  read.reliability().kind = RELIABLE_RELIABILITY_QOS;
  read.endpoint().history_memory_policy = PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  auto *starts =
      subscriber->create_datareader(topic("vehicleStateList", new VehicleStateListPubSubType), read);
  auto *triggers =
      subscriber->create_datareader(topic("systemTrigger", new SystemTriggerPubSubType), read);
  write.durability().kind = TRANSIENT_LOCAL_DURABILITY_QOS;
  auto *ready = writer("readyStatus", new ReadyStatusPubSubType);
  ReadyStatus status;
  status.source_id("hlc_" + std::to_string(vehicle_id));
  ready->write(&status);

  WaitSet waitset;
  waitset.attach_condition(starts->get_statuscondition());
  waitset.attach_condition(triggers->get_statuscondition());
  ConditionSeq awake;
  VehicleStateList list;
  SystemTrigger trigger;
  SampleInfo info;
  for (bool running = true; running;) {
    waitset.wait(awake, {0, 100'000'000});
    while (starts->take_next_sample(&list, &info) == ReturnCode_t::RETCODE_OK) {
      if (!info.valid_data) continue;
      std::printf("%" PRIu64 " %016" PRIx64 "\n", list.t_now(), hash_of(list));
      std::fflush(stdout);
      answer(list, vehicle_id, commands);
    }
    while (triggers->take_next_sample(&trigger, &info) == ReturnCode_t::RETCODE_OK)
      if (info.valid_data && trigger.next_start().nanoseconds() == UINT64_MAX) running = false;
  }
  domain->delete_contained_entities();
  factory->delete_participant(domain);
}
