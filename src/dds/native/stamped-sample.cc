#include "stamped-sample.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "clocks.h"
#include "little-endian.h"
#include "raw-sample.h"

namespace hlc {

StampedSample::StampedSample(dds_entity_t writer, std::vector<uint8_t> bytes,
                             std::vector<StampPlace> places, int64_t floor_ns,
                             int64_t clock_offset_ns)
    : writer_(writer),
      bytes_(std::move(bytes)),
      places_(std::move(places)),
      floor_ns_(floor_ns),
      clock_offset_ns_(clock_offset_ns) {}

const std::vector<uint8_t>& StampedSample::stamp(int64_t now_ns,
                                                 std::optional<int64_t> monotonic_ns) {
  const int64_t above_last = last_base_ns_ + 1;
  last_base_ns_ = std::max({now_ns, floor_ns_, above_last});
  int64_t time_base_ns = last_base_ns_;
  // A clock that is set forward is not yet that of the receiver, for which the time would be far ahead.
  if (monotonic_ns) time_base_ns = std::min(time_base_ns, *monotonic_ns + clock_offset_ns_);
  for (const auto& [offset, delta_ns, is_time] : places_) {
    const int64_t base_ns = is_time ? time_base_ns : last_base_ns_;
    put_little_endian(bytes_.data() + offset,
                      static_cast<uint64_t>(base_ns) + static_cast<uint64_t>(delta_ns));
  }
  return bytes_;
}

void OutgoingSample::take(StampedSample& sample) {
  take(sample, sample.stamp(realtime_ns(), monotonic_ns()));
}

void OutgoingSample::take(StampedSample& sample, int64_t simulated_ns) {
  take(sample, sample.stamp(simulated_ns, std::nullopt));
}

void OutgoingSample::take(const StampedSample& sample, const std::vector<uint8_t>& bytes) {
  writer_ = sample.writer();
  bytes_.assign(bytes.begin(), bytes.end());
}

void OutgoingSample::put(size_t offset, double value) {
  uint64_t bits = 0;
  static_assert(sizeof bits == sizeof value);
  std::memcpy(&bits, &value, sizeof bits);
  put_little_endian(bytes_.data() + offset, bits);
}

dds_return_t OutgoingSample::write() const {
  return write_cdr(writer_, bytes_.data(), bytes_.size());
}

}  // namespace hlc
