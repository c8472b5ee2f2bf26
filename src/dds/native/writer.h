#pragma once

#include <dds/dds.h>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "event-queue.h"

namespace hlc {

/**
 * One DDS writer that is given CDR. What is disposed of is read into a sample of the topic's type,
 * which is kept so that its memory is used again.
 */
class Writer {
 public:
  Writer(EventQueue& queue, const dds_topic_descriptor_t& type) : queue_(queue), type_(type) {}
  ~Writer();
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  /** @return the entity handle, or a negative DDS return code. */
  dds_entity_t open(dds_entity_t participant, dds_entity_t topic, const dds_qos_t* qos);
  /** Waits for a running listener call; no event follows. */
  dds_return_t close();

  /** @return DDS_RETCODE_BAD_PARAMETER when the bytes are no sample of the type. */
  dds_return_t write(const uint8_t* cdr, size_t bytes);
  /** Disposes the instance of this sample. */
  dds_return_t dispose(const uint8_t* cdr, size_t bytes);
  /** GUID prefixes, as hex, of the participants with a matched reader. */
  std::set<std::string> matched_participants() const;

 private:
  static void on_publication_matched(dds_entity_t writer, dds_publication_matched_status_t status,
                                     void* self);
  static void on_incompatible_qos(dds_entity_t writer, dds_offered_incompatible_qos_status_t status,
                                  void* self);
  static void on_liveliness_lost(dds_entity_t writer, dds_liveliness_lost_status_t status,
                                 void* self);

  bool read_sample(const uint8_t* cdr, size_t bytes);

  EventQueue& queue_;
  const dds_topic_descriptor_t& type_;
  dds_entity_t entity_ = 0;
  void* sample_ = nullptr;
  std::vector<uint64_t> aligned_;
};

}  // namespace hlc
