#pragma once

#include <dds/dds.h>

#include <atomic>
#include <mutex>

#include "event-queue.h"
#include "writer-directory.h"

namespace hlc {

struct ReaderOptions {
  /** Drop what reliable writers send: a reliable reader of the same topic has it already. */
  bool ignore_reliable_writers = false;
  /** A sample with more bytes than this is dropped and reported as oversize. */
  uint32_t max_sample_bytes = 0;
};

/**
 * One DDS reader. Its listener takes samples as CDR in the thread that received them and puts
 * them into the event queue. Samples that the queue has no room for stay in the reader's cache,
 * where history and resource limits apply, until `resume`.
 */
class Reader {
 public:
  Reader(EventQueue& queue, ReaderOptions options) : queue_(queue), options_(options) {}
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  /** @return the entity handle, or a negative DDS return code. */
  dds_entity_t open(dds_entity_t participant, dds_entity_t topic, const dds_qos_t* qos);
  /** Waits for a running listener call; no event follows. */
  dds_return_t close();
  /** Takes what was left in the cache when the queue was full. */
  void resume();
  /** How often samples had to stay in the cache because the queue was full. */
  uint32_t stalls() const { return stalls_.load(std::memory_order_relaxed); }

 private:
  static void on_data_available(dds_entity_t reader, void* self);
  static void on_subscription_matched(dds_entity_t reader, dds_subscription_matched_status_t status,
                                      void* self);
  static void on_incompatible_qos(dds_entity_t reader,
                                  dds_requested_incompatible_qos_status_t status, void* self);
  static void on_sample_lost(dds_entity_t reader, dds_sample_lost_status_t status, void* self);
  static void on_sample_rejected(dds_entity_t reader, dds_sample_rejected_status_t status,
                                 void* self);

  void take(dds_entity_t reader);
  /** @return whether it appended an event. */
  bool forward(dds_entity_t reader, struct ddsi_serdata* sample, const dds_sample_info_t& info,
               int64_t received_at);

  EventQueue& queue_;
  const ReaderOptions options_;
  dds_entity_t entity_ = 0;
  WriterDirectory writers_;
  std::mutex take_mutex_;
  std::atomic<bool> stalled_{false};
  std::atomic<uint32_t> stalls_{0};
  int64_t oversize_ = 0;
};

}  // namespace hlc
