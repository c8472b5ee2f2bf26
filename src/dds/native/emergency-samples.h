#pragma once

#include <cstdint>
#include <map>
#include <mutex>

#include "stamped-sample.h"

namespace hlc {

/**
 * What is written in an emergency, by the pacer's thread or by the JavaScript thread. Neither of them
 * waits for a write of the other one, and this allocates no memory after `set`.
 */
class EmergencySamples {
 public:
  /** Replaces the sample under this key; the stamps go on rising. */
  void set(int32_t key, StampedSample sample);
  void remove(int32_t key);
  /**
   * Writes all samples once, in the order of their keys.
   * @param outgoing the sender's own
   * @return how many were written
   */
  uint32_t write_all(OutgoingSample& outgoing);

 private:
  std::mutex mutex_;
  std::map<int32_t, StampedSample> samples_;
};

}  // namespace hlc
