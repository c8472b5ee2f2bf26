/*
 * Writes samples that are too short for their topic. Usage: garbage-writer TOPIC DOMAIN, where TOPIC
 * is vehicleState or vehicleCommandDirect. Each line of the standard input is a number of samples
 * to write at once; "matched" on the standard output means a matched reader.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dds/dds.h>

#include "foreign-types.h"

static int32_t check(int32_t result, const char *what) {
  if (result >= 0) return result;
  fprintf(stderr, "garbage-writer: %s: %s\n", what, dds_strretcode(result));
  exit(1);
}

static void await_reader(dds_entity_t participant, dds_entity_t writer) {
  dds_entity_t waitset = check(dds_create_waitset(participant), "waitset");
  check(dds_set_status_mask(writer, DDS_PUBLICATION_MATCHED_STATUS), "status mask");
  check(dds_waitset_attach(waitset, writer, 0), "attach");
  check(dds_waitset_wait(waitset, NULL, 0, DDS_INFINITY), "wait");
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  int is_state = strcmp(argv[1], "vehicleState") == 0;
  const dds_topic_descriptor_t *type = is_state ? &VehicleState_desc : &VehicleCommandDirect_desc;
  dds_domainid_t domain = (dds_domainid_t)atoi(argv[2]);

  dds_entity_t participant = check(dds_create_participant(domain, NULL, NULL), "participant");
  dds_entity_t topic = check(dds_create_topic(participant, type, argv[1], NULL, NULL), "topic");
  dds_qos_t *qos = dds_create_qos();
  dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_SECS(10));
  dds_qset_history(qos, DDS_HISTORY_KEEP_ALL, 0);
  dds_entity_t writer = check(dds_create_writer(participant, topic, qos, NULL), "writer");
  dds_delete_qos(qos);
  await_reader(participant, writer);
  puts("matched");
  fflush(stdout);

  char line[32];
  while (fgets(line, sizeof line, stdin) != NULL) {
    for (int left = atoi(line); left > 0; left--) {
      VehicleState state = { .vehicle_id = 1, .something = UINT64_MAX };
      VehicleCommandDirect command = { .vehicle_id = 1, .something = UINT64_MAX };
      check(dds_write(writer, is_state ? (void *)&state : (void *)&command), "write");
    }
  }
  dds_delete(participant);
  return 0;
}
