/*
 * Writes octets as they are to a topic: what a broken or hostile program can put on the network.
 * Usage: raw-writer TOPIC TYPE keyed|keyless DOMAIN. Each line of the standard input is one
 * sample: its octets in hex with the encapsulation header, then optionally the number of zero octets
 * that follow them; zeros round it up to four octets, as RTPS wants it. "matched" on the standard
 * output means a matched reader, "written N" answers a line "count" with the number of samples
 * written.
 *
 * The library takes the octets from a type of our own, which checks nothing.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dds/dds.h>
#include <dds/ddsi/ddsi_serdata.h>
#include <dds/ddsi/ddsi_sertype.h>

#include "peer.h"

struct octets {
  size_t count;
  unsigned char *at;
};

struct sample {
  struct ddsi_serdata common;
  struct octets octets;
};

static const struct octets *octets_of(const struct ddsi_serdata *data) {
  return &((const struct sample *)data)->octets;
}

static struct ddsi_serdata *make_sample(const struct ddsi_sertype *type, enum ddsi_serdata_kind kind,
                                        const struct octets *from) {
  struct sample *made = calloc(1, sizeof *made);
  ddsi_serdata_init(&made->common, type, kind);
  made->octets.count = from->count;
  made->octets.at = malloc(from->count);
  memcpy(made->octets.at, from->at, from->count);
  return &made->common;
}

static uint32_t get_size(const struct ddsi_serdata *data) {
  return (uint32_t)octets_of(data)->count;
}

static bool same_key(const struct ddsi_serdata *a, const struct ddsi_serdata *b) {
  (void)a, (void)b;
  return true;
}

static void free_sample(struct ddsi_serdata *data) {
  free(((struct sample *)data)->octets.at);
  free(data);
}

static struct ddsi_serdata *from_sample(const struct ddsi_sertype *type, enum ddsi_serdata_kind kind,
                                        const void *octets) {
  return make_sample(type, kind, octets);
}

static struct ddsi_serdata *to_untyped(const struct ddsi_serdata *data) {
  struct ddsi_serdata *made = make_sample(data->type, SDK_KEY, octets_of(data));
  made->type = NULL;
  return made;
}

static void to_ser(const struct ddsi_serdata *data, size_t from, size_t count, void *to) {
  memcpy(to, octets_of(data)->at + from, count);
}

static struct ddsi_serdata *to_ser_ref(const struct ddsi_serdata *data, size_t from, size_t count,
                                       ddsrt_iovec_t *to) {
  to->iov_base = octets_of(data)->at + from;
  to->iov_len = (ddsrt_iov_len_t)count;
  return ddsi_serdata_ref(data);
}

static void to_ser_unref(struct ddsi_serdata *data, const ddsrt_iovec_t *to) {
  (void)to;
  ddsi_serdata_unref(data);
}

static size_t print(const struct ddsi_sertype *type, const struct ddsi_serdata *data, char *to,
                    size_t size) {
  (void)type, (void)data;
  return (size_t)snprintf(to, size, "octets");
}

static void get_keyhash(const struct ddsi_serdata *data, struct ddsi_keyhash *hash, bool md5) {
  (void)data, (void)md5;
  memset(hash, 0, sizeof *hash);
}

static const struct ddsi_serdata_ops data_ops = {
  .eqkey = same_key,
  .get_size = get_size,
  .free = free_sample,
  .from_sample = from_sample,
  .to_untyped = to_untyped,
  .to_ser = to_ser,
  .to_ser_ref = to_ser_ref,
  .to_ser_unref = to_ser_unref,
  .print = print,
  .get_keyhash = get_keyhash,
};

static void free_type(struct ddsi_sertype *type) {
  ddsi_sertype_fini(type);
  free(type);
}

static bool same_type(const struct ddsi_sertype *a, const struct ddsi_sertype *b) {
  (void)a, (void)b;
  return true;
}

static uint32_t hash_type(const struct ddsi_sertype *type) {
  (void)type;
  return 0;
}

static const struct ddsi_sertype_ops type_ops = {
  .version = ddsi_sertype_v0,
  .free = free_type,
  .equal = same_type,
  .hash = hash_type,
};

/** The sample of a line; its memory is the caller's. */
static struct octets parse(const char *line) {
  const size_t digits = strspn(line, "0123456789abcdefABCDEF");
  const size_t zeros = strtoul(line + digits, NULL, 10);
  const size_t count = (digits / 2 + zeros + 3) & ~(size_t)3;
  struct octets made = { count, calloc(1, count + 1) };
  for (size_t i = 0; i < digits / 2; i++) {
    unsigned octet = 0;
    sscanf(line + 2 * i, "%2x", &octet);
    made.at[i] = (unsigned char)octet;
  }
  return made;
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  dds_entity_t participant =
      check(dds_create_participant((dds_domainid_t)atoi(argv[4]), NULL, NULL), "participant");
  struct ddsi_sertype *type = calloc(1, sizeof *type);
  ddsi_sertype_init(type, argv[2], &type_ops, &data_ops, strcmp(argv[3], "keyless") == 0);
  dds_entity_t topic = check(
      dds_create_topic_sertype(participant, argv[1], &type, NULL, NULL, NULL), "topic");
  dds_entity_t writer = open_matched_writer(participant, topic);

  char *line = NULL;
  size_t size = 0;
  unsigned long written = 0;
  while (getline(&line, &size, stdin) > 0) {
    if (strncmp(line, "count", 5) == 0) {
      printf("written %lu\n", written);
      fflush(stdout);
      continue;
    }
    struct octets sample = parse(line);
    check(dds_write(writer, &sample), "write");
    written++;
    free(sample.at);
  }
  free(line);
  check(dds_wait_for_acks(writer, DDS_SECS(10)), "acknowledgements");
  dds_delete(participant);
  return 0;
}
