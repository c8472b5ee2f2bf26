#pragma once

#include <dds/dds.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace hlc {

/** A start signal that the JavaScript thread has made ahead of time. */
struct PreparedStart {
  dds_entity_t writer = 0;
  /** Little endian; begins with the time of the period, ns, as an unsigned 64-bit integer. */
  std::vector<uint8_t> sample;
  /** Time of the period in the sample, ns. */
  uint64_t period_time_ns = 0;
  /** Monotonic instant at which it is due, ns. */
  int64_t due_ns = 0;
  int64_t period_ns = 0;
  /** With the content of an earlier period it is sent when it is late by this much, ns. */
  int64_t grace_ns = 0;
  /** Wall clock minus monotonic clock, ns. */
  int64_t ahead_ns = 0;
  /** How often in a row it may be sent, 1 or more. */
  uint32_t left = 0;
  /** True when the content was made for an earlier period. */
  bool repeated = false;

  int64_t send_at_ns() const { return repeated ? due_ns + grace_ns : due_ns; }
  /** False when it is too late, or when the wall clock was set: the times no longer hold. */
  bool holds(int64_t monotonic_ns, int64_t realtime_ns) const;
  /** Makes it that of the next period, with the same content. */
  void advance();
};

/** A start signal that the pacer sends. */
struct SentStart {
  uint64_t period_time_ns = 0;
  int64_t monotonic_ns = 0;
  int64_t realtime_ns = 0;
  bool repeated = false;
};

/** A start signal that could not be sent. */
struct FailedStart {
  dds_entity_t writer = 0;
  dds_return_t code = 0;
};

/**
 * Which start signal the pacer sends next. The JavaScript thread prepares each one shortly before it
 * is due. When it stands still, the last one is sent again with the time of the next period, after a
 * grace in which the thread may claim that period and do better. Plain data and rules; the caller
 * locks.
 */
class StartDuty {
 public:
  /** Replaces what was prepared before; what is of a period that was served is not taken. */
  void prepare(PreparedStart prepared);
  /**
   * The JavaScript thread is about to send the start signal that was due at this instant.
   * @param left see PreparedStart
   * @return false when the pacer has sent it.
   */
  bool claim(int64_t due_ns, uint32_t left);
  /** Nothing is sent until the next `prepare`. */
  void cancel() { current_.reset(); }

  /** The instant at which `serve` is to be called, ns. */
  std::optional<int64_t> wake_at_ns() const;
  /**
   * Sends what is due, if anything is.
   * @param tell called before it is sent, so that it is known before any answer
   * @return what failed; nothing is sent any more then until the next `prepare`
   */
  std::optional<FailedStart> serve(const std::function<void(const SentStart&)>& tell);

 private:
  bool is_served(int64_t due_ns) const;

  std::optional<PreparedStart> current_;
  int64_t period_ns_ = 0;
  std::optional<int64_t> last_due_ns_;
};

}  // namespace hlc
