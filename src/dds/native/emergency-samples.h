#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include "stamped-sample.h"

namespace hlc {

/** When a sample is written. The numbers are those of `native.ts`. */
enum class Occasion : int32_t {
  always = 0,
  /** The JavaScript thread writes. */
  at_once = 1,
  /** That thread hangs. */
  after_hang = 2,
  /** Of no sample: the whole process was held up, so prepared places are no longer those of now. */
  after_suspension = 3,
  /** On all occasions but that one. */
  unless_suspended = 4,
};

/**
 * What is written in an emergency, by the pacer's thread or by the JavaScript thread. Neither of them
 * waits for a write of the other one, and this allocates no memory after `set`.
 */
class EmergencySamples {
 public:
  /** Replaces the sample under this key; the stamps go on rising. */
  void set(int32_t key, StampedSample sample, Occasion occasion);
  void remove(int32_t key);
  /** The simulated time, ns: from now on the base of all stamps, in place of the clocks. */
  void set_time(int64_t simulated_ns);
  /**
   * Writes the samples for this occasion once, in the order of their keys.
   * @param outgoing the sender's own
   * @return how many were written
   */
  uint32_t write_all(OutgoingSample& outgoing, Occasion occasion);

 private:
  struct Entry {
    StampedSample sample;
    Occasion occasion;
  };

  std::mutex mutex_;
  std::map<int32_t, Entry> samples_;
  std::optional<int64_t> simulated_ns_;
};

}  // namespace hlc
