#include "wire.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int32_t check(int32_t result, const char *what) {
  if (result >= 0) return result;
  fprintf(stderr, "%s: %s\n", what, dds_strretcode(result));
  exit(1);
}

static dds_entity_t open_topic(dds_entity_t participant, const dds_topic_descriptor_t *type,
                               const char *topic) {
  return check(dds_create_topic(participant, type, topic, NULL, NULL), topic);
}

dds_entity_t open_reader(dds_entity_t participant, const dds_topic_descriptor_t *type,
                         const char *topic, bool reliable, bool keep_all) {
  dds_qos_t *qos = dds_create_qos();
  dds_qset_reliability(qos, reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT,
                       DDS_SECS(1));
  dds_qset_history(qos, keep_all ? DDS_HISTORY_KEEP_ALL : DDS_HISTORY_KEEP_LAST, 1);
  const dds_entity_t reader =
      check(dds_create_reader(participant, open_topic(participant, type, topic), qos, NULL), topic);
  dds_delete_qos(qos);
  return reader;
}

dds_entity_t open_writer(dds_entity_t participant, const dds_topic_descriptor_t *type,
                         const char *topic, bool reliable, bool transient_local) {
  dds_qos_t *qos = dds_create_qos();
  dds_qset_reliability(qos, reliable ? DDS_RELIABILITY_RELIABLE : DDS_RELIABILITY_BEST_EFFORT,
                       DDS_SECS(1));
  if (transient_local) {
    dds_qset_durability(qos, DDS_DURABILITY_TRANSIENT_LOCAL);
    dds_qset_history(qos, DDS_HISTORY_KEEP_ALL, 0);
    dds_qset_durability_service(qos, 0, DDS_HISTORY_KEEP_ALL, 0, DDS_LENGTH_UNLIMITED,
                                DDS_LENGTH_UNLIMITED, DDS_LENGTH_UNLIMITED);
  } else {
    dds_qset_history(qos, DDS_HISTORY_KEEP_LAST, 1);
  }
  const dds_entity_t writer =
      check(dds_create_writer(participant, open_topic(participant, type, topic), qos, NULL), topic);
  dds_delete_qos(qos);
  return writer;
}

bool is_read(dds_entity_t writer) {
  dds_publication_matched_status_t matched;
  check(dds_get_publication_matched_status(writer, &matched), "matched status");
  return matched.current_count > 0;
}

bool is_written(dds_entity_t reader) {
  dds_subscription_matched_status_t matched;
  check(dds_get_subscription_matched_status(reader, &matched), "matched status");
  return matched.current_count > 0;
}

uint64_t clock_ns(int clock) {
  struct timespec at;
  clock_gettime((clockid_t)clock, &at);
  return (uint64_t)at.tv_sec * 1000000000u + (uint64_t)at.tv_nsec;
}

uint64_t t_us(void) {
  return clock_ns(CLOCK_MONOTONIC) / 1000;
}

void report(const char *event, int id) {
  if (id < 0) printf("{\"event\":\"%s\",\"t\":%" PRIu64 "}\n", event, t_us());
  else printf("{\"event\":\"%s\",\"id\":%d,\"t\":%" PRIu64 "}\n", event, id, t_us());
  fflush(stdout);
}

static char orders[4096];
static size_t filled, used;

void open_orders(void) {
  fcntl(STDIN_FILENO, F_SETFL, fcntl(STDIN_FILENO, F_GETFL) | O_NONBLOCK);
}

const char *next_order(bool *ended) {
  *ended = false;
  memmove(orders, orders + used, filled - used);
  filled -= used;
  used = 0;
  char *end = memchr(orders, '\n', filled);
  if (end == NULL) {
    const ssize_t got = read(STDIN_FILENO, orders + filled, sizeof orders - filled);
    *ended = got == 0;
    if (got > 0) filled += (size_t)got;
    end = memchr(orders, '\n', filled);
    if (end == NULL) return NULL;
  }
  *end = '\0';
  used = (size_t)(end - orders) + 1;
  return orders;
}

const char *value_of(const char *text, const char *name) {
  const size_t length = strlen(name);
  return strncmp(text, name, length) == 0 && text[length] == '=' ? text + length + 1 : NULL;
}
