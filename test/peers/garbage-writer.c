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
#include "peer.h"

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  int is_state = strcmp(argv[1], "vehicleState") == 0;
  const dds_topic_descriptor_t *type = is_state ? &VehicleState_desc : &VehicleCommandDirect_desc;
  dds_domainid_t domain = (dds_domainid_t)atoi(argv[2]);

  dds_entity_t participant = check(dds_create_participant(domain, NULL, NULL), "participant");
  dds_entity_t topic = check(dds_create_topic(participant, type, argv[1], NULL, NULL), "topic");
  dds_entity_t writer = open_matched_writer(participant, topic);

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
