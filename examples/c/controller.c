/*
 * A controller for one vehicle, in C. It needs Cyclone DDS and what idlc makes of idl/, and nothing
 * else: at the start of every period the middleware sends a VehicleStateList, and this program
 * answers with one command.
 */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#include <dds/dds.h>

#include "ReadyStatus.h"
#include "SystemTrigger.h"
#include "oval.h"

static volatile sig_atomic_t running = 1;

static void quit(int signal_number) { running = signal_number == 0; }

/* The result of a DDS call; ends the program when it is an error. */
static int32_t check(int32_t result, const char *what) {
  if (result >= 0) return result;
  fprintf(stderr, "controller: %s: %s\n", what, dds_strretcode(result));
  exit(1);
}

static dds_entity_t topic(dds_entity_t domain, const dds_topic_descriptor_t *type, char *name) {
  return check(dds_create_topic(domain, type, name, NULL, NULL), name);
}

static void control(uint8_t vehicle_id, dds_domainid_t domain_id) {
  dds_entity_t domain = check(dds_create_participant(domain_id, NULL, NULL), "domain");

  /* Start signals and commands: only the newest counts, so the defaults of DDS are right. */
  dds_entity_t list_topic = topic(domain, &VehicleStateList_desc, "vehicleStateList");
  dds_entity_t lists = check(dds_create_reader(domain, list_topic, NULL, NULL), "reader");
  dds_entity_t command_topic =
      topic(domain, &VehicleCommandSpeedCurvature_desc, "vehicleCommandSpeedCurvature");
  dds_entity_t commands = check(dds_create_writer(domain, command_topic, NULL, NULL), "writer");

  /* None of the lab's triggers may be lost. */
  dds_qos_t *qos = dds_create_qos();
  dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_MSECS(100));
  dds_qset_history(qos, DDS_HISTORY_KEEP_ALL, 0);
  dds_entity_t trigger_topic = topic(domain, &SystemTrigger_desc, "systemTrigger");
  dds_entity_t triggers = check(dds_create_reader(domain, trigger_topic, qos, NULL), "reader");

  /* Now we are ready. The signal is kept for a middleware that starts after us. */
  dds_qset_durability(qos, DDS_DURABILITY_TRANSIENT_LOCAL);
  dds_qset_durability_service(qos, 0, DDS_HISTORY_KEEP_ALL, 0, -1, -1, -1);
  dds_entity_t ready_topic = topic(domain, &ReadyStatus_desc, "readyStatus");
  dds_entity_t ready = check(dds_create_writer(domain, ready_topic, qos, NULL), "writer");
  dds_delete_qos(qos);
  char source_id[8];
  snprintf(source_id, sizeof source_id, "hlc_%u", vehicle_id);
  check(dds_write(ready, &(ReadyStatus){ .source_id = source_id }), "ready signal");

  dds_entity_t waitset = check(dds_create_waitset(domain), "waitset");
  dds_waitset_attach(waitset, dds_create_readcondition(lists, DDS_ANY_STATE), 0);
  dds_waitset_attach(waitset, dds_create_readcondition(triggers, DDS_ANY_STATE), 0);
  VehicleStateList list = { 0 };
  SystemTrigger trigger;
  dds_sample_info_t info;
  while (running) {
    check(dds_waitset_wait(waitset, NULL, 0, DDS_MSECS(100)), "wait");
    if (check(dds_take(lists, &(void *){ &list }, &info, 1, 1), "list") > 0 && info.valid_data) {
      VehicleCommandSpeedCurvature command = follow_oval(&list, vehicle_id);
      check(dds_write(commands, &command), "command");
    }
    while (check(dds_take(triggers, &(void *){ &trigger }, &info, 1, 1), "trigger") > 0)
      if (info.valid_data && trigger.next_start.nanoseconds == UINT64_MAX) running = 0; /* stop */
  }
  VehicleStateList_free(&list, DDS_FREE_CONTENTS);
  dds_delete(domain);
}

/* The default network: this machine only. Without multicast, participants are found by index. */
static const char loopback[] =
    "<CycloneDDS><Domain><General><AllowMulticast>false</AllowMulticast><Interfaces>"
    "<NetworkInterface name=\"lo\"/></Interfaces></General><Discovery><Peers>"
    "<Peer Address=\"127.0.0.1\"/></Peers><ParticipantIndex>auto</ParticipantIndex>"
    "<MaxAutoParticipantIndex>100</MaxAutoParticipantIndex></Discovery></Domain></CycloneDDS>";

int main(int argc, char **argv) {
  const struct option options[] = { { "vehicle-id", 1, NULL, 0 }, { "domain", 1, NULL, 1 }, { 0 } };
  const unsigned long highest[] = { 255, 232 };
  unsigned long values[] = { 1, 1 };
  for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    if (option == '?') return 2;
    char *end;
    values[option] = strtoul(optarg, &end, 10);
    if (end != optarg && *end == '\0' && values[option] <= highest[option]) continue;
    fprintf(stderr, "controller: --%s takes an integer from 0 to %lu, not \"%s\"\n",
            options[option].name, highest[option], optarg);
    return 2;
  }
  const char *uri = getenv("CYCLONEDDS_URI");
  if (uri == NULL || *uri == '\0') setenv("CYCLONEDDS_URI", loopback, 1);
  signal(SIGINT, quit);
  signal(SIGTERM, quit);
  control(values[0], values[1]);
}
