#pragma once

#include <dds/dds.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace hlc {

/**
 * Samples that are written and wait to be sent in the same packets as those that follow. For the JavaScript
 * thread; samples of other threads are sent at once, and those of the same writer with them.
 *
 * No two of them are of one instance. A writer that keeps the last sample only forgets the first one, and a
 * heartbeat, which another thread of the library sends, may tell the readers that it is gone before it is sent.
 */
class UnsentSamples {
 public:
  /** Call before such a sample is written: sends them all when one of its instance waits. */
  void make_way(dds_entity_t writer, uint8_t instance);
  /** A sample of this writer waits. */
  void add(dds_entity_t writer, uint8_t instance);
  /** Sends them all; those of a writer that is closed are gone. */
  void send();

 private:
  using Sample = std::pair<dds_entity_t, uint8_t>;

  std::vector<Sample> samples_;
};

}  // namespace hlc
