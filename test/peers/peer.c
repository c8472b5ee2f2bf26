#include "peer.h"

#include <stdio.h>
#include <stdlib.h>

int32_t check(int32_t result, const char *what) {
  if (result >= 0) return result;
  fprintf(stderr, "%s: %s\n", what, dds_strretcode(result));
  exit(1);
}

static void await_reader(dds_entity_t participant, dds_entity_t writer) {
  dds_entity_t waitset = check(dds_create_waitset(participant), "waitset");
  check(dds_set_status_mask(writer, DDS_PUBLICATION_MATCHED_STATUS), "status mask");
  check(dds_waitset_attach(waitset, writer, 0), "attach");
  check(dds_waitset_wait(waitset, NULL, 0, DDS_INFINITY), "wait");
}

dds_entity_t open_matched_writer(dds_entity_t participant, dds_entity_t topic) {
  dds_qos_t *qos = dds_create_qos();
  dds_qset_reliability(qos, DDS_RELIABILITY_RELIABLE, DDS_SECS(10));
  dds_qset_history(qos, DDS_HISTORY_KEEP_ALL, 0);
  dds_entity_t writer = check(dds_create_writer(participant, topic, qos, NULL), "writer");
  dds_delete_qos(qos);
  await_reader(participant, writer);
  puts("matched");
  fflush(stdout);
  return writer;
}
