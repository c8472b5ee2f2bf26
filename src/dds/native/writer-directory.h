#pragma once

#include <dds/dds.h>

#include <cstdint>
#include <deque>
#include <mutex>
#include <unordered_map>

namespace hlc {

/** Who wrote a sample. */
struct WriterInfo {
  /** Unique in this process and never used again; 0 for a writer that could not be looked up. */
  int64_t number = 0;
  uint8_t guid[16] = {};
  bool reliable = false;
};

/**
 * The matched writers of one reader, by publication handle. Samples carry nothing but that handle,
 * and the library forgets a writer's GUID when it leaves, which may be before its last sample is
 * taken; so writers are noted when they match, and those that left last are kept for a while.
 */
class WriterDirectory {
 public:
  /** The writer behind `handle`; a zero GUID when it was never noted and is gone. */
  WriterInfo find(dds_entity_t reader, dds_instance_handle_t handle);
  /** The writer behind `handle`, which is matched from now on. */
  WriterInfo joined(dds_entity_t reader, dds_instance_handle_t handle);
  /** The writer behind `handle`, which is matched no longer. */
  WriterInfo left(dds_entity_t reader, dds_instance_handle_t handle);

 private:
  /** Asks the library for the writer behind `handle`, and notes it. */
  WriterInfo note(dds_entity_t reader, dds_instance_handle_t handle);

  struct Known {
    WriterInfo info;
    bool gone = false;
  };

  std::mutex mutex_;
  std::unordered_map<dds_instance_handle_t, Known> known_;
  /** Writers that left, the first in front; some may be back. */
  std::deque<dds_instance_handle_t> gone_;
};

}  // namespace hlc
