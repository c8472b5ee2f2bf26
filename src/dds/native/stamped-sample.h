#pragma once

#include <dds/dds.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace hlc {

/** Maximum size of a stamped sample: the buffers of its senders are allocated beforehand. */
constexpr size_t max_stamped_bytes = 64 * 1024;

/** A place of a sample, in which a time is put as an unsigned 64-bit integer, little endian. */
struct StampPlace {
  size_t offset = 0;
  /** Added to the base, ns. */
  int64_t delta_ns = 0;
  /** A time by the clock of the receiver: its base is not above the steady clock plus the offset of the sample. */
  bool is_time = false;
};

/**
 * A sample that is prepared once and written many times, each time with newer stamps. Plain data;
 * the caller locks.
 */
class StampedSample {
 public:
  /**
   * @param floor_ns minimum of the base, ns since 1970
   * @param clock_offset_ns the clock of the receiver less the steady one, ns
   * The caller has checked that every place lies within the bytes.
   */
  StampedSample(dds_entity_t writer, std::vector<uint8_t> bytes, std::vector<StampPlace> places,
                int64_t floor_ns, int64_t clock_offset_ns);

  dds_entity_t writer() const { return writer_; }
  /** The next stamps of this sample will be above those of the other one. */
  void continue_after(const StampedSample& other) { last_base_ns_ = other.last_base_ns_; }
  /**
   * Puts the stamps of this instant, or the smallest that are above the last ones, into the bytes.
   * @param now_ns wall clock, or simulated time
   * @param monotonic_ns steady clock; none in simulated time
   * @return the bytes, which hold until the next call
   */
  const std::vector<uint8_t>& stamp(int64_t now_ns, std::optional<int64_t> monotonic_ns);

 private:
  dds_entity_t writer_;
  std::vector<uint8_t> bytes_;
  std::vector<StampPlace> places_;
  int64_t floor_ns_;
  int64_t clock_offset_ns_;
  int64_t last_base_ns_ = std::numeric_limits<int64_t>::min();
};

/** A copy of a sample on its way out, so that nothing is locked while it is written. */
class OutgoingSample {
 public:
  OutgoingSample() { bytes_.reserve(max_stamped_bytes); }
  /** With the stamps of this instant. */
  void take(StampedSample& sample);
  /** With the stamps of a simulated time, ns, which is that of all receivers. */
  void take(StampedSample& sample, int64_t simulated_ns);
  /** Puts a number into the copy; the caller has checked that its eight bytes lie within. */
  void put(size_t offset, double value);
  /** @return what the DDS library says */
  dds_return_t write() const;
  dds_entity_t writer() const { return writer_; }

 private:
  void take(const StampedSample& sample, const std::vector<uint8_t>& bytes);

  dds_entity_t writer_ = 0;
  std::vector<uint8_t> bytes_;
};

}  // namespace hlc
