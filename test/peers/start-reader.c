/*
 * Reads start signals and system triggers, and wants to have them all: reliable, keep all. Usage:
 * start-reader DOMAIN. Writes the t_now of each start signal on a line of the standard output.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <dds/dds.h>

#include "SystemTrigger.h"
#include "VehicleStateList.h"
#include "peer.h"

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  dds_domainid_t domain = (dds_domainid_t)atoi(argv[1]);
  dds_entity_t participant = check(dds_create_participant(domain, NULL, NULL), "participant");
  dds_entity_t topic = check(
      dds_create_topic(participant, &VehicleStateList_desc, "vehicleStateList", NULL, NULL), "topic");
  dds_qos_t *qos = dds_create_qos();
  dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_SECS(10));
  dds_qset_history(qos, DDS_HISTORY_KEEP_ALL, 0);
  dds_entity_t reader = check(dds_create_reader(participant, topic, qos, NULL), "reader");
  dds_entity_t triggers = check(
      dds_create_topic(participant, &SystemTrigger_desc, "systemTrigger", NULL, NULL), "topic");
  check(dds_create_reader(participant, triggers, qos, NULL), "reader");
  dds_delete_qos(qos);

  dds_entity_t waitset = check(dds_create_waitset(participant), "waitset");
  dds_entity_t any = check(dds_create_readcondition(reader, DDS_ANY_STATE), "condition");
  check(dds_waitset_attach(waitset, any, 0), "attach");
  VehicleStateList *list = VehicleStateList__alloc();
  dds_sample_info_t info;
  for (;;) {
    check(dds_waitset_wait(waitset, NULL, 0, DDS_INFINITY), "wait");
    while (check(dds_take(reader, (void **)&list, &info, 1, 1), "take") > 0) {
      if (!info.valid_data) continue;
      printf("%" PRIu64 "\n", list->t_now);
      fflush(stdout);
    }
  }
}
