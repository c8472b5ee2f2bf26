#pragma once

#include <dds/dds.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>

#include "event-queue.h"
#include "unchecked-type.h"

namespace hlc {

/** One DDS writer that is given CDR. */
class Writer {
 public:
  explicit Writer(EventQueue& queue) : queue_(queue) {}
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /** @return the entity handle, or a negative DDS return code. */
  dds_entity_t open(dds_entity_t participant, dds_entity_t topic, const dds_qos_t* qos);
  dds_entity_t entity() const { return entity_; }
  /** Waits for a running listener call; no event follows. */
  dds_return_t close();

  /** @return DDS_RETCODE_BAD_PARAMETER when the bytes do not begin as plain CDR. */
  dds_return_t write(const uint8_t* cdr, size_t bytes);
  /** As `write`, but the sample may wait for `dds_write_flush`. */
  dds_return_t write_unsent(const uint8_t* cdr, size_t bytes);
  /** Equal for any two samples of one instance; where the key is no octet, for any two. */
  uint8_t instance_of(const uint8_t* cdr, size_t bytes) const;
  /** GUID prefixes, as hex, of the participants with a matched reader. */
  std::set<std::string> matched_participants() const;

 private:
  static void on_publication_matched(dds_entity_t writer, dds_publication_matched_status_t status,
                                     void* self);
  static void on_incompatible_qos(dds_entity_t writer, dds_offered_incompatible_qos_status_t status,
                                  void* self);

  EventQueue& queue_;
  dds_entity_t entity_ = 0;
  /** The first octet of a sample is its whole key. */
  bool octet_is_key_ = false;
  KeptInstances instances_;
};

}  // namespace hlc
