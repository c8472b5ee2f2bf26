#pragma once

#include <dds/dds.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace hlc {

/**
 * A sample that is sent once per period in the place of the JavaScript thread while that stands
 * still: what the thread would have sent for the next period as far as it was known when the sample
 * was made, with the time of each later period put in. Plain data and rules; the caller locks.
 */
struct StandIn {
  dds_entity_t writer = 0;
  /** Little endian; begins with the time of the period, ns, as an unsigned 64-bit integer. */
  std::vector<uint8_t> sample;
  /** Time of the period in the sample, ns. */
  uint64_t period_time_ns = 0;
  /** Monotonic instant at which the JavaScript thread is to send it, ns. */
  int64_t due_ns = 0;
  int64_t period_ns = 0;
  /** It is sent when it is late by this much, ns. */
  int64_t grace_ns = 0;
  /** Wall clock minus monotonic clock, ns. */
  int64_t ahead_ns = 0;
  /** How often in a row it may still be sent, 1 or more. */
  uint32_t left = 0;

  int64_t send_at_ns() const { return due_ns + grace_ns; }
  /** False when it is too late, or when the wall clock was set: the times no longer hold. */
  bool holds(int64_t monotonic_ns, int64_t realtime_ns) const;
  /** Puts the time of the next period in. */
  void advance();
};

/** What is sent in place of the JavaScript thread. */
struct StoodIn {
  uint64_t period_time_ns = 0;
  int64_t monotonic_ns = 0;
  int64_t realtime_ns = 0;
};

/** Who sends the start signal of a period: the JavaScript thread, or the pacer in its place. */
class StandInDuty {
 public:
  /** The JavaScript thread says what to send from now on; what is of a period that was served is not taken. */
  void prepare(StandIn stand_in);
  /**
   * The JavaScript thread is about to send the start signal that was due at this instant.
   * @param left see StandIn
   * @return false when the pacer has sent it.
   */
  bool claim(int64_t due_ns, uint32_t left);
  /** Nobody stands in until the next `prepare`. */
  void stand_down() { current_.reset(); }

  /** The instant at which `serve` is to be called, ns. */
  std::optional<int64_t> wake_at_ns() const;
  /**
   * Sends what is due, if anything is.
   * @param tell called before it is sent, so that it is known before any answer
   * @return what the DDS library says
   */
  dds_return_t serve(int64_t monotonic_ns, int64_t realtime_ns,
                     const std::function<void(const StoodIn&)>& tell);

 private:
  bool is_served(int64_t due_ns) const;

  std::optional<StandIn> current_;
  int64_t period_ns_ = 0;
  std::optional<int64_t> last_due_ns_;
};

}  // namespace hlc
