#include "prepared-start.h"

#include <cstdlib>
#include <utility>

#include "clocks.h"
#include "raw-sample.h"

namespace hlc {

namespace {

constexpr size_t encapsulation_bytes = 4;
constexpr size_t time_bytes = 8;
/** The wall clock may be slewed by less than this between two periods without being set, ns. */
constexpr int64_t most_drift_ns = 1'000'000;

void put_little_endian(uint8_t* to, uint64_t value) {
  for (size_t i = 0; i < time_bytes; i++) to[i] = static_cast<uint8_t>(value >> (8 * i));
}

}  // namespace

bool PreparedStart::holds(int64_t monotonic_ns, int64_t realtime_ns) const {
  if (monotonic_ns - due_ns > period_ns / 2) return false;
  return std::llabs(realtime_ns - monotonic_ns - ahead_ns) <= most_drift_ns;
}

void PreparedStart::advance() {
  due_ns += period_ns;
  period_time_ns += static_cast<uint64_t>(period_ns);
  put_little_endian(sample.data() + encapsulation_bytes, period_time_ns);
  repeated = true;
}

void StartDuty::prepare(PreparedStart prepared) {
  if (prepared.sample.size() < encapsulation_bytes + time_bytes || prepared.period_ns <= 0) return;
  period_ns_ = prepared.period_ns;
  if (is_served(prepared.due_ns) || prepared.left == 0) return;
  current_ = std::move(prepared);
}

bool StartDuty::claim(int64_t due_ns, uint32_t left) {
  if (is_served(due_ns)) return false;
  if (left == 0) current_.reset();
  if (current_) {
    while (current_->due_ns < due_ns + period_ns_ / 2) current_->advance();
    current_->left = left;
  }
  return true;
}

std::optional<int64_t> StartDuty::wake_at_ns() const {
  if (!current_) return std::nullopt;
  return current_->send_at_ns();
}

std::optional<FailedStart> StartDuty::serve(const std::function<void(const SentStart&)>& tell) {
  const auto [monotonic_ns, realtime_ns] = read_both_clocks();
  if (!current_ || monotonic_ns < current_->send_at_ns()) return std::nullopt;
  if (!current_->holds(monotonic_ns, realtime_ns)) {
    current_.reset();
    return std::nullopt;
  }
  tell(SentStart{current_->period_time_ns, monotonic_ns, realtime_ns, current_->repeated});
  const dds_entity_t writer = current_->writer;
  const dds_return_t result =
      write_cdr(writer, current_->sample.data(), current_->sample.size());
  last_due_ns_ = current_->due_ns;
  if (result != DDS_RETCODE_OK) {
    current_.reset();
    return FailedStart{writer, result};
  }
  if (--current_->left == 0) {
    current_.reset();
  } else {
    current_->advance();
  }
  return std::nullopt;
}

bool StartDuty::is_served(int64_t due_ns) const {
  // Both sides work out the instant by themselves, and a wall clock that is slewed moves it a little;
  // one that is set leaves at least half a period between two starts.
  return last_due_ns_ && *last_due_ns_ >= due_ns - period_ns_ / 4;
}

}  // namespace hlc
