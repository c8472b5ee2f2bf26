#include "unsent-samples.h"

#include <algorithm>

namespace hlc {

namespace {

/** So many wait at most: the first one must not wait long for the last one. */
constexpr size_t most_samples = 16;

}  // namespace

void UnsentSamples::add(dds_entity_t writer) {
  if (std::find(writers_.begin(), writers_.end(), writer) == writers_.end()) {
    writers_.push_back(writer);
  }
  if (++samples_ >= most_samples) send();
}

void UnsentSamples::send() {
  for (const dds_entity_t writer : writers_) dds_write_flush(writer);
  writers_.clear();
  samples_ = 0;
}

}  // namespace hlc
