#pragma once

#include <cstdint>

namespace hlc {

/** What a record in an event batch is about. Read by src/dds/event-batch.ts, in the same order. */
enum class EventKind : uint8_t {
  sample = 0,
  tick = 1,
  subscription_matched = 2,
  publication_matched = 3,
  requested_incompatible_qos = 4,
  offered_incompatible_qos = 5,
  sample_lost = 6,
  sample_rejected = 7,
  oversize = 8,
  log = 9,
  slot_sent = 10,
  write_failed = 11,
  sent_by_hang = 12,
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
   * sample: source timestamp. tick: the instant asked for. slot_sent: the value in the sample. status: see
   * `first`, `second`.
   */
  int64_t a = 0;
  /** sample: monotonic instant of reception. tick, slot_sent: that of the wake-up. */
  int64_t b = 0;
  /** tick, slot_sent: realtime clock at the wake-up. sample, match: number of the writer. */
  int64_t c = 0;
  /** sample, subscription match: GUID of the writer. */
  uint8_t guid[16] = {};
};

static_assert(sizeof(EventRecord) == 56, "src/dds/event-batch.ts reads this layout");

}  // namespace hlc
