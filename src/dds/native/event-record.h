#pragma once

#include <cstdint>

namespace hlc {

/** What a record in an event batch is about. Read by src/dds/event-batch.ts, in the same order. */
enum class EventKind : uint8_t {
  sample = 0,
  instance_disposed = 1,
  instance_without_writers = 2,
  tick = 3,
  subscription_matched = 4,
  publication_matched = 5,
  requested_incompatible_qos = 6,
  offered_incompatible_qos = 7,
  liveliness_changed = 8,
  liveliness_lost = 9,
  sample_lost = 10,
  sample_rejected = 11,
  oversize = 12,
  log = 13,
  slot_sent = 14,
  write_failed = 15,
  sent_by_hang = 16,
};

/** The record flag of a sample whose writer is reliable. */
constexpr uint8_t flag_reliable_writer = 1;
/** The record flag of a match that came; without it, a match that went. */
constexpr uint8_t flag_writer_joined = 2;

/**
 * The head of a record; `payload_bytes` bytes follow, then zero to seven bytes of padding, so that
 * every record starts on a multiple of eight. Native byte order.
 */
struct EventRecord {
  uint32_t record_bytes = 0;
  EventKind kind = EventKind::sample;
  uint8_t flags = 0;
  uint16_t reserved = 0;
  /** tick, slot_sent, sent_by_hang: id of the pacer. Otherwise handle of the reader or writer. */
  int32_t entity = 0;
  uint32_t payload_bytes = 0;
  /**
   * sample: source timestamp. tick: the instant asked for. slot_sent: the value in the sample.
   * sent_by_hang: age of the last beat, ns. status: see `first`, `second`.
   */
  int64_t a = 0;
  /**
   * sample: monotonic instant of reception. tick, slot_sent: that of the wake-up. sent_by_hang: number
   * of samples.
   */
  int64_t b = 0;
  /** tick, slot_sent: realtime clock at the wake-up. sample, instance, match: number of the writer. */
  int64_t c = 0;
  /** sample, instance, subscription match: GUID of the writer. */
  uint8_t guid[16] = {};
};

static_assert(sizeof(EventRecord) == 56, "src/dds/event-batch.ts reads this layout");

}  // namespace hlc
