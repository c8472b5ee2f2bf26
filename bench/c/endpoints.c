#include "endpoints.h"

#include "program.h"

enum { keep_all = 0 };

/* All is reliable; a depth of `keep_all` keeps everything. */
typedef struct {
  dds_duration_t max_blocking;
  int32_t depth;
  bool for_late_joiners;
} Delivery;

/* Sent in every period: a reader that is slow holds the writer up for 1 ms at most. */
static Delivery each_period(int32_t depth) { return (Delivery){ DDS_MSECS(1), depth, false }; }

static const Delivery seldom = { DDS_MSECS(100), keep_all, true };

static dds_qos_t *qos_for(Delivery delivery) {
  dds_qos_t *qos = dds_create_qos();
  dds_history_kind_t history = delivery.depth == keep_all ? DDS_HISTORY_KEEP_ALL
                                                          : DDS_HISTORY_KEEP_LAST;
  dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, delivery.max_blocking);
  dds_qset_history(qos, history, delivery.depth);
  if (delivery.for_late_joiners) {
    dds_qset_durability(qos, DDS_DURABILITY_TRANSIENT_LOCAL);
    dds_qset_durability_service(qos, 0, DDS_HISTORY_KEEP_ALL, 0, -1, -1, -1);
  }
  return qos;
}

static dds_entity_t open(dds_entity_t (*create)(dds_entity_t, dds_entity_t, const dds_qos_t *,
                                                const dds_listener_t *),
                         dds_entity_t participant, const dds_topic_descriptor_t *type,
                         const char *name, Delivery delivery) {
  dds_entity_t topic = check(dds_create_topic(participant, type, name, NULL, NULL), name);
  dds_qos_t *qos = qos_for(delivery);
  dds_entity_t entity = check(create(participant, topic, qos, NULL), name);
  dds_delete_qos(qos);
  return entity;
}

dds_entity_t join(dds_domainid_t domain) {
  return check(dds_create_participant(domain, NULL, NULL), "participant");
}

dds_entity_t start_signal_writer(dds_entity_t participant) {
  return open(dds_create_writer, participant, &VehicleStateList_desc, "vehicleStateList",
              each_period(1));
}

dds_entity_t start_signal_reader(dds_entity_t participant) {
  return open(dds_create_reader, participant, &VehicleStateList_desc, "vehicleStateList",
              each_period(1));
}

dds_entity_t ready_writer(dds_entity_t participant) {
  return open(dds_create_writer, participant, &ReadyStatus_desc, "readyStatus", seldom);
}

dds_entity_t ready_reader(dds_entity_t participant) {
  return open(dds_create_reader, participant, &ReadyStatus_desc, "readyStatus", seldom);
}

dds_entity_t reply_writer(dds_entity_t participant) {
  return open(dds_create_writer, participant, &VehicleCommandTrajectory_desc,
              "vehicleCommandTrajectory", each_period(10));
}

dds_entity_t state_writer(dds_entity_t participant) {
  return open(dds_create_writer, participant, &VehicleState_desc, "vehicleState", each_period(1));
}

dds_entity_t state_reader(dds_entity_t participant) {
  return open(dds_create_reader, participant, &VehicleState_desc, "vehicleState",
              each_period(100));
}

dds_entity_t command_writer(dds_entity_t participant) {
  return open(dds_create_writer, participant, &VehicleCommandTrajectory_desc,
              "vehicleCommandTrajectory", each_period(1));
}

dds_entity_t command_reader(dds_entity_t participant) {
  return open(dds_create_reader, participant, &VehicleCommandTrajectory_desc,
              "vehicleCommandTrajectory", each_period(keep_all));
}

dds_entity_t wait_for_samples(dds_entity_t participant, dds_entity_t reader) {
  dds_entity_t waitset = check(dds_create_waitset(participant), "waitset");
  dds_entity_t condition = check(dds_create_readcondition(reader, DDS_ANY_STATE), "condition");
  check(dds_waitset_attach(waitset, condition, reader), "attach");
  return waitset;
}

static bool is_reliable(dds_entity_t writer, dds_instance_handle_t reader) {
  dds_builtintopic_endpoint_t *endpoint = dds_get_matched_subscription_data(writer, reader);
  if (endpoint == NULL) return false;
  dds_reliability_kind_t kind = DDS_RELIABILITY_BEST_EFFORT;
  dds_duration_t max_blocking;
  dds_qget_reliability(endpoint->qos, &kind, &max_blocking);
  dds_builtintopic_free_endpoint(endpoint);
  return kind == DDS_RELIABILITY_RELIABLE;
}

void wait_for_reliable_reader(dds_entity_t writer) {
  while (running) {
    dds_instance_handle_t readers[64];
    int32_t count = check(dds_get_matched_subscriptions(writer, readers, 64), "matched readers");
    for (int32_t i = 0; i < count && i < 64; i++)
      if (is_reliable(writer, readers[i])) return;
    dds_sleepfor(DDS_MSECS(1));
  }
}
