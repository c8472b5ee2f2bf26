#include "unsent-samples.h"

#include <algorithm>

namespace hlc {

namespace {

/** So many wait at most: the first one must not wait long for the last one. */
constexpr size_t most_samples = 16;

}  // namespace

void UnsentSamples::make_way(dds_entity_t writer, uint8_t instance) {
  const Sample sample{writer, instance};
  if (std::find(samples_.begin(), samples_.end(), sample) != samples_.end()) send();
}

void UnsentSamples::add(dds_entity_t writer, uint8_t instance) {
  samples_.emplace_back(writer, instance);
  if (samples_.size() >= most_samples) send();
}

void UnsentSamples::send() {
  dds_entity_t last = 0;
  for (const auto& [writer, instance] : samples_) {
    if (writer != last) dds_write_flush(writer);
    last = writer;
  }
  samples_.clear();
}

}  // namespace hlc
