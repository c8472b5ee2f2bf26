/*
 * A program without ROS 2 that speaks as its programs do: plain Cyclone DDS with the names of ROS 2.
 * Usage: ros-node controller DOMAIN, which signs in as hlc_1 and answers every start signal, or
 * ros-node vehicle DOMAIN, which is vehicle 1 and sends its state all the time. Further arguments
 * TOPIC:=NAME give topics other names: vehicle_state:=lab/vehicle_state.
 * On the standard output: "start N" with the t_now of each start signal, "command N" with the create
 * stamp of each command; for each node that a participant announces "node NAMESPACE NAME READERS
 * WRITERS", and for each reader or writer of it, as soon as that is discovered, "reader NODE TOPIC
 * TYPE" or "writer NODE TOPIC TYPE".
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dds/dds.h>

#include "ParticipantEntitiesInfo.h"
#include "hlc_middleware_msgs.h"
#include "peer.h"

#define MAX_ENDPOINTS 64
#define TYPE(name) hlc_middleware_msgs_msg_dds__##name##_
#define DESCRIPTOR(name) hlc_middleware_msgs_msg_dds__##name##__desc

static dds_entity_t participant;
static int renamings;
static char **renaming;

/** Readers or writers of announced nodes. */
struct endpoints {
  const char *kind;
  dds_entity_t discovered; /* reader of what DDS finds out by itself */
  size_t count;
  struct {
    dds_guid_t guid;
    char node[257];
    bool printed;
  } known[MAX_ENDPOINTS];
};
static struct endpoints readers = { .kind = "reader" };
static struct endpoints writers = { .kind = "writer" };

/** The default QoS of ROS 2: reliable, volatile, keep last 10. */
static dds_qos_t *ros_default(void) {
  dds_qos_t *qos = dds_create_qos();
  dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_INFINITY);
  dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, 10);
  dds_qset_writer_data_lifecycle(qos, false);
  return qos;
}

/** The topic of a node: "vehicle_state" is "rt/vehicle_state", unless an argument says otherwise. */
static dds_entity_t topic(const char *name, const dds_topic_descriptor_t *type) {
  const char *own = name;
  for (int i = 0; i < renamings; i++) {
    const size_t length = strlen(name);
    const bool same = strncmp(renaming[i], name, length) == 0;
    if (same && strncmp(renaming[i] + length, ":=", 2) == 0) own = renaming[i] + length + 2;
  }
  char wire_name[256];
  snprintf(wire_name, sizeof wire_name, "rt/%s", own);
  return check(dds_create_topic(participant, type, wire_name, NULL, NULL), name);
}

static dds_entity_t reader(const char *name, const dds_topic_descriptor_t *type) {
  dds_qos_t *qos = ros_default();
  dds_entity_t made = check(dds_create_reader(participant, topic(name, type), qos, NULL), name);
  dds_delete_qos(qos);
  return made;
}

/** Reads what the participants of ROS 2 announce about their nodes, also before this one came. */
static dds_entity_t graph_reader(void) {
  const char *name = "ros_discovery_info";
  const dds_topic_descriptor_t *type = &rmw_dds_common_msg_dds__ParticipantEntitiesInfo__desc;
  dds_entity_t graph = check(dds_create_topic(participant, type, name, NULL, NULL), name);
  dds_qos_t *qos = ros_default();
  dds_qset_durability(qos, DDS_DURABILITY_TRANSIENT_LOCAL);
  dds_qset_history(qos, DDS_HISTORY_KEEP_ALL, 0);
  dds_entity_t made = check(dds_create_reader(participant, graph, qos, NULL), name);
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

static void add(struct endpoints *to, const char *node, const void *guid) {
  for (size_t i = 0; i < to->count; i++) {
    if (memcmp(to->known[i].guid.v, guid, sizeof to->known[i].guid.v) == 0) return;
  }
  if (to->count == MAX_ENDPOINTS) return;
  memcpy(to->known[to->count].guid.v, guid, sizeof to->known[to->count].guid.v);
  snprintf(to->known[to->count].node, sizeof to->known[to->count].node, "%s", node);
  to->count++;
}

/** As "ros2 node info" does it: the node says which GUIDs it has, discovery says what these are. */
static void print_endpoints(struct endpoints *of) {
  for (size_t i = 0; i < of->count; i++) {
    if (of->known[i].printed) continue;
    dds_builtintopic_endpoint_t key;
    memset(&key, 0, sizeof key);
    memcpy(key.key.v, of->known[i].guid.v, sizeof key.key.v);
    const dds_instance_handle_t handle = dds_lookup_instance(of->discovered, &key);
    if (handle == DDS_HANDLE_NIL) continue;
    void *sample = NULL;
    dds_sample_info_t info;
    if (check(dds_read_instance(of->discovered, &sample, &info, 1, 1, handle), "read") == 0) continue;
    if (info.valid_data) {
      const dds_builtintopic_endpoint_t *found = sample;
      of->known[i].printed = true;
      printf("%s %s %s %s\n", of->kind, of->known[i].node, found->topic_name, found->type_name);
    }
    dds_return_loan(of->discovered, &sample, 1);
  }
}

static void print_nodes(dds_entity_t graph) {
  void *sample;
  while (take(graph, &sample)) {
    const rmw_dds_common_msg_dds__ParticipantEntitiesInfo_ *announced = sample;
    for (uint32_t i = 0; i < announced->node_entities_info_seq._length; i++) {
      const rmw_dds_common_msg_dds__NodeEntitiesInfo_ *node =
          &announced->node_entities_info_seq._buffer[i];
      printf("node %s %s %" PRIu32 " %" PRIu32 "\n", node->node_namespace, node->node_name,
             node->reader_gid_seq._length, node->writer_gid_seq._length);
      for (uint32_t j = 0; j < node->reader_gid_seq._length; j++)
        add(&readers, node->node_name, &node->reader_gid_seq._buffer[j]);
      for (uint32_t j = 0; j < node->writer_gid_seq._length; j++)
        add(&writers, node->node_name, &node->writer_gid_seq._buffer[j]);
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

static void print_commands(dds_entity_t commands) {
  void *sample;
  while (take(commands, &sample)) {
    printf("command %" PRIu64 "\n",
           ((TYPE(VehicleCommandDirect) *)sample)->header.create_stamp.nanoseconds);
    dds_return_loan(commands, &sample, 1);
  }
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  renamings = argc - 3;
  renaming = argv + 3;
  const bool controls = strcmp(argv[1], "controller") == 0;
  participant = check(
      dds_create_participant((dds_domainid_t)atoi(argv[2]), NULL, NULL), "participant");
  const dds_entity_t subscriptions = DDS_BUILTIN_TOPIC_DCPSSUBSCRIPTION;
  const dds_entity_t publications = DDS_BUILTIN_TOPIC_DCPSPUBLICATION;
  readers.discovered = check(dds_create_reader(participant, subscriptions, NULL, NULL), "readers");
  writers.discovered = check(dds_create_reader(participant, publications, NULL, NULL), "writers");
  dds_entity_t graph = graph_reader();
  dds_entity_t received, written;
  if (controls) {
    received = reader("vehicle_state_list", &DESCRIPTOR(VehicleStateList));
    written = writer("vehicle_command_direct", &DESCRIPTOR(VehicleCommandDirect), false);
    dds_entity_t ready = writer("ready_status", &DESCRIPTOR(ReadyStatus), true);
    TYPE(ReadyStatus) status = { .source_id = "hlc_1" };
    check(dds_write(ready, &status), "write a ready signal");
  } else {
    received = reader("vehicle_command_direct", &DESCRIPTOR(VehicleCommandDirect));
    written = writer("vehicle_state", &DESCRIPTOR(VehicleState), false);
  }
  dds_entity_t waitset = check(dds_create_waitset(participant), "waitset");
  dds_entity_t taken[] = { graph, received };
  for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
    dds_entity_t any = check(dds_create_readcondition(taken[i], DDS_ANY_STATE), "condition");
    check(dds_waitset_attach(waitset, any, 0), "attach");
  }
  for (;;) {
    check(dds_waitset_wait(waitset, NULL, 0, DDS_MSECS(20)), "wait");
    print_nodes(graph);
    print_endpoints(&readers);
    print_endpoints(&writers);
    if (controls) {
      answer_starts(received, written);
    } else {
      print_commands(received);
      TYPE(VehicleState) state = { .vehicle_id = 1, .speed = 1.5 };
      state.header.create_stamp.nanoseconds = (uint64_t)dds_time();
      check(dds_write(written, &state), "write a state");
    }
    fflush(stdout);
  }
}
