#include "writer-directory.h"

#include <atomic>
#include <cstring>

namespace hlc {

namespace {

/** Samples of so many writers that left may still be in the reader's cache. */
constexpr size_t max_gone_writers = 1024;

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
  // Another thread may have noted it meanwhile; a writer has one number.
  return known_.try_emplace(handle, Known{info}).first->second.info;
}

WriterInfo WriterDirectory::find(dds_entity_t reader, dds_instance_handle_t handle) {
  {
    std::lock_guard<std::mutex> lock(mutex_);
    const auto found = known_.find(handle);
    if (found != known_.end()) return found->second.info;
  }
  return note(reader, handle);
}

WriterInfo WriterDirectory::joined(dds_entity_t reader, dds_instance_handle_t handle) {
  const WriterInfo info = find(reader, handle);
  std::lock_guard<std::mutex> lock(mutex_);
  // A writer that is discovered again may have the handle that it had.
  if (const auto known = known_.find(handle); known != known_.end()) known->second.gone = false;
  return info;
}

WriterInfo WriterDirectory::left(dds_entity_t reader, dds_instance_handle_t handle) {
  const WriterInfo info = find(reader, handle);
  std::lock_guard<std::mutex> lock(mutex_);
  const auto known = known_.find(handle);
  if (known == known_.end()) return info;
  known->second.gone = true;
  gone_.push_back(handle);
  if (gone_.size() <= max_gone_writers) return info;
  const auto oldest = known_.find(gone_.front());
  if (oldest != known_.end() && oldest->second.gone) known_.erase(oldest);
  gone_.pop_front();
  return info;
}

}  // namespace hlc
