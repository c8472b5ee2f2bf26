/*
 * A controller for one vehicle, in C++ with Fast DDS. At the start of every period the middleware
 * sends a VehicleStateList, and this program answers with one command.
 */
#include <csignal>
#include <iostream>

#include <fastdds/dds/domain/DomainParticipant.hpp>
#include <fastdds/dds/domain/DomainParticipantFactory.hpp>
#include <fastdds/dds/publisher/DataWriter.hpp>
#include <fastdds/dds/publisher/Publisher.hpp>
#include <fastdds/dds/subscriber/DataReader.hpp>
#include <fastdds/dds/subscriber/SampleInfo.hpp>
#include <fastdds/dds/subscriber/Subscriber.hpp>

#include "ReadyStatusPubSubTypes.h"
#include "SystemTriggerPubSubTypes.h"
#include "VehicleCommandSpeedCurvaturePubSubTypes.h"
#include "VehicleStateListPubSubTypes.h"
#include "oval.hpp"

using namespace eprosima::fastdds::dds;

static volatile sig_atomic_t running = 1;

static void quit(int) { running = 0; }

static bool known(const VehicleState &v) { return v.header().create_stamp().nanoseconds() > 0; }

/* The answer to a start signal. It stands still when nothing is known of the vehicle yet. */
static VehicleCommandSpeedCurvature plan(const VehicleStateList &list, uint8_t vehicle_id) {
  VehicleCommandSpeedCurvature command;
  command.vehicle_id(vehicle_id);
  command.header().create_stamp().nanoseconds(list.t_now());
  command.header().valid_after_stamp().nanoseconds(list.t_now());
  for (const VehicleState &own : list.state_list()) {
    if (own.vehicle_id() != vehicle_id || !known(own)) continue;
    double gap = 2 * half;
    for (const VehicleState &other : list.state_list())
      if (&other != &own && known(other)) gap = std::min(gap, gap_between(own, other));
    command.speed(speed_for(gap));
    command.curvature(curvature_for(own));
  }
  return command;
}

static void control(uint8_t vehicle_id, uint32_t domain_id) {
  auto *factory = DomainParticipantFactory::get_instance();
  auto *domain = factory->create_participant(domain_id, PARTICIPANT_QOS_DEFAULT);
  if (domain == nullptr) throw std::runtime_error("the DDS domain cannot be joined");
  auto *publisher = domain->create_publisher(PUBLISHER_QOS_DEFAULT);
  auto *subscriber = domain->create_subscriber(SUBSCRIBER_QOS_DEFAULT);
  auto topic = [&](const char *name, TopicDataType *data) {
    TypeSupport(data).register_type(domain);
    return domain->create_topic(name, data->getName(), TOPIC_QOS_DEFAULT);
  };

  DataReaderQos read; // keeps the newest only; with room for more than 100 vehicles
  read.reliability().kind = RELIABLE_RELIABILITY_QOS;
  read.endpoint().history_memory_policy = eprosima::fastrtps::rtps::PREALLOCATED_WITH_REALLOC_MEMORY_MODE;
  auto *list_topic = topic("vehicleStateList", new VehicleStateListPubSubType);
  auto *starts = subscriber->create_datareader(list_topic, read);
  auto *command_topic =
      topic("vehicleCommandSpeedCurvature", new VehicleCommandSpeedCurvaturePubSubType);
  auto *commands = publisher->create_datawriter(command_topic, DATAWRITER_QOS_DEFAULT);
  read.history().kind = KEEP_ALL_HISTORY_QOS; // none of the lab's triggers may be lost
  auto *trigger_topic = topic("systemTrigger", new SystemTriggerPubSubType);
  auto *triggers = subscriber->create_datareader(trigger_topic, read);

  // Now we are ready. The signal is kept for a middleware that starts after us.
  DataWriterQos kept; // reliable by default
  kept.durability().kind = TRANSIENT_LOCAL_DURABILITY_QOS;
  auto *ready_topic = topic("readyStatus", new ReadyStatusPubSubType);
  auto *ready = publisher->create_datawriter(ready_topic, kept);
  ReadyStatus status;
  status.source_id("hlc_" + std::to_string(vehicle_id));
  ready->write(&status);

  VehicleStateList list;
  SystemTrigger trigger;
  SampleInfo info;
  while (running) {
    starts->wait_for_unread_message({0, 100'000'000}); // s, ns
    while (starts->take_next_sample(&list, &info) == ReturnCode_t::RETCODE_OK) {
      if (!info.valid_data) continue;
      VehicleCommandSpeedCurvature command = plan(list, vehicle_id);
      commands->write(&command);
    }
    while (triggers->take_next_sample(&trigger, &info) == ReturnCode_t::RETCODE_OK)
      if (info.valid_data && trigger.next_start().nanoseconds() == UINT64_MAX) running = 0;
  }
  domain->delete_contained_entities();
  factory->delete_participant(domain);
}

int main(int argc, char **argv) try {
  unsigned long vehicle_id = 1, domain_id = 1;
  for (int i = 1; i + 1 < argc; i += 2)
    (argv[i] == std::string("--domain") ? domain_id : vehicle_id) = std::stoul(argv[i + 1]);
  setenv("FASTRTPS_DEFAULT_PROFILES_FILE", LOOPBACK_PROFILES, 0); // unless it is set
  std::signal(SIGINT, quit);
  std::signal(SIGTERM, quit);
  control(vehicle_id, domain_id);
} catch (const std::exception &error) {
  std::cerr << "controller: " << error.what() << '\n';
  return 1;
}
