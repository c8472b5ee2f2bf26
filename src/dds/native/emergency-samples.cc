#include "emergency-samples.h"

#include <utility>

namespace hlc {

static bool is_for(Occasion own, Occasion occasion) {
  switch (own) {
    case Occasion::always:
      return true;
    case Occasion::unless_suspended:
      return occasion != Occasion::after_suspension;
    default:
      return own == occasion;
  }
}

void EmergencySamples::set(int32_t key, StampedSample sample, Occasion occasion) {
  // Memory is allocated and given back while nothing is locked.
  std::map<int32_t, Entry> added;
  added.emplace(key, Entry{std::move(sample), occasion});
  auto node = added.extract(key);
  {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto known = samples_.find(key);
    if (known == samples_.end()) {
      samples_.insert(std::move(node));
    } else {
      node.mapped().sample.continue_after(known->second.sample);
      std::swap(known->second, node.mapped());
    }
  }
}

void EmergencySamples::remove(int32_t key) {
  std::map<int32_t, Entry>::node_type removed;
  std::lock_guard<std::mutex> lock(mutex_);
  removed = samples_.extract(key);
}

void EmergencySamples::set_time(int64_t simulated_ns) {
  std::lock_guard<std::mutex> lock(mutex_);
  simulated_ns_ = simulated_ns;
}

uint32_t EmergencySamples::write_all(OutgoingSample& outgoing, Occasion occasion) {
  uint32_t written = 0;
  std::unique_lock<std::mutex> lock(mutex_);
  for (auto next = samples_.begin(); next != samples_.end();) {
    if (!is_for(next->second.occasion, occasion)) {
      ++next;
      continue;
    }
    const int32_t key = next->first;
    StampedSample& sample = next->second.sample;
    if (simulated_ns_)
      outgoing.take(sample, *simulated_ns_);
    else
      outgoing.take(sample);
    lock.unlock();
    if (outgoing.write() == DDS_RETCODE_OK) written++;
    lock.lock();
    next = samples_.upper_bound(key);
  }
  return written;
}

}  // namespace hlc
