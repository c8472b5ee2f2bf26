#pragma once

#include <dds/dds.h>

#include <cstddef>
#include <vector>

namespace hlc {

/**
 * Samples that are written and wait to be sent in the same packets as those that follow. For the JavaScript
 * thread; samples of other threads are sent at once, and those of the same writer with them.
 */
class UnsentSamples {
 public:
  /** A sample of this writer waits. */
  void add(dds_entity_t writer);
  /** Sends them all; those of a writer that is closed are gone. */
  void send();

 private:
  /** Each once. */
  std::vector<dds_entity_t> writers_;
  size_t samples_ = 0;
};

}  // namespace hlc
