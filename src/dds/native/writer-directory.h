#pragma once

#include <dds/dds.h>

#include <cstdint>
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
 * taken; so writers are noted when they match.
 */
class WriterDirectory {
 public:
  /** Notes the writer behind `handle` of the reader. */
  WriterInfo note(dds_entity_t reader, dds_instance_handle_t handle);
  /** The writer behind `handle`; a zero GUID when it was never noted and is gone. */
  WriterInfo find(dds_entity_t reader, dds_instance_handle_t handle);

 private:
  std::mutex mutex_;
  std::unordered_map<dds_instance_handle_t, WriterInfo> known_;
};

}  // namespace hlc
