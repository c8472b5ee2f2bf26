/*
 * The probe in C: see ../README.md for what every probe does.
 * Usage: probe --vehicle-id ID --domain ID
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dds/dds.h>

#include "ReadyStatus.h"
#include "SystemTrigger.h"
#include "VehicleCommandDirect.h"
#include "VehicleCommandPathTracking.h"
#include "VehicleCommandSpeedCurvature.h"
#include "VehicleCommandTrajectory.h"
#include "VehicleStateList.h"

static int32_t check(int32_t result, const char *what) {
  if (result >= 0) return result;
  fprintf(stderr, "probe: %s: %s\n", what, dds_strretcode(result));
  exit(1);
}

static uint64_t hash;

static void word(uint64_t value) { hash = (hash ^ value) * 0x100000001b3u; }

static void number(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  word(bits);
}

static void head(uint8_t id, const Header *header, const Pose2D *pose) {
  word(id);
  word(header->create_stamp.nanoseconds);
  word(header->valid_after_stamp.nanoseconds);
  number(pose->x);
  number(pose->y);
  number(pose->yaw);
}

static uint64_t hash_of(const VehicleStateList *list) {
  hash = 0xcbf29ce484222325u;
  word(list->t_now);
  word(list->period_ms);
  word(list->state_list._length);
  for (uint32_t i = 0; i < list->state_list._length; i++) {
    const VehicleState *state = &list->state_list._buffer[i];
    head(state->vehicle_id, &state->header, &state->pose);
    word(state->IPS_update_age_nanoseconds);
    number(state->odometer_distance);
    number(state->imu_acceleration_forward);
    number(state->imu_acceleration_left);
    number(state->imu_acceleration_up);
    number(state->imu_yaw);
    number(state->imu_yaw_rate);
    number(state->speed);
    number(state->battery_voltage);
    number(state->motor_current);
    number(state->motor_throttle);
    number(state->steering_servo);
    word(state->is_real);
  }
  word(list->vehicle_observation_list._length);
  for (uint32_t i = 0; i < list->vehicle_observation_list._length; i++) {
    const VehicleObservation *seen = &list->vehicle_observation_list._buffer[i];
    head(seen->vehicle_id, &seen->header, &seen->pose);
  }
  word(list->active_vehicle_ids._length);
  for (uint32_t i = 0; i < list->active_vehicle_ids._length; i++)
    word((uint64_t)(int64_t)list->active_vehicle_ids._buffer[i]);
  return hash;
}

static dds_entity_t domain, direct, speed_curvature, trajectory, path_tracking;

static dds_entity_t topic(const dds_topic_descriptor_t *type, const char *name) {
  return check(dds_create_topic(domain, type, name, NULL, NULL), name);
}

static dds_entity_t writer(const dds_topic_descriptor_t *type, const char *name) {
  return check(dds_create_writer(domain, topic(type, name), NULL, NULL), name);
}

static void answer(const VehicleStateList *list, uint8_t vehicle_id) {
  const VehicleState *states = list->state_list._buffer, *own = states;
  uint32_t count = list->state_list._length;
  while (own < states + count && own->vehicle_id != vehicle_id) own++;
  if (own == states + count) return;
  TimeStamp now = { list->t_now };
  Header header = { now, now };
  switch (list->t_now / (list->period_ms * 1000000) % 4) {
  case 0: {
    VehicleCommandDirect command = { vehicle_id, header, own->motor_throttle, own->steering_servo };
    check(dds_write(direct, &command), "direct");
    break;
  }
  case 1: {
    VehicleCommandSpeedCurvature command = { vehicle_id, header, own->speed, own->imu_yaw };
    check(dds_write(speed_curvature, &command), "speed and curvature");
    break;
  }
  case 2: {
    TrajectoryPoint points[256];
    for (uint32_t i = 0; i < count; i++)
      points[i] = (TrajectoryPoint){ { list->t_now + (uint64_t)i * 100000000 },
                                     states[i].pose.x,
                                     states[i].pose.y,
                                     states[i].imu_acceleration_forward,
                                     states[i].imu_acceleration_left };
    VehicleCommandTrajectory command = { .vehicle_id = vehicle_id, .header = header };
    command.trajectory_points._length = count;
    command.trajectory_points._buffer = points;
    check(dds_write(trajectory, &command), "trajectory");
    break;
  }
  default: {
    PathPoint points[257];
    uint32_t seen = list->vehicle_observation_list._length;
    for (uint32_t i = 0; i <= seen; i++)
      points[i] = (PathPoint){ list->vehicle_observation_list._buffer[i % seen].pose, i };
    VehicleCommandPathTracking command = { .vehicle_id = vehicle_id, .header = header };
    command.path._length = seen + 1;
    command.path._buffer = points;
    command.speed = own->speed;
    check(dds_write(path_tracking, &command), "path");
  }
  }
}

static const char loopback[] =
    "<CycloneDDS><Domain><General><AllowMulticast>false</AllowMulticast><Interfaces>"
    "<NetworkInterface name=\"lo\"/></Interfaces></General><Discovery><Peers>"
    "<Peer Address=\"127.0.0.1\"/></Peers><ParticipantIndex>auto</ParticipantIndex>"
    "<MaxAutoParticipantIndex>119</MaxAutoParticipantIndex></Discovery></Domain></CycloneDDS>";

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  setenv("CYCLONEDDS_URI", loopback, 0);
  uint8_t vehicle_id = (uint8_t)atoi(argv[2]);
  domain = check(dds_create_participant((dds_domainid_t)atoi(argv[4]), NULL, NULL), "domain");
  direct = writer(&VehicleCommandDirect_desc, "vehicleCommandDirect");
  speed_curvature = writer(&VehicleCommandSpeedCurvature_desc, "vehicleCommandSpeedCurvature");
  trajectory = writer(&VehicleCommandTrajectory_desc, "vehicleCommandTrajectory");
  path_tracking = writer(&VehicleCommandPathTracking_desc, "vehicleCommandPathTracking");
  dds_qos_t *qos = dds_create_qos();
  dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_MSECS(100));
  dds_entity_t list_topic = topic(&VehicleStateList_desc, "vehicleStateList");
  dds_entity_t lists = check(dds_create_reader(domain, list_topic, qos, NULL), "lists");
  dds_entity_t trigger_topic = topic(&SystemTrigger_desc, "systemTrigger");
  dds_entity_t triggers = check(dds_create_reader(domain, trigger_topic, qos, NULL), "triggers");
  dds_qset_durability(qos, DDS_DURABILITY_TRANSIENT_LOCAL);
  dds_entity_t ready_topic = topic(&ReadyStatus_desc, "readyStatus");
  dds_entity_t ready = check(dds_create_writer(domain, ready_topic, qos, NULL), "ready");
  char source_id[8];
  snprintf(source_id, sizeof source_id, "hlc_%u", vehicle_id);
  check(dds_write(ready, &(ReadyStatus){ .source_id = source_id }), "ready");

  dds_entity_t waitset = check(dds_create_waitset(domain), "waitset");
  dds_waitset_attach(waitset, dds_create_readcondition(lists, DDS_ANY_STATE), 0);
  dds_waitset_attach(waitset, dds_create_readcondition(triggers, DDS_ANY_STATE), 0);
  VehicleStateList list = { 0 };
  SystemTrigger trigger;
  dds_sample_info_t info;
  for (;;) {
    check(dds_waitset_wait(waitset, NULL, 0, DDS_INFINITY), "wait");
    if (check(dds_take(lists, &(void *){ &list }, &info, 1, 1), "list") > 0 && info.valid_data) {
      printf("%" PRIu64 " %016" PRIx64 "\n", list.t_now, hash_of(&list));
      fflush(stdout);
      answer(&list, vehicle_id);
    }
    if (check(dds_take(triggers, &(void *){ &trigger }, &info, 1, 1), "trigger") > 0)
      if (info.valid_data && trigger.next_start.nanoseconds == UINT64_MAX) break;
  }
  return dds_delete(domain) < 0;
}
