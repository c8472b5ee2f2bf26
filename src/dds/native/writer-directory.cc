#include "writer-directory.h"

#include <atomic>
#include <cstring>

namespace hlc {

namespace {

// Handles are never used again, so the directory of a reader that has seen this many writers come
// and go starts anew; those that are still there are looked up again.
constexpr size_t most_known_writers = 4096;

std::atomic<int64_t> last_number{0};

}  // namespace

WriterInfo WriterDirectory::note(dds_entity_t reader, dds_instance_handle_t handle) {
  WriterInfo info;
  dds_builtintopic_endpoint_t* endpoint = dds_get_matched_publication_data(reader, handle);
  if (endpoint == nullptr) return info;
  info.number = ++last_number;
  std::memcpy(info.guid, endpoint->key.v, sizeof info.guid);
  dds_reliability_kind_t kind = DDS_RELIABILITY_BEST_EFFORT;
  dds_duration_t max_blocking_time = 0;
  if (dds_qget_reliability(endpoint->qos, &kind, &max_blocking_time)) {
    info.reliable = kind == DDS_RELIABILITY_RELIABLE;
  }
  dds_builtintopic_free_endpoint(endpoint);
  std::lock_guard<std::mutex> lock(mutex_);
  if (known_.size() >= most_known_writers) known_.clear();
  known_[handle] = info;
  return info;
}

WriterInfo WriterDirectory::find(dds_entity_t reader, dds_instance_handle_t handle) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = known_.find(handle);
    if (found != known_.end()) return found->second;
  }
  return note(reader, handle);
}

}  // namespace hlc
