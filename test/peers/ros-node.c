/*
 * A program without ROS 2 that speaks as its programs do: plain Cyclone DDS with the names of ROS 2.
 * Usage: ros-node controller DOMAIN, which signs in as hlc_1 and answers every start signal, or
 * ros-node vehicle DOMAIN, which is vehicle 1 and sends its state all the time. On the standard output: "start N" with the t_now of each start signal, "command N"
 * with the create stamp of each command, and "node NAMESPACE NAME READERS WRITERS" for each node
 * that a participant announces.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dds/dds.h>

#include "ParticipantEntitiesInfo.h"
#include "hlc_middleware_msgs.h"

#define TYPE(name) hlc_middleware_msgs_msg_dds__##name##_
#define DESCRIPTOR(name) hlc_middleware_msgs_msg_dds__##name##__desc

static dds_entity_t participant;

static int32_t check(int32_t result, const char *what) {
  if (result >= 0) return result;
  fprintf(stderr, "ros-node: %s: %s\n", what, dds_strretcode(result));
  exit(1);
}

/** The default QoS of ROS 2: reliable, volatile, keep last 10. */
static dds_qos_t *ros_default(void) {
  dds_qos_t *qos = dds_create_qos();
  dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_INFINITY);
  dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, 10);
  dds_qset_writer_data_lifecycle(qos, false);
  return qos;
}

static dds_entity_t topic(const char *name, const dds_topic_descriptor_t *type) {
  return check(dds_create_topic(participant, type, name, NULL, NULL), name);
}

static dds_entity_t reader(const char *name, const dds_topic_descriptor_t *type, bool retained) {
  dds_qos_t *qos = ros_default();
  if (retained) dds_qset_durability(qos, DDS_DURABILITY_TRANSIENT_LOCAL);
  if (retained) dds_qset_history(qos, DDS_HISTORY_KEEP_ALL, 0);
  dds_entity_t made = check(dds_create_reader(participant, topic(name, type), qos, NULL), name);
  dds_delete_qos(qos);
  return made;
}

static dds_entity_t writer(const char *name, const dds_topic_descriptor_t *type, bool retained) {
  dds_qos_t *qos = ros_default();
  if (retained) dds_qset_durability(qos, DDS_DURABILITY_TRANSIENT_LOCAL);
  dds_entity_t made = check(dds_create_writer(participant, topic(name, type), qos, NULL), name);
  dds_delete_qos(qos);
  return made;
}

/** Takes one sample; false when there is none. The sample is to be given back. */
static bool take(dds_entity_t from, void **sample) {
  dds_sample_info_t info;
  *sample = NULL;
  while (check(dds_take(from, sample, &info, 1, 1), "take") > 0) {
    if (info.valid_data) return true;
    dds_return_loan(from, sample, 1);
    *sample = NULL;
  }
  return false;
}

static void tell_nodes(dds_entity_t graph) {
  void *sample;
  while (take(graph, &sample)) {
    const rmw_dds_common_msg_dds__ParticipantEntitiesInfo_ *told = sample;
    for (uint32_t i = 0; i < told->node_entities_info_seq._length; i++) {
      const rmw_dds_common_msg_dds__NodeEntitiesInfo_ *node =
          &told->node_entities_info_seq._buffer[i];
      printf("node %s %s %" PRIu32 " %" PRIu32 "\n", node->node_namespace, node->node_name,
             node->reader_gid_seq._length, node->writer_gid_seq._length);
    }
    dds_return_loan(graph, &sample, 1);
  }
}

static void answer_starts(dds_entity_t starts, dds_entity_t commands) {
  void *sample;
  while (take(starts, &sample)) {
    const uint64_t now = ((TYPE(VehicleStateList) *)sample)->t_now;
    dds_return_loan(starts, &sample, 1);
    TYPE(VehicleCommandDirect) command = { .vehicle_id = 1, .motor_throttle = 0.25 };
    command.header.create_stamp.nanoseconds = now;
    command.header.valid_after_stamp.nanoseconds = now;
    check(dds_write(commands, &command), "write a command");
    printf("start %" PRIu64 "\n", now);
  }
}

static void tell_commands(dds_entity_t commands) {
  void *sample;
  while (take(commands, &sample)) {
    printf("command %" PRIu64 "\n",
           ((TYPE(VehicleCommandDirect) *)sample)->header.create_stamp.nanoseconds);
    dds_return_loan(commands, &sample, 1);
  }
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const bool controls = strcmp(argv[1], "controller") == 0;
  participant = check(
      dds_create_participant((dds_domainid_t)atoi(argv[2]), NULL, NULL), "participant");
  dds_entity_t graph = reader("ros_discovery_info",
                              &rmw_dds_common_msg_dds__ParticipantEntitiesInfo__desc, true);
  dds_entity_t heard, told;
  if (controls) {
    heard = reader("rt/vehicle_state_list", &DESCRIPTOR(VehicleStateList), false);
    told = writer("rt/vehicle_command_direct", &DESCRIPTOR(VehicleCommandDirect), false);
    dds_entity_t ready = writer("rt/ready_status", &DESCRIPTOR(ReadyStatus), true);
    TYPE(ReadyStatus) status = { .source_id = "hlc_1" };
    check(dds_write(ready, &status), "write a ready signal");
  } else {
    heard = reader("rt/vehicle_command_direct", &DESCRIPTOR(VehicleCommandDirect), false);
    told = writer("rt/vehicle_state", &DESCRIPTOR(VehicleState), false);
  }
  dds_entity_t waitset = check(dds_create_waitset(participant), "waitset");
  dds_entity_t readers[] = { graph, heard };
  for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++) {
    dds_entity_t any = check(dds_create_readcondition(readers[i], DDS_ANY_STATE), "condition");
    check(dds_waitset_attach(waitset, any, 0), "attach");
  }
  for (;;) {
    check(dds_waitset_wait(waitset, NULL, 0, DDS_MSECS(20)), "wait");
    tell_nodes(graph);
    if (controls) {
      answer_starts(heard, told);
    } else {
      tell_commands(heard);
      TYPE(VehicleState) state = { .vehicle_id = 1, .speed = 1.5 };
      state.header.create_stamp.nanoseconds = (uint64_t)dds_time();
      check(dds_write(told, &state), "write a state");
    }
    fflush(stdout);
  }
}
