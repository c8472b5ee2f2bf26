#include "stop-ramps.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace hlc {

namespace {

constexpr double ns_per_s = 1e9;
/** Longer than any stop: a ramp with odd numbers ends, too. */
constexpr double longest_ramp_s = 3600;

}  // namespace

StopRamps::Entries::node_type StopRamps::node(int32_t key, StopRamp ramp, const RampTimes& times) {
  const double falls_s = std::clamp(std::abs(ramp.speed) / ramp.deceleration, 0.0, longest_ramp_s);
  const int64_t due_ns = ramp.set_at_ns + times.after_ns;
  const int64_t end_ns = ramp.set_at_ns + static_cast<int64_t>(falls_s * ns_per_s) + times.rest_ns;
  Entries entries;
  entries.emplace(key, Entry{std::move(ramp), due_ns, end_ns, times});
  return entries.extract(key);
}

StopRamps::Entries::node_type StopRamps::set(Entries::node_type node) {
  auto before = entries_.extract(node.key());
  if (!before.empty()) node.mapped().ramp.sample.continue_after(before.mapped().ramp.sample);
  entries_.insert(std::move(node));
  return before;
}

StopRamps::Entries StopRamps::clear() { return std::exchange(entries_, {}); }

void StopRamps::wait_until(int64_t instant_ns) {
  for (auto& [key, entry] : entries_) entry.due_ns = std::max(entry.due_ns, instant_ns);
}

int64_t StopRamps::wake_at_ns() const {
  int64_t wake_ns = std::numeric_limits<int64_t>::max();
  for (const auto& [key, entry] : entries_) {
    if (entry.due_ns <= entry.end_ns) wake_ns = std::min(wake_ns, entry.due_ns);
  }
  return wake_ns;
}

bool StopRamps::take(OutgoingSample& outgoing, int64_t now_ns) {
  for (auto& [key, entry] : entries_) {
    if (entry.due_ns > now_ns || entry.due_ns > entry.end_ns) continue;
    // After a delay of this thread, the repetitions that were missed are left out.
    entry.due_ns = std::max(entry.due_ns + entry.times.repeat_ns, now_ns);
    StopRamp& ramp = entry.ramp;
    const double passed_s = static_cast<double>(now_ns - ramp.set_at_ns) / ns_per_s;
    const double left = std::max(0.0, std::abs(ramp.speed) - ramp.deceleration * passed_s);
    outgoing.take(ramp.sample);
    outgoing.put(ramp.speed_offset, std::copysign(left, ramp.speed));
    return true;
  }
  return false;
}

}  // namespace hlc
